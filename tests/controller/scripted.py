"""A client that answers what a test has written down, and keeps what it was asked."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from trainergen_controller.client import Object, Page, WatchEvent
from trainergen_controller.errors import AlreadyExistsError, ConflictError, NotFoundError

if TYPE_CHECKING:
    from trainergen_controller.kinds import ApiKind


def thing(name: str, version: int, *, uid: str = "", namespace: str = "team-a", **fields: Any) -> Object:
    metadata = {"name": name, "namespace": namespace, "uid": uid or f"uid-of-{name}", "resourceVersion": str(version)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, **fields}


def bookmark(version: int) -> WatchEvent:
    return WatchEvent("BOOKMARK", {"metadata": {"resourceVersion": str(version)}})


class ScriptedWatches:
    """Lists and watches in the order written; ``stop`` is set when nothing is left to say."""

    def __init__(self, stop: threading.Event, *answers: Page | list[Any] | Exception) -> None:
        self._stop = stop
        self._answers = deque(answers)
        self.asked: list[tuple[str, str]] = []

    def list(self, kind: ApiKind, namespace: str = "", **options: Any) -> Page:
        self.asked.append(("list", options.get("continue_token", "")))
        answer = self._next()
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Page), f"a list was asked for, the test has {answer}"
        return answer

    def watch(
        self, kind: ApiKind, namespace: str = "", *, resource_version: str, **options: Any
    ) -> Iterator[WatchEvent]:
        self.asked.append(("watch", resource_version))
        answer = self._next()
        if isinstance(answer, Exception):
            raise answer
        assert not isinstance(answer, Page), "a watch was asked for, the test has a list"
        return self._events(answer)

    def _events(self, answer: Iterable[Any]) -> Iterator[WatchEvent]:
        for event in answer:
            if isinstance(event, Exception):
                raise event
            yield event

    def _next(self) -> Page | Iterable[Any] | Exception:
        if not self._answers:
            self._stop.set()
            return Page([], "0") if self.asked[-1][0] == "list" else []
        return self._answers.popleft()


class StoredClient:
    """Objects in a dictionary, with versions and optimistic locking; enough for leases and events."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str, str], Object] = {}
        self.writes: list[str] = []
        self.failing: Exception | None = None
        self._version = 0

    def get(self, kind: ApiKind, name: str, namespace: str = "") -> Object:
        self._fail()
        if (found := self.objects.get((kind.kind, namespace, name))) is None:
            raise NotFoundError(404, "NotFound", f"{name} is not there")
        return _copy(found)

    def create(
        self, kind: ApiKind, body: Object, namespace: str = "", *, manager: str = "", dry_run: bool = False
    ) -> Object:
        self._fail()
        name = body["metadata"]["name"]
        if (kind.kind, namespace, name) in self.objects:
            raise AlreadyExistsError(409, "AlreadyExists", f"{name} is there")
        return self._store(kind, namespace, body, "create")

    def update(self, kind: ApiKind, body: Object, *, subresource: str = "", dry_run: bool = False) -> Object:
        self._fail()
        metadata = body["metadata"]
        current = self.get(kind, metadata["name"], metadata.get("namespace", ""))
        if metadata.get("resourceVersion", "") not in ("", current["metadata"]["resourceVersion"]):
            raise ConflictError(409, "Conflict", "the object has been modified")
        return self._store(kind, metadata.get("namespace", ""), body, "update")

    def merge_patch(
        self, kind: ApiKind, name: str, namespace: str, patch: Mapping[str, Any], *, subresource: str = ""
    ) -> Object:
        self._fail()
        return self._store(kind, namespace, {**self.get(kind, name, namespace), **patch}, "patch")

    def apply(self, kind: ApiKind, body: Object, **options: Any) -> Object:
        self._fail()
        return self._store(kind, body["metadata"].get("namespace", ""), body, "apply")

    def delete(self, kind: ApiKind, name: str, namespace: str = "", **options: Any) -> None:
        self._fail()
        self.writes.append("delete")
        self.objects.pop((kind.kind, namespace, name), None)

    def _store(self, kind: ApiKind, namespace: str, body: Object, verb: str) -> Object:
        self._version += 1
        stored = _copy(body)
        stored["metadata"] = {**body["metadata"], "resourceVersion": str(self._version)}
        self.objects[kind.kind, namespace, body["metadata"]["name"]] = stored
        self.writes.append(verb)
        return _copy(stored)

    def _fail(self) -> None:
        if self.failing is not None:
            raise self.failing


def _copy(found: Object) -> Object:
    import json

    copied: Object = json.loads(json.dumps(found))
    return copied
