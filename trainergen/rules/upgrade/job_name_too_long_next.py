"""A replicated job whose name the next release refuses."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule

_LONGEST = 20


@rule(
    "TG803",
    "job-name-too-long-next",
    severity="warning",
    profile="strict",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    until="2.3",
    mirrors="kubeflow/trainer#4394",
    answers=("U009",),
)
def job_name_too_long_next(runtime: Source) -> Findings:
    """A replicated job of a runtime has a name of more than 20 characters.

    ## Why
    The webhook of 2.4 limits the names of replicated jobs to 20 characters, so that the names of Pods do not grow too
    long. A runtime with a longer one can then neither be created nor updated, and renaming the job later breaks patches
    that name it.

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
            - name: warm-up-of-the-file-cache  # <-
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: warm
                          image: ghcr.io/example/warm:1.0
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
    ```
    """
    for job in runtime.parts("spec.template.spec.replicatedJobs"):
        name = job.text("name")
        if len(name) > _LONGEST:
            yield job.at("name").report(
                f"the name '{name}' has {len(name)} characters, and Trainer 2.4 allows {_LONGEST}",
                help="Give the replicated job a shorter name.",
            )
