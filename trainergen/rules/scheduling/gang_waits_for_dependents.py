"""A gang scheduler that waits for Pods that are made only after others have run."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG502",
    "gang-waits-for-dependents",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("podGroupPolicy",),
    answers=("A69", "A70", "T8"),
)
def gang_waits_for_dependents(job: Job) -> Findings:
    """A gang scheduler waits for all Pods of a TrainJob, and some are made only after others have run.

    ## Why
    The PodGroup counts the Pods of all jobs, initializers and launchers included, and the scheduler starts none before
    all of them exist. A job with `dependsOn` (or behind others with startup order InOrder) gets its Pods only once the
    others are ready or complete, which they never are: the TrainJob stays pending for good, or until its deadline.

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
        coscheduling:
          scheduleTimeoutSeconds: 120
      template:
        spec:
          replicatedJobs:
            - name: dataset-initializer
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer
                spec:
                  template:
                    spec:
                      schedulerName: scheduler-plugins-scheduler
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: data
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/kubeflow/trainer/dataset-initializer:v2.3.0
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
            - name: node
              dependsOn:  # <-
                - name: dataset-initializer
                  status: Complete
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      schedulerName: scheduler-plugins-scheduler
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: data
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
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
        coscheduling:
          scheduleTimeoutSeconds: 120
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
                      schedulerName: scheduler-plugins-scheduler
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```
    """
    if not job.rendered_objects("PodGroup"):
        return
    for pods in job.pods:
        waits = next(pods.parts("dependsOn"), None)
        if waits is not None:
            yield pods.at("dependsOn").key.report(
                f"the gang scheduler starts nothing before all Pods exist, but those of {pods.words} are made once "
                f"job '{waits.text('name')}' is {waits.text('status')}",
                help="Remove podGroupPolicy, or do that work in an init container instead of a job of its own.",
            )
    if job.jobset.text("spec.startupPolicy.startupPolicyOrder") == "InOrder" and len(job.pods) > 1:
        yield job.jobset.at("spec.startupPolicy.startupPolicyOrder").report(
            "the gang scheduler starts nothing before all Pods exist, but jobs are made one after the other",
            help="Remove podGroupPolicy, or the startup policy.",
        )
