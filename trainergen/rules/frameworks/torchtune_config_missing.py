"""A torchtune config for several nodes that does not exist."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_MODEL_FOR_SEVERAL_NODES = "llama3_3/70B"


@rule(
    "TG412",
    "torchtune-config-missing",
    severity="error",
    profile="minimal",
    triggers=("torch",),
    answers=("A32",),
)
def torchtune_config_missing(job: Job) -> Findings:
    """torchtune is to train on several nodes a model that it has no config for.

    ## Why
    Only the config of Llama 3.3 70B exists for several nodes. The webhook looks at the nodes of the TrainJob alone;
    where the runtime's `mlPolicy` asks for more than one, the TrainJob is accepted, and torchtune stops because it does
    not find the config.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: torchtune-llama3.2-1b
      labels:
        trainer.kubeflow.org/framework: torchtune
    spec:
      mlPolicy:
        numNodes: 2  # <-
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
                          image: ghcr.io/kubeflow/trainer/torchtune-trainer:v2.3.0
                          command:
                            - tune
                            - run
                            - full_finetune_distributed
                            - --config
                            - llama3_2/1B_full
                            - output_dir=/workspace/output
                          resources:
                            limits:
                              nvidia.com/gpu: 2
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torchtune-llama3.2-1b
      trainer:
        command: [tune, run]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: torchtune-llama3.2-1b
      labels:
        trainer.kubeflow.org/framework: torchtune
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
                          image: ghcr.io/kubeflow/trainer/torchtune-trainer:v2.3.0
                          command:
                            - tune
                            - run
                            - full_finetune_distributed
                            - --config
                            - llama3_2/1B_full
                            - output_dir=/workspace/output
                          resources:
                            limits:
                              nvidia.com/gpu: 2
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torchtune-llama3.2-1b
      trainer:
        command: [tune, run]
    ```
    """
    container = job.trainer.container("node") if job.trainer else None
    config = next((word for word in container.command if word.endswith("_full_multinode")), "") if container else ""
    rewritten = job.texts("spec.trainer.command") == ["tune", "run"]
    if not config or config.startswith(_MODEL_FOR_SEVERAL_NODES) or not rewritten:
        return
    in_job = job.has("spec.trainer.numNodes")
    place = job.at("spec.trainer.numNodes") if in_job else job.runtime.at("spec.mlPolicy.numNodes")
    yield place.report(
        f"for {job.nodes} nodes torchtune gets the config '{config}', which does not exist",
        help="Fine-tune this model on one node.",
    )
