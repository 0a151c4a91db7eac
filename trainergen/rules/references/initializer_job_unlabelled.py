"""An initializer of a TrainJob that reaches no job of its runtime."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.views.pods import ANCESTOR_LABEL

_STEPS = {"dataset": "dataset-initializer", "model": "model-initializer"}


@rule("TG205", "initializer-job-unlabelled", severity="error", triggers=("initializer",), answers=("A30",))
def initializer_job_unlabelled(job: Job) -> Findings:
    """The initializer of a TrainJob is dropped, since the job of its runtime lacks the label.

    ## Why
    The webhook looks for a job called `dataset-initializer` or `model-initializer`, what is rendered goes by the label
    `trainer.kubeflow.org/trainjob-ancestor-step`. A job with the name and without the label passes, and then runs
    without the storageUri, the env and the Secret of the TrainJob.

    ## Bad
    ```yaml title="runtime.yaml"
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
            - name: dataset-initializer
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/example/train:1.0
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: data
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
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      initializer:
        dataset:  # <-
          storageUri: hf://example/texts
    ```

    ## Good
    ```yaml title="runtime.yaml"
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
            - name: dataset-initializer
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer
                spec:
                  template:
                    spec:
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/example/train:1.0
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: data
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
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
                      volumes:
                        - name: initializer
                          persistentVolumeClaim:
                            claimName: data
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
      initializer:
        dataset:
          storageUri: hf://example/texts
    ```
    """
    ancestors = {pods.ancestor for pods in job.pods}
    for section, step in _STEPS.items():
        if job.has("spec.initializer", section) and step not in ancestors:
            yield job.at("spec.initializer", section).key.report(
                f"job '{step}' of the {job.runtime.words} lacks its label, so the {section} is not fetched",
                help=f"Set {ANCESTOR_LABEL}: {step} in template.metadata.labels of that job.",
            )
