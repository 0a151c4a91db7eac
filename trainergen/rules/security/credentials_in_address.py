"""A password inside an address."""

from __future__ import annotations

import re

from trainergen.rules import Findings, Source, rule
from trainergen.rules.security.credentials import is_stand_in
from trainergen.rules.security.texts import texts_of

_ADDRESS = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]*)://([^\s/:@?#\"']*):([^\s/@?#\"']+)@[\w.\[-]")


@rule(
    "TG602",
    "credentials-in-address",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("env", "args", "command", "storageUri"),
    answers=("M009",),
)
def credentials_in_address(source: Source) -> Findings:
    """An address in a TrainJob or runtime carries a user and a password.

    ## Why
    `s3://key:secret@bucket/data` is in Git, in the TrainJob and in the log of whatever prints the address. In a
    `storageUri` it does not even work: Trainer's initializers take everything before the first slash for the bucket,
    and read credentials from variables only.

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
      trainer: {}
      initializer:
        dataset:
          storageUri: s3://loader:Tq7vWm2Z@corpus/reviews  # <-
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
      trainer: {}
      initializer:
        dataset:
          storageUri: s3://corpus/reviews
          secretRef:
            name: corpus-reader
    ```
    """
    for path, _, text, _ in texts_of(source):
        for scheme, user, password in _ADDRESS.findall(text) if "@" in text else ():
            if not is_stand_in(password) and not is_stand_in(user):
                yield source.at("", *path).report(
                    f"the {scheme} address carries the password of '{user}' in plain text",
                    help="Revoke it, and pass user and password in variables from a Secret, such as by secretRef.",
                )
                break
