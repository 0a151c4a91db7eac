"""Whatever a manifest holds, a migration answers."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

# Imported before any test, since it raises the recursion limit, which hypothesis takes for a fault of the test.
import celpy  # noqa: F401
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trainergen.errors import TrainergenError
from trainergen.migrate import can_migrate, migrate
from trainergen.migrate.ledger import leaves

EXAMPLES = [yaml.safe_load(path.read_text()) for path in sorted((Path(__file__).parent / "examples").glob("*.v1.yaml"))]
JUNK = st.sampled_from(
    [None, True, 0, -1, 3.5, "", "text", "$(RANK)", [], [None], ["a", 1], {}, {"name": None}, {"": {}}]
)


def nodes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        return found + [each for key, inner in value.items() for each in nodes(inner, (*path, key))]
    if isinstance(value, list):
        return found + [each for at, inner in enumerate(value) for each in nodes(inner, (*path, at))]
    return found


@given(data=st.data(), target=st.sampled_from(["2.1", "2.3"]))
def test_a_value_of_any_type_anywhere_is_answered(data: st.DataObject, target: str) -> None:
    job = deepcopy(data.draw(st.sampled_from(EXAMPLES)))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from([each for each in nodes(job) if each[0] not in ("apiVersion", "kind")]))
        at = job
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = deepcopy(data.draw(JUNK))
    migration = migrate(job, target=target)
    assert {entry.source for entry in migration.mapping} == set(leaves(job))


def test_an_object_of_another_kind_is_not_taken() -> None:
    other = {"apiVersion": "v1", "kind": "Pod"}
    assert not can_migrate(other)
    with pytest.raises(TrainergenError, match="'v1 Pod' is no legacy kind"):
        migrate(other)


def test_a_release_that_nobody_migrates_to_is_refused() -> None:
    with pytest.raises(TrainergenError, match=r"Trainer 2\.0 is no target of a migration"):
        migrate(EXAMPLES[0], target="2.0")
