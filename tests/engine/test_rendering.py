"""All TrainJobs of paths, rendered in the order of the files, over the runtimes that check would take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.manifests import BAD, GOOD, NEEDS_DATASET, RUNTIME, USES_RUNTIME
from trainergen.engine.provenance import places_of
from trainergen.engine.rendering import JobRendering, RenderOptions, RenderRun, render_files, render_paths
from trainergen.errors import TrainergenError
from trainergen.source import SourceFile


def written(folder: Path, **files: str) -> str:
    for name, text in files.items():
        file = folder / f"{name.replace('__', '/')}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return str(folder)


def run(*paths: str, **options: Any) -> RenderRun:
    return render_paths(RenderOptions(paths=paths, release=options.pop("release", "2.3"), **options))


def one(*paths: str, **options: Any) -> JobRendering:
    (found,) = run(*paths, **options)
    return found


def image(found: JobRendering) -> str:
    assert found.rendered is not None, found
    return found.rendered.pods().kinds[0].containers[0].image.words[0]


def test_jobs_come_in_the_order_of_files_and_documents(tmp_path: Path) -> None:
    two = f"{GOOD}---\n{GOOD.replace('mnist', 'second')}"
    folder = written(tmp_path, b=two, a=GOOD.replace("mnist", "first"), c__d="kind: ConfigMap\n")
    found = run(folder)
    assert [each.job for each in found] == ["team-a/first", "team-a/mnist", "team-a/second"]
    assert found.seen == ["team-a/first", "team-a/mnist", "team-a/second"]
    assert found.findings == []


def test_a_rendering_knows_its_place(tmp_path: Path) -> None:
    found = one(written(tmp_path, a=f"kind: ConfigMap\napiVersion: v1\n---\n{GOOD}"))
    assert (found.file, found.line, found.ref.name) == (str(tmp_path / "a.yaml"), 4, "mnist")
    assert (found.release, found.error, found.refusals) == ("2.3", None, ())


def test_the_runtime_is_taken_from_the_paths_the_nearest_first(tmp_path: Path) -> None:
    dev, prod = RUNTIME.replace("torch:1", "torch:dev"), RUNTIME.replace("torch:1", "torch:prod")
    folder = written(tmp_path, dev__rt=dev, dev__job=USES_RUNTIME, prod__rt=prod, prod__job=USES_RUNTIME)
    assert [image(each) for each in run(folder)] == ["example.org/torch:dev", "example.org/torch:prod"]


def test_the_runtime_is_looked_for_in_other_folders_too(tmp_path: Path) -> None:
    jobs, runtimes = written(tmp_path / "jobs", job=USES_RUNTIME), written(tmp_path / "platform", rt=RUNTIME)
    assert one(jobs).rendered is None
    assert image(one(jobs, runtimes=(runtimes,))) == "example.org/torch:1"


def test_a_runtime_that_the_release_ships_needs_no_file(tmp_path: Path) -> None:
    assert image(one(written(tmp_path, job=GOOD))).startswith("pytorch/pytorch:")


def test_what_admission_refuses_is_rendered_only_by_force(tmp_path: Path) -> None:
    folder = written(tmp_path, job=f"{GOOD}    env:\n      - {{name: PET_NNODES, value: '3'}}\n")
    found = one(folder)
    assert (found.rendered, found.error) == (None, None)
    assert [finding.line for finding in found.refusals] == [12]
    forced = one(folder, force=True)
    assert forced.rendered is not None
    assert forced.refusals == found.refusals


def test_force_cannot_render_what_cannot_be_read(tmp_path: Path) -> None:
    found = one(written(tmp_path, job=BAD), force=True)
    assert found.error is not None
    assert "numNodes" in found.error.message


def test_numbers_that_no_cluster_can_bear_are_notes(tmp_path: Path) -> None:
    for nodes, note in (
        (-2, "job 'node' gets -2 nodes, so the API server refuses its Job"),
        (0, "job 'node' gets no Pods: its Jobs are complete at once, and nothing runs"),
        (2**31 - 1, "job 'node' gets 2147483647 nodes, but an indexed Job allows 100000"),
    ):
        found = one(written(tmp_path, job=GOOD.replace("numNodes: 2", f"numNodes: {nodes}")))
        assert any(text.startswith(note) for text in found.notes), nodes
    beyond = one(written(tmp_path, job=GOOD.replace("numNodes: 2", f"numNodes: {2**31}")))
    assert [finding.line for finding in beyond.refusals] == [10]


def test_refusals_of_reading_count_too(tmp_path: Path) -> None:
    found = one(written(tmp_path, job=GOOD.replace("  name: mnist", "  name: mnist\n  name: mnist2")))
    assert [finding.name for finding in found.refusals] == ["duplicate-key"]


def test_refusals_are_about_their_own_document_only(tmp_path: Path) -> None:
    broken = GOOD.replace("  name: mnist", "  name: mnist\n  name: mnist2")
    found = list(run(written(tmp_path, job=f"{GOOD}---\n{broken}---\n{BAD}")))
    assert [len(each.refusals) for each in found] == [0, 1, 1]


def test_members_of_a_list_are_told_apart(tmp_path: Path) -> None:
    def member(text: str) -> str:
        return "- " + text.replace("\n", "\n  ").rstrip() + "\n"

    listed = "apiVersion: v1\nkind: List\nitems:\n" + member(BAD) + member(GOOD)
    found = list(run(written(tmp_path, job=listed)))
    assert [(each.rendered is None, [finding.line for finding in each.refusals]) for each in found] == [
        (True, [13]),
        (False, []),
    ]


def test_files_that_cannot_be_read_are_findings_of_the_run(tmp_path: Path) -> None:
    found = run(written(tmp_path, job=GOOD), str(tmp_path / "nowhere"))
    assert len(list(found)) == 1
    assert found.unreadable
    assert [finding.name for finding in found.findings] == ["no-such-path"]


def test_broken_yaml_is_a_finding_and_the_rest_is_rendered(tmp_path: Path) -> None:
    found = run(written(tmp_path, a=GOOD, b=GOOD.replace("metadata:", "metadata: {")))
    assert len(list(found)) == 1
    assert [finding.name for finding in found.findings] == ["yaml-syntax"]
    assert not found.unreadable


def test_standard_input_is_a_file_like_any_other() -> None:
    found = one("-", stdin=GOOD.encode(), stdin_filename="piped.yaml")
    assert (found.file, found.rendered is not None) == ("piped.yaml", True)


def test_files_at_hand_are_rendered_too() -> None:
    files = [SourceFile("job.yaml", data=USES_RUNTIME.encode()), SourceFile("rt.yaml", data=RUNTIME.encode())]
    (found,) = render_files(files, RenderOptions(paths=(), release="2.3"))
    assert image(found) == "example.org/torch:1"


def test_only_the_wanted_jobs_are_rendered_and_all_are_seen(tmp_path: Path) -> None:
    folder = written(tmp_path, a=GOOD, b=GOOD.replace("team-a", "team-b"), c=GOOD.replace("  namespace: team-a\n", ""))
    for wanted, jobs in (("team-b/mnist", 1), ("mnist", 3), ("default/mnist", 1), ("team-c/mnist", 0)):
        found = run(folder, jobs=(wanted,))
        assert len(list(found)) == jobs, wanted
        assert len(found.seen) == 3


@pytest.mark.parametrize(
    ("job", "hint"),
    [
        (USES_RUNTIME.replace("    kind: TrainingRuntime\n", ""), "set spec.runtimeRef.kind to TrainingRuntime"),
        (USES_RUNTIME.replace("namespace: team-a", "namespace: team-b"), "There is one in namespace 'team-a'"),
        (USES_RUNTIME.replace("team-torch", "team-torhc"), "did you mean 'team-torch'?"),
        (GOOD.replace("torch-distributed", "torch-distribute"), "did you mean 'torch-distributed'?"),
    ],
)
def test_a_runtime_that_is_not_found_comes_with_a_hint(tmp_path: Path, job: str, hint: str) -> None:
    found = one(written(tmp_path, job=job, rt=RUNTIME))
    assert found.error is not None
    assert hint in found.error.help


def test_a_runtime_that_lacks_a_job_refuses_by_webhook(tmp_path: Path) -> None:
    found = one(written(tmp_path, job=NEEDS_DATASET, rt=RUNTIME))
    assert [str(finding.layer) for finding in found.refusals] == ["webhook"]


def test_the_status_gate_works_without_a_cluster(tmp_path: Path) -> None:
    found = one(written(tmp_path, job=GOOD), features={"TrainJobStatus": True})
    assert found.rendered is not None
    authority = next(made for made in found.rendered.objects if str(made["metadata"]).find("tls-config") > 0)
    assert authority["data"] == {"ca.crt": "<generated>"}


def test_an_unknown_release_is_an_error_before_anything_is_read() -> None:
    with pytest.raises(TrainergenError, match=r"9\.9"):
        run("nowhere", release="9.9")


def test_origins_lead_to_lines_of_the_runtimes_file(tmp_path: Path) -> None:
    folder = written(tmp_path, job=USES_RUNTIME, rt="# a comment\n" + RUNTIME)
    found = run(folder)
    (each,) = found
    assert each.rendered is not None
    jobset = each.rendered.objects[-1]
    places = places_of(each, found)
    image_path = ("spec", "replicatedJobs", 0, "template", "spec", "template", "spec", "containers", 0, "image")
    assert places.describe(jobset, image_path) == f"runtime {tmp_path / 'rt.yaml'}:23"
    parallelism = ("spec", "replicatedJobs", 0, "template", "spec", "parallelism")
    assert places.describe(jobset, parallelism) == f"TrainJob {tmp_path / 'job.yaml'}:11"
