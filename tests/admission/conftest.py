"""Fixtures of the admission tests: schemas of a release, and what the API server alone says of an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from trainergen.admission.rules import evaluate_rules
from trainergen.admission.structural import Mutate, StructuralResult, admit_structure
from trainergen.api.structural import Kind, StructuralSchemas, load

if TYPE_CHECKING:
    from trainergen.finding import Finding, NotEvaluated


class Verdict(NamedTuple):
    """What the API server says, with its findings by path."""

    object: dict[str, Any]
    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]

    @property
    def found(self) -> list[tuple[str, str]]:
        """Name and path of every finding."""
        return [(finding.name, finding.path) for finding in self.findings]


Serve = Callable[..., Verdict]


@pytest.fixture
def serve() -> Serve:
    """The API server: ``serve(obj, release="2.3", old=None, mutate=None)``."""

    def run(obj: Any, release: str = "2.3", old: Any = None, mutate: Mutate | None = None) -> Verdict:
        schemas = load(release)
        kind = schemas.kinds[obj["kind"]]
        structure = admit_structure(obj, schemas, kind, old=old, mutate=mutate)
        rules = evaluate_rules(structure, schemas, kind)
        return Verdict(structure.object, (*structure.findings, *rules.findings), rules.not_evaluated)

    return run


@pytest.fixture
def check_value() -> Callable[..., tuple[Any, list[tuple[str, str]], StructuralResult]]:
    """Check one value against a schema of ones own: ``check_value(schema, value)``.

    Gives what is stored, the findings by name and path, and the whole result. The value is an object's ``spec``.
    """

    def run(
        schema: dict[str, Any], value: Any, definitions: dict[str, Any] | None = None
    ) -> tuple[Any, list[tuple[str, str]], StructuralResult]:
        root = {"type": "object", "properties": {"spec": schema, "status": {"type": "object"}}}
        kind = Kind(group="example.com", version="v1", kind="Thing", plural="things", scope="Namespaced", schema=root)
        schemas = StructuralSchemas(release="1", definitions=definitions or {}, kinds={"Thing": kind})
        obj = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": value}
        result = admit_structure(obj, schemas, kind)
        return result.object.get("spec"), [(finding.name, finding.path) for finding in result.findings], result

    return run


@pytest.fixture
def job() -> dict[str, Any]:
    """A TrainJob that every release takes."""
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "mnist", "namespace": "team-a"},
        "spec": {"runtimeRef": {"name": "torch-distributed"}, "trainer": {"numNodes": 2}},
    }
