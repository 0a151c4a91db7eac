"""TrainJobs of a specification."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import trainergen
from tests.generate.specs import content, keys, placed, resolved, with_job, with_runtime
from trainergen.errors import TrainergenError
from trainergen.releases import RELEASES

SCRIPT = "print('hello')\n"


def job(environment: str = "dev", *, root: Path | None = None, **fields: Any) -> Any:
    """The TrainJob of a specification whose job has these fields."""
    names = ("environments", "runtimes", "release", "name")
    changed = {key: fields.pop(key) for key in names if key in fields}
    if "in_environments" in fields:
        fields["environments"] = fields.pop("in_environments")
    return placed(resolved(root=root, jobs=with_job(**fields), **changed), "jobs", "bert", environment)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a script."""
    (tmp_path / "train.py").write_text(SCRIPT)
    return tmp_path


@pytest.mark.parametrize("release", [each.name for each in RELEASES])
def test_jobs_are_accepted_by_every_release(release: str, root: Path) -> None:
    found = resolved(
        root=root,
        release=release,
        environments={"dev": {"queue": "q", "node-pools": {"a": {"labels": {"x": "y"}}}}},
        jobs=with_job(script="train.py", **{"node-pool": "a", "storage": {"data": {"mount": "/d", "claim": "d"}}}),
    )
    made, runtime = placed(found, "jobs", "bert"), placed(found, "namespace", "runtime-torch")
    admitted = trainergen.admit(made, release=release, objects=[runtime])
    assert not admitted.refused, admitted.findings
    rendered: list[Any] = trainergen.render(made, [runtime], release=release).objects
    (job_set,) = (each for each in rendered if each["kind"] == "JobSet")
    spec = job_set["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    assert spec["nodeSelector"] == {"x": "y"}
    assert {each["name"] for each in spec["volumes"]} == {"home", "data", "script"}


def test_a_job_is_spelled_out() -> None:
    labels = {"team": "x", "trainergen.io/key": "mine"}
    made = job(nodes=2, processes=4, deadline="1h", image="a/b:1", args=["--x"], env={"A": "1"}, labels=labels)
    assert made["metadata"]["namespace"] == "team-dev"
    assert made["metadata"]["labels"] == {"trainergen.io/job": "bert", "trainergen.io/key": "bert", "team": "x"}
    assert re.fullmatch("team-torch-[0-9a-f]{8}", made["spec"]["runtimeRef"].pop("name"))
    assert made["spec"] == {
        "runtimeRef": {"apiGroup": "trainer.kubeflow.org", "kind": "TrainingRuntime"},
        "trainer": {
            "image": "a/b:1",
            "command": ["torchrun", "/app/train.py"],
            "args": ["--x"],
            "env": [{"name": "A", "value": "1"}],
            "numNodes": 2,
            "numProcPerNode": 4,
        },
        "managedBy": "trainer.kubeflow.org/trainjob-controller",
        "activeDeadlineSeconds": 3600,
    }


def test_resources_of_a_job_name_those_of_its_runtime_too() -> None:
    made = job(gpus=2, environments={"dev": {"size": {"cpu": 0.5}}})
    assert made["spec"]["trainer"]["resourcesPerNode"]["limits"] == {
        "cpu": "2",
        "memory": "16Gi",
        "nvidia.com/gpu": "2",
    }
    assert "resourcesPerNode" not in job()["spec"]["trainer"]


def test_nodes_follow_the_size_of_the_environment_and_never_vanish() -> None:
    environments = {"dev": {"size": {"nodes": 0.1}}, "prod": {"size": {"nodes": 2}}}
    assert job(nodes=5, environments=environments)["spec"]["trainer"]["numNodes"] == 1
    assert job("prod", nodes=5, environments=environments)["spec"]["trainer"]["numNodes"] == 10
    assert job("prod", environments=environments, runtimes=with_runtime(nodes=3))["spec"]["trainer"]["numNodes"] == 6


def test_mpi_is_not_made_smaller_than_a_launcher_with_a_node() -> None:
    environments = {"dev": {"size": {"nodes": 0.1}}}
    for nodes, made in ((8, 2), (1, 1)):
        found = job(nodes=nodes, environments=environments, runtimes=with_runtime(**{"from": "mpi-horovod"}))
        assert found["spec"]["trainer"]["numNodes"] == made


def test_an_environment_can_differ_and_adds_to_variables() -> None:
    made = job(
        args=["a"], env={"A": "1", "B": "1"}, in_environments={"dev": {"args": [], "env": {"B": "2"}, "nodes": 3}}
    )
    assert "args" not in made["spec"]["trainer"]
    assert made["spec"]["trainer"]["env"] == [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    assert made["spec"]["trainer"]["numNodes"] == 3


def test_a_job_goes_to_the_queue_with_its_priority() -> None:
    labels = job(priority="high", environments={"dev": {"queue": "q"}})["metadata"]["labels"]
    assert labels["kueue.x-k8s.io/queue-name"] == "q"
    assert labels["kueue.x-k8s.io/priority-class"] == "high"
    volcano = job(environments={"dev": {"queue": "q"}}, runtimes=with_runtime(gang="volcano"))
    assert "kueue.x-k8s.io/queue-name" not in volcano["metadata"]["labels"]
    with pytest.raises(TrainergenError, match="a priority is for jobs in a queue of Kueue"):
        job(priority="high")


def test_secrets_are_references() -> None:
    env = job(secrets={"HF_TOKEN": "hub/token", "KEY": {"name": "s3", "key": "id"}})["spec"]["trainer"]["env"]
    assert env == [
        {"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hub", "key": "token"}}},
        {"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "s3", "key": "id"}}},
    ]


def test_data_and_model_are_told_to_the_initializers() -> None:
    found = resolved(
        runtimes={"tune": {"from": "torchtune-llama3.2-1b"}},
        jobs={
            "tune": {
                "runtime": "tune",
                "data": "hf://a/b",
                "model": {"uri": "s3://c/d", "secret": "s3", "env": {"R": "x"}},
            }
        },
    )
    assert placed(found, "jobs", "tune")["spec"]["initializer"] == {
        "dataset": {"storageUri": "hf://a/b"},
        "model": {
            "storageUri": "s3://c/d",
            "env": [{"name": "R", "value": "x"}],
            "secretRef": {"name": "s3"},
        },
    }


def test_a_script_is_mounted_from_a_config_map_that_is_called_after_its_content(root: Path) -> None:
    def made() -> Any:
        return resolved(root=root, jobs={"bert": {"runtime": "torch", "script": "train.py", "args": ["--x"]}})

    first = made()
    config_map, train_job = placed(first, "jobs", "bert-script"), placed(first, "jobs", "bert")
    assert config_map["data"] == {"train.py": SCRIPT}
    assert config_map["immutable"] is True
    assert train_job["spec"]["trainer"]["command"] == ["torchrun"]
    assert train_job["spec"]["trainer"]["args"] == ["/opt/trainergen/train.py", "--x"]
    (root / "train.py").write_text("print('changed')\n")
    second = made()
    assert placed(second, "jobs", "bert-script")["metadata"]["name"] != config_map["metadata"]["name"]
    assert placed(second, "jobs", "bert")["metadata"]["name"] != train_job["metadata"]["name"]


@pytest.mark.parametrize(
    ("base", "command", "args"),
    [
        ("torch-distributed", ["torchrun"], ["--no-python", "python3", "-c", SCRIPT]),
        ("torch-ddp", None, ["--no-python", "python3", "-c", SCRIPT]),
        ("mpi-horovod", None, ["python3", "-c", SCRIPT]),
        ("deepspeed-distributed", ["mpirun"], ["python3", "-c", SCRIPT]),
        ("jax-distributed", ["python3"], ["-c", SCRIPT]),
    ],
)
def test_a_script_in_the_arguments_is_run_by_what_the_framework_starts_programs_with(
    base: str, command: Any, args: list[str], root: Path
) -> None:
    found = resolved(
        root=root,
        runtimes={"r": {"from": base}},
        jobs={"a": {"runtime": "r", "script": {"file": "train.py", "in": "args"}}},
    )
    trainer = placed(found, "jobs", "a")["spec"]["trainer"]
    assert trainer.get("command") == command
    assert trainer["args"] == args


def test_a_script_reaches_launcher_and_nodes(root: Path) -> None:
    found = resolved(
        root=root, runtimes={"r": {"from": "mpi-horovod"}}, jobs={"a": {"runtime": "r", "script": "train.py"}}
    )
    (patch,) = placed(found, "jobs", "a")["spec"]["runtimePatches"]
    jobs = patch["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]
    assert [each["name"] for each in jobs] == ["node", "launcher"]
    assert placed(found, "jobs", "a")["spec"]["trainer"]["args"] == ["python3", "/opt/trainergen/train.py"]


def test_a_script_that_is_too_large_is_refused(root: Path) -> None:
    (root / "train.py").write_text("#" * 200_000)
    with pytest.raises(TrainergenError, match="too large for an argument"):
        job(root=root, script={"file": "train.py", "in": "args"})
    (root / "train.py").write_text("#" * 1_000_000)
    with pytest.raises(TrainergenError, match="but a ConfigMap holds at most"):
        job(root=root, script="train.py")


def test_a_script_is_called_as_a_config_map_can_hold_it(root: Path) -> None:
    (root / "my train.py").write_text(SCRIPT)
    with pytest.raises(TrainergenError, match=r"'my train\.py' cannot be the name of a file in a ConfigMap"):
        job(root=root, script="my train.py")


def test_a_script_that_is_no_text_is_refused(root: Path) -> None:
    (root / "train.py").write_bytes(b"\xff\xfe")
    with pytest.raises(TrainergenError, match="is not UTF-8 text"):
        job(root=root, script="train.py")


def test_a_sweep_makes_a_job_for_each_combination() -> None:
    sweep = {"lr": ["0.1", "1e-3"], "opt": ["sgd"]}
    found = resolved(jobs=with_job(args=["--lr=${lr}", "$HOME", "${HOME}"], env={"OPT": "${opt}"}, sweep=sweep))
    assert keys(found, "jobs") == ["bert-lr-0-1-opt-sgd", "bert-lr-1e-3-opt-sgd"]
    made = placed(found, "jobs", "bert-lr-1e-3-opt-sgd")
    assert made["spec"]["trainer"]["args"] == ["--lr=1e-3", "$HOME", "${HOME}"]
    assert made["spec"]["trainer"]["env"] == [{"name": "OPT", "value": "sgd"}]
    assert made["metadata"]["annotations"] == {"trainergen.io/parameters": "lr=1e-3 opt=sgd"}
    assert made["metadata"]["labels"]["trainergen.io/job"] == "bert"


def test_a_sweep_in_step_takes_first_values_together() -> None:
    sweep = {"parameters": {"a": [1, 2, 3], "b": [4, 5]}, "mode": "zip"}
    assert keys(resolved(jobs=with_job(sweep=sweep)), "jobs") == ["bert-a-1-b-4", "bert-a-2-b-5"]


def test_values_that_look_alike_in_a_name_get_a_hash() -> None:
    found = keys(resolved(jobs=with_job(sweep={"x": ["a.b", "a-b"]})), "jobs")
    assert len(set(found)) == 2
    assert all(each.startswith("bert-") for each in found)


def test_a_further_value_leaves_the_other_jobs_as_they_are() -> None:
    few, more = (resolved(jobs=with_job(sweep={"x": values})) for values in (["1", "2"], ["0", "1", "2"]))
    for key in keys(few, "jobs"):
        assert placed(few, "jobs", key) == placed(more, "jobs", key)


def test_only_some_environments_have_a_job() -> None:
    found = resolved(environments={"dev": {}, "prod": {}}, jobs=with_job(only=["prod"]))
    assert keys(found, "jobs", "dev") == []
    assert keys(found, "jobs", "prod") == ["bert"]


def test_two_jobs_of_one_key_are_refused() -> None:
    jobs = {**with_job(sweep={"x": ["1"]}), "bert-x-1": content()["jobs"]["bert"]}
    with pytest.raises(TrainergenError, match="two jobs would be called 'bert-x-1'"):
        resolved(jobs=jobs)


def test_a_deadline_needs_a_release_that_has_them() -> None:
    with pytest.raises(TrainergenError, match=r"TrainJobs of Trainer 2\.1 have no deadline"):
        job(release="2.1", deadline="1h")
