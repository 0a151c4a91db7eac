"""What every replica answers, whether it leads or not: the admission webhook, and reports of training code."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainergen.errors import TrainergenError
from trainergen.releases import get_release
from trainergen.render.trainjobstatus import TrainJobStatus
from trainergen_controller.errors import ApiError, UnavailableError
from trainergen_controller.logs import logger
from trainergen_controller.queue.backoff import Backoff
from trainergen_controller.settings import OIDC, Settings

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen_controller.caches import Caches
    from trainergen_controller.client import Client
    from trainergen_controller.clocks import Clock
    from trainergen_controller.metrics import Metrics
    from trainergen_controller.serving.https import Certificates, HttpsServer, Request, Response
    from trainergen_controller.serving.rotation import Rotation
    from trainergen_controller.statusserver import Authorizer

_LOG = logger("services")
_ROTATION_SECONDS = 60.0
_SERVICE_ACCOUNT_TOKEN = Path("/var/run/secrets/kubernetes.io/serviceaccount/token")


class ServingError(TrainergenError):
    """It cannot be served as it was asked for."""


@dataclass(slots=True)
class Services:
    """A thread of its own gets the certificates, starts the servers, and renews the certificates until the end."""

    settings: Settings
    caches: Caches
    client: Client
    clock: Clock
    metrics: Metrics
    fetch: Callable[[str], Mapping[str, Any]] | None = None
    """Reads a JSON document of the API server, for its public keys."""
    servers: list[HttpsServer] = field(default_factory=list)
    failure: str = ""
    """Why nothing is served, for good; the process is to end then."""
    _missing: str = ""
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _rotation: Rotation | None = None

    def __post_init__(self) -> None:
        serving = self.settings.serving
        if serving.status is not None and not self.settings.features.get(TrainJobStatus.name):
            raise ServingError(
                "the status server needs the feature gate TrainJobStatus, which is off",
                hint="Add --feature-gate TrainJobStatus=true.",
            )
        if serving.status is not None and TrainJobStatus.name not in self._release.behaviours.plugins:
            raise ServingError(f"Trainer {self._release.name} has no TrainJobStatus, which came with 2.2")
        if self.asked and serving.files is None:
            self._rotation = self._own_certificates()

    @property
    def asked(self) -> bool:
        """Whether there is anything to serve."""
        return self.settings.serving.webhook is not None or self.settings.serving.status is not None

    def start(self, stop: threading.Event) -> None:
        """Begins; ``stop`` is set by ourselves, too, when nothing can be served."""
        if self.asked:
            self._missing = "no certificate yet"
            self._thread = threading.Thread(target=self._run, args=(stop,), name="services")
            self._thread.start()

    def close(self) -> None:
        """Goes on answering until everybody has heard that we go, then waits for answers under way."""
        if self.servers:
            self.clock.sleep(self._ended, self.settings.serving.drain_seconds)
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def not_alive(self) -> str:
        """What has ended although nobody asked it to, for ``/healthz``."""
        if self._thread is None or self._ended.is_set():
            return ""
        dead = [server.name for server in self.servers if not server.is_alive]
        dead += [] if self._thread.is_alive() else [self._thread.name]
        return self.failure or (dead and f"ended: {', '.join(dead)}") or ""

    @property
    def not_ready(self) -> str:
        """What is still missing, for ``/readyz``."""
        return self._missing

    @property
    def _release(self) -> Release:
        return get_release(self.settings.release)

    def _run(self, stop: threading.Event) -> None:
        try:
            certificates = self._certificates(stop)
            if certificates is not None:
                self._serve(certificates)
        except (OSError, TrainergenError) as error:
            self.failure = str(error)
            _LOG.error("not served", error=self.failure)
            stop.set()
        finally:
            for server in self.servers:
                server.close()
            if self._rotation is not None:
                self._rotation.close()

    def _serve(self, certificates: Certificates) -> None:
        for server in self._servers(certificates):
            server.start()
            self.servers.append(server)
            _LOG.info("serving", name=server.name, port=server.port)
        self._missing = ""
        while not self.clock.sleep(self._ended, _ROTATION_SECONDS):
            if self._rotation is not None:
                self._rotate(self._rotation)

    def _certificates(self, stop: threading.Event) -> Certificates | None:
        """None if the end came first."""
        from trainergen_controller.serving.https import Certificates

        if self._rotation is None:
            assert self.settings.serving.files is not None
            return Certificates(*self.settings.serving.files)
        backoff = Backoff(1.0, 30.0)
        self.metrics.certificate.set_function(lambda: 0.0 if self._rotation is None else self._rotation.expiry)
        while not self._rotate(self._rotation) and self._rotation.issued is None:
            if stop.is_set() or self.clock.sleep(stop, backoff.next()):
                return None
        return Certificates(self._rotation.chain, self._rotation.key)

    def _rotate(self, rotation: Rotation) -> bool:
        from trainergen_controller.serving.rotation import NotOursError

        try:
            rotation.step()
        except (ApiError, UnavailableError, NotOursError) as error:
            _LOG.error("certificates not seen to, will be tried again", error=str(error))
            return False
        return True

    def _own_certificates(self) -> Rotation:
        from trainergen_controller.serving.rotation import Rotation

        serving = self.settings.serving
        return Rotation(
            self.client,
            self.settings.system_namespace,
            serving.secret,
            serving.services,
            serving.configuration if serving.webhook is not None else "",
            self.clock,
        )

    def _servers(self, certificates: Certificates) -> list[HttpsServer]:
        made = []
        if self.settings.serving.webhook is not None:
            made.append(self._webhook(self.settings.serving.webhook, certificates))
        if self.settings.serving.status is not None:
            made.append(self._status(self.settings.serving.status, certificates))
        return made

    def _webhook(self, address: tuple[str, int], certificates: Certificates) -> HttpsServer:
        from trainergen_controller.serving.https import HttpsServer
        from trainergen_controller.webhook.lookup import ClusterLookup
        from trainergen_controller.webhook.serving import LIMIT, webhook_route

        route = webhook_route(
            release=self._release.name,
            lookup=ClusterLookup(self.caches, self.client),
            clock=self.clock,
            ready=lambda: self.caches.synced,
            on_answer=lambda kind, operation, verdict: self.metrics.admissions.labels(kind, operation, verdict).inc(),
        )
        return HttpsServer(address, route, LIMIT, "webhook", certificates)

    def _status(self, address: tuple[str, int], certificates: Certificates) -> HttpsServer:
        from trainergen_controller.serving.https import HttpsServer
        from trainergen_controller.statusserver import LIMIT, status_route
        from trainergen_controller.statusserver.routes import Rates

        route = status_route(self.client, self._authorizer(), self._release, Rates(self.clock))

        def counted(request: Request) -> Response:
            response = route(request)
            self.metrics.reports.labels(str(response.code)).inc()
            return response

        return HttpsServer(address, counted, LIMIT, "status", certificates)

    def _authorizer(self) -> Authorizer:
        if self.settings.serving.tokens != OIDC:
            from trainergen_controller.statusserver import TokenReviews

            return TokenReviews(self.client, self.clock)
        if self.fetch is None:
            raise ServingError("this client cannot read the public keys of the API server")
        from trainergen_controller.statusserver.oidc import OidcKeys, issuer_of

        try:
            issuer = issuer_of(_SERVICE_ACCOUNT_TOKEN.read_text().strip())
        except (OSError, UnavailableError) as error:
            raise ServingError(f"to judge tokens by oidc takes the token of a service account: {error}") from error
        return OidcKeys(issuer, self.fetch, self.clock)
