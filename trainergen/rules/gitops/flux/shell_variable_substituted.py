"""A shell variable in a script that Flux takes for one of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, FluxObject, rule

if TYPE_CHECKING:
    from trainergen.rules import Entry, Part

_VARIABLE = re.compile(r"(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_OFF = "kustomize.toolkit.fluxcd.io/substitute"
_SCRIPTS = frozenset({"command", "args"})
_KINDS = frozenset({"TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"})


@rule(
    "TG783",
    "shell-variable-substituted",
    severity="error",
    kinds=("Kustomization",),
    triggers=("postBuild", "ConfigMap"),
    looks_up=("ConfigMap", "Secret", "TrainJob"),
    answers=("F004",),
    needs=("the ConfigMaps and Secrets with variables",),
)
def shell_variable_substituted(flux: FluxObject) -> Findings:
    """A Kustomization of Flux that substitutes variables delivers a script with shell variables.

    ## Why
    As soon as one variable is defined, Flux replaces every `${NAME}` in all objects. One that it does not know becomes
    empty, and from kustomize-controller 1.9 on fails the whole Kustomization: `--nnodes=${PET_NNODES}` is gone before
    the Pod sees it. `$NAME` is left alone, and `$${NAME}` becomes `${NAME}`.

    ## Bad
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      path: ./jobs
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
      postBuild:
        substitute:
          dataset: imagenet
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        command:
          - bash
          - -c
          - torchrun train.py --data=${dataset} --out=/mnt/${HOSTNAME}  # <-
    ```

    ## Good
    ```yaml title="training.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: training
      namespace: flux-system
    spec:
      interval: 10m
      path: ./jobs
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
      postBuild:
        substitute:
          dataset: imagenet
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer:
        command:
          - bash
          - -c
          - torchrun train.py --data=${dataset} --out=/mnt/$${HOSTNAME}
    ```
    """
    if not flux.mapping("spec.postBuild.substitute") and not flux.values("spec.postBuild.substituteFrom"):
        return
    known, complete = _variables(flux)
    for entry in flux.delivers:
        if str(entry.labels.get(_OFF, entry.annotations.get(_OFF, ""))) == "disabled":
            continue
        for text in _scripts(entry):
            unknown = [name for name in _VARIABLE.findall(str(text.value)) if name not in known]
            if unknown and not complete:
                yield flux.at("spec.postBuild.substituteFrom").undecided(
                    f"variables such as '{unknown[0]}' may be defined in an object that is in no file"
                )
                return
            if unknown:
                yield text.at().report(
                    f"Flux replaces '${{{unknown[0]}}}' here, which Kustomization '{flux.entry.name}' does not define",
                    help=f"Write $${{{unknown[0]}}}, or annotate the object with {_OFF}: disabled.",
                )


def _variables(flux: FluxObject) -> tuple[set[str], bool]:
    """The variables that are defined, and whether all of them are known."""
    names = set(flux.mapping("spec.postBuild.substitute"))
    complete = True
    for source in flux.parts("spec.postBuild.substituteFrom"):
        found = flux.objects.find(source.text("kind"), source.text("name"), flux.entry.namespace)
        if found is None or found.object.has("sops"):
            complete = False
        else:
            names |= {key for half in ("data", "stringData") for key in found.object.mapping(half)}
    return names, complete


def _scripts(entry: Entry) -> Iterator[Part]:
    if entry.kind == "ConfigMap":
        yield from (part for _, part in entry.object.entries("data"))
    elif entry.kind in _KINDS:
        yield from _commands(entry.object.part("spec"))


def _commands(part: Part) -> Iterator[Part]:
    """The items of every command and list of arguments."""
    if isinstance(part.value, list):
        for item in part.parts():
            yield from _commands(item)
    for key, value in part.entries():
        if key in _SCRIPTS and isinstance(value.value, list):
            yield from (value.part("", index) for index in range(len(value.value)))
        else:
            yield from _commands(value)
