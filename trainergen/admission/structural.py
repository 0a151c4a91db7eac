"""What the API server makes of an object by its schema alone: decoded, defaulted, and checked value by value.

The server's order on create and update is: decode (unknown and doubled fields) - default and drop nulls - mutating
webhooks - default again - validate (metadata, schema, list types, rules) - validating webhooks. ``admit_structure``
does everything up to the rules, which ``rules`` evaluates on its result.

A mutating webhook plugs in as ``mutate``. It gets the object decoded and defaulted but not validated, so any field
may be of any type; it must not change what it gets, and returns that very object when it has nothing to change. What
it returns is defaulted again and is what gets validated; the faults of decoding stay. So a webhook that re-encodes an
object through Go types, as Trainer's does since 2.2, is ``mutate=reencode``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from trainergen.admission import checks, metadata
from trainergen.admission.compile import Compiler
from trainergen.admission.faults import Fault
from trainergen.finding import Finding, JsonObject, JsonValue

if TYPE_CHECKING:
    from trainergen.admission.faults import Faults
    from trainergen.admission.nodes import Node
    from trainergen.api.structural import Kind, StructuralSchemas
    from trainergen.finding import Path

Mutate: TypeAlias = Callable[[JsonObject], JsonObject]


class StructuralResult(NamedTuple):
    """An object as the rules and the validating webhooks see it."""

    object: JsonObject
    """Decoded, defaulted and mutated; with faults it is as far as the server would have come."""
    old: JsonObject | None
    """The object before the change, defaulted in the same way."""
    findings: tuple[Finding, ...]
    broken: bool
    """The server would evaluate no rule on it."""
    mistyped: tuple[Path, ...] = ()
    """Where an update leaves a value of the wrong type as it was. That is forgiven, but no rule can read it."""


def admit_structure(
    obj: JsonObject,
    schemas: StructuralSchemas,
    kind: Kind,
    *,
    old: JsonObject | None = None,
    mutate: Mutate | None = None,
) -> StructuralResult:
    """Decode, default and check ``obj`` as the API server does; every fault is reported, not only the first.

    ``old`` makes it an update: identity may not change, and what an unchanged part breaks is let pass (``ratchet``).
    ``obj`` and ``old`` are never changed; the result shares their unchanged parts.
    """
    root = _root(schemas, kind)
    faults: Faults = []
    result = root.walk(obj, faults)
    if mutate is not None:
        mutated = mutate(result)
        if mutated is not result:
            faults = [fault for fault in faults if fault.check is checks.UNKNOWN_FIELD]
            result = root.walk(mutated, faults)
    if old is None:
        root.check_create(result, faults)
        return _result(result, None, faults, (schemas, kind))
    old_faults: Faults = []
    old_result = root.walk(old, old_faults)
    kept = root.check_update(result, old_result, (faults, old_faults))
    left = {id(fault) for fault in kept}
    mistyped = tuple(fault.path for fault in faults if fault.check is checks.WRONG_TYPE and id(fault) not in left)
    return _result(result, old_result, kept, (schemas, kind))._replace(mistyped=mistyped)


def _result(
    obj: JsonObject, old: JsonObject | None, faults: Faults, place: tuple[StructuralSchemas, Kind]
) -> StructuralResult:
    if not faults:
        return StructuralResult(obj, old, (), broken=False)
    from trainergen.admission.messages import findings

    broken = any(fault.check in checks.BLOCKING for fault in faults)
    return StructuralResult(obj, old, tuple(findings(faults, *place)), broken=broken)


class Root:
    """The compiled root of a kind: its own metadata apart, which follows the rules of all Kubernetes objects."""

    def __init__(self, schemas: StructuralSchemas, kind: Kind) -> None:
        self._schemas = schemas
        self._kind = kind
        self._fields: Node | None = None

    def walk(self, obj: JsonObject, faults: Faults) -> JsonObject:
        """``obj`` decoded and defaulted; notes faults of decoding and of values, not of the metadata's contents."""
        if self._fields is None:
            self._fields = Compiler(self._schemas).node(_without_metadata(self._schemas.resolve(self._kind.schema)))
        result = self._fields.visit(obj, (), faults)
        assert isinstance(result, dict)
        sent = result.get("metadata")
        decoded = self._scoped(metadata.decode(sent, faults))
        if decoded is not sent:
            result = {**result, "metadata": decoded}
        return result

    def _scoped(self, decoded: JsonValue) -> JsonValue:
        """A namespace on a cluster-wide object is silently dropped.

        kubernetes/apiserver pkg/registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace @ v0.35.0.
        """
        if self._kind.namespaced or not isinstance(decoded, dict) or "namespace" not in decoded:
            return decoded
        return {key: value for key, value in decoded.items() if key != "namespace"}

    def check_create(self, obj: JsonObject, faults: Faults) -> None:
        """Add what a new object's type and metadata break."""
        self._check_kind(obj, faults)
        decoded = obj["metadata"]
        if isinstance(decoded, dict):
            metadata.check_create(decoded, faults)

    def check_update(self, obj: JsonObject, old: JsonObject, both: tuple[Faults, Faults]) -> Faults:
        """The faults that count on an update, those of the metadata included."""
        from trainergen.admission.ratchet import Correlation

        faults, old_faults = both
        kept = Correlation(self._schemas, self._kind).unforgiven(faults, old_faults, (obj, old))
        self._check_kind(obj, kept)
        decoded, before = obj["metadata"], old["metadata"]
        if isinstance(decoded, dict) and isinstance(before, dict):
            metadata.check_update(decoded, before, kept)
        return kept

    def _check_kind(self, obj: JsonObject, faults: Faults) -> None:
        for field, wanted in (("apiVersion", self._kind.api_version), ("kind", self._kind.kind)):
            if obj.get(field) != wanted:
                faults.append(Fault(checks.WRONG_KIND, (field,), obj.get(field), wanted))


def _without_metadata(schema: JsonObject) -> JsonObject:
    """The root schema with metadata, apiVersion and kind left to the checks of their own."""
    properties = schema.get("properties")
    fields = properties if isinstance(properties, dict) else {}
    anything: JsonObject = {"x-kubernetes-preserve-unknown-fields": True}
    own: JsonObject = {**fields, "apiVersion": anything, "kind": anything, "metadata": anything}
    return {**schema, "properties": own}


_roots: dict[tuple[int, str], tuple[StructuralSchemas, Root]] = {}


def _root(schemas: StructuralSchemas, kind: Kind) -> Root:
    key = (id(schemas), kind.kind)
    known = _roots.get(key)
    if known is None or known[0] is not schemas:
        known = _roots[key] = (schemas, Root(schemas, kind))
    return known[1]
