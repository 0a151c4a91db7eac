"""An elastic policy, which no controller reads."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule


@rule(
    "TG415",
    "elastic-policy-ignored",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    until="2.1",
    triggers=("elasticPolicy",),
    mirrors=("kubeflow/trainer#2903", "kubeflow/trainer#3235"),
    answers=("A108", "A51"),
)
def elastic_policy_ignored(source: Source) -> Findings:
    """A runtime has an elasticPolicy, which no release reads.

    ## Why
    `elasticPolicy` was part of the API up to 2.1 and is read by no controller: neither the range of nodes nor the
    restarts nor the metrics do anything. Since `numNodes` may not stand beside it, such a runtime trains on one node
    unless the TrainJob says otherwise. Release 2.2 removed it.

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
        torch:
          elasticPolicy:  # <-
            minNodes: 2
            maxNodes: 8
            maxRestarts: 3
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
          failurePolicy:
            maxRestarts: 3
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
    ```
    """
    if source.has("spec.mlPolicy.torch.elasticPolicy"):
        yield source.at("spec.mlPolicy.torch.elasticPolicy").key.report(
            "elasticPolicy does nothing, and the TrainJobs get one node unless they ask for more",
            help="Remove it, set mlPolicy.numNodes, and failurePolicy.maxRestarts of the template for restarts.",
        )
