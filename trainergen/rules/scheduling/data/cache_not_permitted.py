"""Caches that their initializer may not make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.data.initializers import initializers
from trainergen.rules.security.pod_security import enforced_level

if TYPE_CHECKING:
    from trainergen.rules.scheduling.data.initializers import Initializer

_ACCOUNT = "kubeflow-trainer-cache-initializer"
_BINDINGS = ("RoleBinding", "ClusterRoleBinding")


@rule(
    "TG581",
    "cache-not-permitted",
    severity="error",
    since="2.1",
    triggers=("initializer",),
    looks_up=("Namespace", "ServiceAccount", *_BINDINGS),
    mirrors=("kubeflow/trainer#3079", "kubeflow/trainer#2923"),
    answers=("A104",),
)
def cache_not_permitted(job: Job) -> Findings:
    """A dataset comes from a cache that the namespace does not let the initializer make.

    ## Why
    The initializer makes a ServiceAccount, a Service and a LeaderWorkerSet, for which its account needs the ClusterRole
    `kubeflow-trainer-cache-initializer` by a RoleBinding in each namespace. The Pods of the cache are not `restricted`
    and cannot be made so. A service account that is in no file is taken to be bound.

    ## Bad
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: team-a
      labels:
        pod-security.kubernetes.io/enforce: baseline
    ---
    apiVersion: v1
    kind: ServiceAccount
    metadata:
      name: kubeflow-trainer-cache-initializer
      namespace: team-a
    ```
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
      activeDeadlineSeconds: 86400
    ```

    ## Good
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: team-a
      labels:
        pod-security.kubernetes.io/enforce: baseline
    ---
    apiVersion: v1
    kind: ServiceAccount
    metadata:
      name: kubeflow-trainer-cache-initializer
      namespace: team-a
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata:
      name: kubeflow-trainer-cache-initializer
      namespace: team-a
    roleRef:
      apiGroup: rbac.authorization.k8s.io
      kind: ClusterRole
      name: kubeflow-trainer-cache-initializer
    subjects:
      - kind: ServiceAccount
        name: kubeflow-trainer-cache-initializer
    ```
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
        if initializer.scheme != "cache" or not initializer.is_trainers:
            continue
        spot = initializer.container.env["STORAGE_URI"].at("value")
        if enforced_level(job) == "restricted":
            yield spot.report(
                f"namespace '{job.namespace}' enforces 'restricted' and refuses the Pods of the cache",
                help="Let the namespace enforce 'baseline' and warn of 'restricted'.",
            )
        fault = _fault(job, initializer)
        if fault:
            yield spot.report(
                f"the initializer may not make the cache, for {fault}",
                help=f"Use the ServiceAccount {_ACCOUNT}, bound to the ClusterRole of that name in the namespace.",
            )


def _fault(job: Job, initializer: Initializer) -> str:
    """Why the account of the initializer may not make a cache, empty when it may, or when that is not known."""
    account = initializer.pods.spec.text("serviceAccountName") or "default"
    known = account == "default" or job.objects.find("ServiceAccount", account, job.namespace)
    if not known or _is_bound(job, account):
        return ""
    return f"its service account is '{account}'" + (", which no RoleBinding names" if account != "default" else "")


def _is_bound(job: Job, account: str) -> bool:
    for binding in job.objects.of(*_BINDINGS):
        if binding.kind == "RoleBinding" and (binding.namespace or "default") != job.namespace:
            continue
        for subject in binding.object.parts("subjects"):
            if subject.text("kind") == "Group" and subject.text("name").startswith("system:serviceaccounts"):
                return True
            if subject.text("kind") == "ServiceAccount" and subject.text("name") == account:
                return True
    return False
