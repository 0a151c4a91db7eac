"""`trainergen new`: good manifests from options, questions on a terminal only, and nothing written over."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import trainergen as api
from tests.cli.conftest import Ran
from trainergen.catalogue.recipes import RECIPES
from trainergen.releases import RELEASES
from trainergen.releases.catalogue import shipped_runtimes

Run = Callable[..., Ran]

COMMAND = ("--", "torchrun", "/opt/train.py", "--epochs=3")


@pytest.fixture
def new(trainergen: Run) -> Run:
    """Run ``trainergen new ARGUMENTS…``."""
    return lambda *arguments: trainergen("new", *arguments)


def documents(text: str) -> list[Any]:
    return list(yaml.safe_load_all(text))


def findings(text: str, release: str = "2.3", **more: str) -> list[str]:
    """What the production profile says of manifests, by rule."""
    for name, content in {"new.yaml": text, **more}.items():
        Path(name.replace("_", ".")).write_text(content)
    report = api.check(".", release=release, profile="production")
    return [f"{each.rule} {each.message}" for each in report.findings]


CASES = {
    f"{base} for {release.name}": (base, release.name)
    for release in RELEASES
    for base in sorted({*shipped_runtimes(release.name), *(r.name for r in RECIPES if release.name in r.releases)})
    if not base.startswith(("torchtune", "finetune"))
}


@pytest.mark.parametrize("case", CASES)
def test_a_runtime_from_anything_is_clean(new: Run, case: str) -> None:
    base, release = CASES[case]
    ran = new("cluster-runtime", "acme", "--from", base, "--release", release, "--cpu", "8", "--memory", "64Gi")
    assert ran.code == 0
    (runtime,) = documents(ran.out)
    assert (runtime["kind"], runtime["metadata"]["name"]) == ("ClusterTrainingRuntime", "acme")
    # What the next release refuses in the runtime that this one ships is not ours to leave out, and the one with a
    # cache lacks a volume as it is shipped, of which the recipe torch-data-cache is free.
    known = ("TG801", "TG574") if base == "torch-distributed-with-cache" else ("TG801",)
    assert [each for each in findings(ran.out, release) if not each.startswith(known)] == []


@pytest.mark.parametrize("base", ["torch-ddp", "torch-fsdp", "deepspeed", "jax", "xgboost", "mpi-horovod"])
def test_a_train_job_on_a_recipe_comes_with_it_and_is_clean(new: Run, base: str) -> None:
    ran = new("trainjob", "bert-r1", "--runtime", base, "--release", "2.3", "--nodes", "2", "-n", "vision", *COMMAND)
    assert ran.code == 0
    runtime, job = documents(ran.out)
    assert (runtime["metadata"]["name"], job["spec"]["runtimeRef"]["name"]) == (base, base)
    assert findings(ran.out) == []
    rendered = api.render(job, [runtime], release="2.3")
    assert {each["kind"] for each in rendered.objects} >= {"JobSet"}


def test_a_train_job_says_what_was_asked_for(new: Run) -> None:
    runtime = new("runtime", "acme", "--from", "torch-ddp", "-n", "vision", "--release", "2.3", "-o", "rt.yaml")
    assert (runtime.code, runtime.out, runtime.err) == (0, "", "wrote rt.yaml\n")
    options = (
        "--image",
        "ghcr.io/acme/bert:1.0",
        "--gpus",
        "4",
        "--cpu",
        "16",
        "--memory",
        "128Gi",
        "--processes",
        "4",
    )
    more = ("--env", "A=b=c", "--secret", "HF_TOKEN=hf/token", "--deadline", "1d12h", "--queue", "gpus", "--nodes", "3")
    ran = new(
        "trainjob", "bert-r1", "--runtime", "acme", "-n", "vision", "--release", "2.3", *options, *more,
        "--claim", "bert-data=/data", *COMMAND,
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    (job,) = documents(ran.out)
    amounts = {"cpu": "16", "memory": "128Gi", "nvidia.com/gpu": "4"}
    labels = {"kueue.x-k8s.io/queue-name": "gpus"}
    assert job["metadata"] == {"name": "bert-r1", "namespace": "vision", "labels": labels}
    assert job["spec"]["runtimeRef"]["kind"] == "TrainingRuntime"
    assert job["spec"]["activeDeadlineSeconds"] == 129_600
    assert job["spec"]["trainer"] == {
        "image": "ghcr.io/acme/bert:1.0",
        "command": ["torchrun"],
        "args": ["/opt/train.py", "--epochs=3"],
        "env": [
            {"name": "A", "value": "b=c"},
            {"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hf", "key": "token"}}},
        ],
        "numNodes": 3,
        "numProcPerNode": 4,
        "resourcesPerNode": {"requests": amounts, "limits": amounts},
    }
    assert "bert-data" in ran.out
    assert findings(ran.out, rt_yaml=Path("rt.yaml").read_text()) == []


@pytest.mark.parametrize(("base", "nodes"), [("deepspeed", 2), ("torch-ddp", 1)])
def test_a_train_job_has_the_nodes_of_its_runtime(new: Run, base: str, nodes: int) -> None:
    ran = new("trainjob", "bert", "--runtime", base, "--release", "2.3", "--", "python3", "train.py")
    assert documents(ran.out)[1]["spec"]["trainer"]["numNodes"] == nodes


def test_a_runtime_says_what_was_asked_for(new: Run) -> None:
    size = ("--nodes", "4", "--gpus", "8", "--cpu", "32", "--memory", "256Gi", "--shared-memory", "64Gi")
    more = ("--gang", "volcano", "--restarts", "7", "--env", "A=1", "--image", "ghcr.io/acme/torch:2.9")
    ran = new("runtime", "acme", "--from", "torch-distributed", "-n", "vision", "--release", "2.3", *size, *more)
    assert (ran.code, ran.err) == (0, "")
    (runtime,) = documents(ran.out)
    assert runtime["metadata"]["namespace"] == "vision"
    assert runtime["spec"]["mlPolicy"]["numNodes"] == 4
    assert "volcano" in runtime["spec"]["podGroupPolicy"]
    jobset = runtime["spec"]["template"]["spec"]
    assert jobset["failurePolicy"]["maxRestarts"] == 7
    pod = jobset["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    assert pod["schedulerName"] == "volcano"
    assert {"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": "64Gi"}} in pod["volumes"]
    (container,) = pod["containers"]
    assert container["image"] == "ghcr.io/acme/torch:2.9"
    assert {"name": "A", "value": "1"} in container["env"]
    amounts = {"cpu": "32", "memory": "256Gi", "nvidia.com/gpu": "8"}
    assert container["resources"] == {"requests": amounts, "limits": amounts}


def test_what_the_shipped_runtime_leaves_undone_is_said(new: Run) -> None:
    ran = new("trainjob", "bert", "--runtime", "torch-distributed", "--release", "2.3", *COMMAND)
    assert (ran.code, len(documents(ran.out))) == (0, 1)
    assert "are not 'restricted'" in ran.err
    assert "[TG611]" in ran.err
    assert "hint: That is of the profile production" in ran.err


def test_a_release_without_deadlines_gets_none_unless_one_is_asked_for(new: Run) -> None:
    arguments = ("trainjob", "bert", "--runtime", "torch-distributed", "--release", "2.1")
    (job,) = documents(new(*arguments, *COMMAND).out)
    assert "activeDeadlineSeconds" not in job["spec"]
    ran = new(*arguments, "--deadline", "1h", *COMMAND)
    assert (ran.code, ran.out) == (2, "")
    assert "--deadline: TrainJobs of Trainer 2.1 have no deadline" in ran.err


def test_a_fine_tuning_runtime_needs_no_command(new: Run) -> None:
    ran = new("trainjob", "llama", "--runtime", "torchtune-llama3.2-1b", "--release", "2.3", "--data", "hf://a/b")
    (job,) = documents(ran.out)
    assert (ran.code, "command" in job["spec"]["trainer"]) == (0, False)
    assert job["spec"]["initializer"] == {"dataset": {"storageUri": "hf://a/b"}}


def test_the_name_of_a_fine_tuning_runtime_says_the_model(new: Run) -> None:
    ran = new("runtime", "acme", "--from", "torchtune-llama3.2-1b", "--release", "2.3")
    assert (ran.code, ran.out) == (2, "")
    assert "'acme-llama3.2-1b'" in ran.err
    assert new("runtime", "acme-llama3.2-1b", "--from", "torchtune-llama3.2-1b", "--release", "2.3").code == 0


USED = ("runtime", "acme", "--from", "torch-ddp", "--release", "2.3")
FAULTS: dict[str, tuple[tuple[str, ...], str]] = {
    "no base": (("runtime", "acme", "--release", "2.3"), "--from is missing"),
    "no runtime": (("trainjob", "a", "--release", "2.3"), "--runtime is missing"),
    "no command": (("trainjob", "a", "--runtime", "torch-ddp", "--release", "2.3"), "a command after -- is missing"),
    "a base that is misspelt": (
        ("runtime", "acme", "--from", "torch-dpd", "--release", "2.3"),
        "--from: Trainer 2.3 has no runtime or recipe 'torch-dpd' (did you mean 'torch-ddp'?)",
    ),
    "a runtime that is misspelt": (
        ("trainjob", "a", "--runtime", "torch-distribted", "--release", "2.3", *COMMAND),
        "--runtime: there is no runtime 'torch-distribted' here, in Trainer 2.3, or among the recipes (did you mean",
    ),
    "no amount": ((*USED, "--memory", "much"), "--memory: 'much' is no amount"),
    "no number": ((*USED, "--gpus", "two"), "--gpus is 'two': input should be a valid integer"),
    "a variable without a value": ((*USED, "--env", "A"), "--env: 'A' has no '='"),
    "a literal secret": ((*USED, "--env", "HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz012345"), "--env: "),
    "a name that is none": (
        ("runtime", "Acme", "--from", "torch-ddp", "--release", "2.3"),
        "the cluster would refuse this",
    ),
    "a namespace for all namespaces": (("cluster-runtime", "a", "--from", "torch-ddp", "-n", "b"), "--namespace: "),
}


@pytest.mark.parametrize("case", FAULTS)
def test_what_is_wrong_is_named_by_its_option(new: Run, case: str) -> None:
    arguments, message = FAULTS[case]
    ran = new(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_nothing_is_written_over_without_force(new: Run) -> None:
    Path("a.yaml").write_text("mine")
    ran = new(*USED, "-o", "a.yaml")
    assert (ran.code, Path("a.yaml").read_text()) == (2, "mine")
    assert "'a.yaml' exists already" in ran.err
    assert new(*USED, "-o", "a.yaml", "--force").code == 0
    assert documents(Path("a.yaml").read_text())[0]["kind"] == "TrainingRuntime"


def test_a_fault_leaves_no_file(new: Run) -> None:
    assert new(*USED, "--memory", "much", "-o", "a.yaml").code == 2
    assert not Path("a.yaml").exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_it_asks_for_what_is_missing(new: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Terminal("\ntorchrun /opt/train.py --epochs=3\n\n2\n")
    monkeypatch.setattr(sys, "stdin", answers)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    ran = new("trainjob", "bert-r1", "--release", "2.3")
    assert ran.code == 0
    assert answers.read() == ""
    _, job = documents(ran.out)
    assert job["spec"]["runtimeRef"]["name"] == "torch-ddp"
    assert job["spec"]["trainer"]["command"] == ["torchrun"]
    assert job["spec"]["trainer"]["args"] == ["/opt/train.py", "--epochs=3"]
    assert job["spec"]["trainer"]["numNodes"] == 2
    assert "Runtime [torch-ddp]: " in ran.err
    assert findings(ran.out) == []
