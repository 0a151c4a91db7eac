"""The Flux plugin: wrapped command, init container, volumes, and the objects beside the JobSet."""

from __future__ import annotations

from typing import Any

import pytest

from tests.render.builders import container, counts, find, node, pod_of, rendered, runtime, train_job, trainer_job
from trainergen.render import GENERATED, RenderError, render

WRAPPER = ["/bin/bash", "/etc/flux-config/entrypoint.sh"]


def flux_runtime(*jobs: dict[str, Any], **policy: Any) -> dict[str, Any]:
    return runtime(*jobs, policy={"numNodes": 1, "flux": policy})


def volumes(result: Any) -> list[str]:
    return [volume["name"] for volume in pod_of(result)["volumes"]]


def test_the_init_container_is_appended_with_its_two_mounts() -> None:
    rt = flux_runtime(trainer_job(pod={"initContainers": [container("pre")]}))
    pre, installer = pod_of(rendered({"numNodes": 2}, rt))["initContainers"]
    assert pre["name"] == "pre"
    assert installer == {
        "name": "flux-installer",
        "image": "ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy",
        "command": ["/bin/bash", "/etc/flux-config/init.sh"],
        "volumeMounts": [
            {"name": "flux-install", "mountPath": "/mnt/flux"},
            {"name": "tj-flux-entrypoint", "mountPath": "/etc/flux-config", "readOnly": True},
        ],
    }


def test_volumes_and_mounts_in_order() -> None:
    result = rendered({"numNodes": 2}, flux_runtime())
    assert pod_of(result)["volumes"] == [
        {"name": "spack-install", "emptyDir": {}},
        {"name": "flux-install", "emptyDir": {}},
        {"name": "tj-flux-entrypoint", "configMap": {"name": "tj-flux-entrypoint", "defaultMode": 0o755}},
        {"name": "shared-memory", "emptyDir": {"medium": "Memory"}},
        {"name": "flux-curve", "secret": {"secretName": "tj-flux-curve", "defaultMode": 0o400}},
    ]
    mounts = {mount["mountPath"]: mount for mount in node(result)["volumeMounts"]}
    assert list(mounts) == ["/mnt/flux", "/opt/software", "/etc/flux-config", "/curve", "/dev/shm"]
    assert [mounts[path].get("readOnly", False) for path in mounts] == [False, False, True, True, True]
    assert counts(result) == (2, 2)


def test_before_2_3_there_was_no_shared_memory() -> None:
    result = rendered({"numNodes": 2}, flux_runtime(), release="2.2")
    assert volumes(result) == ["spack-install", "flux-install", "tj-flux-entrypoint", "flux-curve"]
    assert len(node(result)["volumeMounts"]) == 4


def test_the_config_map_and_the_secret_are_built_every_time() -> None:
    result = rendered({"numNodes": 2}, flux_runtime())
    assert set(find(result, "ConfigMap", "tj-flux-entrypoint")["data"]) == {"entrypoint.sh", "init.sh"}
    secret = find(result, "Secret", "tj-flux-curve")
    assert secret["data"] == {"curve.cert": GENERATED}
    assert "type" not in secret
    assert "immutable" not in secret


def test_a_certificate_that_is_given_is_encoded() -> None:
    secrets = {"tj-flux-curve": {"curve.cert": "certificate"}}
    result = render(train_job({"numNodes": 1}), [flux_runtime()], secrets=secrets)
    assert find(result, "Secret")["data"] == {"curve.cert": "Y2VydGlmaWNhdGU="}


# trainer, runtime container, command that is run
COMMANDS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "command and args are joined by blanks": ({"command": ["lmp"], "args": ["-in", "in.lj"]}, {}, "lmp -in in.lj"),
    "quotes are lost and inner blanks kept": ({"command": [" a  b "], "args": ["c d "]}, {}, "a  b  c d"),
    "the runtime's command": ({}, {"command": ["own", "x"]}, "own x"),
    "the runtime's command with the TrainJob's args": ({"args": ["y"]}, {"command": ["own"]}, "own y"),
    "an empty command is a command": ({"command": []}, {"command": ["own"]}, ""),
    "no command at all": ({}, {}, ""),
    "several lines": ({"command": ["bash", "-c", "a\nb"]}, {}, "bash -c a\nb"),
}


@pytest.mark.parametrize("case", COMMANDS)
def test_the_command_is_wrapped(case: str) -> None:
    trainer, fields, expected = COMMANDS[case]
    result = rendered({"numNodes": 1, **trainer}, flux_runtime(trainer_job(container(**fields))))
    assert node(result)["command"] == [*WRAPPER, expected]
    assert "args" not in node(result)


def test_before_2_3_the_runtime_command_was_not_run() -> None:
    rt = flux_runtime(trainer_job(container(command=["own"])))
    assert node(rendered({"numNodes": 1}, rt, release="2.2"))["command"] == [*WRAPPER, ""]


def test_args_of_the_runtime_stay_behind_the_wrapped_command() -> None:
    rt = flux_runtime(trainer_job(container(args=["-v"])))
    result = rendered({"numNodes": 1, "command": ["a"], "args": ["b"]}, rt)
    assert (node(result)["command"], node(result)["args"]) == ([*WRAPPER, "a b"], ["-v"])


def script(result: Any, name: str) -> str:
    return str(find(result, "ConfigMap", "tj-flux-entrypoint")["data"][name])


# trainer, environment of the runtime, image, network device, queue policy
SETTINGS: dict[str, tuple[list[Any], list[Any], tuple[str | None, str, str]]] = {
    "the runtime's environment sets them": (
        [],
        [{"name": "FLUX_VIEW_IMAGE", "value": "view:1"}, {"name": "FLUX_NETWORK_DEVICE", "value": "ib0"}],
        ("view:1", "ib0", "fcfs"),
    ),
    "the TrainJob's wins": (
        [{"name": "FLUX_QUEUE_POLICY", "value": "easy"}, {"name": "FLUX_NETWORK_DEVICE", "value": "eth1"}],
        [{"name": "FLUX_NETWORK_DEVICE", "value": "ib0"}],
        ("ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy", "eth1", "easy"),
    ),
    "a variable of the TrainJob without a value empties them": (
        [
            {"name": "FLUX_VIEW_IMAGE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
            {"name": "FLUX_NETWORK_DEVICE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
        ],
        [{"name": "FLUX_NETWORK_DEVICE", "value": "ib0"}],
        (None, "", "fcfs"),
    ),
    "a variable of the runtime without a value does not count": (
        [],
        [{"name": "FLUX_NETWORK_DEVICE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
        ("ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy", "eth0", "fcfs"),
    ),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_settings(case: str) -> None:
    own, inherited, (image, device, queue) = SETTINGS[case]
    result = rendered({"numNodes": 1, "env": own}, flux_runtime(trainer_job(container(env=inherited))))
    assert pod_of(result)["initContainers"][0].get("image") == image
    assert f'default_bind = "tcp://{device}:%p"' in script(result, "init.sh")
    assert f'queue-policy = "{queue}"' in script(result, "init.sh")


def test_an_emptied_image_was_written_before_2_3() -> None:
    own = [{"name": "FLUX_VIEW_IMAGE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]
    result = rendered({"numNodes": 1, "env": own}, flux_runtime(), release="2.2")
    assert pod_of(result)["initContainers"][0]["image"] == ""


FLAGS: dict[str, tuple[dict[str, Any], dict[str, Any], str, str, str]] = {
    "tasks for each process": ({"numNodes": 4, "numProcPerNode": 2}, {}, "2.3", "-N 4 -n 8", "--cores=0-1"),
    "the policy's processes": ({"numNodes": 2}, {"numProcPerNode": 3}, "2.3", "-N 2 -n 6", "--cores=0-2"),
    "a GPU": (
        {"numNodes": 4, "numProcPerNode": 2, "resourcesPerNode": {"requests": {"x/gpu": 1}}},
        {},
        "2.3",
        "-N 4 -n 8 -g 1",
        "--cores=0-1 --gpu=0",
    ),
    "several GPUs": (
        {"numNodes": 2, "resourcesPerNode": {"limits": {"x/gpu": 4}}},
        {},
        "2.3",
        "-N 2 -n 2 -g 4",
        "--cores=0 --gpu=0-3",
    ),
    "no processes at all": ({"numNodes": 1}, {"numProcPerNode": 0}, "2.3", "-N 1 -n 0", "--cores=0--1"),
    "resources of the local node before 2.3": ({"numNodes": 2}, {}, "2.2", "-N 2 -n 2", "--local"),
}


@pytest.mark.parametrize("case", FLAGS)
def test_flags(case: str) -> None:
    trainer, policy, release, submit, resources = FLAGS[case]
    text = script(rendered({**trainer, "command": ["a"]}, flux_runtime(**policy), release=release), "entrypoint.sh")
    assert f"flux run {submit} $command" in text
    assert f'hostlist")" {resources} >' in text


@pytest.mark.parametrize("trainer", [None, {}, {"command": ["a"]}])
def test_without_a_node_count_the_controller_panics(trainer: dict[str, Any] | None) -> None:
    with pytest.raises(RenderError, match="panics") as caught:
        rendered(trainer, flux_runtime())
    assert "spec.trainer.numNodes" in caught.value.help


def test_other_jobs_than_node_get_no_volumes() -> None:
    result = rendered({"numNodes": 1}, flux_runtime(trainer_job(name="workers")))
    assert "volumes" not in pod_of(result, "workers")
    assert node(result, "workers")["command"] == [*WRAPPER, ""]


def test_a_name_that_is_too_long_for_a_volume_is_noted() -> None:
    result = render(train_job({"numNodes": 1}, name="a" * 48), [flux_runtime()])
    assert any("too long" in note for note in result.notes)
    assert not any("too long" in note for note in render(train_job({"numNodes": 1}), [flux_runtime()]).notes)
