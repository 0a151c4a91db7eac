"""Base and overlays of any objects: what kustomize does with them gives the objects of each environment."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.generate.kustomize.test_operations import applied
from trainergen.generate.kustomize import images
from trainergen.generate.kustomize.overlays import Overlay, Split, split
from trainergen.generate.layout import JOBS, RUNTIMES
from trainergen.generate.resolved import Environment, Placed

IMAGES = st.sampled_from(["torch:1", "torch:2", "r.example.com/torch:1", "torch", f"torch@sha256:{'a' * 64}", "jax:1"])
SMALL = st.dictionaries(
    st.sampled_from(["a", "b"]), st.integers(0, 1) | st.lists(st.booleans(), max_size=2), max_size=2
)


@st.composite
def objects(draw: st.DrawFn, kind: str, key: str) -> dict[str, Any]:
    """A TrainJob or a runtime with images in several places."""
    names = draw(st.lists(st.sampled_from(["node", "launcher", "x"]), unique=True, min_size=1, max_size=3))
    containers = [{"name": name, "image": draw(IMAGES), **draw(SMALL)} for name in names]
    spec: dict[str, Any] = {"template": {"containers": containers}, **draw(SMALL)}
    if kind == "TrainJob":
        spec["runtimeRef"] = {"name": draw(st.sampled_from(["team-torch", "team-torch-0a1b2c3d", "0a1b2c3d"]))}
    if draw(st.booleans()):
        spec["trainer"] = {"image": draw(IMAGES)}
    name = draw(st.sampled_from([key, f"{key}-1", f"{key}-2"]))
    return {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": kind, "metadata": {"name": name}, "spec": spec}


@st.composite
def environments(draw: st.DrawFn, part: str, kind: str) -> tuple[Environment, ...]:
    """Up to three environments with some of three objects."""
    found = []
    for name in draw(st.lists(st.sampled_from(["dev", "test", "prod"]), unique=True, min_size=1, max_size=3)):
        keys = sorted(draw(st.sets(st.sampled_from(["one", "two", "three"]), max_size=3)))
        placed = [Placed(part, key, draw(objects(kind, key))) for key in keys]
        for each in placed if part == "jobs" else ():
            each.object["metadata"]["namespace"] = f"team-{name}"  # type: ignore[index,call-overload]
        found.append(Environment(name, f"team-{name}", "", "main", tuple(placed)))
    return tuple(found)


def built(parts: Split, overlay: Overlay) -> list[Any]:
    """What kustomize makes of an overlay: patches first, then the namespace and the images."""
    patches = {(patch.placed.part, patch.placed.key): patch.operations for patch in overlay.patches}
    known = {entry.name: entry for entry in overlay.images}
    out = []
    for placed in (*parts.base, *overlay.added):
        value: Any = applied(copy.deepcopy(placed.object), patches.get((placed.part, placed.key), []))
        if overlay.namespace:
            value["metadata"]["namespace"] = overlay.namespace
        for path, image in images.places(value).items():
            target = value
            for step in path[:-1]:
                target = target[step]
            target[path[-1]] = images.change(known, image)
        out.append(value)
    return sorted(out, key=lambda each: each["metadata"]["name"])


def check(found: tuple[Environment, ...], unit: Any) -> None:
    parts = split(unit, found)
    assert [overlay.environment for overlay in parts.overlays] == [each for each in found if each.objects]
    for overlay in parts.overlays:
        wanted = sorted((placed.object for placed in overlay.environment.objects), key=_name)
        assert built(parts, overlay) == wanted


def _name(obj: Any) -> str:
    return str(obj["metadata"]["name"])


@given(environments("jobs", "TrainJob"))
def test_jobs_come_out_as_they_were(found: tuple[Environment, ...]) -> None:
    check(found, JOBS)


@given(environments("runtimes", "ClusterTrainingRuntime"))
def test_runtimes_come_out_as_they_were(found: tuple[Environment, ...]) -> None:
    check(found, RUNTIMES)


def test_a_new_run_in_the_first_environment_changes_no_other_overlay() -> None:
    def job(environment: str, run: str) -> Placed:
        spec = {"runtimeRef": {"name": f"team-torch-{run}"}}
        labels = {"trainergen.io/key": "bert"}
        metadata: Any = {"name": f"bert-{run}", "namespace": f"team-{environment}", "labels": labels}
        return Placed("jobs", "bert", {"apiVersion": "v1", "kind": "TrainJob", "metadata": metadata, "spec": spec})

    def overlays(first: str) -> list[list[Any]]:
        found = (("dev", first), ("prod", "1234"))
        environments = tuple(Environment(name, f"team-{name}", "", "main", (job(name, run),)) for name, run in found)
        return [[patch.operations for patch in each.patches] for each in split(JOBS, environments).overlays]

    for first in ("1234", "5678"):
        assert overlays(first) == [
            [],
            [
                [
                    {"op": "replace", "path": "/metadata/name", "value": "bert-1234"},
                    {"op": "replace", "path": "/spec/runtimeRef/name", "value": "team-torch-1234"},
                ]
            ],
        ]
