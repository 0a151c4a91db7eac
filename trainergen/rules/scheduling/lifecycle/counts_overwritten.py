"""Numbers of Pods in a runtime that the controller overwrites."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG536",
    "counts-overwritten",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("parallelism", "completions"),
    answers=("T7",),
)
def counts_overwritten(job: Job) -> Findings:
    """The controller overwrites the parallelism or completions of a runtime's job.

    ## Why
    Every job gets one number for both: that of the nodes for the trainer, its parallelism for any other. Where
    `mlPolicy` has no `numNodes` the trainer gets one node, whatever its parallelism is. Work that should be done five
    times is then done once or three times.

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
                  parallelism: 4  # <-
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
        numNodes: 4
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
    written = {pods.text("name"): pods for pods in job.runtime.parts("spec.template.spec.replicatedJobs")}
    for pods in job.pods if job.is_probe else ():
        template = written.get(pods.name)
        for key in ("parallelism", "completions") if template else ():
            assert template is not None
            said, made = template.integer("template.spec", key), pods.integer("template.spec", key)
            if said is not None and said != made:
                yield template.at("template.spec", key).report(
                    f"{key} of {pods.words} is {said}, but the controller makes it {made}",
                    help="Set mlPolicy.numNodes for the trainer, and parallelism alone for other jobs.",
                )
                break
