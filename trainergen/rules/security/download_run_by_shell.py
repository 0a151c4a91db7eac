"""Scripts that a command downloads and runs."""

from __future__ import annotations

import re

from trainergen.rules import Findings, Job, rule

_PIPED = re.compile(r"\b(?:curl|wget)\b[^|;&\n]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b")
_EVALUATED = re.compile(r"\b(?:eval|sh|bash|source)\s+(?:-c\s+)?[\"']?(?:\$|<)\(\s*(?:curl|wget)\b")


@rule(
    "TG642",
    "download-run-by-shell",
    severity="warning",
    profile="strict",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("command", "args"),
)
def download_run_by_shell(job: Job) -> Findings:
    """A command downloads a script and gives it to a shell.

    ## Why
    Whoever controls the address runs code with the credentials and volumes of the Pod. Each Pod downloads for itself,
    so nodes can get different scripts, and a download that breaks off runs the half that came.

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
        command: [bash, -c]
        args:
          - curl -LsSf https://get.example.com/install.sh | sh && torchrun train.py  # <-
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
        command: [bash, -c]
        args:
          - curl -fsS https://data.example.com/labels.json | jq .classes && torchrun train.py
    ```
    """
    for pods in job.pods:
        for container in pods.all_containers:
            for field in ("command", "args"):
                for index, text in enumerate(container.texts(field)):
                    found = _PIPED.search(text) or _EVALUATED.search(text)
                    if found:
                        yield container.at(field, index).report(
                            f"{container.words} gives a download to a shell: '{found.group()[:60]}'",
                            help="Put the script, or what it installs, into the image.",
                        )
