"""A job or group of jobs with a name that JobSet refuses."""

from __future__ import annotations

from re import fullmatch

from trainergen.rules import Findings, Source, rule

_PART = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_LABEL = "[a-z]([-a-z0-9]{0,61}[a-z0-9])?"
_HELP = "Use lower case letters, digits and dashes, with a letter or digit at both ends."


@rule(
    "TG523",
    "job-name-refused",
    severity="error",
    profile="minimal",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("replicatedJobs",),
    mirrors="kubeflow/trainer#1745",
    answers=("A35",),
)
def job_name_refused(source: Source) -> Findings:
    """A job or group of the template has a name that cannot be part of a Pod's.

    ## Why
    Names of jobs become parts of names of Jobs, Services and Pods: lower case letters, digits and dashes. Schema and
    webhook of the runtime take any text, and JobSet refuses it when the first TrainJob comes.

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
            - name: prepare_data  # <-
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: prepare
                          image: ghcr.io/example/train:1.0
                          command: [prepare]
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
            - name: prepare-data
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: prepare
                          image: ghcr.io/example/train:1.0
                          command: [prepare]
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
    for pods in source.parts("spec.template.spec.replicatedJobs"):
        if not fullmatch(_PART, pods.text("name")):
            yield pods.at("name").report(f"'{pods.text('name')}' cannot be part of the name of a Pod", help=_HELP)
        group = pods.text("groupName")
        if group and not fullmatch(_LABEL, group):
            yield pods.at("groupName").report(f"'{group}' cannot be the name of a group of jobs", help=_HELP)
