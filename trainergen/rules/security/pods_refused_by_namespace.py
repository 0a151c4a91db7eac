"""Pods that the Pod Security level of their namespace refuses."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.security.pod_security import enforced_level, violations


@rule(
    "TG610",
    "pods-refused-by-namespace",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime"),
    looks_up=("Namespace",),
    mirrors=("kubeflow/trainer#3702", "kubeflow/mpi-operator#288"),
    answers=("A67", "A97", "A99"),
)
def pods_refused_by_namespace(job: Job) -> Findings:
    """The Pods of a job do not meet the Pod Security level that their namespace enforces.

    ## Why
    The TrainJob and its JobSet are accepted, and then no Pod is ever created: the refusal is only an event of a Job
    that nobody looks at. What counts are the Pods as they are rendered, with what runtime, patches and plugins put into
    them, initializers included; the runtimes that Trainer ships are not `restricted`.

    ## Bad
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: team-a
      labels:
        pod-security.kubernetes.io/enforce: restricted
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
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:  # <-
                      securityContext:
                        runAsNonRoot: true
                        runAsUser: 1000
                        seccompProfile:
                          type: RuntimeDefault
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
      trainer: {}
    ```

    ## Good
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: team-a
      labels:
        pod-security.kubernetes.io/enforce: restricted
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
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      securityContext:
                        runAsNonRoot: true
                        runAsUser: 1000
                        seccompProfile:
                          type: RuntimeDefault
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          securityContext:
                            allowPrivilegeEscalation: false
                            capabilities:
                              drop: [ALL]
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
      trainer: {}
    ```
    """
    level = enforced_level(job)
    for pods in job.pods if level else ():
        refused = f"namespace '{job.namespace}' enforces '{level}' and refuses the Pods of {pods.words}"
        missing = []
        for violation in violations(pods, level):
            if violation.spot is None:
                missing.append(violation.words)
                continue
            yield violation.spot.report(
                f"{refused}: {violation.words}",
                help=f"Change it, or train in a namespace whose label allows more than '{level}'.",
            )
        if missing:
            yield pods.spec.at().key.report(
                f"{refused}: {'; '.join(missing)}",
                help="Set the securityContext of Pod and containers in the runtime, such as in the recipe torch-ddp.",
            )
