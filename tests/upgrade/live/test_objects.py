"""What the audit says of runtimes and TrainJobs in a cluster, by the same upgrade that manifests go through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.upgrade.live.cluster import OVERRIDES, InMemoryCluster, healthy, job, runtime
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade
from trainergen.finding import Severity
from trainergen.upgrade.live.reader import CLUSTER_RUNTIMES, RUNTIMES, TRAIN_JOBS

if TYPE_CHECKING:
    from trainergen.upgrade.live import LiveAudit
    from trainergen.upgrade.report import UpgradeReport

IN_USE = "trainer.kubeflow.org/resource-in-use"
MANIFEST = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: NAME}
spec: {runtimeRef: {name: torch-distributed}}
"""


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def reported(cluster: InMemoryCluster, start: str = "2.1", to: str = "2.3") -> UpgradeReport:
    return run_upgrade(UpgradeOptions((".",), start, to), cluster)


def audited(cluster: InMemoryCluster, start: str = "2.1", to: str = "2.3") -> LiveAudit:
    found = reported(cluster, start, to).live
    assert found is not None
    return found


def said(audit: LiveAudit, name: str) -> list[tuple[str, str]]:
    return [(one.file, one.message) for one in audit.findings if one.name == name]


def manifest(name: str, namespace: str = "") -> None:
    place = f"{name}, namespace: {namespace}" if namespace else name
    Path(f"{name}.yaml").write_text(MANIFEST.replace("NAME", place))


PHASES = {
    "Complete": job("a", phase="Complete"),
    "Failed": job("a", phase="Failed"),
    "Suspended": job("a", phase="Suspended"),
    "Running": job("a"),
    "Created": job("a", phase="Created"),
    "Deleting": job("a") | {"metadata": {"name": "a", "namespace": "n", "deletionTimestamp": "2026-01-01T00:00:00Z"}},
}


@pytest.mark.parametrize("phase", PHASES)
def test_jobs_are_counted_by_phase(phase: str) -> None:
    assert audited(healthy().add(TRAIN_JOBS, PHASES[phase])).phases == ((phase, 1),)


@pytest.mark.parametrize(
    ("phase", "severity"),
    [("Suspended", Severity.ERROR), ("Created", Severity.ERROR), ("Running", Severity.WARNING)],
)
def test_a_job_with_fields_that_are_gone_is_told_by_what_it_loses(phase: str, severity: Severity) -> None:
    audit = audited(healthy().add(TRAIN_JOBS, job("a", OVERRIDES, phase=phase)))
    (finding,) = [one for one in audit.findings if one.name == "live-job-touched"]
    assert (finding.severity, finding.file, finding.line) == (severity, "own:TrainJob/team-a/a", 0)
    assert "spec.podTemplateOverrides moved to spec.runtimePatches" in finding.message
    assert audit.jobs[0].notes


def test_a_finished_job_with_fields_that_are_gone_is_no_matter() -> None:
    audit = audited(healthy().add(TRAIN_JOBS, job("a", OVERRIDES, phase="Complete")))
    assert (audit.jobs, said(audit, "live-job-touched")) == ((), [])


@pytest.mark.parametrize("phase", ["Complete", "Running"])
def test_a_stored_text_where_the_target_has_a_number_is_an_error_in_any_phase(phase: str) -> None:
    spec = {"trainer": {"numProcPerNode": "auto"}}
    assert len(said(audited(healthy().add(TRAIN_JOBS, job("a", spec, phase=phase))), "live-job-undecodable")) == 1


@pytest.mark.parametrize(("spec", "to"), [({"trainer": {"numProcPerNode": 4}}, "2.3"), ({}, "2.3")])
def test_a_stored_number_is_right(spec: Any, to: str) -> None:
    assert said(audited(healthy().add(TRAIN_JOBS, job("a", spec)), to=to), "live-job-undecodable") == []


def test_a_text_is_right_as_long_as_the_release_knows_it() -> None:
    cluster = healthy().add(TRAIN_JOBS, job("a", {"trainer": {"numProcPerNode": "auto"}}))
    assert said(audited(cluster, to="2.1"), "live-job-undecodable") == []


def test_a_job_whose_pods_change_with_the_release_is_listed_with_the_reason() -> None:
    (found,) = audited(healthy().add(TRAIN_JOBS, job("a", phase="Suspended"))).jobs
    assert found.notes == ()
    assert "it comes from the ClusterTrainingRuntime torch-distributed" in found.reasons


def test_the_findings_of_an_upgrade_speak_of_live_objects_too() -> None:
    spec = {"initializer": {"dataset": {"storageUri": "plain/path"}}}
    audit = audited(healthy().add(TRAIN_JOBS, job("a", spec)))
    assert [one.file for one in audit.findings if one.rule == "TG839"] == ["own:TrainJob/team-a/a"]


def test_an_older_job_uses_a_runtime_that_is_gone() -> None:
    cluster = healthy("2.0", "v2.0.1").add(TRAIN_JOBS, job("a", {"runtimeRef": {"name": "mpi-distributed"}}))
    assert "TG830" in [one.rule for one in audited(cluster, "2.0").findings]


def test_shipped_runtimes_are_told_from_changed_ones_and_own_ones() -> None:
    cluster = InMemoryCluster().add(CLUSTER_RUNTIMES, runtime("torch-distributed", "2.1"))
    changed = runtime("deepspeed-distributed", "2.1")
    changed["spec"]["mlPolicy"]["numNodes"] = 7
    own = runtime("torch-distributed", "2.1", name="ours")
    older = runtime("torchtune-llama3.2-1b", "2.0")
    cluster.add(CLUSTER_RUNTIMES, changed, own, older)
    assert [(one.name, one.shipped, one.changed) for one in audited(cluster).runtimes] == [
        ("torch-distributed", "2.1", False),
        ("deepspeed-distributed", "2.1", True),
        ("ours", "", False),
        ("torchtune-llama3.2-1b", "2.0", False),
    ]


@pytest.mark.parametrize(("tag", "repository"), [(":v2.3.0", ""), ("", ""), (":v2.3.0", "mirror.example.com:5000/")])
def test_tags_are_no_change_where_overlay_or_chart_give_them_and_repositories_are(tag: str, repository: str) -> None:
    shipped = runtime("torchtune-llama3.2-1b", "2.3")
    for step in shipped["spec"]["template"]["spec"]["replicatedJobs"]:
        for container in step["template"]["spec"]["template"]["spec"]["containers"]:
            container["image"] = f"{repository}{container['image']}{tag}"
    audit = audited(InMemoryCluster().add(CLUSTER_RUNTIMES, shipped), "2.3")
    assert [(one.shipped, one.changed) for one in audit.runtimes] == [("2.3", bool(repository))]


def test_a_runtime_of_ones_own_with_fields_that_are_gone_is_told() -> None:
    own = runtime("torch-distributed", "2.1", name="ours")
    own["spec"]["mlPolicy"]["torch"] = {"numProcPerNode": 4}
    cluster = (
        healthy().add(CLUSTER_RUNTIMES, own).add(TRAIN_JOBS, job("a", {"runtimeRef": {"name": "ours"}, "trainer": {}}))
    )
    audit = audited(cluster)
    assert [place for place, _ in said(audit, "live-runtime-touched")] == ["own:ClusterTrainingRuntime/ours"]
    assert "spec.trainer.numProcPerNode is 4, as the runtime 'ours' said" in audit.jobs[0].notes[0]


def test_finalizers_are_told_once_for_all_runtimes() -> None:
    cluster = InMemoryCluster()
    for name in ("torch-distributed", "deepspeed-distributed"):
        cluster.add(CLUSTER_RUNTIMES, runtime(name, "2.1", finalizers=[IN_USE, "example.com/other"]))
    cluster.add(CLUSTER_RUNTIMES, runtime("mlx-distributed", "2.1", finalizers=["example.com/other"]))
    ((_, message),) = said(audited(cluster), "live-runtime-in-use")
    assert message == f"the finalizer {IN_USE} is on 2 of 3 runtimes: torch-distributed, deepspeed-distributed"


@pytest.mark.parametrize(("release", "severity"), [("2.2", Severity.INFO), ("2.3", Severity.WARNING)])
def test_a_finalizer_is_out_of_place_once_the_controller_should_have_taken_it_off(
    release: str, severity: Severity
) -> None:
    cluster = InMemoryCluster().add(CLUSTER_RUNTIMES, runtime("torch-distributed", release, finalizers=[IN_USE]))
    audit = audited(cluster, release)
    assert [one.severity for one in audit.findings if one.name == "live-runtime-in-use"] == [severity]


def test_a_runtime_that_is_held_while_it_is_deleted_is_an_error() -> None:
    stuck = runtime("torch-distributed", "2.1", finalizers=[IN_USE], deletionTimestamp="2026-01-01T00:00:00Z")
    assert len(said(audited(InMemoryCluster().add(CLUSTER_RUNTIMES, stuck)), "live-runtime-stuck")) == 1


def test_a_deprecated_runtime_is_told() -> None:
    labels = {"trainer.kubeflow.org/support": "deprecated"}
    cluster = InMemoryCluster().add(CLUSTER_RUNTIMES, runtime("torch-distributed", "2.1", labels=labels))
    assert len(said(audited(cluster), "live-runtime-deprecated")) == 1


@pytest.mark.parametrize(
    ("reference", "missing"),
    [
        ({"name": "torch-distributed"}, False),
        ({"name": "nowhere"}, True),
        ({"kind": "TrainingRuntime", "name": "team"}, False),
        ({"kind": "TrainingRuntime", "name": "torch-distributed"}, True),
    ],
)
def test_a_job_whose_runtime_is_not_there_is_told(reference: Any, missing: bool) -> None:
    team = runtime("torch-distributed", "2.1", name="team", namespace="team-a") | {"kind": "TrainingRuntime"}
    cluster = healthy().add(RUNTIMES, team).add(TRAIN_JOBS, job("a", {"runtimeRef": reference}))
    assert bool(said(audited(cluster), "live-runtime-missing")) is missing


def test_drift_names_what_is_only_on_one_side() -> None:
    manifest("both", "team-a")
    manifest("anywhere")
    manifest("elsewhere", "team-b")
    manifest("missing")
    cluster = healthy().add(TRAIN_JOBS, *(job(name) for name in ("both", "anywhere", "elsewhere", "extra")))
    cluster.add(CLUSTER_RUNTIMES, runtime("torch-distributed", "2.1", name="ours"))
    found = {one.kind: (one.only_in_git, one.only_in_cluster) for one in audited(cluster).drift}
    assert found == {
        "ClusterTrainingRuntime": ((), ("ours",)),
        "TrainJob": (("missing", "team-b/elsewhere"), ("team-a/elsewhere", "team-a/extra")),
    }


def test_patches_of_a_kustomization_are_no_objects_in_git() -> None:
    manifest("both", "team-a")
    Path("patch.yaml").write_text(MANIFEST.replace("NAME", "patched"))
    Path("kustomization.yaml").write_text("resources: [both.yaml]\npatches: [{path: patch.yaml}]\n")
    assert audited(healthy().add(TRAIN_JOBS, job("both"))).drift == ()


@pytest.mark.parametrize("plural", ["trainjobs", "trainingruntimes"])
def test_without_jobs_or_runtimes_neither_upgrade_nor_drift_is_evaluated(plural: str) -> None:
    manifest("missing")
    cluster = healthy().add(TRAIN_JOBS, job("a", OVERRIDES))
    cluster.forbidden = {plural}
    audit = audited(cluster)
    assert (audit.jobs, audit.drift) == ((), ())
    assert {"what the upgrade does to TrainJobs in the cluster", "the drift between Git and the cluster"} <= {
        one.part for one in audit.not_evaluated
    }


def test_a_cluster_in_which_the_kinds_are_not_served_has_no_objects() -> None:
    bare = InMemoryCluster()
    for resource in (TRAIN_JOBS, RUNTIMES, CLUSTER_RUNTIMES):
        bare.drop(resource)
    audit = audited(bare)
    assert (audit.phases, audit.runtimes, audit.not_evaluated) == ((), (), ())


def test_findings_on_the_cluster_count_for_the_exit_code() -> None:
    report = reported(healthy().add(TRAIN_JOBS, job("a", OVERRIDES, phase="Suspended")))
    assert (report.findings, report.fails("error"), report.count(Severity.ERROR)) == ((), True, 1)


def test_what_the_cluster_wrote_itself_does_not_show() -> None:
    found = job("a", {"managedBy": "trainer.kubeflow.org/trainjob-controller"}, phase="Suspended")
    found["metadata"]["annotations"] = {"kubectl.kubernetes.io/last-applied-configuration": "{}"}
    found["spec"]["runtimePatches"] = [
        {
            "manager": "example.com/one",
            "time": "2026-01-01T00:00:00Z",
            "trainingRuntimeSpec": {"template": {"metadata": {"labels": {"a": "b"}}}},
        }
    ]
    audit = audited(healthy("2.2", "v2.2.1").add(TRAIN_JOBS, found), "2.2")
    assert [one.message for one in audit.findings if one.severity is Severity.ERROR] == []


@pytest.mark.parametrize("name", ["snow-\u2603", "bell-\x07", "faces-\U0001f600", "del-\x7f", "sep-\u2028"])
def test_any_text_in_a_live_object_is_read(name: str) -> None:
    annotated = job("a", OVERRIDES)
    annotated["metadata"]["annotations"] = {"note": name}
    assert audited(healthy().add(TRAIN_JOBS, annotated)).jobs[0].notes


def test_a_job_that_cannot_be_rendered_is_not_evaluated() -> None:
    audit = audited(healthy().add(TRAIN_JOBS, job("lost", {"runtimeRef": {"name": "nowhere"}})))
    (skipped,) = audit.not_evaluated
    assert skipped.part == "the Pods of own:TrainJob/team-a/lost"
    assert "nowhere" in skipped.reason


def test_no_other_users_of_a_runtime_are_feared_where_all_are_known() -> None:
    own = runtime("torch-distributed", "2.1", name="ours")
    own["spec"]["mlPolicy"]["torch"] = {"numProcPerNode": 4}
    assert "TG842" not in [one.rule for one in audited(healthy().add(CLUSTER_RUNTIMES, own)).findings]
