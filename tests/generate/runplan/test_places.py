"""Addresses, ports, paths and mpirun's numbers on one machine."""

from __future__ import annotations

import pytest

import trainergen
from trainergen.generate.runplan.mpi import local_command, local_variables
from trainergen.generate.runplan.places import Places, places

JOB = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "metadata": {"name": "bert", "namespace": "vision"},
    "spec": {"runtimeRef": {"name": "torch-distributed"}, "trainer": {"numNodes": 12, "command": ["torchrun"]}},
}


def made(port: int | None = None, *paths: tuple[str, str]) -> Places:
    return places(trainergen.render(JOB, release="2.3").pods(), port=port, paths=paths)


TEXTS = {
    "a short name": ("bert-node-0-0.bert", "127.0.0.1"),
    "a host name alone": ("tcp://bert-node-0-3:80", "tcp://127.0.0.1:80"),
    "a whole name": ("bert-node-0-11.bert.vision.svc.cluster.local:29500", "127.0.0.1:29500"),
    "several": ("bert-node-0-1.bert,bert-node-0-10.bert", "127.0.0.1,127.0.0.1"),
    "another job": ("bert-node-0-12.bert", "bert-node-0-12.bert"),
    "a longer name": ("my-bert-node-0-1.bert", "my-bert-node-0-1.bert"),
    "another namespace": ("bert-node-0-1.bert.other", "bert-node-0-1.bert.other"),
    "another domain": ("bert-node-0-1.bert.vision.svc.acme.internal", "127.0.0.1"),
}


@pytest.mark.parametrize("case", TEXTS)
def test_addresses_of_pods_become_this_machine(case: str) -> None:
    text, expected = TEXTS[case]
    assert made().text(text) == expected


def test_ports_move_where_they_are_ports() -> None:
    moved = made(40000)
    assert moved.value("PET_MASTER_PORT", "29500") == "40000"
    assert moved.value("STEPS", "29500") == "29500"
    assert moved.value("PEER", "bert-node-0-0.bert:29500/x") == "127.0.0.1:40000/x"
    assert moved.text("127.0.0.1:295001") == "127.0.0.1:295001"
    assert made().value("PET_MASTER_PORT", "29500") == "29500"


PATHS = {
    "the folder": ("/workspace", "here"),
    "below it": ("--data=/workspace/data/train.py", "--data=here/data/train.py"),
    "a list": ("/workspace:/opt:/workspace/x", "here:/opt:here/x"),
    "a folder in it that is elsewhere": ("/workspace/model/a", "there/a"),
    "another folder that begins alike": ("/workspaces/data", "/workspaces/data"),
    "the same name deeper": ("/srv/workspace/data", "/srv/workspace/data"),
    "a file with an ending": ("/workspace.tar", "/workspace.tar"),
}


@pytest.mark.parametrize("case", PATHS)
def test_folders_of_the_container_become_those_of_this_machine(case: str) -> None:
    text, expected = PATHS[case]
    assert made(None, ("/workspace/", "here/"), ("/workspace/model", "there")).text(text) == expected


COMMANDS = {
    "a number of its own": (("mpirun", "-np", "64", "train"), ("mpirun", "-np", "4", "train")),
    "behind other options": (
        ("/usr/bin/mpirun", "-x", "NCCL_DEBUG", "-n", "64", "train", "-n", "1"),
        ("/usr/bin/mpirun", "-x", "NCCL_DEBUG", "-n", "4", "train", "-n", "1"),
    ),
    "none": (("mpirun", "train", "-n", "1"), ("mpirun", "-n", "4", "train", "-n", "1")),
    "no mpirun": (("deepspeed", "train.py"), ("deepspeed", "train.py")),
}


@pytest.mark.parametrize("case", COMMANDS)
def test_mpirun_starts_as_many_processes_as_are_wanted(case: str) -> None:
    before, after = COMMANDS[case]
    assert local_command(before, 4) == after


def test_variables_that_lead_to_other_hosts_are_left_out() -> None:
    names = ("OMPI_MCA_orte_default_hostfile", "OMPI_MCA_plm_rsh_args", "HYDRA_HOST_FILE", "I_MPI_HYDRA_HOST_FILE")
    found = local_variables(dict.fromkeys(names, "x") | {"OMPI_MCA_btl": "tcp", "NCCL_DEBUG": "INFO"})
    assert {"OMPI_MCA_btl", "NCCL_DEBUG"} <= set(found)
    assert not set(names) & set(found)
