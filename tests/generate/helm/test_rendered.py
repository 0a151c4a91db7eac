"""What Helm renders of generated charts, whatever differs between environments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.generate.kustomize.test_built import DIFFERENT
from tests.generate.sample import sample
from tests.generate.specs import content, example, with_job, workspace
from tests.generate.tools import HELMS, by_identity, lint, template, write
from trainergen.generate.helm import files
from trainergen.generate.resolved import Environment, Placed, Resolved

if TYPE_CHECKING:
    from trainergen.generate import Workspace

CHARTS: dict[str, dict[str, Any]] = {
    **DIFFERENT,
    "neighbours with braces of their own": {
        "jobs": {
            **with_job(workflow={}, environments={"prod": {"nodes": 4}}),
            "tune": {
                "runtime": "torch",
                "args": ["--lr=${lr}"],
                "experiment": {"metric": "loss", "goal": "minimize", "parameters": {"lr": {"min": 0.1, "max": 1}}},
            },
        }
    },
    "queues of some environments": {
        "environments": {
            "dev": {"queue": {"name": "a", "quota": {"cpu": 8}}},
            "prod": {"queue": {"name": "b", "cluster-queue": "b"}},
        },
        "jobs": content()["jobs"],
    },
}


def check_equal(resolved: Resolved, chart: Path, major: str) -> None:
    """Compare what comes of each values file with the objects of its environment."""
    for environment in resolved.environments:
        values = str(chart / f"values-{environment.name}.yaml")
        wanted = by_identity(placed.object for placed in environment.objects)
        assert by_identity(template(major, chart, "-f", values)) == wanted, environment.name


def check_workspace(workspace: Workspace, folder: Path, major: str) -> None:
    chart = write(workspace.files(), folder) / "charts" / workspace.spec.name
    check_equal(workspace.resolve(), chart, major)
    lint(major, chart)


@pytest.mark.parametrize("major", HELMS)
def test_the_chart_of_the_example_renders_the_plain_output(major: str, tmp_path: Path) -> None:
    check_workspace(example(format="helm"), tmp_path, major)


@pytest.mark.parametrize("major", HELMS)
@pytest.mark.parametrize("changed", CHARTS.values(), ids=CHARTS.keys())
def test_a_chart_brings_about_every_difference(changed: dict[str, Any], major: str, tmp_path: Path) -> None:
    environments = {"environments": {"dev": {}, "prod": {}}}
    check_workspace(workspace(**{**environments, **changed, "output": {"format": "helm"}}), tmp_path, major)


@pytest.mark.parametrize("major", HELMS)
def test_earlier_runs_stay_in_the_chart_as_long_as_they_are_kept(major: str, tmp_path: Path) -> None:
    common: dict[str, Any] = {"runs": {"keep": 2}, "output": {"format": "helm"}}
    workspace(**common).write(tmp_path)
    workspace(**common, jobs=with_job(nodes=3)).write(tmp_path)

    rendered = template(major, tmp_path / "charts" / "team")

    assert [each["spec"]["trainer"]["numNodes"] for each in rendered if each["kind"] == "TrainJob"] == [1, 3]


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12) | st.sampled_from(
    ["{{ .Values.x }}", "{% if a %}", "yes", "1e3", "0o7", "null", "~", "<&>", "a: b", "# c", "- d", "'", '"', "a\nb\n"]
)
SCALARS = st.booleans() | st.integers(-(2**40), 2**40) | TEXTS
KEYS = st.sampled_from(["a", "b.c/d", "b-c-d", "name", "value", "enabled", "resources", "nodeSelector", "spec", "3"])
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
MAPPINGS = st.dictionaries(KEYS, JSON, max_size=4)


def made(name: str, contents: list[dict[str, Any] | None]) -> Environment:
    """An environment whose objects have these contents; None for one that it does not have."""
    objects = []
    for number, each in enumerate(contents):
        if each is not None:
            metadata = {"name": f"thing-{number}", "namespace": f"team-{name}"}
            thing = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": metadata, "data": each}
            objects.append(Placed("jobs", f"thing-{number}", thing))
    return Environment(name, f"team-{name}", "", "main", tuple(objects))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(*[MAPPINGS | st.none()] * 3), min_size=1, max_size=12))
def test_whatever_objects_hold_comes_out_of_the_chart_again(
    tmp_path_factory: pytest.TempPathFactory, things: list[tuple[dict[str, Any] | None, ...]]
) -> None:
    names = ("dev", "stage", "prod")
    environments = tuple(made(name, [thing[index] for thing in things]) for index, name in enumerate(names))
    resolved = sample(environments=environments, format="helm")

    chart = write(files(resolved), tmp_path_factory.mktemp("tree")) / "charts" / "vision"

    check_equal(resolved, chart, "4")
