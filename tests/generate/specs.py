"""Specifications for tests: the one of examples/build, and small ones with a change each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainergen.generate import Spec, Workspace

if TYPE_CHECKING:
    from trainergen.generate.resolved import Placed, Resolved

EXAMPLE = Path(__file__).parents[2] / "examples/build/trainergen.yaml"


def example(**output: str | bool) -> Workspace:
    """The workspace of examples/build, with another output where that is given."""
    workspace = Workspace.load(EXAMPLE)
    return workspace.with_output(**output) if output else workspace


def content(**changed: Any) -> dict[str, Any]:
    """A specification of one environment, one runtime and one job; ``changed`` replaces its top-level fields."""
    return {
        "name": "team",
        "release": "2.3",
        "environments": {"dev": {}},
        "runtimes": {"torch": {"from": "torch-distributed", "cpu": 4, "memory": "16Gi"}},
        "jobs": {"bert": {"runtime": "torch", "entrypoint": "torchrun /app/train.py"}},
        **changed,
    }


def workspace(*, root: Path | None = None, **changed: Any) -> Workspace:
    """The workspace of ``content``."""
    return Workspace(Spec.model_validate(content(**changed)), root=root)


def resolved(*, root: Path | None = None, **changed: Any) -> Resolved:
    """What ``content`` means."""
    return workspace(root=root, **changed).resolve()


def with_job(**fields: Any) -> dict[str, Any]:
    """The ``jobs`` of a specification whose job has these fields as well."""
    return {"bert": {**content()["jobs"]["bert"], **fields}}


def with_runtime(**fields: Any) -> dict[str, Any]:
    """The ``runtimes`` of a specification whose runtime has these fields as well."""
    return {"torch": {**content()["runtimes"]["torch"], **fields}}


def placed(found: Resolved, part: str, key: str, environment: str = "dev") -> Any:
    """The object with this part and key."""
    objects: dict[tuple[str, str], Placed] = {
        (each.part, each.key): each for each in _environment(found, environment).objects
    }
    return objects[part, key].object


def keys(found: Resolved, part: str, environment: str = "dev") -> list[str]:
    """The keys of a part, in order."""
    return [each.key for each in _environment(found, environment).of(part)]


def _environment(found: Resolved, name: str) -> Any:
    return next(each for each in found.environments if each.name == name)


def pod(runtime: Any, job: str = "node") -> Any:
    """The Pod's spec of a replicated job of a runtime."""
    jobs = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    return next(each for each in jobs if each["name"] == job)["template"]["spec"]["template"]["spec"]


def container(runtime: Any, job: str = "node") -> Any:
    """The training container of a replicated job of a runtime."""
    return next(each for each in pod(runtime, job)["containers"] if each["name"] == "node")
