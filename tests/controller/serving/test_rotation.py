"""Own certificates among replicas: one Secret, files to serve from, and webhooks that trust them."""

from __future__ import annotations

import stat
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from trainergen_controller.errors import ForbiddenError, UnavailableError
from trainergen_controller.kinds import MUTATING_WEBHOOKS, SECRET, VALIDATING_WEBHOOKS, ApiKind
from trainergen_controller.serving.https import Certificates
from trainergen_controller.serving.issuing import AUTHORITY_LIFE, SERVING_LIFE
from trainergen_controller.serving.rotation import NotOursError, Rotation, dns_names

from tests.controller.clocks import TurnedClock
from tests.controller.scripted import StoredClient

if TYPE_CHECKING:
    from trainergen_controller.client import Object

NAME = "trainergen-controller"


class Server(StoredClient):
    """Knows apply as far as webhooks need it."""

    def __init__(self) -> None:
        super().__init__()
        self.applied: list[Object] = []
        self.refusing: Exception | None = None

    def apply(self, kind: ApiKind, body: Object, *, manager: str, force: bool, **options: Any) -> Object:
        if self.refusing is not None:
            raise self.refusing
        found = self.get(kind, body["metadata"]["name"])
        assert (manager, force) == ("trainergen-certificates", True)
        self.applied.append(body)
        for hook in body["webhooks"]:
            (mine,) = (one for one in found["webhooks"] if one["name"] == hook["name"])
            mine["clientConfig"] |= hook["clientConfig"]
        return self._store(kind, "", found, "apply")

    def install(self, kind: ApiKind, *services: str) -> None:
        hooks = [
            {"name": f"{service}.example.org", "clientConfig": {"service": {"name": service, "namespace": "ns"}}}
            for service in services
        ]
        self._store(kind, "", {"metadata": {"name": NAME}, "webhooks": hooks}, "create")

    def secret(self) -> dict[str, bytes]:
        return {key: b64decode(value) for key, value in self.get(SECRET, "cert", "ns")["data"].items()}

    def bundles(self, kind: ApiKind) -> list[bytes]:
        hooks = self.get(kind, NAME)["webhooks"]
        return [b64decode(hook["clientConfig"].get("caBundle", "")) for hook in hooks]


@contextmanager
def replica(server: Server, clock: TurnedClock, **changes: Any) -> Iterator[Rotation]:
    options: dict[str, Any] = {"secret": "cert", "services": (NAME,), "configuration": NAME, **changes}
    made = Rotation(server, "ns", clock=clock, **options)  # type: ignore[arg-type]
    try:
        yield made
    finally:
        made.close()


def test_the_secret_is_made_when_there_is_none_and_can_be_served_from() -> None:
    server, clock = Server(), TurnedClock()
    with replica(server, clock) as rotation:
        rotation.step()
        stored = server.get(SECRET, "cert", "ns")
        assert stored["type"] == "kubernetes.io/tls"
        assert set(stored["data"]) == {"ca.crt", "ca.key", "tls.crt", "tls.key"}
        assert rotation.chain.read_bytes() == server.secret()["tls.crt"]
        assert Certificates(rotation.chain, rotation.key).context.cert_store_stats()
        assert rotation.expiry == (clock.now() + SERVING_LIFE).timestamp()


def test_nobody_else_can_read_the_key_and_nothing_is_left_at_the_end() -> None:
    with replica(Server(), TurnedClock()) as rotation:
        rotation.step()
        assert stat.S_IMODE(rotation.key.stat().st_mode) == 0o600
        assert stat.S_IMODE(rotation.key.parent.stat().st_mode) == 0o700
        folder = rotation.key.parent
        assert {path.name for path in folder.iterdir()} == {"tls.crt", "tls.key"}
    assert not folder.exists()


def test_replicas_serve_the_same_certificate() -> None:
    server, clock = Server(), TurnedClock()
    with replica(server, clock) as one, replica(server, clock) as two:
        one.step()
        two.step()
        assert one.issued == two.issued
        assert server.writes == ["create"]


def test_of_two_replicas_that_create_at_once_one_takes_what_the_other_made() -> None:
    server, clock = Server(), TurnedClock()
    with replica(server, clock) as one, replica(server, clock) as two:
        reading, first = server.get, [True]

        def get(kind: ApiKind, name: str, namespace: str = "") -> Object:
            if first.pop() if first else False:
                two.step()
                raise_missing(name)
            return reading(kind, name, namespace)

        server.get = get  # type: ignore[method-assign]
        one.step()
        assert one.issued == two.issued
        assert server.writes == ["create"]


def raise_missing(name: str) -> None:
    from trainergen_controller.errors import NotFoundError

    raise NotFoundError(404, "NotFound", name)


def test_of_two_replicas_that_renew_at_once_one_takes_what_the_other_made() -> None:
    server, clock = Server(), TurnedClock()
    with replica(server, clock) as one, replica(server, clock) as two:
        one.step()
        clock.turn(SERVING_LIFE.total_seconds() * 0.7)
        reading, first = server.get, [True]

        def get(kind: ApiKind, name: str, namespace: str = "") -> Object:
            found = reading(kind, name, namespace)
            if first.pop() if first else False:
                two.step()
            return found

        server.get = get  # type: ignore[method-assign]
        one.step()
        assert one.issued == two.issued
        assert server.writes == ["create", "update"]


def test_a_certificate_is_renewed_in_place_and_keeps_what_else_the_secret_holds() -> None:
    server, clock = Server(), TurnedClock()
    server.create(SECRET, {"metadata": {"name": "cert", "namespace": "ns"}, "data": {"note": "eA=="}}, "ns")
    with replica(server, clock) as rotation:
        rotation.step()
        before = rotation.chain.read_bytes()
        clock.turn(SERVING_LIFE.total_seconds() * 0.7)
        rotation.step()
        assert server.secret()["note"] == b"x"
        assert rotation.chain.read_bytes() == server.secret()["tls.crt"] != before


def test_a_secret_that_was_deleted_is_made_again() -> None:
    server, clock = Server(), TurnedClock()
    with replica(server, clock) as rotation:
        rotation.step()
        server.objects.clear()
        rotation.step()
        assert rotation.chain.read_bytes() == server.secret()["tls.crt"]


def test_a_secret_of_cert_manager_is_left_alone() -> None:
    server, clock = Server(), TurnedClock()
    metadata = {"name": "cert", "namespace": "ns", "annotations": {"cert-manager.io/certificate-name": "cert"}}
    server.create(SECRET, {"metadata": metadata, "data": {}}, "ns")
    with replica(server, clock) as rotation, pytest.raises(NotOursError, match="kept by cert-manager"):
        rotation.step()
    assert server.writes == ["create"]


def test_the_authority_is_put_into_the_webhooks_that_lead_to_us_and_into_nothing_else() -> None:
    server, clock = Server(), TurnedClock()
    server.install(VALIDATING_WEBHOOKS, NAME, "someone-else")
    server.install(MUTATING_WEBHOOKS, NAME)
    with replica(server, clock) as rotation:
        rotation.step()
        rotation.step()
    authority = server.secret()["ca.crt"]
    assert server.bundles(VALIDATING_WEBHOOKS) == [authority, b""]
    assert server.bundles(MUTATING_WEBHOOKS) == [authority]
    assert len(server.applied) == 2, "what is right is not written again"
    body = server.applied[0]
    bundle = b64encode(authority).decode()
    assert body["webhooks"] == [{"name": f"{NAME}.example.org", "clientConfig": {"caBundle": bundle}}]


def test_webhooks_that_are_not_installed_or_not_asked_for_are_not_made() -> None:
    server, clock = Server(), TurnedClock()
    with replica(server, clock) as rotation:
        rotation.step()
    server.install(VALIDATING_WEBHOOKS, NAME)
    with replica(server, clock, configuration="") as rotation:
        rotation.step()
    assert server.applied == []


def test_a_new_authority_serves_nothing_before_the_webhooks_know_it() -> None:
    server, clock = Server(), TurnedClock()
    server.install(VALIDATING_WEBHOOKS, NAME)
    with replica(server, clock) as rotation:
        rotation.step()
        before = rotation.chain.read_bytes()
        clock.turn((AUTHORITY_LIFE * 0.7).total_seconds())
        server.refusing = UnavailableError("no answer")
        with pytest.raises(UnavailableError):
            rotation.step()
        assert rotation.chain.read_bytes() == before
        server.refusing = None
        rotation.step()
        assert rotation.chain.read_bytes() == server.secret()["tls.crt"] != before


def test_who_may_not_write_webhooks_serves_all_the_same() -> None:
    server, clock = Server(), TurnedClock()
    server.install(VALIDATING_WEBHOOKS, NAME)
    server.refusing = ForbiddenError(403, "Forbidden", "no")
    with replica(server, clock) as rotation:
        with pytest.raises(ForbiddenError):
            rotation.step()
        assert rotation.chain.read_bytes() == server.secret()["tls.crt"]
        clock.turn((SERVING_LIFE * 0.7 + timedelta(hours=1)).total_seconds())
        with pytest.raises(ForbiddenError):
            rotation.step()
        assert rotation.chain.read_bytes() == server.secret()["tls.crt"]


def test_services_have_a_short_and_a_full_name() -> None:
    assert dns_names(("a", "b"), "ns") == (
        "a.ns.svc",
        "a.ns.svc.cluster.local",
        "b.ns.svc",
        "b.ns.svc.cluster.local",
    )
