"""Cache initializers that lack a setting."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.data.initializers import initializers

_NEEDED = ("METADATA_LOC", "IAM_ROLE", "CACHE_IMAGE", "TRAIN_JOB_NAME")


@rule(
    "TG580",
    "cache-settings-missing",
    severity="error",
    profile="minimal",
    since="2.1",
    triggers=("initializer",),
)
def cache_settings_missing(job: Job) -> Findings:
    """A dataset comes from a cache whose place, role or image is not given.

    ## Why
    The initializer reads METADATA_LOC, IAM_ROLE, CACHE_IMAGE and TRAIN_JOB_NAME from its variables. An empty one counts
    as missing, and any that is missing ends it with a TypeError. The runtime that Trainer ships sets the last two; the
    first two are up to the TrainJob.

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
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer
                spec:
                  template:
                    spec:
                      serviceAccountName: kubeflow-trainer-cache-initializer
                      volumes:
                        - name: initializer
                          emptyDir: {}
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/kubeflow/trainer/dataset-initializer:v2.3.0
                          env:
                            - name: CACHE_IMAGE
                              value: ghcr.io/kubeflow/trainer/data-cache:v2.3.0
                            - name: TRAIN_JOB_NAME
                              valueFrom:
                                fieldRef:
                                  fieldPath: metadata.labels['jobset.sigs.k8s.io/jobset-name']
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
            - name: node
              dependsOn:
                - name: dataset-initializer
                  status: Complete
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
        dataset:
          storageUri: cache://reviews/train  # <-
          env:
            - name: IAM_ROLE
              value: arn:aws:iam::123456789012:role/reviews
      trainer: {}
      activeDeadlineSeconds: 86400
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
                      serviceAccountName: kubeflow-trainer-cache-initializer
                      volumes:
                        - name: initializer
                          emptyDir: {}
                      containers:
                        - name: dataset-initializer
                          image: ghcr.io/kubeflow/trainer/dataset-initializer:v2.3.0
                          env:
                            - name: CACHE_IMAGE
                              value: ghcr.io/kubeflow/trainer/data-cache:v2.3.0
                            - name: TRAIN_JOB_NAME
                              valueFrom:
                                fieldRef:
                                  fieldPath: metadata.labels['jobset.sigs.k8s.io/jobset-name']
                          volumeMounts:
                            - name: initializer
                              mountPath: /workspace
            - name: node
              dependsOn:
                - name: dataset-initializer
                  status: Complete
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
        dataset:
          storageUri: cache://reviews/train
          env:
            - name: IAM_ROLE
              value: arn:aws:iam::123456789012:role/reviews
            - name: METADATA_LOC
              value: s3a://corpus/reviews/metadata/v1.metadata.json
      trainer: {}
      activeDeadlineSeconds: 86400
    ```
    """
    for initializer in initializers(job):
        container = initializer.container
        if initializer.scheme != "cache" or not initializer.is_trainers or container.values("envFrom"):
            continue
        missing = [name for name in _NEEDED if name not in container.env or container.variable(name) == ""]
        if missing:
            yield (
                container.env["STORAGE_URI"]
                .at("value")
                .report(
                    f"the cache '{initializer.address}' cannot start, since {', '.join(missing)} "
                    f"{'is' if len(missing) == 1 else 'are'} not set",
                    help="Set them in spec.initializer.dataset.env.",
                )
            )
