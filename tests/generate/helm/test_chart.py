"""A generated chart, rendered by the real Helm."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.generate.sample import sample
from tests.generate.tools import HELMS, by_identity, helm, lint, objects, run, template, write
from trainergen.generate.delivery import annotated
from trainergen.generate.helm import files
from trainergen.generate.layout import UNITS

if TYPE_CHECKING:
    from trainergen.generate.resolved import Resolved


@pytest.fixture
def resolved() -> Resolved:
    return annotated(sample(format="helm", delivery="none"))


@pytest.fixture
def chart(resolved: Resolved, tmp_path: Path) -> Path:
    return write(files(resolved), tmp_path) / "charts" / "vision"


@pytest.mark.parametrize("major", HELMS)
@pytest.mark.parametrize("environment", ["dev", "prod"])
def test_values_of_an_environment_render_its_objects_and_no_others(
    major: str, environment: str, resolved: Resolved, chart: Path
) -> None:
    wanted = next(each for each in resolved.environments if each.name == environment)

    rendered = template(major, chart, "-f", str(chart / f"values-{environment}.yaml"))

    assert by_identity(rendered) == by_identity(placed.object for placed in wanted.objects)


@pytest.mark.parametrize("major", HELMS)
def test_the_chart_by_itself_is_the_first_environment(major: str, resolved: Resolved, chart: Path) -> None:
    first = resolved.environments[0]

    assert by_identity(template(major, chart)) == by_identity(placed.object for placed in first.objects)


@pytest.mark.parametrize("major", HELMS)
def test_lint_has_nothing_to_say_of_any_environment(major: str, chart: Path) -> None:
    for values in sorted(chart.glob("values*.yaml")):
        said = lint(major, chart, "-f", str(values))
        assert "WARNING" not in said
        assert "ERROR" not in said


@pytest.mark.parametrize("major", HELMS)
def test_the_parts_of_a_unit_can_be_installed_by_themselves(major: str, resolved: Resolved, chart: Path) -> None:
    dev = resolved.environments[0]
    every = {placed.part for placed in dev.objects}
    for unit in UNITS:
        off = ",".join(f"parts.{part}=false" for part in sorted(every - set(unit.parts)))
        rendered = template(major, chart, "--set", off)
        assert by_identity(rendered) == by_identity(placed.object for placed in unit.objects(dev))


@pytest.mark.parametrize("major", HELMS)
@pytest.mark.parametrize(
    "setting",
    [
        "jobs.resnet.node=2",
        "jobs.resnet.nodes=0",
        "jobs.resnet.nodes=many",
        "environment.name=test",
        "environment.namespace=Not_OK",
    ],
)
def test_values_that_no_template_reads_are_refused(major: str, setting: str, chart: Path) -> None:
    with pytest.raises(AssertionError, match=r"values don't meet|additional propert|jsonschema"):
        template(major, chart, "--set", setting)


def test_values_have_the_names_that_people_use(chart: Path) -> None:
    values = objects((chart / "values-prod.yaml").read_text())[0]

    assert values["jobs"]["resnet"]["nodes"] == 8
    assert values["jobs"]["resnet"]["env"] == {"LEARNING_RATE": "0.4"}
    assert values["runtimes"]["torch"]["image"] == "registry.example.com/prod/torch:1.4.2"


def test_a_text_with_braces_is_a_value_and_in_no_template(chart: Path) -> None:
    values = objects((chart / "values.yaml").read_text())[0]

    assert values["jobs"]["chat"]["chatJinja"].startswith("{% for message in messages %}")
    assert all("{%" not in file.read_text() for file in (chart / "templates").rglob("*.yaml"))


def test_the_schema_knows_all_environments(chart: Path) -> None:
    schema = json.loads((chart / "values.schema.json").read_text())

    assert schema["properties"]["environment"]["properties"]["name"]["enum"] == ["dev", "prod"]


@pytest.mark.parametrize("major", HELMS)
@pytest.mark.parametrize(("environment", "names"), [("dev", ["resnet-00000001"]), ("prod", None)])
def test_the_test_of_the_chart_asks_for_the_jobs_of_the_environment(
    major: str, environment: str, names: list[str] | None, chart: Path
) -> None:
    arguments = ("-f", str(chart / f"values-{environment}.yaml"), "--show-only", "templates/tests/jobs.yaml")

    made = objects(run([helm(major), "template", "release", str(chart), *arguments]))

    pod = next(each for each in made if each["kind"] == "Pod")
    asked = pod["spec"]["containers"][0]["args"]
    expected = names or ["nightly-00000002", "resnet-00000008"]
    assert asked == ["get", "trainjobs.trainer.kubeflow.org", "-n", f"vision-{environment}", *expected]
    assert all(each["metadata"]["annotations"]["helm.sh/hook"] == "test" for each in made)


@pytest.mark.parametrize("major", HELMS)
def test_one_environment_makes_a_chart_as_well(major: str, resolved: Resolved, tmp_path: Path) -> None:
    only = replace(resolved, environments=resolved.environments[:1])

    chart = write(files(only), tmp_path) / "charts" / "vision"

    wanted = by_identity(placed.object for placed in only.environments[0].objects)
    assert by_identity(template(major, chart, "-f", str(chart / "values-dev.yaml"))) == wanted
