"""Launch commands before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from trainergen.migrate import Choices, migrate

if TYPE_CHECKING:
    from trainergen.finding import Finding

WORDS = {
    "torchrun with its network": (
        "torchrun --nnodes 2 --node_rank=$(RANK) --master-addr $(MASTER_ADDR) --master_port=$(MASTER_PORT) t.py --x",
        "torchrun t.py --x",
    ),
    "options of torchrun that stay": (
        "torchrun --max-restarts=0 --log_dir /logs --tee=3 t.py --nnodes=9",
        "torchrun --max_restarts=0 --log_dir /logs --tee=3 t.py --nnodes=9",
    ),
    "a module": ("torchrun --nnodes=2 -m pkg.train a", "torchrun -m pkg.train a"),
    "a rendezvous that restarts": (
        "torchrun --max_restarts=3 --rdzv_backend=c10d --rdzv_endpoint=$(MASTER_ADDR):29400 t.py",
        "torchrun --max_restarts=3 --rdzv_backend=c10d --rdzv_endpoint=$(PET_MASTER_ADDR):$(PET_MASTER_PORT) t.py",
    ),
    "a rendezvous of a fixed size": ("torchrun --rdzv_id=1 --rdzv_backend=c10d t.py", "torchrun t.py"),
    "the module of torchrun": ("/usr/bin/python3 -u -m torch.distributed.run --nnodes=2 t.py", "torchrun t.py"),
    "the old launcher": ("python -m torch.distributed.launch --use_env --nnodes=2 t.py", "torchrun t.py"),
    "variables in arguments of the script": (
        "torchrun t.py --host=$(MASTER_ADDR) --rank $(RANK) --nodes=$(WORLD_SIZE) --cost=$(COST)",
        "torchrun t.py --host=$(PET_MASTER_ADDR) --rank $(PET_NODE_RANK) --nodes=$(PET_NNODES) --cost=$(COST)",
    ),
    "processes by the CPU": ("torchrun --nproc_per_node=cpu t.py", "torchrun --nproc_per_node=cpu t.py"),
    "accelerate": (
        "accelerate launch --num_machines 2 --machine_rank=$(RANK) --num_processes 8 t.py",
        (
            "accelerate launch --num_machines $(PET_NNODES) --machine_rank $(PET_NODE_RANK)"
            " --main_process_ip $(PET_MASTER_ADDR) --main_process_port $(PET_MASTER_PORT) --num_processes 8 t.py"
        ),
    ),
    "a script of its own": ("python t.py --nnodes=2", "python t.py --nnodes=2"),
}
SCRIPTS = {
    "two commands": (
        "cd /w && torchrun --nnodes=$WORLD_SIZE t.py; echo $RANK",
        "cd /w && torchrun t.py; echo $PET_NODE_RANK",
    ),
    "lines that go on": ("torchrun \\\n  --nnodes=2 \\\n  --tee=3 \\\n  t.py", "torchrun \\\n  --tee=3 \\\n  t.py"),
    "quotes": ('torchrun --master_addr="${MASTER_ADDR}" "my script.py"', 'torchrun "my script.py"'),
    "a module in a script": ("exec python -m torch.distributed.run --nnodes 2 t.py", "exec torchrun t.py"),
    "no launcher": ("python t.py --rank=$RANK", "python t.py --rank=$RANK"),
}


def job(command: list[str], **spec: Any) -> dict[str, Any]:
    template = {"spec": {"containers": [{"name": "pytorch", "image": "example.org/a:1", "command": command}]}}
    roles = {"Master": {"replicas": 1, "template": template}, "Worker": {"replicas": 1, "template": template}}
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": "job"},
        "spec": {"pytorchReplicaSpecs": roles, **spec},
    }


def trainer(obj: dict[str, Any], **choices: Any) -> dict[str, Any]:
    made = migrate(obj, choices=Choices(**choices)).objects[-1]
    found: dict[str, Any] = made["spec"]["trainer"]  # type: ignore[index,call-overload,assignment]
    return found


def warnings(obj: dict[str, Any]) -> dict[str, Finding]:
    return {each.name: each for each in migrate(obj).warnings}


@pytest.mark.parametrize("case", WORDS)
def test_a_command_keeps_what_the_policy_does_not_say(case: str) -> None:
    before, after = WORDS[case]
    found = trainer(job(before.split()))
    assert " ".join([*found["command"], *found.get("args", [])]) == after


@pytest.mark.parametrize("case", SCRIPTS)
def test_a_script_of_a_shell_keeps_everything_else(case: str) -> None:
    before, after = SCRIPTS[case]
    assert trainer(job(["bash", "-c", before]))["command"] == ["bash", "-c", after]


def test_processes_of_the_command_win_over_those_of_the_job() -> None:
    found = trainer(job(["torchrun", "--nproc_per_node=8", "t.py"], nprocPerNode="4"))
    assert found["numProcPerNode"] == 8


def test_the_old_launcher_may_be_kept() -> None:
    command = ["python", "-m", "torch.distributed.launch", "--nnodes=2", "t.py"]
    assert trainer(job(command), keep_launch_module=True)["command"] == [
        "python",
        "-m",
        "torch.distributed.launch",
        "t.py",
    ]
    assert "local-rank" in warnings(job(command))


def test_the_number_of_processes_in_arguments_is_written_out() -> None:
    found = trainer(job(["torchrun", "t.py", "--world=$(WORLD_SIZE)"], nprocPerNode="4"))
    assert found["command"][-1] == "--world=$(WORLD_SIZE)"
    assert {"name": "WORLD_SIZE", "value": "8"} in found["env"]


def test_world_size_as_the_number_of_nodes_is_said_where_it_counted_processes() -> None:
    command = ["torchrun", "--nnodes=$(WORLD_SIZE)", "t.py"]
    assert "world-size-as-nodes" not in warnings(job(command))
    assert "world-size-as-nodes" in warnings(job(command, nprocPerNode="2"))


def test_host_names_of_the_job_are_rewritten() -> None:
    found = trainer(job(["python", "t.py", "--at=job-master-0:23456", "job-worker-0.ns.svc", "other-job-worker-0"]))
    assert found["command"][2:] == ["--at=job-node-0-0.job:23456", "job-node-0-1.job.ns.svc", "other-job-worker-0"]


def test_a_rank_from_the_host_name_is_said() -> None:
    assert "rank-from-host-name" in warnings(job(["bash", "-c", "export RANK=$((${HOSTNAME##*-}+1)); python t.py"]))
