"""Charts: with the real helm where there is one, with the SDK's worker, and with a program that pretends."""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.built.conftest import Check, Pretend, Write, said
from trainergen.built import tools
from trainergen.built.tools import Tool
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from collections.abc import Callable

    from trainergen.report import Report

TEMPLATE = """\
{{- range .Values.names }}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: {{ . }}
  namespace: team-a
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    numNodes: {{ $.Values.nodes }}
{{- end }}
"""
CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: app\nversion: 0.1.0\n",
    "chart/values.yaml": "names: [a, b]\nnodes: 2\n",
    "chart/templates/job.yaml": TEMPLATE,
}
RENDERED = """\
---
# Source: app/templates/job.yaml
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: a
  namespace: team-a
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    numNodes: "2"
"""
SUB = {
    "sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 0.1.0\n",
    "sub/values.yaml": "names: [c]\nnodes: '2'\n",
    "sub/templates/job.yaml": TEMPLATE.replace("$.Values.nodes", "$.Values.nodes | quote"),
}


def failures(report: Report) -> list[tuple[str, int, int, str]]:
    return [(one.file, one.line, one.column, one.message) for one in report.findings if one.rule == "TG025"]


def printing(text: str) -> str:
    return f"sys.stdout.write({text!r})"


def test_a_finding_is_in_the_template_that_names_the_field(write: Write, check: Check, pretend: Pretend) -> None:
    write(CHART)
    pretend("helm", printing(RENDERED))
    report = check(ignore=("TG7",))
    assert said(report) == [("chart/templates/job.yaml", 11, "TG102")]
    assert report.findings[0].message.endswith(", as the chart in chart is rendered")
    assert report.checked == ("chart/templates/job.yaml",)


def test_what_a_loop_repeats_is_said_once(write: Write, check: Check, pretend: Pretend) -> None:
    write(CHART)
    pretend("helm", printing(RENDERED + RENDERED.replace("name: a", "name: b")))
    report = check(ignore=("TG7",))
    assert (said(report), report.documents) == ([("chart/templates/job.yaml", 11, "TG102")], 2)


def test_values_of_files_go_to_helm_in_order(write: Write, check: Check, pretend: Pretend, tmp_path: Path) -> None:
    write({**CHART, "prod.yaml": "nodes: 4\n", "more.yaml": "nodes: 5\n"})
    body = "import json\nfiles = [open(sys.argv[i + 1]).read() for i, a in enumerate(sys.argv) if a == '--values']"
    pretend("helm", f"{body}\njson.dump([sys.argv[1:3], files], open({str(tmp_path / 'asked')!r}, 'w'))")
    check(values=("prod.yaml", "more.yaml"))
    asked = json.loads((tmp_path / "asked").read_text())
    assert asked[0] == ["template", "app"]
    assert asked[1] == ["nodes: 4\n", "nodes: 5\n"]


@pytest.mark.parametrize(
    ("text", "failure"),
    {
        "in a template": (
            "Error: execution error at (app/templates/job.yaml:7:25): nodes is needed\n\nUse --debug flag to render",
            ("chart/templates/job.yaml", 7, 26, "helm cannot render it: nodes is needed"),
        ),
        "in the syntax of a template": (
            'Error: parse error at (app/templates/job.yaml:1): function "foo" not defined',
            ("chart/templates/job.yaml", 1, 1, 'helm cannot render it: parse error: function "foo" not defined'),
        ),
        "in what a template gives": (
            "Error: YAML parse error on app/templates/job.yaml: no",
            ("chart/templates/job.yaml", 1, 1, "helm cannot render it: YAML parse error on app/templates/job.yaml: no"),
        ),
        "in a template of a packed dependency": (
            "Error: execution error at (app/charts/gone/templates/job.yaml:7:25): no",
            ("chart/Chart.yaml", 1, 1, "helm cannot render it: no"),
        ),
        "somewhere": ("Error: no", ("chart/Chart.yaml", 1, 1, "helm cannot render it: no")),
    }.values(),
)
def test_a_failure_is_where_helm_says(
    write: Write, check: Check, pretend: Pretend, text: str, failure: tuple[str, int, int, str]
) -> None:
    write(CHART)
    pretend("helm", f"sys.stderr.write({text!r}); sys.exit(1)")
    assert failures(check(ignore=("TG7",))) == [failure]


def test_a_dependency_that_would_be_fetched_is_left_out(
    write: Write, check: Check, pretend: Pretend, tmp_path: Path
) -> None:
    listed = "dependencies:\n- {name: jobset, version: 0.1.0, repository: 'oci://registry.k8s.io/jobset/charts'}\n"
    write({**CHART, "chart/Chart.yaml": CHART["chart/Chart.yaml"] + listed})
    pretend("helm", f"open({str(tmp_path / 'chart')!r}, 'w').write(open(sys.argv[3] + '/Chart.yaml').read())")
    report = check(ignore=("TG7",))
    assert [(one.file, one.line, one.reason) for one in report.not_evaluated] == [
        ("chart/Chart.yaml", 5, "the dependency 'jobset' is not in charts/ and is not fetched: its objects are missing")
    ]
    assert json.loads((tmp_path / "chart").read_text())["dependencies"] == []


def test_values_that_are_no_file_are_refused(write: Write, check: Check) -> None:
    write(CHART)
    with pytest.raises(TrainergenError, match="there is no such file"):
        check(values=("none.yaml",))


@pytest.fixture(params=["helm", "sdk"])
def renderer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two that can render a chart."""
    if request.param == "helm":
        request.getfixturevalue("helm")
        return
    if find_spec("helm_python") is None:
        pytest.skip("the Helm SDK is not installed (extra 'helm')")
    worker = Path(tools.__file__).with_name("helm_worker.py")
    sdk = Tool("helm", (sys.executable, "-P", str(worker)), is_sdk=True)
    monkeypatch.setattr("trainergen.built.helm.find_helm", lambda: sdk)


@pytest.mark.usefixtures("renderer")
class TestRendering:
    """Both renderers give the same."""

    def test_a_chart_is_judged_as_it_is_rendered(self, write: Write, check: Check) -> None:
        write({**CHART, "prod.yaml": "nodes: -2\n"})
        assert (said(check()), check().documents) == ([], 2)
        report = check(values=("prod.yaml",), ignore=("TG7",))
        assert {place[:2] for place in said(report)} == {("chart/templates/job.yaml", 11)}

    def test_a_dependency_in_the_repository_is_rendered_with_it(self, write: Write, check: Check) -> None:
        listed = "dependencies:\n- {name: sub, version: 0.1.0, repository: 'file://../sub'}\n"
        write({**CHART, **SUB, "chart/Chart.yaml": CHART["chart/Chart.yaml"] + listed})
        report = check(ignore=("TG7",))
        assert (said(report), report.documents) == ([("sub/templates/job.yaml", 11, "TG102")], 3)

    def test_a_value_that_is_required_is_missed_in_the_template(self, write: Write, check: Check) -> None:
        needs = TEMPLATE.replace("$.Values.nodes", 'required "nodes is needed" $.Values.none')
        write({**CHART, "chart/templates/job.yaml": needs})
        assert failures(check(ignore=("TG7",))) == [
            ("chart/templates/job.yaml", 11, 18, "helm cannot render it: nodes is needed")
        ]

    def test_broken_output_is_a_finding_in_the_template(self, write: Write, check: Check) -> None:
        write({**CHART, "chart/templates/broken.yaml": "a: b: c\n"})
        found = failures(check(ignore=("TG7",)))
        assert [place[:3] for place in found] == [("chart/templates/broken.yaml", 1, 1)]

    def test_the_tree_is_not_written(self, write: Write, check: Check) -> None:
        write(CHART)
        before = sorted(map(str, Path().rglob("*")))
        check()
        assert sorted(map(str, Path().rglob("*"))) == before


@pytest.mark.parametrize(
    ("body", "words"),
    {
        "text that is no JSON": ("print('hello')", "the Helm SDK gives no answer"),
        "an answer without templates": ("print('{}')", "the Helm SDK gives no answer"),
        "an error": ('print(\'{"error": "execution error at (app/templates/job.yaml:3:1): no"}\')', "no"),
        "a crash": ("sys.stderr.write('Traceback: boom'); sys.exit(1)", "boom"),
    }.values(),
)
def test_an_sdk_that_fails_is_a_finding(
    write: Write, check: Check, pretend: Pretend, monkeypatch: pytest.MonkeyPatch, body: str, words: str
) -> None:
    write(CHART)
    pretend("worker", body)
    sdk = Tool("helm", (f"{os.environ['PATH']}/worker",), is_sdk=True)
    monkeypatch.setattr("trainergen.built.helm.find_helm", lambda: sdk)
    found = failures(check(ignore=("TG7",)))
    assert len(found) == 1
    assert words in found[0][3]


def test_the_worker_merges_values_as_helm_does(tmp_path: Path, worker: Callable[[dict[str, object]], object]) -> None:
    (tmp_path / "one").write_text('{"a": {"b": 1, "c": [1]}, "d": 1}')
    (tmp_path / "two").write_text('{"a": {"c": [2]}, "d": {"e": 1}}')
    asked = {"chart": "chart", "name": "app", "values": [str(tmp_path / "one"), str(tmp_path / "two")]}
    assert worker(asked) == {"templates": {"app": {"a": {"b": 1, "c": [2]}, "d": {"e": 1}}}}


@pytest.fixture
def worker(tmp_path: Path) -> Callable[[dict[str, object]], object]:
    """The worker with a library that gives back the values that it gets."""
    import subprocess

    (tmp_path / "helm_python.py").write_text(
        "import json\n"
        "class HelmError(Exception): pass\n"
        "values_from_yaml = json.loads\n"
        "class Chart:\n"
        "    load = classmethod(lambda cls, path: cls())\n"
        "    __enter__ = lambda self: self\n"
        "    __exit__ = lambda self, *_: None\n"
        "    validate_schema = lambda self, values: None\n"
        "    render = lambda self, values, name, namespace: {name: values}\n"
    )

    def asking(request: dict[str, object]) -> object:
        program = Path(tools.__file__).with_name("helm_worker.py")
        done = subprocess.run(
            [sys.executable, "-P", str(program)],
            input=json.dumps(request).encode(),
            env={"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            check=True,
        )
        return json.loads(done.stdout)

    return asking


@pytest.mark.usefixtures("kustomize", "helm")
def test_a_chart_in_a_kustomization_is_rendered_where_it_lies_in_the_repository(write: Write, check: Check) -> None:
    chart = {f"prod/charts/sub/{name.partition('/')[2]}": text for name, text in SUB.items()}
    write(
        {
            **chart,
            "prod/kustomization.yaml": "helmCharts:\n- name: sub\n  releaseName: a\n- name: far\n  repo: https://a.b\n",
        }
    )
    report = check(ignore=("TG7",))
    assert said(report) == [("prod/kustomization.yaml", 2, "TG102")]
    assert [(item.line, item.reason) for item in report.not_evaluated if item.check == "TG025"] == [
        (4, "the chart 'far' would be fetched, which a build here never does: its objects are missing")
    ]
