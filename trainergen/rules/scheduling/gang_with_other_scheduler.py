"""A PodGroup for one scheduler and Pods for another."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_DEFAULT = "default-scheduler"


@rule(
    "TG503",
    "gang-with-other-scheduler",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("podGroupPolicy",),
    mirrors="kubeflow/trainer#1825",
    answers=("A71",),
)
def gang_with_other_scheduler(job: Job) -> Findings:
    """The Pods of a gang go to a scheduler that does not know their PodGroup.

    ## Why
    Neither plugin sets `schedulerName`; the Pod templates have to. Without it the default scheduler takes the Pods of a
    Volcano group one by one, so that half of the nodes may hold their GPUs and wait for the other half, which is what
    the policy should prevent. Jobs with different schedulers never make up one gang.

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
        volcano: {}  # <-
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
    ```
    """
    groups = job.rendered_objects("PodGroup")
    if len(groups) != 1:
        return
    volcano = groups[0].text("apiVersion").startswith("scheduling.volcano.sh/")
    schedulers = {pods.name: pods.spec.text("schedulerName") or _DEFAULT for pods in job.pods}
    wrong = [name for name, scheduler in schedulers.items() if (scheduler == (_DEFAULT if volcano else "volcano"))]
    if wrong:
        place = job.runtime.gang("volcano" if volcano else "coscheduling") or job.runtime
        yield place.at().key.report(
            f"the PodGroup is for {'Volcano' if volcano else 'coscheduling'}, but the Pods of job '{wrong[0]}' go to "
            f"'{schedulers[wrong[0]]}'",
            help="Set schedulerName in the Pod template of each job to the scheduler of the policy.",
        )
    elif len(set(schedulers.values())) > 1:
        for pods in job.pods[1:]:
            if schedulers[pods.name] != schedulers[job.pods[0].name]:
                yield pods.spec.at("schedulerName").report(
                    f"{pods.words} goes to '{schedulers[pods.name]}' and {job.pods[0].words} to "
                    f"'{schedulers[job.pods[0].name]}', but they are one gang",
                    help="Use one scheduler for all jobs.",
                )
