"""A deadline that another one makes useless."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG534",
    "deadlines-contradict",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.2",
    triggers=("activeDeadlineSeconds",),
)
def deadlines_contradict(job: Job) -> Findings:
    """A deadline is over before another one that it should leave time for.

    ## Why
    The deadline of a TrainJob runs from its creation, the time that it waits for a gang included: when it is not longer
    than `scheduleTimeoutSeconds`, the TrainJob fails before the scheduler has given up once. A shorter deadline of the
    job or the Pod in the runtime ends the training before that of the TrainJob, and counts anew after each restart.

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
                  activeDeadlineSeconds: 3600
                  template:
                    spec:
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
      activeDeadlineSeconds: 86400  # <-
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
      activeDeadlineSeconds: 86400
      trainer: {}
    ```
    """
    deadline = job.integer("spec.activeDeadlineSeconds")
    timeout = job.runtime.integer("spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds")
    if deadline is None or job.trainer is None:
        return
    if timeout is not None and deadline <= timeout:
        yield job.at("spec.activeDeadlineSeconds").report(
            f"the TrainJob fails after {deadline} seconds, but its gang may wait {timeout} to be scheduled",
            help="Leave the TrainJob more time than the gang has to be scheduled.",
        )
    for part, words in ((job.trainer.part("template.spec"), "its job"), (job.trainer.spec, "its Pods")):
        shorter = part.integer("activeDeadlineSeconds")
        if shorter is not None and shorter < deadline:
            yield job.at("spec.activeDeadlineSeconds").report(
                f"the TrainJob may take {deadline} seconds, but the runtime ends {words} after {shorter}",
                help="Remove activeDeadlineSeconds from the runtime, or ask for less.",
            )
