"""Counting of GPUs and CPUs, merging of resources, and what a Pod requests."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.render.resources import cpu_count, gpu_count, overlaid, pod_requests, summed

GPUS: dict[str, tuple[dict[str, Any], int]] = {
    "nothing is no GPU": ({}, 0),
    "requests are asked first": ({"requests": {"nvidia.com/gpu": "2"}, "limits": {"nvidia.com/gpu": "4"}}, 2),
    "limits count when requests are zero": ({"requests": {"nvidia.com/gpu": "0"}, "limits": {"x/gpu": "3"}}, 3),
    "limits count without requests": ({"limits": {"amd.com/gpu": "8"}}, 8),
    "any letter case will do": ({"limits": {"example.com/GPU": "1"}}, 1),
    "the name only has to contain it": ({"limits": {"aliyun.com/gpu-mem": "16"}}, 16),
    "a prefix counts": ({"limits": {"gpu.intel.com/i915": "2"}}, 2),
    "a slice of a GPU is none": ({"limits": {"nvidia.com/mig-1g.5gb": "3"}}, 0),
    "a fraction is rounded up": ({"limits": {"x/gpu": "1500m"}}, 2),
}


@pytest.mark.parametrize("case", GPUS)
def test_gpus(case: str) -> None:
    resources, expected = GPUS[case]
    assert gpu_count(resources) == expected


CPUS: dict[str, tuple[dict[str, Any], int]] = {
    "nothing is none": ({}, 0),
    "a fraction is rounded up": ({"requests": {"cpu": "2500m"}}, 3),
    "less than one is one": ({"limits": {"cpu": "700m"}}, 1),
    "requests are asked first": ({"requests": {"cpu": "3"}, "limits": {"cpu": "8"}}, 3),
    "limits count when the request is zero": ({"requests": {"cpu": "0"}, "limits": {"cpu": "8"}}, 8),
}


@pytest.mark.parametrize("case", CPUS)
def test_cpus(case: str) -> None:
    resources, expected = CPUS[case]
    assert cpu_count(resources) == expected


MERGES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "GPUs alone keep cpu and memory": (
        {"limits": {"cpu": "1", "memory": "1Gi"}},
        {"limits": {"nvidia.com/gpu": "2"}},
        {"limits": {"cpu": "1", "memory": "1Gi", "nvidia.com/gpu": "2"}},
    ),
    "cpu overrides cpu": ({"requests": {"cpu": "1"}}, {"requests": {"cpu": "2"}}, {"requests": {"cpu": "2"}}),
    "nothing returns the base": ({"limits": {"cpu": "1"}}, {}, {"limits": {"cpu": "1"}}),
    "no request follows from a limit": ({}, {"limits": {"cpu": "1"}}, {"limits": {"cpu": "1"}}),
    "claims are lost": ({"claims": [{"name": "c"}]}, {"claims": [{"name": "d"}]}, {}),
}


@pytest.mark.parametrize("case", MERGES)
def test_resources_merge_key_by_key(case: str) -> None:
    base, override, expected = MERGES[case]
    assert overlaid(base, override) == expected


amounts = st.dictionaries(st.sampled_from(["cpu", "memory", "x/gpu"]), st.sampled_from(["1", "2", "3"]))


@given(base=amounts, override=amounts)
def test_the_override_wins_and_nothing_is_removed(base: dict[str, Any], override: dict[str, Any]) -> None:
    merged = overlaid({"requests": base}, {"requests": override}).get("requests", {})
    assert merged == {**base, **override}


def requesting(name: str = "c", **requests: str) -> dict[str, Any]:
    return {"name": name, "resources": {"requests": requests}}


def sidecar(**requests: str) -> dict[str, Any]:
    return {**requesting("s", **requests), "restartPolicy": "Always"}


PODS: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "containers add up": ({"containers": [requesting(cpu="1"), requesting(cpu="500m")]}, {"cpu": "1500m"}),
    "limits alone count for nothing": ({"containers": [{"name": "c", "resources": {"limits": {"cpu": "1"}}}]}, {}),
    "a sidecar of 5 beside a container of 10 is 15": (
        {"containers": [requesting(cpu="10")], "initContainers": [sidecar(cpu="5")]},
        {"cpu": "15"},
    ),
    "the largest init container counts if it needs more": (
        {"containers": [requesting(cpu="1")], "initContainers": [requesting(cpu="4"), requesting(cpu="2")]},
        {"cpu": "4"},
    ),
    "a sidecar runs beside the init containers after it": (
        {"containers": [requesting(cpu="1")], "initContainers": [sidecar(cpu="1"), requesting(cpu="4")]},
        {"cpu": "5"},
    ),
    "a sidecar does not run beside the init containers before it": (
        {"containers": [requesting(cpu="1")], "initContainers": [requesting(cpu="4"), sidecar(cpu="1")]},
        {"cpu": "4"},
    ),
    "requests of the Pod override those of its containers": (
        {"containers": [requesting(cpu="1", memory="1Gi")], "resources": {"requests": {"cpu": "9"}}},
        {"cpu": "9", "memory": "1Gi"},
    ),
    "only cpu, memory and huge pages can be requested for the Pod": (
        {"containers": [], "resources": {"requests": {"x/gpu": "9", "hugepages-2Mi": "4Mi"}}},
        {"hugepages-2Mi": "4Mi"},
    ),
    "overhead is added": ({"containers": [requesting(cpu="1")], "overhead": {"cpu": "50m"}}, {"cpu": "1050m"}),
}


@pytest.mark.parametrize("case", PODS)
def test_pod_requests(case: str) -> None:
    pod, expected = PODS[case]
    assert {name: amount.canonical() for name, amount in pod_requests(pod, hugepages=True).items()} == expected


def test_huge_pages_of_a_pod_did_not_count_at_first() -> None:
    assert pod_requests({"resources": {"requests": {"hugepages-2Mi": "4Mi"}}}, hugepages=False) == {}


def test_sums_are_exact_and_canonical() -> None:
    two = pod_requests({"containers": [requesting(cpu="500m", memory="1Gi")]}, hugepages=True)
    one = pod_requests({"containers": [requesting(cpu="250m", memory="512Mi")]}, hugepages=True)
    assert summed([(2, two), (1, one)]) == {"cpu": "1250m", "memory": "2560Mi"}
