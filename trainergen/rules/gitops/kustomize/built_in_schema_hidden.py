"""An OpenAPI schema that takes the merge keys of built-in kinds away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Kustomization, rule

if TYPE_CHECKING:
    from trainergen.rules import Part

_GROUPS = frozenset({"", "apps", "batch"})
_LISTS = frozenset({"containers", "initContainers", "env", "volumes", "volumeMounts", "ports", "webhooks"})


@rule(
    "TG702",
    "built-in-schema-hidden",
    severity="error",
    mirrors=("kubernetes-sigs/kustomize#4613",),
    answers=("A112", "K003"),
)
def built_in_schema_hidden(kustomization: Kustomization) -> Findings:
    """A build names an OpenAPI schema without the built-in kinds, and patches a list of one of them.

    ## Why
    `openapi.path` does not add to the schema that kustomize has built in, it takes its place. With a schema of the
    Trainer's kinds alone, a strategic merge patch on a Deployment replaces its containers instead of merging them: the
    image and further containers are gone, and the build succeeds.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - deployment.yaml
    openapi:
      path: schema.json
    patches:
      - path: memory.yaml
    ```
    ```json title="schema.json"
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
    ```yaml title="deployment.yaml"
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: tracking
    spec:
      selector:
        matchLabels: {app: tracking}
      template:
        metadata:
          labels: {app: tracking}
        spec:
          containers:
            - name: server
              image: ghcr.io/example/tracking:2.1
    ```
    ```yaml title="memory.yaml"
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: tracking
    spec:
      template:
        spec:
          containers:  # <-
            - name: server
              resources:
                limits: {memory: 2Gi}
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - deployment.yaml
    patches:
      - path: memory.yaml
    ```
    ```yaml title="deployment.yaml"
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: tracking
    spec:
      selector:
        matchLabels: {app: tracking}
      template:
        metadata:
          labels: {app: tracking}
        spec:
          containers:
            - name: server
              image: ghcr.io/example/tracking:2.1
    ```
    ```yaml title="memory.yaml"
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: tracking
    spec:
      template:
        spec:
          containers:
            - name: server
              resources:
                limits: {memory: 2Gi}
    ```
    """
    if not any(schema for _, _, schema in kustomization.openapi):
        return
    for one in kustomization.closure:
        if one is not kustomization and not kustomization.has("openapi.path"):
            continue
        for document in (document for patch in one.patches for document in patch.documents):
            kind, group = document.text("kind"), document.text("apiVersion").rpartition("/")[0]
            if (group in _GROUPS or group.endswith(".k8s.io")) and not kustomization.merge_keys_known(kind):
                for wiped in _lists(document):
                    spot = wiped.at().key if one is kustomization else kustomization.at("openapi.path")
                    yield spot.report(
                        f"the patch replaces the whole list '{wiped.path[-1]}' of the {kind}, since the schema of "
                        "this build hides the one that kustomize has for it",
                        help="Use a schema that holds the built-in kinds as well, or build these objects apart.",
                    )


def _lists(part: Part) -> Iterator[Part]:
    """The outermost lists that have merge keys in the schema of Kubernetes."""
    for key, value in part.entries():
        if key in _LISTS and isinstance(value.value, list):
            yield value
        elif isinstance(value.value, dict):
            yield from _lists(value)
