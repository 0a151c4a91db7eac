"""A credential that is written into a TrainJob or runtime."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.security.credentials import credential_in, is_credential
from trainergen.rules.security.texts import COMMANDS, texts_of

if TYPE_CHECKING:
    from trainergen.rules.security.texts import Text

_ARGUMENT = re.compile(r"""(?:^|[\s;&|"'])(?:--?)?([A-Za-z][\w.-]*)=["']?([A-Za-z0-9+/=_-]+)(?=["']?(?:[\s;&|]|$))""")
_OPTION = re.compile(r"(?:^|\s)--?([A-Za-z][\w.-]*)[ \n]+([A-Za-z0-9+/=_-]+)(?=\s|$)")
_LOGIN = re.compile(r"\bwandb login (?:--\S+ )*([0-9a-f]{40})\b")
_HELP = (
    "Revoke it, put the new one into a Secret that is not in Git, and refer to it with valueFrom.secretKeyRef "
    "or an initializer's secretRef."
)


@rule(
    "TG601",
    "secret-in-manifest",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("env", "args", "command"),
    answers=("M009",),
)
def secret_in_manifest(source: Source) -> Findings:
    """A token, key or password is written into a TrainJob or runtime.

    ## Why
    Everybody who can read the repository or its history, the TrainJob, the JobSet or a Pod has the credential, and so
    has whatever collects manifests and command lines. Values are taken for credentials when they have the shape of one
    (`hf_…`, `ghp_…`, `AKIA…`, private keys), or when the name says so (`WANDB_API_KEY`, `--hub-token=`) and the value
    is neither a stand-in such as `<token>`, nor a variable, path, address or plain word.

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
        env:
          - name: WANDB_API_KEY
            value: 9c1f7be02d46a8e35b70d1c94f6a2e83d5b7c016  # <-
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
        command: [torchrun, train.py, --eos-token=endoftext1]
        env:
          - name: WANDB_API_KEY
            valueFrom:
              secretKeyRef:
                name: wandb
                key: api-key
          - name: HF_TOKEN_PATH
            value: /secrets/hf/token
    ```
    """
    for text in texts_of(source):
        kind = credential_in(text.text) or _named(text)
        if kind:
            yield source.at("", *text.path).report(f"{_where(text)} has {kind} in plain text", help=_HELP)


def _named(text: Text) -> str:
    """What a name says that the value is."""
    if text.name not in COMMANDS:
        return "a credential" if text.path[-1] == "value" and is_credential(text.name, text.text) else ""
    option = text.before.lstrip("-")
    if option != text.before and "=" not in option and is_credential(option, text.text):
        return f"a credential ({option})"
    return _argued(text.text)


@lru_cache(maxsize=1024)
def _argued(text: str) -> str:
    """What the words of a command say that one of them is."""
    if _LOGIN.search(text):
        return "an API key"
    found = [*_ARGUMENT.findall(text), *_OPTION.findall(text)]
    named = next((name for name, value in found if is_credential(name, value)), "")
    return f"a credential ({named})" if named else ""


def _where(text: Text) -> str:
    if text.path[-1] == "value":
        return f"variable '{text.name}'"
    return "the command" if text.name in COMMANDS else f"'{text.name}'"
