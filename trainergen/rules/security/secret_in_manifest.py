"""A credential that is written into a TrainJob or runtime."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.security.credentials import credential_in, is_credential

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonValue, Path

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
    for path, name, text in _texts(source.value):
        kind = credential_in(text)
        if not kind:
            kind = _named(path, name, text)
        if kind:
            yield source.at("", *path).report(f"{_where(path, name)} has {kind} in plain text", help=_HELP)


def _texts(value: JsonValue, path: Path = (), name: str = "") -> Iterator[tuple[Path, str, str]]:
    """All texts with their paths; the value of a variable or parameter comes with its name, others with their key."""
    if isinstance(value, dict):
        called = value.get("name")
        for key, below in value.items():
            yield from _texts(below, (*path, key), called if key == "value" and isinstance(called, str) else key)
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _texts(below, (*path, index), name)
            if isinstance(below, str) and name in {"args", "command"} and index + 1 < len(value):
                yield from _option(value, (*path, index + 1), below)
    elif isinstance(value, str):
        yield path, name, value


def _option(items: list[JsonValue], path: Path, before: str) -> Iterator[tuple[Path, str, str]]:
    """The value behind an option of its own: ``["--token", "…"]``."""
    value = items[int(path[-1])]
    if before.startswith("-") and "=" not in before and isinstance(value, str) and not credential_in(value):
        yield path, before.lstrip("-"), value


def _named(path: Path, name: str, text: str) -> str:
    """What a name says that the value is."""
    if path[-1] == "value" or (isinstance(path[-1], int) and name not in {"args", "command"}):
        return "a credential" if is_credential(name, text) else ""
    if name not in {"args", "command"}:
        return ""
    if _LOGIN.search(text):
        return "an API key"
    found = [*_ARGUMENT.findall(text), *_OPTION.findall(text)]
    named = next((one for one, value in found if is_credential(one, value)), "")
    return f"a credential ({named})" if named else ""


def _where(path: Path, name: str) -> str:
    if "env" in path and path[-1] == "value":
        return f"variable '{name}'"
    return "the command" if "args" in path or "command" in path else f"'{name}'"
