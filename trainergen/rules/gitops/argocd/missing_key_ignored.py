"""An ApplicationSet whose template turns missing parameters into text."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, fix, rule
from trainergen.rules.gitops.installation import installs_trainer
from trainergen.source.edits import insert_item

_PLACE = "spec.goTemplateOptions"


@rule(
    "TG770",
    "missing-key-ignored",
    severity="info",
    profile="strict",
    kinds=("ApplicationSet",),
    triggers=("goTemplate",),
    answers=("A021",),
    fix="unsafe",
)
def missing_key_ignored(app: ArgoApplication) -> Findings:
    """An ApplicationSet for the Trainer or its manifests does not stop at missing parameters.

    ## Why
    A parameter that a generator does not give becomes `<no value>` in names, namespaces and paths, and the Applications
    that come of it deploy to the wrong place or prune each other's objects. With `missingkey=error` the set says which
    parameter is missing, and changes nothing.

    ## Bad
    ```yaml title="set.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: ApplicationSet
    metadata:
      name: training
      namespace: argocd
    spec:
      goTemplate: true  # <-
      generators:
        - list:
            elements:
              - team: team-a
      template:
        metadata:
          name: "{{ .team }}-training"
        spec:
          project: default
          source:
            repoURL: https://example.com/training.git
            targetRevision: main
            path: jobs
          destination:
            server: https://kubernetes.default.svc
            namespace: "{{ .team }}"
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
    ```

    ## Good
    ```yaml title="set.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: ApplicationSet
    metadata:
      name: training
      namespace: argocd
    spec:
      goTemplate: true
      goTemplateOptions: [missingkey=error]
      generators:
        - list:
            elements:
              - team: team-a
      template:
        metadata:
          name: "{{ .team }}-training"
        spec:
          project: default
          source:
            repoURL: https://example.com/training.git
            targetRevision: main
            path: jobs
          destination:
            server: https://kubernetes.default.svc
            namespace: "{{ .team }}"
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
    ```
    """
    whole = app.whole
    if whole.get("spec.goTemplate") is not True or "missingkey=error" in whole.texts(_PLACE):
        return
    ours = installs_trainer(app) or any(entry.group == "trainer.kubeflow.org" for entry in app.delivers)
    if ours:
        edit = insert_item(app.entry.document, whole.at(_PLACE).path, "missingkey=error")
        yield whole.at("spec.goTemplate").report(
            "a parameter that is missing becomes '<no value>' in names and namespaces",
            help="Set goTemplateOptions to [missingkey=error].",
            fix=fix("stop at missing parameters", edit),
        )
