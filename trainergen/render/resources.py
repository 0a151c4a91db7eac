"""Counting of resources: GPUs and CPUs of a node, requests of a Pod.

Source: kubeflow/trainer pkg/runtime/runtime.go @ v2.3.0, kubernetes/component-helpers resource/helpers.go @ v0.36.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.quantity import Quantity, QuantityError, parse_quantity

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue

Amounts: TypeAlias = dict[str, Quantity]

HALVES = ("limits", "requests")
_POD_LEVEL = frozenset({"cpu", "memory"})


def gpu_count(resources: JsonObject) -> int:
    """The GPUs of a node: requests first, limits if those are zero; a GPU is whatever has ``gpu`` in its name."""
    return _gpus(object_at(resources, "requests")) or max(_gpus(object_at(resources, "limits")), 0)


def _gpus(amounts: JsonObject) -> int:
    # The controller takes the first of several kinds of GPU in Go's random map order; here it is the order of writing.
    return next((_quantity(value).ceil() for name, value in amounts.items() if "gpu" in name.lower()), 0)


def cpu_count(resources: JsonObject) -> int:
    """The CPUs of a node, rounded up: those requested, or the limit if the request is zero."""
    requested = cpus(object_at(resources, "requests"))
    return (cpus(object_at(resources, "limits")) if requested.is_zero else requested).ceil()


def cpus(amounts: JsonObject) -> Quantity:
    """The amount of CPU in a list of resources."""
    return _quantity(amounts.get("cpu", "0"))


def overlaid(base: JsonObject, override: JsonObject) -> JsonObject:
    """Limits and requests of ``base`` with those of ``override`` laid over them, resource by resource.

    Claims are lost on both sides, as in the controller.
    """
    merged: JsonObject = {}
    for half in HALVES:
        amounts = {**object_at(base, half), **object_at(override, half)}
        if amounts:
            merged[half] = amounts
    return merged


def pod_requests(pod: JsonObject, *, hugepages: bool) -> Amounts:
    """What the scheduler reserves for a Pod: containers, init containers, sidecars, Pod-level requests and overhead."""
    total: Amounts = {}
    for container in list_at(pod, "containers"):
        _add(total, _requests(container))
    peak: Amounts = {}
    sidecars: Amounts = {}
    for container in list_at(pod, "initContainers"):
        stage = _requests(container)
        if text_at(container, "restartPolicy") == "Always":
            _add(total, stage)
            _add(sidecars, stage)
            stage = dict(sidecars)
        else:
            _add(stage, sidecars)
        _raise(peak, stage)
    _raise(total, peak)
    for name, quantity in _requests(pod).items():
        if name in _POD_LEVEL or (hugepages and name.startswith("hugepages-")):
            total[name] = quantity
    _add(total, _amounts(object_at(pod, "overhead")))
    return total


def pod_limits(pod: JsonObject) -> Amounts:
    """The limits of a Pod's containers and sidecars together."""
    total: Amounts = {}
    for container in list_at(pod, "containers"):
        _add(total, _amounts(object_at(container, "resources", "limits")))
    for container in list_at(pod, "initContainers"):
        if text_at(container, "restartPolicy") == "Always":
            _add(total, _amounts(object_at(container, "resources", "limits")))
    return total


def summed(pods: Iterable[tuple[int, Amounts]]) -> dict[str, str]:
    """The requests of all Pods: each set's ``count`` times those of one Pod, in canonical form."""
    total: Amounts = {}
    for count, requests in pods:
        _add(total, {name: quantity.times(count) for name, quantity in requests.items()})
    return {name: total[name].canonical() for name in sorted(total)}


def _requests(container: JsonValue) -> Amounts:
    return _amounts(object_at(container, "resources", "requests"))


def _amounts(amounts: JsonObject) -> Amounts:
    return {name: _quantity(value) for name, value in amounts.items()}


def _quantity(value: JsonValue) -> Quantity:
    try:
        return parse_quantity(value)
    except QuantityError:
        return Quantity(0)


def _add(total: Amounts, more: Mapping[str, Quantity]) -> None:
    for name, quantity in more.items():
        total[name] = total[name].plus(quantity) if name in total else quantity


def _raise(floor: Amounts, other: Mapping[str, Quantity]) -> None:
    for name, quantity in other.items():
        if name not in floor or quantity > floor[name]:
            floor[name] = quantity
