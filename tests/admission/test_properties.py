"""What holds for every object: defaults settle, order of keys says nothing, input stays, unknown fields are refused."""

from __future__ import annotations

import copy
import json
import lzma
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trainergen.admission.rules import evaluate_rules
from trainergen.admission.structural import StructuralResult, admit_structure
from trainergen.api.structural import load

ORACLE = Path(__file__).parent.parent / "oracle"
SCHEMAS = load("2.3")


def recorded(verdict: str) -> list[dict[str, Any]]:
    cases = json.loads(lzma.decompress((ORACLE / "admission-2.3.json.xz").read_bytes()))
    return [yaml.load(case["manifest"], yaml.CSafeLoader) for case in cases if case["verdict"] == verdict]


VALID, INVALID = recorded("valid"), recorded("invalid")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
RELAXED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def admit(obj: dict[str, Any]) -> StructuralResult:
    return admit_structure(obj, SCHEMAS, SCHEMAS.kinds[obj["kind"]])


def shuffled(value: Any, draw: Any) -> Any:
    """The value with the keys of every mapping in another order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key], draw) for key in draw(st.permutations(list(value)))}
    return [shuffled(entry, draw) for entry in value] if isinstance(value, list) else value


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in an object."""
    steps: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, child in steps for place in places(child, (*path, step)))]


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@RELAXED
@given(st.sampled_from(VALID))
def test_a_stored_object_is_valid_and_stays_as_it_is(obj: dict[str, Any]) -> None:
    stored = admit(obj)
    again = admit(stored.object)
    assert (stored.findings, again.findings) == ((), ())
    assert again.object == stored.object


@RELAXED
@given(st.sampled_from(VALID + INVALID), st.data())
def test_the_order_of_keys_says_nothing(obj: dict[str, Any], data: st.DataObject) -> None:
    one, other = admit(obj), admit(shuffled(obj, data.draw))
    assert one.object == other.object
    assert {(f.name, f.path, f.message) for f in one.findings} == {(f.name, f.path, f.message) for f in other.findings}


@RELAXED
@given(st.sampled_from(VALID), st.data())
def test_an_unknown_field_is_refused_wherever_it_is(obj: dict[str, Any], data: st.DataObject) -> None:
    obj = copy.deepcopy(obj)
    closed = [place for place in places(obj) if isinstance(at(obj, place), dict) and not _free(place)]
    place = data.draw(st.sampled_from(closed))
    at(obj, place)["bogusField"] = data.draw(JSON)
    found = [(finding.name, finding.at) for finding in admit(obj).findings]
    assert ("unknown-field", (*place, "bogusField")) in found


def _free(place: tuple[Any, ...]) -> bool:
    """Mappings that take any key."""
    return bool(place) and place[-1] in ("labels", "annotations", "limits", "requests", "nodeSelector", "matchLabels")


@RELAXED
@given(st.sampled_from(VALID), st.data())
def test_any_value_anywhere_gives_findings_and_never_an_error(obj: dict[str, Any], data: st.DataObject) -> None:
    obj = copy.deepcopy(obj)
    place = data.draw(st.sampled_from([place for place in places(obj) if place and place != ("kind",)]))
    at(obj, place[:-1])[place[-1]] = data.draw(JSON)
    before = copy.deepcopy(obj)
    kind = SCHEMAS.kinds[obj["kind"]]
    result = admit(obj)
    rules = evaluate_rules(result, SCHEMAS, kind)
    assert obj == before
    assert all(finding.message and finding.help for finding in (*result.findings, *rules.findings))
    assert result.broken or not rules.not_evaluated


@RELAXED
@given(st.sampled_from(VALID), st.sampled_from(VALID))
def test_an_update_to_itself_finds_nothing(obj: dict[str, Any], other: dict[str, Any]) -> None:
    kind = SCHEMAS.kinds[obj["kind"]]
    result = admit_structure(obj, SCHEMAS, kind, old=copy.deepcopy(obj))
    assert (result.findings, evaluate_rules(result, SCHEMAS, kind)) == ((), ((), ()))
    if other["kind"] == obj["kind"]:
        # Whatever the old object was, what is found is found in valid parts only where they may not change.
        changed = admit_structure(obj, SCHEMAS, kind, old=other)
        names = {finding.name for finding in evaluate_rules(changed, SCHEMAS, kind).findings}
        assert names <= {"field-immutable"}
