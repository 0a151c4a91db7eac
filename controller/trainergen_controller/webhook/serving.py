"""The webhooks over HTTPS."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trainergen.api.access import object_at, text_at
from trainergen_controller.errors import ApiError, UnavailableError
from trainergen_controller.kinds import CLUSTER_TRAINING_RUNTIME, TRAIN_JOB, TRAINING_RUNTIME
from trainergen_controller.serving.https import Request, Response, not_found, status
from trainergen_controller.webhook.answers import PATHS, BadReviewError, answer_request, request_of

if TYPE_CHECKING:
    from trainergen_controller.clocks import Clock
    from trainergen_controller.webhook.answers import Lookup

LIMIT = 8 * 1024 * 1024
"""Bytes of a review: an object and its predecessor, each at most what etcd takes, and what JSON adds."""

_KINDS = frozenset(kind.kind for kind in (TRAIN_JOB, TRAINING_RUNTIME, CLUSTER_TRAINING_RUNTIME))
_OPERATIONS = frozenset({"CREATE", "UPDATE", "DELETE", "CONNECT"})


def webhook_route(
    *,
    release: str,
    lookup: Lookup,
    clock: Clock,
    ready: Callable[[], bool],
    on_answer: Callable[[str, str, str], None] | None = None,
) -> Callable[[Request], Response]:
    """The route for ``HttpsServer``.

    While ``ready`` is false, and when the API server has to be asked and does not answer, the webhook fails, and its
    failure policy says what that means.
    """

    def route(request: Request) -> Response:
        verb = PATHS.get(request.path.partition("?")[0])
        if verb is None:
            return not_found()
        if request.body is None:
            return Response(413, status(413, "RequestEntityTooLarge", f"a review has at most {LIMIT} bytes"))
        if not ready():
            return Response(503, status(503, "ServiceUnavailable", "the cache is not read yet"))
        moment = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            asked = request_of(request.body)
            review = answer_request(verb, asked, release=release, lookup=lookup, now=moment)
        except BadReviewError as error:
            return Response(400, status(400, "BadRequest", str(error)))
        except (ApiError, UnavailableError) as error:
            return Response(503, status(503, "ServiceUnavailable", f"the API server was asked in vain: {error}"))
        if on_answer is not None:
            allowed = object_at(review, "response").get("allowed") is True
            kind, operation = text_at(asked, "kind", "kind"), text_at(asked, "operation")
            on_answer(_known(kind, _KINDS), _known(operation, _OPERATIONS), "allowed" if allowed else "refused")
        return Response(200, review)

    return route


def _known(word: str, words: frozenset[str]) -> str:
    """For a label: anybody can ask, and each new word would be a number to keep."""
    return word if word in words else "other"
