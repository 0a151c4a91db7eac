"""A runtime for torchtune with a name that no model can be read from."""

from __future__ import annotations

from trainergen.render.torchtune import model_of
from trainergen.rules import Findings, Source, rule

_FRAMEWORK = "trainer.kubeflow.org/framework"


@rule(
    "TG410",
    "torchtune-model-unknown",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.2",
    triggers=("torchtune",),
    answers=("A32",),
)
def torchtune_model_unknown(source: Source) -> Findings:
    """The name of a torchtune runtime says no model that the controller supports.

    ## Why
    The controller takes the model of a `tune run` from the name of the runtime: three parts with dashes between them,
    the second and third being family and size. With any other name each such TrainJob is refused, as are those of the
    SDK, which sends just that command.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: llama3.2-1b-finetune  # <-
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
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: finetune-llama3.2-1b
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
    ```
    """
    models = source.release.behaviours.torchtune_models
    name = source.text("metadata.name")
    if source.text("metadata.labels", _FRAMEWORK) != "torchtune" or model_of(name) in models:
        return
    known = ", ".join(sorted(models))
    yield source.at("metadata.name").report(
        f"'{name}' stands for no model that 'tune run' is accepted for: {known}",
        help="Name the runtime by three parts, such as 'torchtune-llama3.2-1b'.",
    )
