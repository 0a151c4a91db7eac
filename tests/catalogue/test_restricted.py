"""The check that the tests of the recipes rely on finds each offence by itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.catalogue.restricted import violations

GOOD_CONTAINER = {
    "name": "node",
    "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
}
GOOD_POD = {
    "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
    "volumes": [{"name": "home", "emptyDir": {}}],
    "containers": [GOOD_CONTAINER],
}
OFFENCES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "the network of the host": ({"hostNetwork": True}, {}, "hostNetwork"),
    "a folder of the host": ({"volumes": [{"name": "a", "hostPath": {"path": "/"}}]}, {}, "volume hostPath"),
    "kernel settings": ({"securityContext": GOOD_POD["securityContext"] | {"sysctls": [{"name": "a"}]}}, {}, "sysctls"),  # type: ignore[operator]
    "no seccomp profile": ({"securityContext": {"runAsNonRoot": True}}, {}, "node: seccompProfile"),
    "perhaps root": (
        {"securityContext": {"seccompProfile": {"type": "RuntimeDefault"}}},
        {},
        "node: may run as root",
    ),
    "root by number": ({}, {"runAsUser": 0}, "node: may run as root"),
    "a container that takes it back": ({}, {"runAsNonRoot": False}, "node: may run as root"),
    "a way to become root": ({}, {"allowPrivilegeEscalation": True}, "node: allowPrivilegeEscalation"),
    "a privileged container": ({}, {"privileged": True}, "node: privileged"),
    "an open /proc": ({}, {"procMount": "Unmasked"}, "node: procMount"),
    "all capabilities of the default": ({}, {"capabilities": {}}, "node: does not drop all capabilities"),
    "a capability too many": (
        {},
        {"capabilities": {"drop": ["ALL"], "add": ["IPC_LOCK"]}},
        "node: capability IPC_LOCK",
    ),
}


def test_a_restricted_pod_has_no_offence() -> None:
    assert violations(GOOD_POD) == []


@pytest.mark.parametrize("case", OFFENCES)
def test_an_offence_is_named(case: str) -> None:
    pod, context, phrase = OFFENCES[case]
    container = GOOD_CONTAINER | {"securityContext": GOOD_CONTAINER["securityContext"] | context}  # type: ignore[operator]
    assert violations(GOOD_POD | {"containers": [container]} | pod) == [phrase]


def test_init_containers_and_ports_are_looked_at() -> None:
    init = GOOD_CONTAINER | {"name": "init", "ports": [{"containerPort": 1, "hostPort": 1}]}
    assert violations(GOOD_POD | {"initContainers": [init]}) == ["init: hostPort 1"]
