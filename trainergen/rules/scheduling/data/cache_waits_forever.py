"""Cache initializers that wait without an end."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.data.initializers import initializers

_DEADLINE = "activeDeadlineSeconds"


@rule(
    "TG579",
    "cache-waits-forever",
    severity="warning",
    since="2.1",
    triggers=("initializer",),
    mirrors=("kubeflow/trainer#3927",),
    answers=("A103",),
)
def cache_waits_forever(job: Job) -> Findings:
    """A dataset comes from a cache, and nothing ends the wait for it.

    ## Why
    The initializer makes a LeaderWorkerSet and asks every five seconds whether it is ready, without a limit. When the
    cache never gets its nodes, or its Pods are refused, the TrainJob waits for ever and keeps its quota.

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
            - name: METADATA_LOC
              value: s3a://corpus/reviews/metadata/v1.metadata.json
      trainer: {}
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
        pods = initializer.pods
        limits = (job.get("spec", _DEADLINE), pods.get("template.spec", _DEADLINE), pods.spec.get(_DEADLINE))
        if initializer.scheme == "cache" and initializer.is_trainers and not any(limits):
            yield (
                initializer.container.env["STORAGE_URI"]
                .at("value")
                .report(
                    f"the initializer waits for the cache '{initializer.address}' without a deadline",
                    help=f"Set {_DEADLINE} on the initializer's job in the runtime, or on the TrainJob (since 2.2).",
                )
            )
