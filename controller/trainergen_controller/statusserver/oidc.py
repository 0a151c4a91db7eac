"""Tokens verified with the cluster's public keys, as the Trainer's own server does it: no request for each token."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import jwt

from trainergen_controller.errors import UnavailableError
from trainergen_controller.statusserver.tokens import audience

if TYPE_CHECKING:
    from trainergen_controller.clocks import Clock

_ALGORITHMS = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512"]
_LEAST_SECONDS = 10.0


def issuer_of(token: str) -> str:
    """The issuer that a token of our own names; UnavailableError if it is no JWT."""
    try:
        claims = jwt.decode(token, options={"verify_signature": False})
    except jwt.InvalidTokenError as error:
        raise UnavailableError(f"our service account's token is no JWT: {error}") from error
    return str(claims.get("iss", ""))


@dataclass(slots=True)
class OidcKeys:
    """``fetch`` reads a JSON document of the API server by its path, with our credentials.

    Keys are read again when a token names one that is not known, at most every ten seconds, so that neither rotated
    keys nor made-up tokens do harm.
    """

    issuer: str
    fetch: Callable[[str], Mapping[str, Any]]
    clock: Clock
    _keys: dict[str, jwt.PyJWK] = field(default_factory=dict)
    _read_at: float | None = None
    _unread: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def allows(self, token: str, namespace: str, name: str) -> bool:
        try:
            key = self._key(str(jwt.get_unverified_header(token).get("kid", ""))) if token else None
            if key is None:
                return False
            claims = jwt.decode(
                token,
                key,
                algorithms=_ALGORITHMS,
                audience=audience(namespace, name),
                issuer=self.issuer,
                options={"require": ["exp", "iss", "aud"]},
            )
        except jwt.InvalidTokenError:
            return False
        kubernetes = claims.get("kubernetes.io")
        return isinstance(kubernetes, dict) and kubernetes.get("namespace") == namespace

    def read(self) -> None:
        """Reads the keys; UnavailableError if the cluster does not publish any."""
        with self._lock:
            self._read()

    def _key(self, name: str) -> jwt.PyJWK | None:
        with self._lock:
            late = self._read_at is None or self.clock.monotonic() - self._read_at >= _LEAST_SECONDS
            if name not in self._keys and late:
                self._read()
            key = self._keys.get(name)
            if key is None and self._unread:
                raise UnavailableError("the cluster's keys could not be read a moment ago")
            return key

    def _read(self) -> None:
        self._read_at, self._unread = self.clock.monotonic(), True
        configuration = self.fetch("/.well-known/openid-configuration")
        if configuration.get("issuer") != self.issuer:
            raise UnavailableError(f"the cluster's issuer is {configuration.get('issuer')!r}, expected {self.issuer!r}")
        found = self.fetch(urlsplit(str(configuration.get("jwks_uri", ""))).path or "/openid/v1/jwks")
        try:
            keys = jwt.PyJWKSet.from_dict(dict(found)).keys
        except jwt.PyJWTError as error:
            raise UnavailableError(f"the cluster's keys cannot be read: {error}") from error
        self._keys, self._unread = {key.key_id or "": key for key in keys}, False
