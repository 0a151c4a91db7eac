"""Requests for devices that the API server refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, fix, rule
from trainergen.rules.resources.amounts import ALL_KINDS, all_containers, amount, document_of, one_a_place, written
from trainergen.rules.views.pods import is_extended
from trainergen.source.edits import insert_entry

if TYPE_CHECKING:
    from trainergen.finding import JsonValue
    from trainergen.rules import Container, Fix, Spot

_NANO = 10**9


@rule(
    "TG309",
    "extended-resource-refused",
    severity="error",
    profile="minimal",
    kinds=ALL_KINDS,
    triggers=("requests", "limits"),
    mirrors="kubeflow/trainer#2363",
    answers=("A34",),
    fix="safe",
)
def extended_resource_refused(job: Job) -> Findings:
    """GPUs or other devices are asked for in a way that the API server refuses.

    ## Why
    Devices cannot be overcommitted: a request needs a limit of the same amount, and both are whole numbers. TrainJob
    and JobSet are accepted, the Job or its Pods are not, and only the log of a controller says why. A limit alone is
    enough.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        resourcesPerNode:
          requests:
            nvidia.com/gpu: 1  # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        resourcesPerNode:
          requests:
            nvidia.com/gpu: 1
          limits:
            nvidia.com/gpu: 1
    ```
    """
    return one_a_place(_found(job))


def _found(job: Job) -> Findings:
    for container in all_containers(job):
        limits = container.mapping("resources.limits")
        requests = container.mapping("resources.requests")
        for name in dict.fromkeys((*requests, *limits)):
            if is_extended(name) or name.startswith("hugepages-"):
                yield from _refused(container, name, request=requests.get(name), limit=limits.get(name))


def _refused(container: Container, name: str, *, request: JsonValue, limit: JsonValue) -> Findings:
    requested, limited = amount(request), amount(limit)
    broken = any(each is not None and each.nano % _NANO for each in (requested, limited))
    if requested == limited and not broken:
        return
    at_limit, at_request = container.at("resources.limits", name), container.at("resources.requests", name)
    request, limit = written(at_request, request), written(at_limit, limit)
    place = at_limit if requested is None else at_request
    if requested is not None and limit is None:
        yield place.key.report(
            f"{container.words} requests {request} of '{name}' without a limit, which devices need",
            help=f"Set the limit of {name} to {request} as well.",
            fix=_limited(place, name, request),
        )
    elif requested is not None and limited is not None and requested != limited:
        yield place.key.report(
            f"{container.words} requests {request} of '{name}' and limits it to {limit}, but both must be equal",
            help="Set request and limit to the same number.",
        )
    elif broken:
        yield place.report(
            f"{container.words} asks for {limit} of '{name}', but devices come in whole numbers",
            help="Ask for 1 or more; a share of a device has a resource name of its own.",
        )


def _limited(place: Spot, name: str, value: JsonValue) -> Fix | None:
    document = document_of(place, "requests")
    if document is None:
        return None
    return fix(f"limit {name} to {value}", insert_entry(document, (*place.path[:-2], "limits"), name, value))
