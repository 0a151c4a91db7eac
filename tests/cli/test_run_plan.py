"""`trainergen run-plan`: what it prints, and that the script really trains, with stand-ins for torchrun and mpirun."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran
from tests.standins import install

Run = Callable[..., Ran]

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: acme-torch
  labels: {trainer.kubeflow.org/framework: torch}
spec:
  mlPolicy: {numNodes: 16, torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: dataset-initializer
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer}}
          spec:
            template:
              spec:
                containers: [{name: dataset-initializer, image: "ghcr.io/example/fetch:1"}]
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            template:
              metadata: {labels: {team: vision}}
              spec:
                volumes:
                - {name: data, persistentVolumeClaim: {claimName: images}}
                containers:
                - name: proxy
                  image: ghcr.io/example/proxy:1
                  command: [proxy]
                - name: node
                  image: ghcr.io/example/train:1
                  workingDir: /workspace
                  env:
                  - {name: HOME, value: /home/trainer}
                  - {name: TEAM, valueFrom: {fieldRef: {fieldPath: "metadata.labels['team']"}}}
                  - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
                  - {name: WANDB_API_KEY, valueFrom: {secretKeyRef: {name: wandb, key: api-key}}}
                  - {name: PEER, value: "http://bert-r1-node-0-1.bert-r1.vision.svc.cluster.local:80/$(TEAM)"}
                  volumeMounts: [{name: data, mountPath: /data}]
"""
JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: bert-r1, namespace: vision}
spec:
  runtimeRef: {name: acme-torch}
  trainer:
    image: ghcr.io/example/train:1
    command: [torchrun, --no-python, python3, /workspace/code/train.py]
    args: ["--note=it's a \\"test\\" of $(TEAM)", --data=/data/train]
    numProcPerNode: 8
    resourcesPerNode: {limits: {nvidia.com/gpu: 8}}
"""
MPI = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: pi, namespace: vision}
spec:
  runtimeRef: {name: deepspeed-distributed}
  trainer:
    image: ghcr.io/example/pi:1
    command: [mpirun, -np, "64", python3, /workspace/code/train.py]
    numNodes: 8
    numProcPerNode: 8
"""
TRAIN = """\
import os, socket, sys, time

rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
where = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
if rank == 0:
    server = socket.create_server(where)
    ranks = [0]
    while len(ranks) < world:
        with server.accept()[0] as peer:
            ranks.append(int(peer.recv(16)))
    print("met", sorted(ranks), sys.argv[1:], flush=True)
else:
    for attempt in range(200):
        try:
            with socket.create_connection(where) as peer:
                peer.sendall(str(rank).encode())
            break
        except OSError:
            time.sleep(0.05)
sys.exit(int(os.environ.get("FAIL", "0")) if rank == world - 1 else 0)
"""


@pytest.fixture
def plan(trainergen: Run) -> Run:
    """Run ``trainergen run-plan ARGUMENTS… --release 2.3`` beside the manifests."""
    Path("runtime.yaml").write_text(RUNTIME)
    Path("job.yaml").write_text(JOB)
    Path("pi.yaml").write_text(MPI)
    return lambda *arguments: trainergen("run-plan", *arguments, "--release", "2.3", "--runtimes", ".")


def planned(ran: Ran) -> dict[str, Any]:
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        number: int = server.getsockname()[1]
        return number


def run_script(text: str, folder: Path, shell: str = "sh", **more: str) -> subprocess.CompletedProcess[str]:
    """Run a plan in ``folder``, where torchrun and mpirun are stand-ins and the code is in ``code``."""
    (folder / "code").mkdir(exist_ok=True)
    (folder / "code" / "train.py").write_text(TRAIN)
    env = os.environ | install(folder / "bin") | more
    return subprocess.run(
        [shell], input=text, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
    )


SHELLS = [name for name in ("sh", "bash", "dash") if shutil.which(name)]


@pytest.mark.enable_socket
@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_trains_on_several_nodes_of_this_machine(plan: Run, tmp_path: Path, shell: str) -> None:
    port = str(free_port())
    options = ("--nodes", "3", "--procs", "2", "--port", port, "--map", f"/workspace={tmp_path}", "--map", "/data=d")
    ran = plan("job.yaml", *options)
    assert (ran.code, ran.err) == (0, "")
    done = run_script(ran.out, tmp_path, shell)
    assert (done.returncode, done.stderr) == (0, "")
    args = ['--note=it\'s a "test" of vision', "--data=d/train"]
    assert done.stdout == f"[node_0] met [0, 1, 2, 3, 4, 5] {args}\n"


@pytest.mark.enable_socket
def test_the_script_trains_under_mpi(plan: Run, tmp_path: Path) -> None:
    ran = plan("pi.yaml", "--nodes", "2", "--procs", "2", "--map", f"/workspace={tmp_path}")
    done = run_script(ran.out, tmp_path, TEST_PORT=str(free_port()))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "[launcher_0] met [0, 1, 2, 3] []\n")


@pytest.mark.enable_socket
def test_the_first_failure_ends_all_nodes_and_is_the_exit_code(plan: Run, tmp_path: Path) -> None:
    ran = plan("job.yaml", "--nodes", "2", "--port", str(free_port()), "--map", f"/workspace={tmp_path}")
    done = run_script(ran.out, tmp_path, FAIL="7")
    assert (done.returncode, done.stderr) == (7, "node_1 ended with exit code 7\n")


def test_a_program_that_is_not_there_is_said(plan: Run, tmp_path: Path) -> None:
    text = plan("job.yaml", "--nodes", "1").out.replace("torchrun", "no-such-program")
    done = run_script(text, tmp_path)
    assert done.returncode == 127
    assert "no-such-program" in done.stdout


def test_each_node_has_what_the_cluster_would_give_it(plan: Run) -> None:
    nodes = planned(plan("job.yaml", "--nodes", "2", "--procs", "4", "--port", "30100", "--format", "json"))["nodes"]
    assert [(node["name"], node["job"], node["index"]) for node in nodes] == [
        ("node_0", "node", 0),
        ("node_1", "node", 1),
    ]
    ranks = [{name: value for name, value in node["env"].items() if name != "PET_NODE_RANK"} for node in nodes]
    assert [node["env"]["PET_NODE_RANK"] for node in nodes] == ["0", "1"]
    assert ranks[0] | {"JOB_COMPLETION_INDEX": "1"} == ranks[1]
    assert ranks[0] == {
        "TEAM": "vision",
        "POD_IP": "127.0.0.1",
        "PEER": "http://127.0.0.1:80/vision",
        "PET_NNODES": "2",
        "PET_NPROC_PER_NODE": "4",
        "PET_MASTER_ADDR": "127.0.0.1",
        "PET_MASTER_PORT": "30100",
        "JOB_COMPLETION_INDEX": "0",
    }
    assert nodes[0]["command"][:2] == ["torchrun", "--no-python"]


@pytest.mark.parametrize("release", ["2.0", "2.1", "2.2", "2.3"])
def test_runtimes_that_are_shipped_can_be_planned_in_every_release(trainergen: Run, release: str) -> None:
    for runtime, command in (("torch-distributed", "torchrun"), ("deepspeed-distributed", "mpirun")):
        text = JOB.replace("acme-torch", runtime).replace(
            "[torchrun, --no-python, python3, /workspace/code/train.py]", f"[{command}]"
        )
        Path(f"{command}.yaml").write_text(text)
    by_torch, by_mpi = (
        planned(
            trainergen(
                "run-plan", f"{name}.yaml", "--nodes", "2", "--procs", "3", "--release", release, "--format", "json"
            )
        )
        for name in ("torchrun", "mpirun")
    )
    assert [(node["env"]["PET_NODE_RANK"], node["env"]["PET_NPROC_PER_NODE"]) for node in by_torch["nodes"]] == [
        ("0", "3"),
        ("1", "3"),
    ]
    assert [node["command"][:3] for node in by_mpi["nodes"]] == [["mpirun", "-n", "6"]]


def test_what_is_not_available_is_listed(plan: Run) -> None:
    found = planned(plan("job.yaml", "--format", "json"))
    assert found["about"] == "2 of 16 nodes, 1 process each instead of 8"
    assert found["notAvailable"] == [
        {"kind": "mount", "name": "/data", "source": "PersistentVolumeClaim images"},
        {"kind": "folder", "name": "/workspace", "source": "the working folder"},
        {"kind": "variable", "name": "WANDB_API_KEY", "source": "key api-key of Secret wandb"},
    ]
    assert found["inherited"] == ["HOME"]
    assert found["skipped"] == [
        "job dataset-initializer, which fetches what the nodes find in a volume",
        "container proxy of job node, which runs beside the training",
    ]
    assert len(found["notes"]) == 1


def test_the_head_of_the_script(plan: Run, snapshot: object) -> None:
    text = plan("job.yaml").out
    assert text[: text.index("\nfolder=")] == snapshot


def test_a_small_copy_of_a_job_of_one_node_has_one(plan: Run) -> None:
    Path("one.yaml").write_text(JOB.replace("numProcPerNode: 8", "numNodes: 1"))
    assert len(planned(plan("one.yaml", "--format", "json"))["nodes"]) == 1


def test_a_job_is_found_by_its_name(plan: Run) -> None:
    assert planned(plan("bert-r1", "--format", "json"))["job"] == "vision/bert-r1"
    assert planned(plan("vision/pi", "--format", "json"))["job"] == "vision/pi"


def shipped_text(name: str) -> str:
    return (Path(__file__).parents[2] / "runtimes" / "2.3" / f"{name}.yaml").read_text(encoding="utf-8")


NO_COMMAND = JOB.replace("    command: [torchrun, --no-python, python3, /workspace/code/train.py]\n", "")
FLUX = JOB.replace("acme-torch", "flux-distributed").replace("numProcPerNode: 8", "numNodes: 2")
FAULTS: dict[str, tuple[dict[str, str], tuple[str, ...], str]] = {
    "a name that is in no file": ({}, ("brt",), "there is no TrainJob 'brt'"),
    "several TrainJobs": (
        {"job.yaml": f"{JOB}---\n{MPI}"},
        ("job.yaml",),
        "'job.yaml' holds 2 TrainJobs: vision/bert-r1",
    ),
    "none": ({}, ("runtime.yaml",), "'runtime.yaml' holds no TrainJob"),
    "one that the cluster refuses": (
        {"job.yaml": JOB.replace("trainer:", "trainr:")},
        ("job.yaml",),
        "job.yaml:1: TrainJob vision/bert-r1: the cluster would refuse it: line 6: 'trainr' is no field",
    ),
    "no command": ({"job.yaml": NO_COMMAND}, ("job.yaml",), "nothing of TrainJob vision/bert-r1 can be run here"),
    "Flux": (
        {"job.yaml": FLUX, "flux.yaml": shipped_text("flux-distributed")},
        ("job.yaml",),
        "TrainJob vision/bert-r1 is run by Flux",
    ),
    "a folder that is none": ({}, ("job.yaml", "--map", "workspace=."), "'workspace=.' is not a folder"),
    "no nodes": ({}, ("job.yaml", "--nodes", "0"), "0 is not in the range"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_what_cannot_be_planned_is_a_usage_error(plan: Run, case: str) -> None:
    files, arguments, message = FAULTS[case]
    for name, text in files.items():
        Path(name).write_text(text)
    ran = plan(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_the_way_out_of_a_refusal_names_an_option_of_the_command_that_has_it(plan: Run) -> None:
    Path("job.yaml").write_text(JOB.replace("trainer:", "trainr:"))
    assert "or 'trainergen render --force' for what would come of it." in plan("job.yaml").err


def test_the_script_needs_nothing_that_only_some_shells_have(plan: Run) -> None:
    text = plan("job.yaml").out
    assert text.startswith("#!/bin/sh\n")
    assert "[[" not in text
    assert "\nlocal " not in text
    assert textwrap.dedent(text) == text
