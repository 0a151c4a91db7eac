"""Tolerations or affinity terms of the runtime that a patch replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trainergen.finding import JsonValue
    from trainergen.rules import Pods

_TERMS = ("requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution")
_LISTS = (
    "tolerations",
    f"affinity.nodeAffinity.{_TERMS[0]}.nodeSelectorTerms",
    f"affinity.nodeAffinity.{_TERMS[1]}",
    *(f"affinity.{kind}.{terms}" for kind in ("podAffinity", "podAntiAffinity") for terms in _TERMS),
)


@rule(
    "TG513",
    "scheduling-replaced-by-patch",
    severity="warning",
    triggers=("tolerations", "affinity"),
    mirrors="kubernetes-sigs/kueue#15162",
    answers=("A74", "A99"),
)
def scheduling_replaced_by_patch(job: Job) -> Findings:
    """A patch replaces the runtime's tolerations or affinity terms.

    ## Why
    Most lists of a Pod are merged by name; tolerations and the lists in an affinity are not. What the patch does not
    repeat is gone: a Pod that tolerated the taint of the GPU nodes stays pending, or leaves the zone it was meant for.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      tolerations:
                        - key: nvidia.com/gpu
                          operator: Exists
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-torch
      runtimePatches:
        - manager: platform.example.com/gitops
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            tolerations:  # <-
                              - key: spot
                                operator: Exists
      trainer: {}
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      tolerations:
                        - key: nvidia.com/gpu
                          operator: Exists
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-torch
      runtimePatches:
        - manager: platform.example.com/gitops
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            tolerations:
                              - key: nvidia.com/gpu
                                operator: Exists
                              - key: spot
                                operator: Exists
      trainer: {}
    ```
    """
    written = {pods.text("name"): pods for pods in job.runtime.parts("spec.template.spec.replicatedJobs")}
    for pods in job.pods:
        template = written.get(pods.name)
        for path in _LISTS if template else ():
            assert template is not None
            before = template.values(f"template.spec.template.spec.{path}")
            after = pods.spec.values(path)
            lost = [item for item in before if item not in after]
            if lost and after and _is_patched(job, pods, path):
                what = "toleration(s)" if path == "tolerations" else "term(s) of the affinity"
                yield pods.spec.at(path).key.report(
                    f"the patch takes the place of {len(lost)} {what} of {pods.words}{_described(lost)}",
                    help="Repeat in the patch what the runtime has.",
                )


def _is_patched(job: Job, pods: Pods, path: str) -> bool:
    jobset = job.jobset.value
    steps = pods.spec.path + tuple(path.split("."))
    return isinstance(jobset, dict) and job.rendered.origin(jobset, (*steps, 0)).kind == "patch"


def _described(lost: Sequence[JsonValue]) -> str:
    keys = [str(item.get("key")) for item in lost if isinstance(item, dict) and item.get("key")]
    return f": {', '.join(keys)}" if keys else ""
