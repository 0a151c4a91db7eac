"""Rendered objects of the chart that lack their namespace."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule

_NAME = "kubeflow-trainer-public"
_CHART = "helm.sh/chart"


@rule(
    "TG744",
    "rendered-without-namespace",
    severity="warning",
    profile="strict",
    kinds=("Role", "RoleBinding"),
    triggers=(_NAME,),
    answers=("H017",),
)
def rendered_without_namespace(source: Source) -> Findings:
    """A Role or RoleBinding rendered from the Trainer's chart has no namespace.

    ## Why
    The chart leaves the namespace of these two out and counts on `helm install` to fill it in. Rendered into a file and
    applied by kubectl they land in the namespace of the moment, where they permit nothing: reading the version that the
    Trainer publishes is then denied.

    ## Bad
    ```yaml title="rendered.yaml"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: kubeflow-trainer-public  # <-
      labels:
        helm.sh/chart: kubeflow-trainer-2.3.0
    rules:
      - apiGroups: [""]
        resources: [configmaps]
        resourceNames: [kubeflow-trainer-public]
        verbs: [get]
    ```

    ## Good
    ```yaml title="rendered.yaml"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata:
      name: kubeflow-trainer-public
      namespace: kubeflow-system
      labels:
        helm.sh/chart: kubeflow-trainer-2.3.0
    rules:
      - apiGroups: [""]
        resources: [configmaps]
        resourceNames: [kubeflow-trainer-public]
        verbs: [get]
    ```
    """
    if source.name == _NAME and not source.namespace and _CHART in source.labels:
        yield source.at("metadata.name").report(
            f"the {source.kind} '{_NAME}' has no namespace and lands in that of whoever applies it",
            help="Add metadata.namespace with the namespace of the Trainer, or set it in a kustomization.",
        )
