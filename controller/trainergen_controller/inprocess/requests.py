"""Requests as they come over HTTP, answered with a code and a JSON value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from trainergen_controller.errors import error_of
from trainergen_controller.inprocess import listing
from trainergen_controller.inprocess.metadata import may_go
from trainergen_controller.inprocess.operations import Demand, Options
from trainergen_controller.inprocess.refusals import invalid, not_served
from trainergen_controller.inprocess.routes import Route, Routes
from trainergen_controller.inprocess.selectors import selector
from trainergen_controller.inprocess.watching import Scope

if TYPE_CHECKING:
    from trainergen_controller.client import Object, WatchEvent
    from trainergen_controller.errors import ApiError
    from trainergen_controller.inprocess.server import InProcessServer
    from trainergen_controller.inprocess.storage import Place

MERGE_PATCH, APPLY_PATCH = "application/merge-patch+json", "application/apply-patch+yaml"
WATCH_LIMIT = 1800.0
_VERBS = {"POST": "create", "PUT": "update", "DELETE": "delete"}
_TRUE = ("1", "true")


class Answer(NamedTuple):
    """A status code and what goes with it."""

    code: int
    body: Any


class Asked(NamedTuple):
    """One request, read."""

    method: str
    path: str
    query: dict[str, str]
    media: str
    agent: str
    body: Any

    @property
    def object(self) -> Object:
        """The body as an object; ApiError (400) if it is none."""
        if not isinstance(self.body, dict):
            raise error_of(400, "BadRequest", "the body is no object")
        return self.body

    def says(self, key: str) -> bool:
        """Is a switch of the query on?"""
        return self.query.get(key, "").lower() in _TRUE

    def options(self, subresource: str = "") -> Options:
        """How a write is meant."""
        return Options(
            self.query.get("fieldManager") or self.agent or "unknown",
            subresource,
            dry_run=self.query.get("dryRun") == "All",
            strict=self.query.get("fieldValidation") == "Strict",
            force=self.says("force"),
        )

    def placed(self, route: Route) -> Object:
        """The body with the name and namespace of the path; ApiError (400) if it says others."""
        metadata = dict(self.object.get("metadata") or {})
        for key, value in (("name", route.name), ("namespace", route.namespace)):
            if value and metadata.setdefault(key, value) != value:
                text = f"the {key} of the object, '{metadata[key]}', is not that of the path, '{value}'"
                raise error_of(400, "BadRequest", text)
        return {**self.object, "metadata": metadata}

    def demand(self) -> Demand:
        """What a deletion asks for, by its body and its query."""
        asked = self.body if isinstance(self.body, dict) else {}
        conditions = asked.get("preconditions") or {}
        policy = self.query.get("propagationPolicy") or asked.get("propagationPolicy") or "Background"
        dry = "All" in (self.query.get("dryRun"), *(asked.get("dryRun") or ()))
        return Demand(conditions.get("uid", ""), conditions.get("resourceVersion", ""), policy, dry)


class Requests:
    """Answers requests from one server."""

    def __init__(self, server: InProcessServer) -> None:
        self._server = server
        self._operations = server.operations
        self.routes = Routes(server.operations.resources.values())

    def verb(self, asked: Asked, route: Route) -> str:
        """What a request does, in the words of ``Faults``."""
        if asked.method == "GET":
            return "get" if route.name else "watch" if asked.says("watch") else "list"
        if asked.method == "PATCH":
            return "apply" if asked.media == APPLY_PATCH else "patch"
        return _VERBS[asked.method]

    def answer(self, verb: str, asked: Asked, route: Route, *, past: int | None = None) -> Answer:
        """The answer to anything but a watch; ``past`` is a version that a read is answered from."""
        match verb:
            case "get":
                return Answer(200, self._get(route, past))
            case "list":
                return Answer(200, self._list(asked, route, past))
            case "create":
                created = self._operations.create(route.kind, asked.object, route.namespace, asked.options())
                return Answer(201, created)
            case "update":
                body, options = asked.placed(route), asked.options(route.subresource)
                return Answer(200, self._operations.update(route.kind, body, options))
            case "apply":
                return self._apply(asked, route)
            case "patch":
                return self._patch(asked, route)
            case "delete" if route.name:
                return self._delete(asked, route)
        raise error_of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")

    def events(self, asked: Asked, route: Route) -> Iterator[WatchEvent]:
        """The events of a watch; GoneError if its version is forgotten."""
        timeout = float(asked.query.get("timeoutSeconds") or WATCH_LIMIT)
        version, bookmarks = asked.query.get("resourceVersion", ""), asked.says("allowWatchBookmarks")
        return self._server.watches.watch(_scope(asked, route), version, timeout=timeout, bookmarks=bookmarks)

    def _get(self, route: Route, past: int | None) -> Object:
        if route.subresource not in ("", "status"):
            raise not_served()
        found = None if past is None else self._server.storage.snapshot(route.kind, past).get(_place(route))
        return found or self._operations.get(route.kind, _place(route))

    def _list(self, asked: Asked, route: Route, past: int | None) -> Object:
        scope, storage = _scope(asked, route), self._server.storage
        if past is not None:
            objects = storage.snapshot(route.kind, past).values()
            return _listed(route, [found for found in objects if scope.has(found)], str(past), "")
        token, version = asked.query.get("continue", ""), asked.query.get("resourceVersion", "")
        limit = int(asked.query.get("limit") or 0)
        return _listed(route, *listing.page(storage, scope, limit=limit, token=token, version=version))

    def _apply(self, asked: Asked, route: Route) -> Answer:
        if not asked.query.get("fieldManager"):
            raise invalid(route.kind, route.name, {"fieldManager": "is required for apply patch"})
        is_new = self._server.storage.find(route.kind, _place(route)) is None
        done = self._operations.apply(route.kind, asked.placed(route), asked.options(route.subresource))
        return Answer(201 if is_new else 200, done)

    def _patch(self, asked: Asked, route: Route) -> Answer:
        if asked.media != MERGE_PATCH:
            text = f"patches are of type {MERGE_PATCH} or {APPLY_PATCH}, not '{asked.media}'"
            raise error_of(415, "UnsupportedMediaType", text)
        options = asked.options(route.subresource)
        return Answer(200, self._operations.merge_patch(route.kind, _place(route), asked.object, options))

    def _delete(self, asked: Asked, route: Route) -> Answer:
        seen = self._operations.delete(route.kind, _place(route), asked.demand())
        if not may_go(seen):
            return Answer(200, seen)
        details = {"name": route.name, "group": route.kind.group, "kind": route.kind.plural}
        details["uid"] = seen["metadata"]["uid"]
        done = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}
        return Answer(200, done)


def _scope(asked: Asked, route: Route) -> Scope:
    return Scope(route.kind, route.namespace, selector(asked.query.get("labelSelector", "")))


def _place(route: Route) -> Place:
    return (route.namespace or "default") if route.kind.namespaced else "", route.name


def _listed(route: Route, items: list[Object], version: str, token: str) -> Object:
    metadata = {"resourceVersion": version, **({"continue": token} if token else {})}
    kind = route.kind
    return {"kind": f"{kind.kind}List", "apiVersion": kind.api_version, "metadata": metadata, "items": items}


def status_of(error: ApiError) -> Object:
    """A refusal as the server writes it."""
    details = {**error.details, **({"retryAfterSeconds": int(error.retry_after)} if error.retry_after else {})}
    text = {"message": error.message, "details": details, "code": error.code}
    if error.reason:
        text["reason"] = error.reason
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", **text}
