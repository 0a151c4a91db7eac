"""Refusals that several requests share, as an API server words and codes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from trainergen_controller.errors import error_of
from trainergen_controller.inprocess.merging import undeclared
from trainergen_controller.inprocess.metadata import metadata_of

if TYPE_CHECKING:
    from trainergen_controller.client import Object
    from trainergen_controller.errors import ApiError
    from trainergen_controller.inprocess.resources import Resource
    from trainergen_controller.kinds import ApiKind


def not_served() -> ApiError:
    """There is no such path."""
    return error_of(404, "NotFound", "the server could not find the requested resource")


def missing(kind: ApiKind, name: str) -> ApiError:
    """There is no such object."""
    return error_of(404, "NotFound", f'{_named(kind)} "{name}" not found', details=_details(kind, name))


def exists(kind: ApiKind, name: str) -> ApiError:
    """There is one already."""
    return error_of(409, "AlreadyExists", f'{_named(kind)} "{name}" already exists', details=_details(kind, name))


def conflict(kind: ApiKind, name: str, text: str) -> ApiError:
    """The object is not, or no longer, what the request takes it for."""
    message = f'Operation cannot be fulfilled on {_named(kind)} "{name}": {text}'
    return error_of(409, "Conflict", message, details=_details(kind, name))


def demand_type(kind: ApiKind, body: Object) -> None:
    """ApiError (400) if an object is not of the kind that its place is for."""
    seen = (body.get("apiVersion"), body.get("kind"))
    if seen != (kind.api_version, kind.kind):
        wanted = f"{kind.api_version} {kind.kind}"
        raise error_of(400, "BadRequest", f"the object is '{seen[0]} {seen[1]}', but the place is for '{wanted}'")


def demand_version(resource: Resource, sent: Mapping[str, Any]) -> None:
    """InvalidError for a replacement that does not say of which version, where that is asked for."""
    if resource.is_custom and not sent.get("resourceVersion"):
        causes = {"metadata.resourceVersion": "must be specified for an update"}
        raise invalid(resource.kind, str(sent.get("name")), causes)


def demand_same(kind: ApiKind, current: Object, wanted: Mapping[str, Any], *keys: str) -> None:
    """ConflictError if the request is for another object or version, by its metadata under ``keys``."""
    for key in keys:
        value = wanted.get(key)
        if value and value != metadata_of(current)[key]:
            text = "the object has been modified; please apply your changes to the latest version and try again"
            raise conflict(kind, metadata_of(current)["name"], text)


def invalid(kind: ApiKind, name: str, causes: Mapping[str, str]) -> ApiError:
    """What is wrong with an object, by field."""
    text = "; ".join(f"{field}: {message}" for field, message in causes.items())
    listed = [{"reason": "FieldValueInvalid", "message": message, "field": field} for field, message in causes.items()]
    named = {"name": name, "group": kind.group, "kind": kind.kind}
    title = f"{kind.kind}.{kind.group}" if kind.group else kind.kind
    return error_of(422, "Invalid", f'{title} "{name}" is invalid: {text}', details={**named, "causes": listed})


def new_finalizers(current: Object, new: Object) -> dict[str, str]:
    """What is wrong with a finalizer that comes when the object is being deleted already, by field."""
    before, after = (set(metadata_of(one).get("finalizers") or ()) for one in (current, new))
    if metadata_of(current).get("deletionTimestamp") and after - before:
        return {"metadata.finalizers": "no new finalizers can be added if the object is being deleted"}
    return {}


def demand_subresource(resource: Resource, subresource: str) -> None:
    """NotFoundError for a subresource that the kind does not have."""
    if subresource and not (subresource == "status" and resource.has_status):
        raise not_served()


def demand_applicable(resource: Resource, body: Object) -> None:
    """ApiError for an object that cannot be applied as it is."""
    demand_type(resource.kind, body)
    if "managedFields" in metadata_of(body):
        raise error_of(400, "BadRequest", "metadata.managedFields must be nil")
    if field := undeclared(body, resource.shape):
        message = f"failed to create typed patch object: {field}: field not declared in schema"
        raise error_of(500, "", message)


def _named(kind: ApiKind) -> str:
    return f"{kind.plural}.{kind.group}" if kind.group else kind.plural


def _details(kind: ApiKind, name: str) -> dict[str, str]:
    return {"name": name, "group": kind.group, "kind": kind.plural}
