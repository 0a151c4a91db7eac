"""A request that is larger than its limit, mostly after the merge of TrainJob and runtime."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.resources.amounts import ALL_KINDS, all_containers, amount, nearest_to, one_a_place, written

_NATIVE = ("cpu", "memory", "ephemeral-storage")


@rule(
    "TG311",
    "request-above-limit",
    severity="error",
    profile="minimal",
    kinds=ALL_KINDS,
    triggers=("requests", "limits"),
    mirrors="kubeflow/trainer#3602",
    answers=("A48",),
)
def request_above_limit(job: Job) -> Findings:
    """A container requests more than it is limited to.

    ## Why
    Since 2.3 the resources of a TrainJob are merged into those of the runtime, limits and requests apart. A TrainJob
    that raises the request alone meets the limit of the runtime, one that lowers the limit alone meets its request. The
    API server refuses such Pods, long after the TrainJob was accepted.

    ## Bad
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
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
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          resources:
                            limits:
                              cpu: "8"
                              memory: 32Gi
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      trainer:
        resourcesPerNode:
          requests:
            memory: 64Gi  # <-
    ```

    ## Good
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
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
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          resources:
                            limits:
                              cpu: "8"
                              memory: 32Gi
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      trainer:
        resourcesPerNode:
          requests:
            memory: 64Gi
          limits:
            memory: 64Gi
    ```
    """
    return one_a_place(_found(job))


def _found(job: Job) -> Findings:
    for container in all_containers(job):
        limits, requests = container.mapping("resources.limits"), container.mapping("resources.requests")
        for name in _NATIVE:
            requested, limited = amount(requests.get(name)), amount(limits.get(name))
            if requested is None or limited is None or requested <= limited:
                continue
            at_request, at_limit = container.at("resources.requests", name), container.at("resources.limits", name)
            request, limit = written(at_request, requests[name]), written(at_limit, limits[name])
            yield nearest_to(job, at_request, at_limit).report(
                f"{container.words} requests {request} of {name}, but is limited to {limit}",
                help="Set both in the same place, the limit not lower than the request.",
            )
