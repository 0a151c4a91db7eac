"""`trainergen render`: formats, choices, exit codes, and what is said when something cannot be rendered."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Ran
from tests.manifests import BAD, GOOD, RUNTIME, USES_RUNTIME

Run = Callable[..., Ran]

RESERVED = GOOD.replace("mnist", "reserved") + "    env:\n      - {name: PET_NNODES, value: '3'}\n"
LOST = GOOD.replace("mnist", "lost").replace("torch-distributed", "torch-distribute")


@pytest.fixture
def render(trainergen: Run) -> Run:
    """Run ``trainergen render ARGUMENTS… --release 2.3``."""
    return lambda *arguments: trainergen("render", *arguments, "--release", "2.3")


def documents(text: str) -> list[Any]:
    return list(yaml.safe_load_all(text))


def kinds(text: str) -> list[str]:
    return [each["kind"] for each in documents(text)]


def test_the_objects_of_a_trainjob_are_a_yaml_stream(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    ran = render("job.yaml")
    assert (ran.code, ran.err) == (0, "")
    assert kinds(ran.out) == ["ConfigMap", "JobSet"]
    assert ran.out.startswith(
        "# Trainer 2.3 (--release)\n# TrainJob team-a/mnist of job.yaml:1, Trainer 2.3\n---\napiVersion: v1\n"
    )


def test_the_working_folder_is_the_default(render: Run) -> None:
    Path("b.yaml").write_text(GOOD.replace("mnist", "second"))
    Path("a.yaml").write_text(GOOD)
    ran = render()
    assert [each["metadata"]["name"] for each in documents(ran.out)[1::2]] == ["mnist", "second"]


def test_json_is_a_list_with_an_entry_for_every_trainjob(render: Run) -> None:
    Path("job.yaml").write_text(f"{GOOD}---\n{RESERVED}---\n{LOST}")
    ran = render("job.yaml", "--format", "json")
    entries = json.loads(ran.out)
    assert ran.code == 1
    assert [set(entry) for entry in entries] == [
        {"job", "release", "file", "line", "objects", "notes", "error", "refusals"}
    ] * 3
    assert [(entry["job"], entry["release"], entry["line"]) for entry in entries] == [
        ("team-a/mnist", "2.3", 1),
        ("team-a/reserved", "2.3", 12),
        ("team-a/lost", "2.3", 25),
    ]
    good, refused, lost = entries
    assert [each["kind"] for each in good["objects"]] == ["ConfigMap", "JobSet"]
    assert (good["notes"], good["error"], good["refusals"]) == ([], None, [])
    assert (refused["objects"], refused["refusals"][0]["rule"], refused["refusals"][0]["line"]) == ([], "TG149", 23)
    assert refused["error"]["message"].startswith("the cluster would refuse it: line 23: env sets 'PET_NNODES'")
    assert "did you mean 'torch-distributed'?" in lost["error"]["help"]


def test_json_of_nothing_is_an_empty_list(render: Run) -> None:
    ran = render("--format", "json")
    assert (ran.code, json.loads(ran.out)) == (0, [])
    assert ran.err.startswith("warning: the paths hold no TrainJob\nhint: ")


def test_json_and_yaml_hold_the_same_objects(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    assert documents(render("job.yaml").out) == json.loads(render("job.yaml", "--format", "json").out)[0]["objects"]


def test_explained_yaml_is_the_same_yaml(render: Run) -> None:
    Path("job.yaml").write_text(USES_RUNTIME)
    Path("rt.yaml").write_text(RUNTIME)
    ran = render("job.yaml", "rt.yaml", "--explain")
    assert documents(ran.out) == documents(render("job.yaml", "rt.yaml").out)
    assert "# runtime rt.yaml:22\n" in ran.out
    assert "# TrainJob job.yaml:11\n" in ran.out


def test_pods_are_text_or_json(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    assert "mnist-node-0-{0..1}.mnist.team-a.svc.cluster.local" in render("job.yaml", "--pods").out
    (entry,) = json.loads(render("job.yaml", "--pods", "--format", "json").out)
    assert [pod["hostname"] for pod in entry["pods"]["kinds"][0]["pods"]] == ["mnist-node-0-0", "mnist-node-0-1"]
    assert entry["objects"][-1]["kind"] == "JobSet"


def test_a_thousand_nodes_stay_readable(render: Run) -> None:
    Path("job.yaml").write_text(GOOD.replace("numNodes: 2", "numNodes: 1000"))
    ran = render("job.yaml", "--pods")
    assert "mnist-node-0-{0..999}-<random>" in ran.out
    assert len(ran.out.splitlines()) < 50


def test_the_host_file_of_many_nodes_is_summed_up(render: Run) -> None:
    job = GOOD.replace("torch-distributed", "deepspeed-distributed").replace("numNodes: 2", "numNodes: 1000")
    Path("job.yaml").write_text(job)
    lines = render("job.yaml", "--pods").out.splitlines()
    assert lines[-6:] == [
        "MPI host file (ConfigMap mnist-mpi-hostfile), 1000 hosts",
        "  mnist-node-0-0.mnist slots=1",
        "  mnist-node-0-1.mnist slots=1",
        "  mnist-node-0-2.mnist slots=1",
        "  … 996 more …",
        "  mnist-launcher-0-0.mnist slots=1",
    ]


def test_split_writes_a_file_for_each_object_and_names_them(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    ran = render("job.yaml", "--split", "out/objects")
    files = sorted(str(path) for path in Path("out/objects").iterdir())
    assert sorted(ran.out.splitlines()) == files
    assert [Path(name).name for name in files] == [
        "team-a.configmap.mnist-runtime-snapshot.yaml",
        "team-a.jobset.mnist.yaml",
    ]
    assert documents(Path(files[1]).read_text()) == documents(render("job.yaml").out)[1:]
    assert render("job.yaml", "--split", "out/objects").code == 0


def test_split_leaves_other_files_alone(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    Path("out").mkdir()
    Path("out/team-a.jobset.mnist.yaml").write_text("mine\n")
    ran = render("job.yaml", "--split", "out")
    assert ran.code == 2
    assert "was not generated by 'trainergen render --split'" in ran.err
    assert Path("out/team-a.jobset.mnist.yaml").read_text() == "mine\n"


def test_secrets_are_placeholders(render: Run) -> None:
    Path("job.yaml").write_text(GOOD.replace("torch-distributed", "deepspeed-distributed"))
    secret = next(each for each in documents(render("job.yaml").out) if each["kind"] == "Secret")
    assert set(secret["data"].values()) == {"<generated>"}


def test_one_job_is_chosen_by_name_or_namespace_and_name(render: Run) -> None:
    Path("job.yaml").write_text(f"{GOOD}---\n{GOOD.replace('mnist', 'other')}---\n{BAD.replace('mnist', 'bad')}")
    for wanted in ("team-a/other", "other"):
        ran = render("job.yaml", "--job", wanted)
        assert ran.code == 0
        assert documents(ran.out)[-1]["metadata"]["name"] == "other"


def test_a_job_that_is_not_there_is_a_usage_error_with_the_nearest(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    ran = render("job.yaml", "--job", "team-a/mnits")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == "error: there is no TrainJob 'team-a/mnits' (did you mean 'team-a/mnist'?)\nhint: There are team-a/mnist.\n"
    )


def test_what_cannot_be_rendered_is_said_and_the_rest_is_rendered(render: Run) -> None:
    Path("job.yaml").write_text(f"{RESERVED}---\n{LOST}---\n{GOOD}")
    ran = render("job.yaml")
    assert ran.code == 1
    assert documents(ran.out)[-1]["metadata"]["name"] == "mnist"
    assert ran.err == (
        "error: job.yaml:1: TrainJob team-a/reserved: the cluster would refuse it: line 12: env sets 'PET_NNODES', "
        "which the torch plugin sets itself [TG149]\n"
        "hint: See 'trainergen check job.yaml', or 'trainergen render --force' for what would come of it.\n"
        "error: job.yaml:14: TrainJob team-a/lost: the TrainJob refers to the ClusterTrainingRuntime "
        "'torch-distribute', which is not known\n"
        "hint: Create the runtime before the TrainJob, or correct spec.runtimeRef.name (did you mean "
        "'torch-distributed'?).\n"
    )


def test_force_renders_what_is_refused_and_says_so(render: Run) -> None:
    Path("job.yaml").write_text(RESERVED)
    ran = render("job.yaml", "--force")
    assert ran.code == 0
    assert kinds(ran.out) == ["ConfigMap", "JobSet"]
    assert "# note: the cluster would refuse this TrainJob: line 12: env sets 'PET_NNODES'" in ran.out
    assert ran.err.startswith(
        "warning: job.yaml:1: TrainJob team-a/reserved is rendered although the cluster would refuse"
    )


def test_input_that_cannot_be_read_is_exit_code_2(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    ran = render("job.yaml", "nowhere")
    assert ran.code == 2
    assert kinds(ran.out) == ["ConfigMap", "JobSet"]
    assert ran.err.startswith("error: nowhere:1:1: there is no such file or folder\n")


def test_broken_yaml_is_exit_code_1(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    Path("broken.yaml").write_text(GOOD.replace("metadata:", "metadata: {"))
    ran = render(".")
    assert ran.code == 1
    assert kinds(ran.out) == ["ConfigMap", "JobSet"]
    assert ran.err.startswith("error: broken.yaml:")


def test_standard_input_is_rendered(render: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert "TrainJob team-a/mnist of piped.yaml:1" in render("-", "--stdin-filename", "piped.yaml").out


def test_runtimes_are_found_where_check_finds_them(render: Run, trainergen: Run) -> None:
    Path("jobs").mkdir()
    Path("platform").mkdir()
    Path("jobs/job.yaml").write_text(USES_RUNTIME)
    Path("platform/rt.yaml").write_text(RUNTIME)
    assert render("jobs").code == 1
    assert render("jobs", "--runtimes", "platform").code == 0
    Path("trainergen.yaml").write_text("check:\n  runtimes: [platform]\n  paths: [jobs]\n")
    assert render().code == 0


def test_files_can_be_left_out(render: Run) -> None:
    Path("a.yaml").write_text(GOOD)
    Path("b.yaml").write_text(GOOD.replace("mnist", "other"))
    assert len(kinds(render(".", "--exclude", "b.*").out)) == 2


def test_the_release_is_settled_as_for_check(trainergen: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    Path("trainergen.yaml").write_text("release: '2.1'\n")
    ran = trainergen("render", "job.yaml")
    assert ran.out.startswith("# Trainer 2.1 (set in trainergen.yaml)\n")
    assert kinds(ran.out) == ["JobSet"]


def test_a_feature_gate_adds_its_objects(render: Run) -> None:
    Path("job.yaml").write_text(GOOD)
    assert kinds(render("job.yaml", "--gate", "TrainJobStatus=true").out) == ["ConfigMap", "ConfigMap", "JobSet"]
    assert kinds(render("job.yaml", "--gate", "TrainJobStatus=false").out) == ["ConfigMap", "JobSet"]


WRONG: dict[str, tuple[str, ...]] = {
    "error: --gate is 'TrainJobStatus', but it must be a name and true or false": ("--gate", "TrainJobStatus"),
    "error: unknown feature gate 'TrainJobState' (did you mean 'TrainJobStatus'?)": ("--gate", "TrainJobState=true"),
    "error: --explain and --format json do not go together": ("--explain", "--format", "json"),
    "error: --explain and --pods do not go together": ("--explain", "--pods"),
    "error: --split and --pods do not go together": ("--split", "out", "--pods"),
    "error: --split and --format json do not go together": ("--split", "out", "--format", "json"),
    "error: --pods and --format yaml do not go together": ("--pods", "--format", "yaml"),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_usage_is_exit_code_2_with_a_way_out(render: Run, message: str) -> None:
    Path("job.yaml").write_text(GOOD)
    ran = render("job.yaml", *WRONG[message])
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"{message}\nhint: ")


def test_control_characters_of_a_manifest_do_not_reach_the_terminal(render: Run) -> None:
    Path("job.yaml").write_text(GOOD.replace("name: torch-distributed", 'name: "a\\e[31m\\n---"'))
    ran = render("job.yaml", "--force")
    assert ran.code == 1
    assert "\x1b" not in ran.out + ran.err
