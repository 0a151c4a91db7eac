"""Rules inside a run: where they are called, what they need, and what the report gets."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import trainergen
from tests.manifests import GOOD, NEEDS_DATASET, RUNTIME, USES_RUNTIME
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.errors import TrainergenError
from trainergen.finding import Layer
from trainergen.rules import registry
from trainergen.rules.declare import Rule
from trainergen.rules.settings import PathSetting, RuleSettings

if TYPE_CHECKING:
    from trainergen.report import Report
    from trainergen.rules import Change, Chart, Findings, Job, Kustomization, Source, Workspace

CALLS: list[str] = []


def seen_job(job: Job) -> Findings:
    CALLS.append(job.name)
    assert job.trainer is not None
    container = job.trainer.containers[0]
    yield container.at("image").report(f"{container.words} runs {container.image}")
    yield job.rendered_objects("JobSet")[0].at("metadata.name").report("the JobSet is named")


def seen_source(source: Source) -> Findings:
    yield source.at("metadata.name").report(f"a {source.kind} called {source.name}")


def seen_secret(job: Source) -> Findings:
    for entry in job.objects.of("Secret", namespace=job.namespace):
        yield entry.object.at("metadata.name").report("a secret near the job", help="Look.")


def seen_all(workspace: Workspace) -> Findings:
    for entry in workspace.jobs:
        runtime = workspace.runtime_of(entry)
        yield entry.object.at("spec.runtimeRef.name").report(f"runs {runtime}")
    for part in workspace.deleted:
        yield part.at("metadata.name").report(f"{part.text('metadata.name')} is gone")


def seen_change(change: Change) -> Findings:
    assert change.old_job is not None
    assert change.new_job is not None
    yield change.at("spec.trainer.numNodes").report(f"{change.old_job.nodes} nodes become {change.new_job.nodes}")


def unsure(job: Source) -> Findings:
    yield job.at("metadata.namespace").undecided("the namespace is not known")


def broken(job: Source) -> Findings:
    yield job.at("kind").report(str(1 // 0))


def seen_chart(chart: Chart) -> Findings:
    old = chart.base
    assert old is not None
    before, after = old.values_part.get("crds.enabled"), chart.values_part.get("crds.enabled")
    yield chart.values_part.at("crds.enabled").report(f"{before} becomes {after}")
    yield old.at("name").report(f"{[template.file for template in old.templates]}")


def seen_folder(folder: Kustomization) -> Findings:
    old = folder.base
    names = [entry.name for entry in old.input_objects] if old else None
    yield folder.at("resources").report(f"had {names}")


FUNCTIONS = {
    "TG389": (seen_folder, "kustomization", {"kinds": ("Kustomization",)}),
    "TG390": (seen_chart, "chart", {"kinds": ("Chart",)}),
    "TG391": (seen_job, "job", {}),
    "TG392": (seen_source, "source", {"kinds": ("Secret",)}),
    "TG393": (seen_secret, "source", {"looks_up": ("Secret",)}),
    "TG394": (seen_all, "workspace", {}),
    "TG395": (seen_change, "change", {}),
    "TG396": (unsure, "source", {}),
    "TG397": (broken, "source", {}),
    "TG398": (seen_job, "job", {"kinds": ("TrainingRuntime",)}),
}


@pytest.fixture(autouse=True)
def _own_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def made(identity: str) -> Rule:
        function, view, more = FUNCTIONS[identity]
        name = function.__name__.replace("_", "-")
        return Rule(
            identity,
            f"{name}-rule",
            view,
            f"resources.{function.__name__}",
            function.__name__,
            "One.",
            **{"kinds": ("TrainJob",), **more},
        )

    monkeypatch.setattr(registry, "all_rules", lambda: {identity: made(identity) for identity in FUNCTIONS})
    monkeypatch.setattr("trainergen.rules.runner.function_of", lambda rule: FUNCTIONS[rule.id][0])
    monkeypatch.chdir(tmp_path)
    CALLS.clear()


def write(**files: str) -> None:
    for name, text in files.items():
        file = Path(name.replace("__", "/") + ".yaml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def check(*select: str, **more: object) -> Report:
    options: dict[str, object] = {"paths": (".",), "release": "2.3", "jobs": 1, **more}
    return run_check(CheckOptions(select=select, **options))  # type: ignore[arg-type]


def lines(report: Report) -> list[str]:
    return [f"{one.file}:{one.line} {one.rule} {one.message}" for one in report.findings]


SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: hf\n  namespace: team-a\n"


def test_a_rendered_value_is_reported_where_the_trainjob_sets_it() -> None:
    write(job=GOOD + "    image: mine:1\n")
    assert lines(check("TG391")) == [
        "job.yaml:4 TG391 the JobSet is named",
        "job.yaml:11 TG391 container 'node' of job 'node' runs mine:1",
    ]


def test_a_rendered_value_of_a_runtime_in_the_run_is_reported_there_once_for_all_jobs() -> None:
    write(runtime=RUNTIME, job=USES_RUNTIME, more=USES_RUNTIME.replace("mnist", "other"))
    assert lines(check("TG391")) == [
        "job.yaml:4 TG391 the JobSet is named",
        "more.yaml:4 TG391 the JobSet is named",
        "runtime.yaml:22 TG391 container 'node' of job 'node' runs example.org/torch:1",
    ]


def test_a_rendered_value_of_a_shipped_runtime_is_reported_at_the_reference_which_is_named() -> None:
    write(job=GOOD)
    first = lines(check("TG391"))[1]
    assert first.startswith("job.yaml:8 TG391 container 'node' of job 'node' runs pytorch/")
    assert first.endswith(", set by the ClusterTrainingRuntime 'torch-distributed'")


def test_a_runtime_is_rendered_for_rules_on_its_kind() -> None:
    write(runtime=RUNTIME)
    assert lines(check("TG398"))[-1] == "runtime.yaml:22 TG398 container 'node' of job 'node' runs example.org/torch:1"
    assert CALLS == ["probe"]


def test_a_refused_job_is_not_rendered_and_the_refusal_says_why() -> None:
    write(runtime=RUNTIME, job=NEEDS_DATASET)
    report = check("TG391", "TG1")
    assert CALLS == []
    assert [finding.layer for finding in report.findings] == [Layer.WEBHOOK]
    assert report.not_evaluated == ()


def test_an_unknown_runtime_leaves_one_reason_for_all_rules() -> None:
    write(job=USES_RUNTIME)
    assert len(check("TG391", "TG396").not_evaluated) == 1, "admission says it already"
    (left,) = check("TG391", layers=frozenset({Layer.LINT})).not_evaluated
    assert (left.check, left.reason, left.layer, left.line) == ("TG391", "the runtime is not known", "lint", 9)


def test_what_a_rule_cannot_decide_is_counted() -> None:
    write(job=GOOD)
    (left,) = check("TG396").not_evaluated
    assert (left.check, left.path, left.line) == ("TG396", "metadata.namespace", 5)


def test_files_with_kinds_of_a_rule_are_read_although_they_do_not_mention_the_trainer() -> None:
    write(secret=SECRET)
    assert lines(check("TG392")) == ["secret.yaml:4 TG392 a Secret called hf"]
    assert check("TG391").skipped == {"does not mention Trainer": 1}


def test_a_rule_finds_what_it_looks_up() -> None:
    write(job=GOOD, secret=SECRET, other=SECRET.replace("team-a", "team-b"))
    assert lines(check("TG393")) == ["secret.yaml:4 TG393 a secret near the job"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_workspace_is_seen_once_all_files_are_judged(jobs: int) -> None:
    write(a__job=USES_RUNTIME, b__job=USES_RUNTIME, a__runtime=RUNTIME, b__runtime=RUNTIME)
    runtime = "<TrainingRuntime team-a/team-torch in {}/runtime.yaml>"
    assert lines(check("TG394", jobs=jobs)) == [
        f"a/job.yaml:9 TG394 runs {runtime.format('a')}",
        f"b/job.yaml:9 TG394 runs {runtime.format('b')}",
    ]


def test_standard_input_is_judged_by_all_rules() -> None:
    report = check("TG394", "TG391", paths=("-",), stdin=GOOD.encode(), stdin_filename="in.yaml")
    assert [line.partition(" ")[0] for line in lines(report)] == ["in.yaml:4", "in.yaml:8", "in.yaml:8"]


def test_changes_are_seen_with_both_renderings_and_what_is_gone(tmp_path: Path) -> None:
    from tests.rules.running import git

    write(job=GOOD, gone=GOOD.replace("mnist", "gone"), same=GOOD.replace("mnist", "same"))
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "base")
    Path("gone.yaml").unlink()
    write(job=GOOD.replace("numNodes: 2", "numNodes: 4"))
    assert lines(check("TG395", base="HEAD")) == ["job.yaml:10 TG395 2 nodes become 4"]
    assert lines(check("TG394", base="HEAD"))[0] == "gone.yaml:1 TG394 gone is gone"
    assert lines(check("TG395")) == [], "without a base nothing is a change"


def test_charts_and_kustomizations_are_seen_as_the_base_has_them(tmp_path: Path) -> None:
    from tests.rules.running import git

    write(chart__Chart="name: a\n", chart__values="crds:\n  enabled: true\n", chart__templates__x="a: {{ b }}\n")
    write(base__kustomization="resources: [job.yaml]\n", base__job=GOOD, top__kustomization="resources: [../base]\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "base")
    write(chart__values="crds:\n  enabled: false\n", base__job=GOOD.replace("mnist", "other"))
    assert lines(check("TG390", base="HEAD")) == [
        "chart/Chart.yaml:1 TG390 ['chart/templates/x.yaml']",
        "chart/values.yaml:2 TG390 True becomes False",
    ]
    assert lines(check("TG389", base="HEAD")) == [
        "base/kustomization.yaml:1 TG389 had ['mnist']",
        "top/kustomization.yaml:1 TG389 had ['mnist']",
    ]
    assert lines(check("TG389"))[0] == "base/kustomization.yaml:1 TG389 had None"


def test_a_broken_rule_is_a_finding_and_the_others_go_on() -> None:
    write(job=GOOD)
    report = check("TG397", "TG391")
    assert [finding.rule for finding in report.findings] == ["TG901", "TG391", "TG391"]
    assert report.findings[0].message.startswith("the rule TG397 broken-rule failed: ZeroDivisionError")


def test_settings_by_path_leave_out_and_set_severities(tmp_path: Path) -> None:
    write(legacy__job=GOOD, new__job=GOOD)
    setting = PathSetting(("legacy/",), str(tmp_path), severities={"seen-job-rule": "info"})
    report = check("TG391", rules=RuleSettings(per_path=(setting,)))
    assert {(one.file, one.severity) for one in report.findings} == {
        ("legacy/job.yaml", "info"),
        ("new/job.yaml", "warning"),
    }
    setting = PathSetting(("legacy/",), str(tmp_path), ignore=("TG39",))
    assert {one.file for one in check("TG391", rules=RuleSettings(per_path=(setting,))).findings} == {"new/job.yaml"}


def test_advice_is_off_with_its_layer() -> None:
    write(job=GOOD)
    layers = ("yaml", "schema", "cel", "webhook")
    assert trainergen.check(".", release="2.3", layers=layers).findings == ()
    assert trainergen.check(".", release="2.3", profile="production").findings != ()
    with pytest.raises(TrainergenError, match="did you mean 'strict'"):
        trainergen.check(".", release="2.3", profile="strikt")


def test_a_judged_job_leaves_no_circles_of_references(tmp_path: Path) -> None:
    file = tmp_path / "job.yaml"
    file.write_text(GOOD)
    gc.collect()
    gc.disable()
    try:
        run_check(CheckOptions(paths=(str(file),), release="2.3"))
        left = [one for one in gc.get_objects() if type(one).__name__ in {"Job", "Pods", "Rendered", "Trace"}]
    finally:
        gc.enable()
    assert left == []
