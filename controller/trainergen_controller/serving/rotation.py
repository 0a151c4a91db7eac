"""Certificates of our own: kept in a Secret that all replicas share, in files to serve from, and in the webhooks."""

from __future__ import annotations

import binascii
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen_controller.errors import AlreadyExistsError, ApiError, ConflictError, NotFoundError, UnavailableError
from trainergen_controller.kinds import MUTATING_WEBHOOKS, SECRET, VALIDATING_WEBHOOKS, ApiKind
from trainergen_controller.logs import logger
from trainergen_controller.serving.issuing import Issued, expiry, fault, issue

if TYPE_CHECKING:
    from trainergen_controller.client import Client, Object
    from trainergen_controller.clocks import Clock

_LOG = logger("certificates")
MANAGER = "trainergen-certificates"
WEBHOOKS = (VALIDATING_WEBHOOKS, MUTATING_WEBHOOKS)
_KEYS = {"authorities": "ca.crt", "authority_key": "ca.key", "chain": "tls.crt", "key": "tls.key"}
"""Those of kubernetes.io/tls, with the authority's as cert-manager and the Trainer's own rotator name them."""
_OTHER_KEEPER = "cert-manager.io/certificate-name"
_ATTEMPTS = 5


class NotOursError(Exception):
    """The Secret is kept by cert-manager, with which nobody should fight over it."""


def dns_names(services: Iterable[str], namespace: str) -> tuple[str, ...]:
    """What Services are called inside a cluster."""
    return tuple(f"{service}.{namespace}.svc{end}" for service in services for end in ("", ".cluster.local"))


@dataclass(slots=True)
class Rotation:
    """``step`` is to be called every minute by each replica.

    All agree, since whoever renews must name the version of the Secret that it has read. New authorities are put into
    the webhooks before anything is served by them, and old ones stay in the bundle while they are valid.
    """

    client: Client
    namespace: str
    secret: str
    services: tuple[str, ...]
    """Names of the Services in front of us, which lie in the same namespace."""
    configuration: str
    """Name of the webhook configurations of both kinds; empty to leave them alone."""
    clock: Clock
    issued: Issued | None = None
    """What the files hold."""
    _folder: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)

    @property
    def chain(self) -> Path:
        """The file with the serving certificate, there after the first step."""
        return self._place() / "tls.crt"

    @property
    def key(self) -> Path:
        """The file with its key, which nobody else can read."""
        return self._place() / "tls.key"

    @property
    def expiry(self) -> float:
        """When what is served ends, in seconds since 1970; zero before there is anything."""
        end = None if self.issued is None else expiry(self.issued)
        return 0.0 if end is None else end.timestamp()

    def step(self) -> None:
        """Reads the Secret, makes or renews it, and sees to webhooks and files.

        Raises ``errors.ApiError``, ``errors.UnavailableError``, or NotOursError.
        """
        issued = self._agree()
        try:
            if self.configuration:
                self._publish(issued.authorities)
        except (ApiError, UnavailableError):
            if self.issued is None or self.issued.authorities == issued.authorities:
                self._write(issued)
            raise
        self._write(issued)

    def close(self) -> None:
        """Removes the files."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _agree(self) -> Issued:
        """The certificate that all replicas use, renewed if it is time."""
        for _ in range(_ATTEMPTS):
            try:
                stored = self.client.get(SECRET, self.secret, self.namespace)
            except NotFoundError:
                stored = None
            found = _issued(stored)
            names, now = dns_names(self.services, self.namespace), self.clock.now()
            reason = fault(found, names, now)
            if not reason:
                return found
            if _OTHER_KEEPER in ((stored or {}).get("metadata", {}).get("annotations") or {}):
                raise NotOursError(f"Secret {self.namespace}/{self.secret} is kept by cert-manager, but {reason}")
            made = issue(names, now, found)
            try:
                self._store(stored, made)
            except (AlreadyExistsError, ConflictError):
                continue  # another replica was faster: use what it made
            _LOG.info("certificate made", secret=f"{self.namespace}/{self.secret}", reason=reason)
            return made
        raise UnavailableError(f"Secret {self.namespace}/{self.secret} changes all the time")

    def _store(self, stored: Object | None, made: Issued) -> None:
        data = {key: b64encode(getattr(made, name)).decode() for name, key in _KEYS.items()}
        if stored is not None:
            self.client.update(SECRET, {**stored, "data": {**(stored.get("data") or {}), **data}})
            return
        metadata = {
            "name": self.secret,
            "namespace": self.namespace,
            "labels": {"app.kubernetes.io/managed-by": "trainergen-controller"},
        }
        body = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "kubernetes.io/tls", "data": data}
        self.client.create(SECRET, body, self.namespace)

    def _publish(self, authorities: bytes) -> None:
        """Makes API servers trust us; what is not installed is left out."""
        for kind in WEBHOOKS:
            try:
                found = self.client.get(kind, self.configuration)
            except NotFoundError:
                continue
            bundle = b64encode(authorities).decode()
            ours = [hook for hook in found.get("webhooks") or () if self._is_ours(hook)]
            if any(hook["clientConfig"].get("caBundle") != bundle for hook in ours):
                self.client.apply(kind, _bundled(kind, self.configuration, ours, bundle), manager=MANAGER, force=True)
                _LOG.info("authority put into webhooks", kind=kind.kind, name=self.configuration)

    def _is_ours(self, hook: Object) -> bool:
        service = (hook.get("clientConfig") or {}).get("service") or {}
        return service.get("namespace") == self.namespace and service.get("name") in self.services

    def _write(self, issued: Issued) -> None:
        """Key first: until the chain has followed they do not fit, and whoever reads them keeps what it has."""
        if issued == self.issued:
            return
        for path, data in ((self.key, issued.key), (self.chain, issued.chain)):
            partial = path.with_suffix(".new")
            partial.touch(mode=0o600)
            partial.write_bytes(data)
            partial.replace(path)
        self.issued = issued

    def _place(self) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="trainergen-")
        return Path(self._folder.name)


def _bundled(kind: ApiKind, name: str, hooks: list[Object], bundle: str) -> Object:
    webhooks = [{"name": hook["name"], "clientConfig": {"caBundle": bundle}} for hook in hooks]
    return {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": name}, "webhooks": webhooks}


def _issued(stored: Object | None) -> Issued:
    """What a Secret holds; what is missing or no base64 is empty."""
    data = (stored or {}).get("data") or {}
    return Issued(**{name: _decoded(data.get(key)) for name, key in _KEYS.items()})


def _decoded(value: object) -> bytes:
    try:
        return b64decode(str(value or ""), validate=True)
    except binascii.Error:
        return b""
