"""Amounts of memory or CPU in the wrong unit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, fix, rule
from trainergen.rules.resources.amounts import ALL_KINDS, all_containers, amount, document_of, one_a_place, written
from trainergen.source.edits import replace_value

if TYPE_CHECKING:
    from trainergen.finding import JsonValue
    from trainergen.rules import Container, Fix, Spot
    from trainergen.rules.found import Found

_NANO = 10**9
_LEAST_BYTES = 1 << 20
_MOST_CPUS = 1000
_HALVES = ("requests", "limits")


@rule(
    "TG315",
    "unit-slip",
    severity="error",
    kinds=ALL_KINDS,
    triggers=("memory", "cpu", "ephemeral-storage"),
    fix="unsafe",
)
def unit_slip(job: Job) -> Findings:
    """An amount of memory or CPU has the wrong unit.

    ## Why
    `m` means a thousandth, for memory too: 512m is half a byte. A number without unit is bytes of memory, and whole
    CPUs. Such amounts are valid, and the Pods cannot start, or no machine is large enough for them.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numProcPerNode: 1
        resourcesPerNode:
          requests:
            cpu: 4000  # <-
            memory: 512m  # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        numProcPerNode: 1
        resourcesPerNode:
          requests:
            cpu: 4000m
            memory: 512Mi
    ```
    """
    return one_a_place(_found(job))


def _found(job: Job) -> Findings:
    for container in all_containers(job):
        for half in _HALVES:
            for name, value in container.mapping("resources", half).items():
                quantity = amount(value)
                if quantity is None or quantity.nano <= 0:
                    continue
                if name in ("memory", "ephemeral-storage") and quantity.nano < _LEAST_BYTES * _NANO:
                    yield _too_little(container, half, name, value)
                elif name == "cpu" and quantity.nano >= _MOST_CPUS * _NANO:
                    yield _too_much(container, half, value)


def _too_little(container: Container, half: str, name: str, stored: JsonValue) -> Found:
    place = container.at("resources", half, name)
    value = written(place, stored)
    better = re.sub(r"[mk]$", lambda unit: {"m": "Mi", "k": "Mi"}[unit[0]], str(value))
    return place.report(
        f"{name} is {value}, which is less than a megabyte",
        help="Write the unit of binary amounts, as in 512Mi or 64Gi.",
        fix=_rewritten(place, half, better) if better != str(value) else None,
    )


def _too_much(container: Container, half: str, stored: JsonValue) -> Found:
    place = container.at("resources", half, "cpu")
    value = written(place, stored)
    return place.report(
        f"cpu is {value}, but no machine has so many CPUs",
        help="Write thousandths of a CPU with the unit m, as in 4000m.",
        fix=_rewritten(place, half, f"{value}m") if str(value).isdigit() else None,
    )


def _rewritten(place: Spot, half: str, text: str) -> Fix | None:
    document = document_of(place, half)
    return None if document is None else fix(f"write {text}", replace_value(document, place.path, text))
