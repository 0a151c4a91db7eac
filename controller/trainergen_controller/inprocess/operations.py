"""What requests do to the stored objects, in the order in which an API server does it.

Behaviour: kubernetes/apiserver pkg/endpoints/handlers, pkg/registry/generic/registry and pkg/registry/rest, and
kubernetes/apiextensions-apiserver pkg/registry/customresource @ v0.35.0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainergen_controller import kinds
from trainergen_controller.errors import error_of
from trainergen_controller.inprocess import fieldsets, garbage, managers, metadata, refusals
from trainergen_controller.inprocess.merging import same
from trainergen_controller.inprocess.metadata import metadata_of

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.inprocess.resources import Resource
    from trainergen_controller.inprocess.storage import Place, Storage
    from trainergen_controller.inprocess.validation import Validator
    from trainergen_controller.kinds import ApiKind

COLLECTOR = "kube-controller-manager"
RESET_BY_MAIN = fieldsets.of(("f:status",))
RESET_BY_STATUS = fieldsets.of(("f:spec",))


@dataclass(frozen=True, slots=True)
class Options:
    """How a write is meant."""

    manager: str
    subresource: str = ""
    dry_run: bool = False
    strict: bool = False
    """Unknown fields are refused instead of dropped."""
    force: bool = False
    """An apply takes fields from other managers."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What a deletion asks for: the very object, if ``uid`` or ``version`` say which, and what becomes of its own."""

    uid: str = ""
    version: str = ""
    propagation: str = "Background"
    dry_run: bool = False


class Operations:
    """Writes to one cluster; each is done under the storage's lock, so that it is seen as one."""

    def __init__(self, storage: Storage, resources: Mapping[ApiKind, Resource], validator: Validator) -> None:
        self._storage = storage
        self.resources = resources
        self._validator = validator
        self.implicit_namespaces = True
        self.collects = True
        self.new_uid: Callable[[], str] = lambda: ""

    def resource(self, kind: ApiKind) -> Resource:
        """The served kind; NotFoundError if it is not served."""
        found = self.resources.get(kind)
        if found is None:
            raise refusals.not_served()
        return found

    def get(self, kind: ApiKind, place: Place) -> Object:
        """The stored object; NotFoundError without."""
        self.resource(kind)
        found = self._storage.find(kind, place)
        if found is None:
            raise refusals.missing(kind, place[1])
        return found

    def create(self, kind: ApiKind, body: Object, namespace: str, options: Options) -> Object:
        """Stores a new object."""
        resource = self.resource(kind)
        refusals.demand_type(kind, body)
        with self._storage.lock:
            decoded = self._validator.decode(resource, placed(kind, body, namespace), strict=options.strict)
            owners = _updated(_nothing(kind), decoded, {}, self._request(resource, options))
            return self._add(resource, managers.Applied(decoded, owners), options)

    def update(self, kind: ApiKind, body: Object, options: Options) -> Object:
        """Replaces an object, or its status."""
        resource = self.resource(kind)
        refusals.demand_subresource(resource, options.subresource)
        refusals.demand_type(kind, body)
        with self._storage.lock:
            current = self.get(kind, place_of(kind, body))
            refusals.demand_version(resource, metadata_of(body))
            refusals.demand_same(kind, current, metadata_of(body), "uid", "resourceVersion")
            return self._replace(resource, current, body, options)

    def merge_patch(self, kind: ApiKind, place: Place, patch: Mapping[str, Any], options: Options) -> Object:
        """Merges JSON into an object, or into its status."""
        resource = self.resource(kind)
        refusals.demand_subresource(resource, options.subresource)
        with self._storage.lock:
            current = self.get(kind, place)
            body = merged_json(current, patch)
            refusals.demand_type(kind, body)
            refusals.demand_same(kind, current, metadata_of(body), "resourceVersion")
            if place_of(kind, body) != place:
                raise error_of(400, "BadRequest", "a patch cannot change an object's name or namespace")
            return self._replace(resource, current, body, options)

    def apply(self, kind: ApiKind, body: Object, options: Options) -> Object:
        """Server-side apply, of an object or of its status."""
        resource = self.resource(kind)
        refusals.demand_subresource(resource, options.subresource)
        refusals.demand_applicable(resource, body)
        with self._storage.lock:
            place = place_of(kind, body)
            current = self._storage.find(kind, place)
            if current is None and options.subresource:
                raise refusals.missing(kind, place[1])
            request = self._request(resource, options)
            done = _applied(current or _nothing(kind), placed(kind, body, place[0]), request, force=options.force)
            faults = self._validator.nulls(resource, done.object)
            done = managers.Applied(metadata.completed(kind, done.object), done.managers, faults)
            if current is not None:
                refusals.demand_same(kind, current, metadata_of(done.object), "resourceVersion")
                return self._store(resource, current, done, options)
            if metadata_of(body).get("uid") or metadata_of(body).get("resourceVersion"):
                raise refusals.conflict(kind, place[1], "there is no object that could be the one that is meant")
            return self._add(resource, done, options)

    def delete(self, kind: ApiKind, place: Place, demand: Demand) -> Object:
        """Deletes an object, or marks it for deletion while finalizers are left; gives what was seen of it last."""
        self.resource(kind)
        with self._storage.lock:
            current = self.get(kind, place)
            wanted = {"uid": demand.uid, "resourceVersion": demand.version}
            if any(value and value != metadata_of(current).get(key) for key, value in wanted.items()):
                raise refusals.conflict(kind, place[1], "the object is not the one that is to be deleted")
            waiting = metadata.doomed(current, time=self._validator.now(), propagation=demand.propagation)
            if demand.dry_run:
                return waiting
            if metadata.may_go(waiting):
                return self._remove(kind, place)
            if not same(waiting, current):
                waiting = self._storage.put(kind, place, waiting)
            if self.collects:
                garbage.follow(self._storage, self, waiting)
            return waiting

    def discard(self, kind: ApiKind, place: Place, propagation: str) -> None:
        """A deletion on behalf of the garbage collector: what is gone already is no fault."""
        if self._storage.find(kind, place) is not None:
            self.delete(kind, place, Demand(propagation=propagation))

    def rewrite(self, kind: ApiKind, current: Object, changes: dict[str, Any]) -> None:
        """A change of metadata on behalf of the garbage collector."""
        self._replace(self.resource(kind), current, {**current, "metadata": changes}, Options(COLLECTOR))

    def _remove(self, kind: ApiKind, place: Place) -> Object:
        gone = self._storage.remove(kind, place)
        if self.collects:
            garbage.collect(self._storage, self, gone)
        return gone

    def _add(self, resource: Resource, wanted: managers.Applied, options: Options) -> Object:
        kind = resource.kind
        new = metadata.born(resource, wanted.object, uid=self.new_uid(), time=self._validator.now())
        place = place_of(kind, new)
        if self._storage.find(kind, place) is not None:
            raise refusals.exists(kind, place[1])
        self._demand_namespace(kind, place[0], options)
        accepted = self._validator.accept(resource, new, old=None, faults=wanted.faults)
        stored = managers.with_managers(accepted, wanted.managers)
        return stored if options.dry_run else self._storage.put(kind, place, stored)

    def _replace(self, resource: Resource, current: Object, body: Object, options: Options) -> Object:
        """Puts ``body`` in the place of ``current``, and notes who changed what."""
        decoded = self._validator.decode(resource, body, strict=options.strict)
        own = options.subresource or "managedFields" not in metadata_of(body)
        owners = managers.decode(current if own else body)
        if owners:
            # An object whose fields nobody tracks stays so until somebody applies it.
            owners = _updated(current, decoded, owners, self._request(resource, options))
        return self._store(resource, current, managers.Applied(decoded, owners), options)

    def _store(self, resource: Resource, current: Object, change: managers.Applied, options: Options) -> Object:
        kind, place = resource.kind, place_of(resource.kind, current)
        new = managers.bare(metadata.changed(resource, current, change.object, subresource=options.subresource))
        old = managers.bare(current)
        faults = {**change.faults, **refusals.new_finalizers(current, new)}
        new = self._validator.accept(resource, new, old=old, status=bool(options.subresource), faults=faults)
        new = managers.with_managers(metadata.counted(resource, current, new), change.managers)
        if same(new, current) or options.dry_run:
            return new
        if not metadata_of(new).get("deletionTimestamp") or not metadata.may_go(new):
            return self._storage.put(kind, place, new)
        # The change itself is not stored: what watches see is the deletion of what was there.
        self._remove(kind, place)
        return new

    def _request(self, resource: Resource, options: Options) -> managers.Request:
        ignored = RESET_BY_STATUS if options.subresource else RESET_BY_MAIN
        return managers.Request(
            resource.shape,
            options.manager,
            resource.kind.api_version,
            self._validator.now(),
            options.subresource,
            ignored if resource.has_status else None,
        )

    def _demand_namespace(self, kind: ApiKind, namespace: str, options: Options) -> None:
        if not kind.namespaced or self._storage.find(kinds.NAMESPACE, ("", namespace)) is not None:
            return
        if not self.implicit_namespaces:
            raise refusals.missing(kinds.NAMESPACE, namespace)
        if not options.dry_run:
            self.create(kinds.NAMESPACE, _nothing(kinds.NAMESPACE, name=namespace), "", Options("kube-apiserver"))


def _applied(live: Object, body: Object, request: managers.Request, *, force: bool) -> managers.Applied:
    try:
        return managers.applied(live, body, request, force=force)
    except ValueError as error:
        raise error_of(500, "", f"failed to merge: {error}") from error


def _updated(live: Object, new: Object, owners: managers.Managers, request: managers.Request) -> managers.Managers:
    """Nobody owns what cannot be tracked, such as an entry of a list without its key: validation has its say on that.

    Source: kubernetes/apimachinery pkg/util/managedfields/internal/fieldmanager.go UpdateNoErrors @ v0.35.0.
    """
    try:
        return managers.updated(live, new, owners, request)
    except ValueError:
        return {}


def _nothing(kind: ApiKind, **own: str) -> Object:
    return {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": own}


def place_of(kind: ApiKind, body: Object) -> Place:
    """Where an object lies; one without a namespace in that called ``default``."""
    found = metadata_of(body)
    return (str(found.get("namespace") or "default") if kind.namespaced else "", str(found.get("name") or ""))


def placed(kind: ApiKind, body: Object, namespace: str) -> Object:
    """The object with the namespace that the request is for; ApiError (400) if it says another."""
    found = metadata_of(body)
    if not kind.namespaced:
        return {**body, "metadata": {key: value for key, value in found.items() if key != "namespace"}}
    own = found.get("namespace")
    if namespace and own and own != namespace:
        text = f"the namespace of the object, '{own}', is not that of the request, '{namespace}'"
        raise error_of(400, "BadRequest", text)
    return {**body, "metadata": {**found, "namespace": namespace or own or "default"}}


def merged_json(value: Any, patch: Any) -> Any:
    """RFC 7386."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(value) if isinstance(value, dict) else {}
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        else:
            result[key] = merged_json(result.get(key), change)
    return result
