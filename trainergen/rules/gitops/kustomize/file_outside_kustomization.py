"""A file beside or above the folder of a kustomization."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.gitops.kustomize.building import is_about_trainer
from trainergen.rules.tree import join

if TYPE_CHECKING:
    from trainergen.rules import Part

_LISTS = ("configurations", "crds", "resources", "patchesStrategicMerge")
_PATHS = ("patches", "patchesJson6902", "replacements")


@rule("TG727", "file-outside-kustomization", severity="warning", answers=("A112",))
def file_outside_kustomization(kustomization: Kustomization) -> Findings:
    """A kustomization names a file outside its own folder, such as a schema that overlays share.

    ## Why
    kustomize loads files only from the folder of the kustomization and those below it, and the build fails on others,
    unless it is told to do without that check, as Flux does. Folders may lie anywhere. So what several overlays share,
    like the schema with merge keys, is best put into a Component that they list.

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
    ```json title="lib/schema.json"
    {
      "definitions": {
        "Runtime": {
          "x-kubernetes-group-version-kind": [
            {"group": "trainer.kubeflow.org", "version": "v1alpha1", "kind": "ClusterTrainingRuntime"}
          ],
          "properties": {"spec": {"properties": {"template": {"properties": {"spec": {"properties": {
            "replicatedJobs": {
              "items": {"type": "object"},
              "x-kubernetes-patch-merge-key": "name",
              "x-kubernetes-patch-strategy": "merge"
            }
          }}}}}}}
        }
      }
    }
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    openapi:
      path: ../lib/schema.json  # <-
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
    ```json title="lib/schema.json"
    {
      "definitions": {
        "Runtime": {
          "x-kubernetes-group-version-kind": [
            {"group": "trainer.kubeflow.org", "version": "v1alpha1", "kind": "ClusterTrainingRuntime"}
          ],
          "properties": {"spec": {"properties": {"template": {"properties": {"spec": {"properties": {
            "replicatedJobs": {
              "items": {"type": "object"},
              "x-kubernetes-patch-merge-key": "name",
              "x-kubernetes-patch-strategy": "merge"
            }
          }}}}}}}
        }
      }
    }
    ```
    ```yaml title="lib/kustomization.yaml"
    apiVersion: kustomize.config.k8s.io/v1alpha1
    kind: Component
    openapi:
      path: schema.json
    ```
    ```yaml title="prod/kustomization.yaml"
    resources:
      - ../base
    components:
      - ../lib
    ```
    """
    outside = [part for part in _files(kustomization) if _is_outside(kustomization, part.text())]
    if outside and is_about_trainer(kustomization):
        for part in outside:
            yield part.at().report(
                f"'{part.text()}' lies outside the folder of the kustomization, where kustomize loads no files from",
                help="Move it below the folder, or put it into a Component or base that is listed instead.",
            )


def _files(kustomization: Kustomization) -> Iterator[Part]:
    yield kustomization.part("openapi.path")
    for key in _LISTS:
        for index in range(len(kustomization.values(key))):
            yield kustomization.part(key, index)
    for key in _PATHS:
        for part in kustomization.parts(key):
            yield part.part("path")


def _is_outside(kustomization: Kustomization, name: str) -> bool:
    if not name.startswith(("../", "/")) or "\n" in name:
        return False
    inside = join(kustomization.folder, "") + "/" if kustomization.folder else ""
    path = join(kustomization.folder, name)
    return not (inside and path.startswith(inside)) and kustomization.tree.read(path) is not None
