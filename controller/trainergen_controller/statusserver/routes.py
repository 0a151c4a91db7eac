"""One route, ``POST …/namespaces/{namespace}/trainjobs/{name}/status``, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from trainergen_controller.errors import ApiError, NotFoundError, UnavailableError
from trainergen_controller.kinds import TRAIN_JOB
from trainergen_controller.logs import logger
from trainergen_controller.queue.rate import TokenBucket
from trainergen_controller.serving.https import Request, Response, not_found, status
from trainergen_controller.statusserver.payload import UnreadableError, read_update
from trainergen_controller.statusserver.tokens import bearer

if TYPE_CHECKING:
    from trainergen.releases import Release
    from trainergen_controller.client import Client
    from trainergen_controller.clocks import Clock
    from trainergen_controller.statusserver.tokens import Authorizer

_LOG = logger("status")
LIMIT = 65536
MANAGER = "trainer-status"
_PATH = re.compile(r"/apis/trainer\.kubeflow\.org/v1alpha1/namespaces/([^/]+)/trainjobs/([^/]+)/status")
_NAME = re.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?")
"""What can be the name of anything here: a token for a path that leads elsewhere is easily had."""
_INVALID = frozenset({400, 422})


@dataclass(slots=True)
class Rates:
    """Requests of one TrainJob; more are told to come later. The Trainer's own server limits only all together."""

    clock: Clock
    rate: float = 2.0
    burst: int = 20
    _buckets: dict[tuple[str, str], TokenBucket] = field(default_factory=dict)

    def wait(self, namespace: str, name: str) -> float:
        """Seconds until the next request may come; zero if this one may."""
        bucket = self._buckets.setdefault((namespace, name), TokenBucket(self.rate, self.burst, self.clock))
        seconds = bucket.reserve()
        if seconds > 0:
            bucket.give_back()
        if len(self._buckets) > 10_000:
            self._buckets.clear()
        return seconds


def status_route(
    client: Client, authorizer: Authorizer, release: Release, rates: Rates
) -> Callable[[Request], Response]:
    """The route for ``HttpsServer``, which is given ``LIMIT``.

    Every replica answers; the lease has no part in it, for the field ``status.trainerStatus`` is this server's alone.
    """

    def route(request: Request) -> Response:
        match = _PATH.fullmatch(request.path.partition("?")[0])
        if match is None:
            return not_found()
        if request.declared_too_long:
            return Response(413, status(413, "RequestEntityTooLarge", f"the body has more than {LIMIT} bytes"))
        namespace, name = (unquote(part) for part in match.groups())
        if not (_NAME.fullmatch(namespace) and _NAME.fullmatch(name)):
            return not_found()
        token = bearer(request.headers.get("authorization", ""), loosely=release.reconciling.bearer_read_loosely)
        refusal = _refused(token, authorizer, namespace, name)
        if refusal is not None:
            return refusal
        if (seconds := rates.wait(namespace, name)) > 0:
            return Response(429, status(429, "TooManyRequests", f"report again in {seconds:.1f} seconds"))
        return _update(client, request.body, namespace, name)

    return route


def _refused(token: str, authorizer: Authorizer, namespace: str, name: str) -> Response | None:
    try:
        allowed = authorizer.allows(token, namespace, name)
    except (ApiError, UnavailableError) as error:
        _LOG.error("token not judged", namespace=namespace, train_job=name, error=str(error))
        return Response(500, status(500, "InternalError", "the token cannot be judged now"))
    if not allowed:
        return Response(403, status(403, "Forbidden", f"the token is not one for TrainJob {namespace}/{name}"))
    return None


def _update(client: Client, body: bytes | None, namespace: str, name: str) -> Response:
    if body is None:
        return Response(422, status(422, "Invalid", f"the body has more than {LIMIT} bytes"))
    try:
        update = read_update(body)
    except UnreadableError as error:
        return Response(422, status(422, "Invalid", str(error)))
    if not update:
        return Response(200, update)
    try:
        client.apply(TRAIN_JOB, _applied(update, namespace, name), manager=MANAGER, force=True, subresource="status")
    except NotFoundError:
        return Response(404, status(404, "NotFound", f"there is no TrainJob {namespace}/{name}"))
    except (ApiError, UnavailableError) as error:
        if isinstance(error, ApiError) and error.code in _INVALID:
            return Response(422, status(422, "Invalid", error.message))
        _LOG.error("status not written", namespace=namespace, train_job=name, error=str(error))
        return Response(500, status(500, "InternalError", "the status could not be written"))
    return Response(200, update)


def _applied(update: dict[str, Any], namespace: str, name: str) -> dict[str, Any]:
    return {
        "apiVersion": TRAIN_JOB.api_version,
        "kind": TRAIN_JOB.kind,
        "metadata": {"name": name, "namespace": namespace},
        "status": update,
    }
