"""A patch or replacement that no object is selected by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import Build, build, is_about_trainer
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.rules import Part
    from trainergen.rules.gitops.kustomize.building import Resource
    from trainergen.rules.views.patch import Patch


@rule("TG707", "patch-selects-nothing", severity="error", answers=("K008",))
def patch_selects_nothing(kustomization: Kustomization) -> Findings:
    """The target of a patch or of a replacement selects no object of the kustomization.

    ## Why
    kustomize skips a patch whose `target` fits nothing, and ends with exit code 0: a misspelt name, kind or label means
    that the cluster gets the object unpatched. Names are those before the prefix of the same kustomization. A strategic
    merge patch that names its object itself makes the build fail instead.

    ## Bad
    ```yaml title="base/kustomization.yaml"
    resources:
      - runtime.yaml
    ```
    ```yaml title="base/runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
      labels:
        trainer.kubeflow.org/framework: torch
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
                          image: ghcr.io/example/train:1.0
    ```
    ```yaml title="prod/kustomization.yaml"
    namePrefix: prod-
    resources:
      - ../base
    patches:
      - target:  # <-
          kind: ClusterTrainingRuntime
          name: prod-my-torch
        patch: |-
          - {op: add, path: /spec/mlPolicy/numNodes, value: 4}
    ```

    ## Good
    ```yaml title="base/kustomization.yaml"
    resources:
      - runtime.yaml
    ```
    ```yaml title="base/runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
      labels:
        trainer.kubeflow.org/framework: torch
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
                          image: ghcr.io/example/train:1.0
    ```
    ```yaml title="prod/kustomization.yaml"
    namePrefix: prod-
    resources:
      - ../base
    patches:
      - target:
          kind: ClusterTrainingRuntime
          name: my-torch
        patch: |-
          - {op: add, path: /spec/mlPolicy/numNodes, value: 4}
    ```
    """
    made = build(kustomization)
    if not made.complete or kustomization.is_component or not is_about_trainer(kustomization):
        return
    for patch in kustomization.patches:
        yield from _unused(patch, made)
    for selector in _selectors(kustomization):
        if not any(_fits(selector, resource) for resource in made.resources):
            yield selector.at().key.report(
                f"no object of this kustomization is a {_described(selector)}, so the replacement is skipped",
                help="Name an object that is there, by its name before any prefix.",
            )


def _unused(patch: Patch, made: Build) -> Findings:
    used = [step for step in made.steps if step.patch is patch]
    if isinstance(patch.target.value, dict):
        if not used and (patch.documents or patch.is_json_patch):
            yield patch.entry.at("target").key.report(
                f"no object of this kustomization is a {_described(patch.target)}{_near(patch.target, made)}, so the "
                "patch is skipped",
                help="Name an object that is there, by its name before the prefix of this kustomization.",
            )
        return
    for document in patch.documents:
        if not any(step.document is document for step in used):
            seen = f"{document.text('kind')} '{document.text('metadata.name')}'"
            near = did_you_mean(document.text("metadata.name"), _names(document.text("kind"), made))
            yield document.at("metadata.name").report(
                f"there is no {seen} in this kustomization{near}, so the build fails",
                help="Name an object that is there, by its name before the prefix of this kustomization.",
            )


def _selectors(kustomization: Kustomization) -> list[Part]:
    targets = [target for part in kustomization.parts("replacements") for target in part.parts("targets")]
    return [target.part("select") for target in targets if target.mapping("select")]


def _fits(selector: Part, resource: Resource) -> bool:
    kind, group = selector.text("kind"), selector.text("group")
    names = [selector.text("name")] if selector.text("name") else []
    return (
        kind in ("", resource.kind)
        and group in ("", resource.group)
        and all(any(_matches(name, one) for one in resource.names) for name in names)
    )


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.fullmatch(pattern, name) is not None
    except re.error:
        return pattern == name


def _described(selector: Part) -> str:
    parts = [selector.text("kind") or "object"]
    if selector.text("name"):
        parts.append(f"'{selector.text('name')}'")
    for key, words in (("group", "of the group"), ("namespace", "in"), ("version", "of the version")):
        if selector.text(key):
            parts.append(f"{words} '{selector.text(key)}'")
    parts += [f"with '{selector.text(key)}'" for key in ("labelSelector", "annotationSelector") if selector.text(key)]
    return " ".join(parts)


def _near(selector: Part, made: Build) -> str:
    return did_you_mean(selector.text("name"), _names(selector.text("kind"), made)) if selector.text("name") else ""


def _names(kind: str, made: Build) -> list[str]:
    return [resource.names[0] for resource in made.resources if kind in ("", resource.kind)]
