"""Whose token may report for which TrainJob: one for that very TrainJob, of a service account of its namespace."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from trainergen_controller.kinds import TOKEN_REVIEW

if TYPE_CHECKING:
    from trainergen_controller.client import Client
    from trainergen_controller.clocks import Clock

_REMEMBERED = 4096


class Authorizer(Protocol):
    """Says whether a token may report for a TrainJob."""

    def allows(self, token: str, namespace: str, name: str) -> bool:
        """Raises ``errors.ApiError`` or ``errors.UnavailableError`` when it cannot be told."""


def audience(namespace: str, name: str) -> str:
    """The audience that a token for a TrainJob has to be made for."""
    return f"trainer.kubeflow.org/v1alpha1/namespaces/{namespace}/trainjobs/{name}/status"


def bearer(header: str, *, loosely: bool) -> str:
    """The token of an Authorization header, empty if there is none; ``loosely`` with any case and spaces."""
    if not header.isascii():
        return ""
    if not loosely:
        scheme, _, token = header.partition(" ")
        return token if scheme == "Bearer" else ""
    words = header.split()
    return words[1] if len(words) == 2 and words[0].lower() == "bearer" else ""


@dataclass(slots=True)
class TokenReviews:
    """Asks the API server, which knows of revoked tokens and deleted Pods too. A yes is believed for ``seconds``."""

    client: Client
    clock: Clock
    seconds: float = 10.0
    _known: OrderedDict[str, float] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def allows(self, token: str, namespace: str, name: str) -> bool:
        if not token:
            return False
        key = hashlib.sha256(f"{namespace}/{name}/{token}".encode()).hexdigest()
        if self._is_known(key):
            return True
        if not self._review(token, namespace, name):
            return False
        with self._lock:
            self._known[key] = self.clock.monotonic() + self.seconds
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return True

    def _is_known(self, key: str) -> bool:
        with self._lock:
            until = self._known.get(key)
            if until is not None and until <= self.clock.monotonic():
                del self._known[key]
                return False
            return until is not None

    def _review(self, token: str, namespace: str, name: str) -> bool:
        wanted = audience(namespace, name)
        body = {
            "apiVersion": TOKEN_REVIEW.api_version,
            "kind": TOKEN_REVIEW.kind,
            "spec": {"token": token, "audiences": [wanted]},
        }
        status = self.client.create(TOKEN_REVIEW, body).get("status") or {}
        user = str((status.get("user") or {}).get("username", ""))
        return (
            status.get("authenticated") is True
            and wanted in (status.get("audiences") or ())
            and user.startswith(f"system:serviceaccount:{namespace}:")
        )
