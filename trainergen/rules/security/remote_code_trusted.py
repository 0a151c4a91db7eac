"""Code that comes with a model and is run without being looked at."""

from __future__ import annotations

import re

from trainergen.rules import Findings, Job, rule

_TRUST = re.compile(r"(?<!\w)trust[-_]remote[-_]code(?!\w)[\"']?(?:\s*[=:\s]\s*[\"']?(\w+))?", re.IGNORECASE)
_NO = frozenset({"false", "no", "0"})


@rule(
    "TG641",
    "remote-code-trusted",
    severity="info",
    profile="production",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("args", "command", "env"),
)
def remote_code_trusted(job: Job) -> Findings:
    """A command tells the libraries to run the code that comes with a model or dataset.

    ## Why
    With `trust_remote_code` the Python files of a Hugging Face repository run with all that the Pod has: its
    credentials, its network, its volumes. Without a revision it is whatever the owner of that repository last pushed.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        image: ghcr.io/example/train:1.0
        command: [torchrun, train.py]
        args:
          - --model=example/custom-model
          - --trust_remote_code=True  # <-
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
        name: torch-distributed
      trainer:
        image: ghcr.io/example/train:1.0
        command: [torchrun, train.py]
        args:
          - --model=example/custom-model
          - --trust_remote_code=False
    ```
    """
    for pods in job.pods:
        for container in pods.all_containers:
            for field in ("command", "args"):
                for index, text in enumerate(container.texts(field)):
                    found = _TRUST.search(text)
                    if found and (found.group(1) or "").lower() not in _NO:
                        yield container.at(field, index).report(
                            f"{container.words} runs the code that comes with a model: '{found.group()}'",
                            help="Use a model whose code is in the library, or pin the revision that was read.",
                        )
