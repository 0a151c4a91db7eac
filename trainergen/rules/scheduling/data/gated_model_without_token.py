"""Models that nobody gets without a token."""

from __future__ import annotations

import re

from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.data.initializers import initializers

_GATED = re.compile(r"hf://(?:meta-llama/|google/(?:gemma|codegemma|paligemma)-)", re.IGNORECASE)
_TOKENS = ("ACCESS_TOKEN", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_ENDPOINT")


@rule(
    "TG578",
    "gated-model-without-token",
    severity="warning",
    profile="strict",
    triggers=("dataset-initializer", "model-initializer", "initializer"),
)
def gated_model_without_token(job: Job) -> Findings:
    """An initializer downloads a gated model from Hugging Face without a token.

    ## Why
    Llama and Gemma are given to those alone who accepted their terms, known by their token. Without one the download
    ends with 401 or 403. The TorchTune runtimes of Trainer download Llama unless a TrainJob says otherwise. The
    initializer reads the token from the variable ACCESS_TOKEN, which has to be the key of the Secret in `secretRef`.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torchtune-llama3.2-1b
      initializer:
        model:
          storageUri: hf://meta-llama/Llama-3.2-1B-Instruct  # <-
      trainer: {}
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torchtune-llama3.2-1b
      initializer:
        model:
          storageUri: hf://meta-llama/Llama-3.2-1B-Instruct
          secretRef:
            name: hf-token
      trainer: {}
    ```
    """
    for initializer in initializers(job):
        container = initializer.container
        if not _GATED.match(initializer.address or "") or container.values("envFrom"):
            continue
        if not any(name in container.env for name in _TOKENS):
            yield (
                container.env["STORAGE_URI"]
                .at("value")
                .report(
                    f"'{initializer.address}' is gated, but '{container.name}' has no token for it",
                    help=f"Name a Secret with the key ACCESS_TOKEN in initializer.{initializer.section}.secretRef.",
                )
            )
