"""What a framework is told to start on a node, and what there is on it: processes and whole GPUs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.rules import Container, Job, Pods

_OTHER_ACCELERATOR = re.compile(r"/(mig-|tpu$|npu$|dcu$|xpu$|mlu)|gaudi|neuron|ascend")
_NO_NUMBER = re.compile(r"mem|core|percent|milli")


def processes(job: Job, pods: Pods) -> int | str | None:
    """The processes that the framework is told to start in each Pod, ``auto``, or None where nothing is said."""
    return next((counted.processes for counted in job.rendered.pod_sets if counted.name == pods.name), None)


def whole_gpus(container: Container) -> int:
    """Whole GPUs; slices and shares of one are not told by their names."""
    return sum(count for name, count in container.devices.items() if name.endswith("/gpu"))


def counted_as_gpus(container: Container) -> list[str]:
    """The resources that the controller takes for numbers of GPUs."""
    return [name for name in container.requests if "gpu" in name.lower()]


def other_accelerators(container: Container) -> list[str]:
    """Accelerators that the controller does not see as GPUs."""
    return [name for name in container.devices if "gpu" not in name.lower() and _OTHER_ACCELERATOR.search(name.lower())]


def is_number_of_gpus(resource: str) -> bool:
    """False for memory, cores and shares of GPUs, which carry ``gpu`` in their name as well."""
    return _NO_NUMBER.search(resource.lower().rpartition("/")[2]) is None
