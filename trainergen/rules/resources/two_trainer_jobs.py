"""A runtime with several jobs that stand for the trainer."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.views.pods import ANCESTOR_LABEL


@rule(
    "TG303",
    "two-trainer-jobs",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    mirrors="kubeflow/trainer#2502",
    answers=("A26",),
)
def two_trainer_jobs(job: Job) -> Findings:
    """Several jobs of a runtime are labelled as the trainer.

    ## Why
    Image, command, args and env of a TrainJob go to all of them, but the number of nodes and the variables of the
    framework to the first only. The others run the same program, alone.

    ## Bad
    ```yaml
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
            - name: evaluator
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer  # <-
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
            - name: evaluator
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: evaluator
                          image: ghcr.io/example/train:1.0
    ```
    """
    trainers = [pods for pods in job.pods if pods.ancestor == "trainer"]
    for pods in trainers[1:]:
        yield pods.at("template.metadata.labels", ANCESTOR_LABEL).report(
            f"{pods.words} is labelled as the trainer, as {trainers[0].words} is, which alone gets the nodes",
            help="Keep the label on the job that trains.",
        )
