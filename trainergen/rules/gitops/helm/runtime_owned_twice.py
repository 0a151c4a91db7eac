"""A runtime that both the chart and the repository bring."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.helm.installations import DELIVERIES, SOURCES, of_delivery


@rule(
    "TG738",
    "runtime-owned-twice",
    severity="warning",
    kinds=DELIVERIES,
    looks_up=("ClusterTrainingRuntime", *SOURCES),
    answers=("H012",),
)
def runtime_owned_twice(source: Source) -> Findings:
    """The Trainer's chart installs a runtime that is among the manifests of the repository as well.

    ## Why
    Both write the same ClusterTrainingRuntime. The chart's installer takes over all fields with each upgrade and later
    deletes the runtime when its value is switched off; the other side puts its own back. What a TrainJob runs with
    depends on who was last. Before 2.3 Helm refuses to install over an object that it does not own.

    ## Bad
    ```yaml title="trainer.yaml"
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: trainer
      namespace: kubeflow-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: kubeflow-trainer
          version: 2.3.0
          sourceRef:
            kind: HelmRepository
            name: kubeflow
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
      values:
        crds:
          enabled: false
        runtimes:
          torchDistributed:
            enabled: true  # <-
    ```
    ```yaml title="runtimes/torch.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: torch-distributed
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
    ```

    ## Good
    ```yaml title="trainer.yaml"
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: trainer
      namespace: kubeflow-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: kubeflow-trainer
          version: 2.3.0
          sourceRef:
            kind: HelmRepository
            name: kubeflow
      install:
        crds: CreateReplace
      upgrade:
        crds: CreateReplace
      values:
        crds:
          enabled: false
        runtimes:
          torchDistributed:
            enabled: true
    ```
    ```yaml title="runtimes/torch.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
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
    ```
    """
    for installation in of_delivery(source):
        for name in installation.enabled_runtimes():
            other = source.objects.find("ClusterTrainingRuntime", name)
            if other is not None:
                yield (
                    installation.runtime_switch(name)
                    .at()
                    .report(
                        f"the chart installs the runtime '{name}', which '{other.file}' brings as well",
                        help="Switch it off in the values, or give the runtime in Git a name of its own.",
                    )
                )
