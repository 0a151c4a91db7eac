"""What changes between two releases, and between a git revision and the working tree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.manifests import GOOD, RUNTIME, USES_RUNTIME
from trainergen.diff import Impact, Kind
from trainergen.engine.diffing import DiffOptions, run_diff, unreadable
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from tests.engine.conftest import Repository
    from trainergen.diff import Change, DiffReport, JobChanges

EXAMPLES = Path(__file__).parents[2] / "examples"
SUSPENDED = GOOD.replace("spec:\n", "spec:\n  suspend: true\n")
OVERRIDDEN = GOOD + "  podTemplateOverrides:\n  - targetJobs: [{name: node}]\n    spec: {nodeSelector: {pool: a}}\n"


def releases(old: str, new: str, *paths: str) -> DiffReport:
    return run_diff(DiffOptions(paths=paths or (".",), old_release=old, new_release=new))


def since(revision: str = "HEAD", *, release: str = "2.3", old: str | None = None, **more: object) -> DiffReport:
    options = DiffOptions(
        paths=(".",),
        old_release=old or release,
        new_release=release,
        base=revision,
        **more,  # type: ignore[arg-type]
    )
    return run_diff(options)


def only(report: DiffReport) -> JobChanges:
    (job,) = report.jobs
    return job


def places(job: JobChanges) -> list[str]:
    return [change.place for found in job.objects for change in found.changes]


def change_at(job: JobChanges, end: str) -> Change:
    (found,) = (change for change in job.changes if change.place.endswith(end))
    return found


# Two releases.


def test_the_same_manifests_for_the_same_release_do_not_differ() -> None:
    report = run_diff(DiffOptions(paths=(str(EXAMPLES),), old_release="2.3", new_release="2.3"))
    assert (report.jobs, report.runtimes, report.worst) == ((), (), None)
    assert report.unchanged > 0


def test_resources_are_merged_since_2_3() -> None:
    report = releases("2.2", "2.3", str(EXAMPLES / "upgrade/merged-resources.yaml"))
    change = change_at(only(report), "resources.limits.nvidia.com/gpu")
    assert (change.kind, change.new, Impact.RESOURCES in change.impacts) == (Kind.ADDED, "1", True)
    assert change.origin == "TrainingRuntime torch-gpu"
    job = only(report)
    assert job.before is not None
    assert job.after is not None
    assert (job.before.resources.get("nvidia.com/gpu"), job.after.resources.get("nvidia.com/gpu")) == (None, "2")


def test_a_suspended_job_is_stuck_when_its_jobset_would_change() -> None:
    job = only(releases("2.2", "2.3", str(EXAMPLES / "upgrade/merged-resources.yaml")))
    assert job.worst is Impact.REFUSED
    assert change_at(job, "resources.limits.nvidia.com/gpu").impacts == (Impact.REFUSED, Impact.RESOURCES)
    assert any("it is suspended" in note for note in job.notes)


def test_the_number_of_processes_of_a_torch_runtime_is_gone_since_2_2() -> None:
    report = releases("2.1", "2.2", str(EXAMPLES / "upgrade/torch-processes.yaml"))
    change = change_at(only(report), "env[PET_NPROC_PER_NODE].value")
    assert (change.old, change.new, change.impact) == ("4", "1", Impact.PROCESSES)
    (runtime,) = report.runtimes
    assert [(one.place, one.impact) for one in runtime.verdicts] == [
        ("spec.mlPolicy.torch.numProcPerNode", Impact.REFUSED)
    ]
    assert runtime.used_by == ("team-nlp/translate",)


def test_mpi_jobs_start_with_their_workers_since_2_3() -> None:
    job = only(releases("2.1", "2.3", str(EXAMPLES / "valid/deepspeed.yaml")))
    assert change_at(job, "data.hostfile").kind is Kind.ORDER
    assert change_at(job, "spec.replicatedJobs").new == ["node", "launcher"]
    assert change_at(job, "spec.replicatedJobs[launcher].dependsOn[node]").kind is Kind.ADDED
    snapshot = next(found for found in job.objects if found.ref.name == "t5-finetune-runtime-snapshot")
    assert (snapshot.kind, snapshot.changes[0].impact) == (Kind.ADDED, Impact.COSMETIC)


def test_host_files_list_every_replica_since_2_3() -> None:
    job = only(releases("2.2", "2.3", str(EXAMPLES / "upgrade/mpi-workers.yaml")))
    change = change_at(job, "data.hostfile[weather-node-1-0.weather]")
    assert (change.kind, change.impact) == (Kind.ADDED, Impact.PROCESSES)


def test_a_refusal_comes_first_and_the_rest_is_rendered_without_what_is_unknown(repository: Repository) -> None:
    repository.write(job=OVERRIDDEN)
    job = only(releases("2.1", "2.3"))
    first = next(job.changes)
    assert (first.place, first.kind, first.impact) == ("spec.podTemplateOverrides", Kind.ADDED, Impact.REFUSED)
    assert "runtimePatches" in first.remedy
    assert any("rendered without what that release does not know: spec.podTemplateOverrides" in n for n in job.notes)
    assert change_at(job, "nodeSelector[pool]").kind is Kind.REMOVED


def test_what_the_old_release_refused_is_no_refusal(repository: Repository) -> None:
    repository.write(job=OVERRIDDEN)
    job = only(releases("2.3", "2.1"))
    first = next(job.changes)
    assert (first.place, first.kind, first.impact) == ("spec.podTemplateOverrides", Kind.REMOVED, Impact.NOTHING)
    assert "the API server of Trainer 2.3 refused it" in first.reason


def test_a_job_that_cannot_be_rendered_for_one_release_is_a_change(repository: Repository) -> None:
    repository.write(job=GOOD.replace("torch-distributed", "torchtune-qwen2.5-1.5b"))
    job = only(releases("2.0", "2.3"))
    assert [(change.kind, change.impact) for change in job.verdicts][-1:] == [(Kind.REMOVED, Impact.NOTHING)]
    assert job.objects == ()


def test_a_job_that_cannot_be_rendered_at_all_is_not_compared(repository: Repository) -> None:
    repository.write(job=GOOD.replace("torch-distributed", "in-the-cluster-only"), other=GOOD.replace("mnist", "m"))
    report = releases("2.2", "2.3")
    (item,) = report.not_compared
    assert (item.ref.name, item.file) == ("mnist", "job.yaml")
    assert "in-the-cluster-only" in item.reason
    assert only(report).ref.name == "m"


# A git revision and the working tree.


def test_nothing_differs_from_a_revision_that_is_checked_out(repository: Repository) -> None:
    repository.write(job=GOOD, runtime=RUNTIME)
    repository.commit()
    repository.write(job=f"# a comment\n{GOOD}")
    report = since()
    assert (report.jobs, report.unchanged, report.differs()) == ((), 1, False)


def test_jobs_come_go_change_and_move(repository: Repository) -> None:
    repository.write(kept=GOOD, gone=GOOD.replace("mnist", "gone"), a__moved=GOOD.replace("mnist", "moved"))
    repository.commit()
    (repository.folder / "gone.yaml").unlink()
    (repository.folder / "a/moved.yaml").rename(repository.folder / "moved.yaml")
    repository.write(new=GOOD.replace("mnist", "new"), kept=GOOD.replace("numNodes: 2", "numNodes: 3"))
    report = since()
    assert [(job.ref.name, job.kind, job.file) for job in report.jobs] == [
        ("gone", Kind.REMOVED, "gone.yaml"),
        ("mnist", Kind.CHANGED, "kept.yaml"),
        ("new", Kind.ADDED, "new.yaml"),
    ]
    assert report.unchanged == 1


def test_jobs_of_one_name_in_an_overlay_tree_are_told_apart_by_file(repository: Repository) -> None:
    repository.write(dev__job=GOOD, prod__job=GOOD.replace("numNodes: 2", "numNodes: 8"))
    repository.commit()
    repository.write(prod__job=GOOD.replace("numNodes: 2", "numNodes: 9"))
    report = since()
    assert (only(report).file, report.unchanged) == ("prod/job.yaml", 1)
    assert change_at(only(report), "parallelism").old == 8


@pytest.mark.parametrize(("release", "refused"), [("2.1", False), ("2.3", True)])
def test_an_update_that_the_cluster_refuses_comes_first(repository: Repository, release: str, refused: bool) -> None:
    repository.write(job=GOOD)
    repository.commit()
    repository.write(job=GOOD.replace("numNodes: 2", "numNodes: 3"))
    job = only(since(release=release))
    assert [(change.place, change.kind) for change in job.verdicts] == [("spec.trainer", Kind.CHANGED)] * refused
    assert change_at(job, "parallelism").impacts == (Impact.PROCESSES,)
    assert any(("refused" if refused else "not suspended") in note for note in job.notes)


def test_the_jobset_of_a_suspended_job_refuses_what_the_trainer_lets_pass(repository: Repository) -> None:
    repository.write(job=SUSPENDED)
    repository.commit()
    repository.write(job=SUSPENDED.replace("numNodes: 2", "numNodes: 3"))
    change = change_at(only(since(release="2.1")), "parallelism")
    assert change.impacts == (Impact.REFUSED, Impact.PROCESSES)
    assert "delete and recreate" in change.remedy.lower()


def test_patches_of_a_suspended_job_reach_its_pods(repository: Repository) -> None:
    patch = (
        "  runtimePatches:\n  - manager: a.example/b\n    trainingRuntimeSpec: {template: {spec: {replicatedJobs: "
        "[{name: node, template: {spec: {template: {spec: {nodeSelector: {pool: a}}}}}}]}}}\n"
    )
    repository.write(job=SUSPENDED + patch)
    repository.commit()
    repository.write(job=SUSPENDED + patch.replace("pool: a", "pool: b"))
    job = only(since())
    change = change_at(job, "nodeSelector[pool]")
    assert (job.verdicts, change.impacts) == ((), (Impact.RESTART,))
    assert (change.origin, change.old, change.new) == ("patch of a.example/b", "a", "b")


def test_fields_that_are_not_rendered_are_compared_too(repository: Repository) -> None:
    repository.write(job=GOOD)
    repository.commit()
    repository.write(job=GOOD.replace("metadata:\n", "metadata:\n  labels: {kueue.x-k8s.io/queue-name: gpu}\n"))
    change = change_at(only(since()), "labels[kueue.x-k8s.io/queue-name]")
    assert (change.kind, change.impact) == (Kind.ADDED, Impact.NOTHING)


EDITED = RUNTIME.replace("example.org/torch:1", "example.org/torch:2")


def test_an_edited_runtime_reaches_only_new_jobs_since_2_3(repository: Repository) -> None:
    suspended = USES_RUNTIME.replace("spec:\n", "spec:\n  suspend: true\n", 1)
    repository.write(job=suspended, platform__runtime=RUNTIME)
    repository.commit()
    repository.write(platform__runtime=EDITED)
    report = since()
    (runtime,) = report.runtimes
    assert (runtime.file, runtime.used_by, runtime.verdicts) == ("platform/runtime.yaml", ("team-a/mnist",), ())
    assert "keeps its snapshot" in runtime.note
    job = only(report)
    assert [change.impacts for change in job.changes if change.place.endswith("containers[node].image")] == [
        (Impact.COSMETIC,),
        (Impact.RESTART,),
    ], "in the snapshot and in the JobSet, and refused by nobody"
    assert any("only its runtime changed" in note for note in job.notes)


def test_an_edited_runtime_reaches_suspended_jobs_up_to_2_2(repository: Repository) -> None:
    suspended = USES_RUNTIME.replace("spec:\n", "spec:\n  suspend: true\n", 1)
    repository.write(job=suspended, platform__runtime=RUNTIME)
    repository.commit()
    repository.write(platform__runtime=EDITED)
    report = since(release="2.2")
    assert "suspended ones when they are applied again" in report.runtimes[0].note
    assert change_at(only(report), "containers[node].image").impacts == (Impact.REFUSED, Impact.RESTART)


def test_the_update_of_a_runtime_can_be_refused(repository: Repository) -> None:
    network = "    spec:\n      network: {subdomain: a}\n      replicatedJobs"
    runtime = RUNTIME.replace("    spec:\n      replicatedJobs", network)
    repository.write(job=USES_RUNTIME, runtime=runtime)
    repository.commit()
    repository.write(runtime=runtime.replace("subdomain: a", "subdomain: b"))
    (found,) = since().runtimes
    assert [(change.place, change.kind, change.impact) for change in found.verdicts] == [
        ("spec.template.spec.network", Kind.CHANGED, Impact.REFUSED)
    ]


def test_runtimes_for_lookup_are_those_of_the_revision(repository: Repository) -> None:
    repository.write(jobs__job=USES_RUNTIME, platform__runtime=RUNTIME)
    repository.commit()
    repository.write(platform__runtime=EDITED)
    options = DiffOptions(
        paths=("jobs",), old_release="2.3", new_release="2.3", base="HEAD", runtimes=("platform", "missing")
    )
    report = run_diff(options)
    assert [runtime.file for runtime in report.runtimes] == ["platform/runtime.yaml"]


@pytest.mark.parametrize("suspended", [False, True])
def test_an_upgrade_is_compared_with_both_revisions_and_both_releases(repository: Repository, suspended: bool) -> None:
    patched = GOOD + (
        "  runtimePatches:\n  - manager: a.example/b\n    trainingRuntimeSpec: {template: {spec: {replicatedJobs: "
        "[{name: node, template: {spec: {template: {spec: {nodeSelector: {pool: a}}}}}}]}}}\n"
    )
    spec = "spec:\n  suspend: true\n" if suspended else "spec:\n"
    repository.write(job=OVERRIDDEN.replace("spec:\n", spec, 1))
    repository.commit()
    repository.write(job=patched.replace("spec:\n", spec, 1))
    report = since(old="2.1", release="2.2")
    assert [place for job in report.jobs for place in places(job) if "nodeSelector" in place] == []
    refused = [change.place for job in report.jobs for change in job.verdicts]
    assert refused == ([] if suspended else ["spec.runtimePatches"]), "patches may change only while suspended"


def test_a_path_that_only_one_side_has_is_no_fault(repository: Repository) -> None:
    repository.write(old=GOOD)
    repository.commit()
    (repository.folder / "old.yaml").rename(repository.folder / "new.yaml")
    options = DiffOptions(paths=("old.yaml", "new.yaml"), old_release="2.3", new_release="2.3", base="HEAD")
    report = run_diff(options)
    assert (report.findings, report.unchanged, report.jobs) == ((), 1, ())
    missing = run_diff(DiffOptions(paths=("typo.yaml",), old_release="2.3", new_release="2.3", base="HEAD"))
    assert [one.file for one in missing.findings] == ["typo.yaml"]
    assert unreadable(missing)


def test_a_file_that_was_broken_is_no_fault_of_the_working_tree(repository: Repository) -> None:
    repository.write(job=GOOD + "  x: [\n")
    repository.commit()
    repository.write(job=GOOD)
    report = since()
    assert (only(report).kind, unreadable(report)) == (Kind.ADDED, False)


def test_standard_input_has_no_revision() -> None:
    options = DiffOptions(paths=("-",), old_release="2.3", new_release="2.3", base="HEAD", stdin=b"")
    with pytest.raises(TrainergenError, match="standard input has no base revision"):
        run_diff(options)
