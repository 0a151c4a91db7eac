"""A port that the rendezvous needs and something else has."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_PORT = 29500


@rule(
    "TG409",
    "rendezvous-port-taken",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("torch", "jax", "xgboost"),
)
def rendezvous_port_taken(job: Job) -> Findings:
    """Another container of the Pod listens on the port of the rendezvous.

    ## Why
    The first process of torch, JAX and XGBoost listens on port 29500, which cannot be changed. Containers of a Pod
    share their ports, so a sidecar on that port keeps it from starting. On the network of the host the same holds for
    all TrainJobs of a machine.

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
                        - name: metrics
                          image: ghcr.io/example/metrics:1.0
                          ports:
                            - containerPort: 29500  # <-
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
                        - name: metrics
                          image: ghcr.io/example/metrics:1.0
                          ports:
                            - containerPort: 29501
    ```
    """
    if job.trainer is None or not any(job.runtime.policy(policy) is not None for policy in ("torch", "jax", "xgboost")):
        return
    for container in job.trainer.all_containers:
        for port in container.parts("ports") if container.name != "node" else ():
            if port.integer("containerPort") == _PORT:
                yield port.at("containerPort").report(
                    f"{container.words} has port {_PORT}, where the processes of the training meet",
                    help="Give the container another port.",
                )
    if job.trainer.spec.get("hostNetwork") is True:
        yield job.trainer.spec.at("hostNetwork").report(
            f"with hostNetwork two TrainJobs cannot share a machine: the first Pod of each needs port {_PORT}",
            help="Leave the network of the host to Pods that need it for their devices.",
            severity="info",
        )
