"""Resources that the PodGroup does not count, for they have no request."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG505",
    "pod-group-reserves-less",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.1",
    triggers=("volcano",),
    mirrors=("kubeflow/trainer#2980", "kubeflow/trainer#2525"),
    answers=("A69", "T8"),
)
def pod_group_reserves_less(job: Job) -> Findings:
    """Limits without requests are not counted in the resources of a Volcano PodGroup.

    ## Why
    Kubernetes makes requests of limits when it creates Pods; the controller sums up what the template says, before
    that. Volcano then takes the group for smaller than it is and lets it into a queue that has no room for it.

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
      podGroupPolicy:
        volcano: {}
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
                      schedulerName: volcano
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
      trainer:
        numProcPerNode: 8
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 8  # <-
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
      podGroupPolicy:
        volcano: {}
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
                      schedulerName: volcano
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
      trainer:
        numProcPerNode: 8
        resourcesPerNode:
          requests:
            nvidia.com/gpu: 8
          limits:
            nvidia.com/gpu: 8
    ```
    """
    if job.runtime.gang("volcano") is None:
        return
    for pods in job.pods:
        for container in pods.all_containers:
            asked = container.mapping("resources.requests")
            only = [name for name, amount in container.limits.items() if name not in asked and not amount.is_zero]
            if only:
                yield container.at("resources.limits", only[0]).report(
                    f"{' and '.join(only)} of {container.words} is a limit without request, and not in the PodGroup",
                    help="Give the requests as well.",
                )
