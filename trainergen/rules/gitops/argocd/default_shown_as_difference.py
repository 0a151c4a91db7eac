"""An Application that stays out of sync because the cluster fills in list items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.api.structural import load
from trainergen.finding import format_path
from trainergen.rules import ArgoApplication, Findings, fix, rule
from trainergen.rules.gitops.argocd.annotations import COMPARE_OPTIONS, compares_on_the_server
from trainergen.source.edits import insert_entry

if TYPE_CHECKING:
    from trainergen.api.structural import Schema, StructuralSchemas
    from trainergen.finding import JsonValue, Path
    from trainergen.rules import Entry

_KINDS = ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime")


@rule(
    "TG757",
    "default-shown-as-difference",
    severity="warning",
    profile="strict",
    kinds=("Application", "ApplicationSet"),
    triggers=("Application", "ApplicationSet", "controller.diff.server.side"),
    looks_up=("ConfigMap", "TrainJob"),
    mirrors=("argoproj/argo-cd#28724",),
    answers=("A118", "A005"),
    fix="unsafe",
)
def default_shown_as_difference(app: ArgoApplication) -> Findings:
    """An Application compares lists whose items the cluster completes.

    ## Why
    Argo CD takes a list of a custom resource as one value. The API server adds `replicas` and `groupName` to each
    replicated job of a runtime, and the webhook a `time` to each runtime patch of a TrainJob (since 2.2), so these
    objects are OutOfSync for ever and self-healing syncs them again and again. A comparison by the API server knows
    what it adds.

    ## Bad
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:  # <-
      name: training
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/training.git
        targetRevision: main
        path: runtimes
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
    ```
    ```yaml title="runtimes/torch.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
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

    ## Good
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: training
      namespace: argocd
      annotations:
        argocd.argoproj.io/compare-options: ServerSideDiff=true
    spec:
      project: default
      source:
        repoURL: https://example.com/training.git
        targetRevision: main
        path: runtimes
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
    ```
    ```yaml title="runtimes/torch.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
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
    """
    if compares_on_the_server(app):
        return
    schemas = load(app.release.name)
    drifting = [(entry, added) for entry in app.delivers if (added := _added(entry, schemas, app))]
    if not drifting:
        return
    entry, added = drifting[0]
    more = f", and {len(drifting) - 1} more objects" if len(drifting) > 1 else ""
    annotations = app.at("metadata.annotations")
    edit = insert_entry(app.entry.document, annotations.path, COMPARE_OPTIONS, "ServerSideDiff=true")
    yield annotations.key.report(
        f"the {entry.kind} '{entry.name}' stays OutOfSync, since the cluster adds {format_path(added)}{more}",
        help="Annotate the Application with argocd.argoproj.io/compare-options: ServerSideDiff=true, or write the "
        "defaults into the manifests.",
        fix=fix(
            "let the API server compare", edit if COMPARE_OPTIONS not in app.mapping("metadata.annotations") else None
        ),
    )


def _added(entry: Entry, schemas: StructuralSchemas, app: ArgoApplication) -> Path:
    """The first path inside a list of an object that the cluster adds; empty when there is none."""
    kind = schemas.kinds.get(entry.kind) if entry.kind in _KINDS else None
    if kind is None or _ignores_lists(entry, app):
        return ()
    if app.release.behaviours.mutates_train_jobs:
        for patch in entry.object.parts("spec.runtimePatches"):
            if not patch.has("time"):
                return (*patch.path, "time")
    return next(_defaults(entry.value, kind.schema, schemas, ()), ())


def _ignores_lists(entry: Entry, app: ArgoApplication) -> bool:
    """Whether the Application leaves fields of the kind out of the comparison."""
    return any(one.text("kind") == entry.kind for one in app.parts("spec.ignoreDifferences"))


def _defaults(
    value: JsonValue, schema: Schema, schemas: StructuralSchemas, path: Path, *, in_list: bool = False
) -> Iterator[Path]:
    """The paths of defaults that are not written and lie inside a list."""
    node = schemas.resolve(schema)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _defaults(item, node.get("items", {}), schemas, (*path, index), in_list=True)
    elif isinstance(value, dict):
        for name, child in node.get("properties", {}).items():
            if name in value:
                yield from _defaults(value[name], child, schemas, (*path, name), in_list=in_list)
            elif in_list and "default" in schemas.resolve(child):
                yield (*path, name)
