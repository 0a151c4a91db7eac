"""A port of the runtime that the port of the framework takes the place of."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.source.edits import insert_entry


@rule(
    "TG318",
    "unnamed-port-replaced",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("ports",),
    answers=("T3",),
    fix="safe",
)
def unnamed_port_replaced(job: Job) -> Findings:
    """A port without a name is replaced by another one.

    ## Why
    Ports are told apart by number or by name, and two missing names count as equal. The rendezvous port 29500, which
    Torch, JAX and XGBoost add without a name, replaces the first unnamed port of the container; two unnamed ports both
    become the second. A named port stays.

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
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          ports:
                            - containerPort: 8080  # <-
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
                          command: [torchrun, train.py]
                          ports:
                            - name: metrics
                              containerPort: 8080
    ```
    """
    rendered = {
        (pods.name, container.name): {port.integer("containerPort") for port in container.parts("ports")}
        for pods in job.pods
        for container in pods.all_containers
    }
    for replicated in job.runtime.parts("spec.template.spec.replicatedJobs"):
        for key in ("containers", "initContainers"):
            for container in replicated.parts("template.spec.template.spec", key):
                left = rendered.get((replicated.text("name"), container.text("name")), set())
                for port in container.parts("ports"):
                    number = port.integer("containerPort")
                    if not port.text("name") and number not in left:
                        edit = insert_entry(job.document, port.path, "name", f"port-{number}")
                        yield port.at("containerPort").report(
                            f"port {number} of '{container.text('name')}' has no name, so another port replaces it",
                            help="Give the port a name.",
                            fix=fix(f"name it port-{number}", edit),
                        )
