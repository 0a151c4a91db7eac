"""A Volcano queue that is named where nothing reads it."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_QUEUE = "scheduling.volcano.sh/queue-name"


@rule(
    "TG507",
    "volcano-queue-ignored",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.1",
    triggers=("scheduling.volcano.sh/queue-name",),
)
def volcano_queue_ignored(job: Job) -> Findings:
    """The annotation for a Volcano queue is where the controller does not look.

    ## Why
    The queue of the PodGroup comes from the annotations of the JobSet: `template.metadata` of the runtime, or that of a
    patch. On the TrainJob, on the runtime itself or on Pods the annotation is ignored, and the job goes to the default
    queue.

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
      annotations:
        scheduling.volcano.sh/queue-name: research  # <-
    spec:
      runtimeRef:
        name: team-torch
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
      podGroupPolicy:
        volcano: {}
      template:
        metadata:
          annotations:
            scheduling.volcano.sh/queue-name: research
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
      trainer: {}
    ```
    """
    if job.runtime.gang("volcano") is None or job.jobset.has("metadata.annotations", _QUEUE):
        return
    objects = (job.runtime,) if job.is_probe else (job, job.runtime)
    for part in (*objects, *(pods.template for pods in job.pods)):
        if part.has("metadata.annotations", _QUEUE):
            yield part.at("metadata.annotations", _QUEUE).key.report(
                f"queue '{part.text('metadata.annotations', _QUEUE)}' is not read here, so it is the default one",
                help="Put the annotation on template.metadata of the runtime, or on that of a runtime patch.",
            )
