"""A Kueue queue that is named below the TrainJob."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_QUEUE = "kueue.x-k8s.io/queue-name"
_HELP = "Put the label on the TrainJob."


@rule(
    "TG508",
    "kueue-label-misplaced",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("kueue.x-k8s.io/queue-name",),
    mirrors=("kubernetes-sigs/kueue#2536", "kubernetes-sigs/kueue#2612"),
    answers=("A73",),
)
def kueue_label_misplaced(job: Job) -> Findings:
    """The queue label of Kueue is somewhere else than on the TrainJob.

    ## Why
    Kueue manages what carries the label. On a runtime it does nothing, for the labels of a runtime do not travel. On
    its template, a Job or a Pod Kueue queues the JobSet, the Jobs or each Pod by itself: it suspends what the
    TrainJob's controller wants to run, and the quota is counted for parts of a training. As an annotation it is not
    read.

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
        metadata:
          labels:
            kueue.x-k8s.io/queue-name: team-a  # <-
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
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```
    """
    inside = [job.jobset, *(part for pods in job.pods for part in (pods.part("template"), pods.template))]
    for part in inside:
        if part.has("metadata.labels", _QUEUE):
            yield part.at("metadata.labels", _QUEUE).key.report(
                f"'{_QUEUE}' makes Kueue queue parts of the TrainJob by themselves", help=_HELP
            )
    if job.runtime.has("metadata.labels", _QUEUE):
        yield job.runtime.at("metadata.labels", _QUEUE).key.report(
            f"'{_QUEUE}' on a runtime does not reach its TrainJobs", help=_HELP
        )
    if job.has("metadata.annotations", _QUEUE) and not job.has("metadata.labels", _QUEUE):
        yield job.at("metadata.annotations", _QUEUE).key.report(
            f"'{_QUEUE}' is an annotation, but Kueue reads the label", help=_HELP
        )
