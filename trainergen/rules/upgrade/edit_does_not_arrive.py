"""An edit of a TrainJob that the cluster accepts and nothing comes of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.admit import admit
from trainergen.finding import format_path
from trainergen.rules import Change, Findings, rule

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path

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
    before = {pods.name: pods.value for pods in old.pods}
    for pods in new.pods:
        path = _difference(before.get(pods.name), pods.value, allowed, ())
        if path is None:
            continue
        what = f"{format_path(path)} of {pods.words}" if path else pods.words
        yield pods.at("", *path).report(
            f"the JobSet of this suspended TrainJob refuses the new {what}, and it cannot be resumed"
            if suspended
            else f"the new {what} has no effect, since the JobSet of a running TrainJob is left alone",
            help="Give the TrainJob a new name, or delete and create it anew.",
            severity="error" if suspended else "",
        )
        return


def _is_refused(change: Change) -> bool:
    """Whether the API server or the webhook already says no."""
    old, new = change.old.value, change.new.value
    if not isinstance(old, dict) or not isinstance(new, dict):
        return True
    return admit(new, release=change.release, old=old).refused


def _difference(old: JsonValue, new: JsonValue, allowed: frozenset[Path], path: Path) -> Path | None:
    """The first path at which two values differ, those that are allowed left out."""
    if old == new or path in allowed:
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        steps = [key for key in (*new, *old) if old.get(key) != new.get(key)]
        found = (_difference(old.get(key), new.get(key), allowed, (*path, key)) for key in dict.fromkeys(steps))
        return next((one for one in found if one is not None), None)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        found = (_difference(before, after, allowed, (*path, index)) for index, (before, after) in pairs)
        return next((one for one in found if one is not None), None)
    return path
