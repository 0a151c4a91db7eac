"""Training Pods that get a token of the Kubernetes API without need."""

from __future__ import annotations

from trainergen.rules import Findings, Job, Pods, fix, rule
from trainergen.rules.security.writing import document_of
from trainergen.source.edits import insert_entry

_FIELD = "automountServiceAccountToken"


@rule(
    "TG622",
    "service-account-token-mounted",
    severity="warning",
    profile="production",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    looks_up=("ServiceAccount",),
    fix="unsafe",
)
def service_account_token_mounted(job: Job) -> Findings:
    """The Pods of a job get a token of the Kubernetes API, and nobody says that they need it.

    ## Why
    By default every Pod has the token of its service account mounted. Training does not talk to the API, while code and
    models from elsewhere can use the token for whatever somebody bound to the namespace's `default` account. Pods with
    a service account of their own are left alone, and so are those that say `true` or `false` themselves.

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
                    spec:  # <-
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
                      automountServiceAccountToken: false
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```
    """
    for pods in job.pods:
        if pods.spec.has(_FIELD) or pods.spec.text("serviceAccountName") not in ("", "default") or _is_off(job, pods):
            continue
        spot = pods.spec.at()
        document = document_of(job, spot)
        edit = insert_entry(document, spot.path, _FIELD, value=False) if document else None
        yield spot.key.report(
            f"the Pods of {pods.words} get a token of the Kubernetes API by default",
            help=f"Set {_FIELD} to false, or to true where the token is needed.",
            fix=None if edit is None else fix(f"set {_FIELD} to false", edit),
        )


def _is_off(job: Job, pods: Pods) -> bool:
    account = job.objects.find("ServiceAccount", pods.spec.text("serviceAccountName") or "default", job.namespace)
    return account is not None and account.object.get(_FIELD) is False
