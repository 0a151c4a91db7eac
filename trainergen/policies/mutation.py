"""What the mutating policies change in one object, shown and carried out.

Behaviour: kubernetes/apiserver pkg/admission/plugin/policy/mutating/dispatcher.go, patch/ @ v0.35.0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from trainergen.cel.engine import EvaluationError
from trainergen.finding import JsonObject, JsonValue, Path, format_path
from trainergen.policies import checks
from trainergen.policies.evaluation import Environment, UnknownError
from trainergen.policies.json_patch import PatchError, patched
from trainergen.policies.merging import merged
from trainergen.policies.review import Case, Review, is_relevant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.api.structural import StructuralSchemas
    from trainergen.policies.model import Mutation
    from trainergen.policies.target import Target

_SHOWN = 5


def mutated(
    cases: Iterable[tuple[Case, Environment]], target: Target, schemas: StructuralSchemas | None, review: Review
) -> Target:
    """The object after every mutating policy that is about it; each change becomes a finding."""
    for found, environment in cases:
        case = replace(found, target=target)
        if target.rendered:
            case.unknown("", "policies that change objects are not carried out on rendered ones", review)
            continue
        # NB: a policy sees what the ones before it made of the object.
        if is_relevant(case, _seeing(environment, target), review):
            target = _carried_out(case, environment, schemas, review)
    return target


def _carried_out(case: Case, environment: Environment, schemas: StructuralSchemas | None, review: Review) -> Target:
    for mutation in case.policy.mutations:
        target = case.target
        changed = _changed(case, mutation, _seeing(environment, target), schemas)
        if isinstance(changed, UnknownError):
            case.unknown(mutation.patch_type, f" of '{' '.join(mutation.expression.split())}': {changed}", review)
            break
        if isinstance(changed, Exception):
            case.failed(str(changed), mutation.expression, review, always=True)
            break
        review.findings += _shown(case, mutation, target.object, changed)
        case = replace(case, target=replace(target, object=changed))
    return case.target


def _seeing(environment: Environment, target: Target) -> Environment:
    return Environment(
        environment.policy,
        {**environment.bindings, "object": target.seen()},
        namespace_known=environment.namespace_known,
    )


def _changed(
    case: Case, mutation: Mutation, environment: Environment, schemas: StructuralSchemas | None
) -> JsonObject | Exception:
    """The object with the change, or why there is none."""
    target = case.target
    try:
        value: Any = environment.value(mutation.expression)
        if mutation.patch_type == "JSONPatch":
            return patched(target.object, value)
        if schemas is None or target.kind not in schemas.kinds:
            return UnknownError("the schema that says how to merge is not known")
        if not isinstance(value, dict):
            return PatchError("the expression gives no object")
        return merged(target.object, value, schemas.kinds[target.kind].schema, schemas.resolve)
    except (UnknownError, EvaluationError, PatchError) as error:
        return error


def _shown(case: Case, mutation: Mutation, before: JsonValue, after: JsonValue) -> Iterator[Any]:
    changes = list(_differences(before, after, ()))
    if not changes:
        return
    told = ", ".join(f"{format_path(path)} to {_value(value)}" for path, value in changes[:_SHOWN])
    more = f" and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
    message = f"{case.title} changes {told}{more}"
    yield checks.MUTATES.at(changes[0][0], message, help=f"It computes '{' '.join(mutation.expression.split())}'.")


def _value(value: JsonValue) -> str:
    import json

    return "nothing" if value is None else f"'{value if isinstance(value, str) else json.dumps(value)}'"


def _differences(before: JsonValue, after: JsonValue, path: Path) -> Iterator[tuple[Path, JsonValue]]:
    """The places that differ, with what is there afterwards; None where nothing is left."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            if key not in after:
                yield (*path, key), None
            elif key not in before:
                yield (*path, key), after[key]
            else:
                yield from _differences(before[key], after[key], (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, new, (*path, index))
    elif before != after or type(before) is not type(after):
        yield path, after
