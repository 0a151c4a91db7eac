"""An edit of a TrainJob that the cluster accepts and nothing comes of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.admission.admit import admit
from trainergen.finding import format_path
from trainergen.rules import Change, Findings, rule

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path
    from trainergen.rules import Job, Spot

_POD = ("template", "spec", "template")
_ALLOWED: frozenset[Path] = frozenset(
    {
        (*_POD, "metadata", "labels"),
        (*_POD, "metadata", "annotations"),
        (*_POD, "spec", "nodeSelector"),
        (*_POD, "spec", "tolerations"),
        (*_POD, "spec", "schedulingGates"),
    }
)
"""What a replicated job of a suspended JobSet may change.

kubernetes-sigs/jobset pkg/webhooks/jobset_webhook.go ValidateUpdate @ v0.8.2 and v0.12.0.
"""
_NONE: frozenset[Path] = frozenset()


@rule(
    "TG810",
    "edit-does-not-arrive",
    severity="warning",
    kinds=("TrainJob",),
    mirrors=("kubeflow/trainer#3008", "kubeflow/trainer#2351"),
    answers=("A77", "A80", "A010"),
)
def edit_does_not_arrive(change: Change) -> Findings:
    """A TrainJob is edited in a way that its JobSet cannot follow.

    ## Why
    The controller leaves the JobSet of a running TrainJob alone, so that an accepted edit changes nothing. It applies
    the JobSet of a suspended one again, and the webhook of JobSet takes only new labels, annotations, node selectors,
    tolerations and scheduling gates of Pods: anything else is refused each time, the TrainJob cannot be resumed any
    more, and only an event says so. A new name makes a new JobSet.

    ## Bad
    ```yaml title="base:job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      suspend: true
      runtimeRef:
        name: torch-distributed
      trainer:
        command: [torchrun, train.py]
        numNodes: 2
      runtimePatches:
        - manager: example.com/team-a
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              disk: ssd
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      suspend: true
      runtimeRef:
        name: torch-distributed
      trainer:
        command: [torchrun, train.py]
        numNodes: 2
      runtimePatches:
        - manager: example.com/team-a
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              disk: ssd
                            affinity:
                              nodeAffinity:  # <-
                                requiredDuringSchedulingIgnoredDuringExecution:
                                  nodeSelectorTerms:
                                    - matchExpressions:
                                        - key: zone
                                          operator: In
                                          values: [a]
    ```

    ## Good
    ```yaml title="base:job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      suspend: true
      runtimeRef:
        name: torch-distributed
      trainer:
        command: [torchrun, train.py]
        numNodes: 2
      runtimePatches:
        - manager: example.com/team-a
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              disk: ssd
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      suspend: false
      runtimeRef:
        name: torch-distributed
      trainer:
        command: [torchrun, train.py]
        numNodes: 2
      runtimePatches:
        - manager: example.com/team-a
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              disk: nvme
                              zone: a
    ```
    """
    if not change.changed("spec") or _is_refused(change):
        return
    old, new = change.old_job, change.new_job
    if old is None or new is None:
        return
    suspended = any(side.get("spec.suspend") is True for side in (change.old, change.new))
    allowed = _ALLOWED if suspended else _NONE
    found = list(_edits(old, new, allowed))
    # What a plugin derives from the edit says less than the edit itself.
    what, spot = next((one for one in found if not one[1].suffix), found[0]) if found else ("", None)
    if spot is not None:
        yield spot.report(
            f"the JobSet of this suspended TrainJob refuses the new {what}, and it cannot be resumed"
            if suspended
            else f"the new {what} has no effect, since the JobSet of a running TrainJob is left alone",
            help="Give the TrainJob a new name, or delete and create it anew.",
            severity="error" if suspended else "",
        )


def _is_refused(change: Change) -> bool:
    """Whether the API server or the webhook already says no."""
    old, new = change.old.value, change.new.value
    if not isinstance(old, dict) or not isinstance(new, dict):
        return True
    return admit(new, release=change.release, old=old).refused


def _edits(old: Job, new: Job, allowed: frozenset[Path]) -> Iterator[tuple[str, Spot]]:
    """What differs between the two JobSets, in words, and where it is written."""
    before = {pods.name: pods.value for pods in old.pods}
    for pods in new.pods:
        for path in _differences(before.get(pods.name), pods.value, allowed, ()):
            yield f"{format_path(path)} of {pods.words}" if path else pods.words, pods.at("", *path)


def _differences(old: JsonValue, new: JsonValue, allowed: frozenset[Path], path: Path) -> Iterator[Path]:
    """The paths at which two values differ, those that are allowed left out."""
    if old == new or path in allowed:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*new, *old)):
            yield from _differences(old.get(key), new.get(key), allowed, (*path, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(before, after, allowed, (*path, index))
    else:
        yield path
