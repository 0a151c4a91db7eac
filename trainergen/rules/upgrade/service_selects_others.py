"""The webhook Service of the Trainer that also selects Pods of other controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Workspace, rule

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.rules import Entry

_NAME = "kubeflow-trainer-controller-manager"
_COMPONENT = "app.kubernetes.io/component"


@rule(
    "TG820",
    "service-selects-others",
    severity="warning",
    profile="strict",
    kinds=("Service", "Deployment"),
    triggers=(_COMPONENT,),
    looks_up=("Service", "Deployment"),
    answers=("M006",),
)
def service_selects_others(workspace: Workspace) -> Findings:
    """The Service of the Trainer's webhook selects Pods of a second Deployment in its namespace.

    ## Why
    Upstream's kustomize manifests select the controller only by `app.kubernetes.io/component: manager`. In a namespace
    with other controllers that label themselves like that, a part of the webhook calls ends at one of them, and
    TrainJobs are refused now and then.

    ## Bad
    ```yaml
    apiVersion: v1
    kind: Service
    metadata:
      name: kubeflow-trainer-controller-manager
      namespace: kubeflow
    spec:
      selector:  # <-
        app.kubernetes.io/component: manager
      ports:
        - name: webhook-server
          port: 443
          targetPort: webhook
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: kubeflow-trainer-controller-manager
      namespace: kubeflow
    spec:
      template:
        metadata:
          labels:
            app.kubernetes.io/name: trainer
            app.kubernetes.io/component: manager
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: notebook-controller
      namespace: kubeflow
    spec:
      template:
        metadata:
          labels:
            app.kubernetes.io/name: notebooks
            app.kubernetes.io/component: manager
    ```

    ## Good
    ```yaml
    apiVersion: v1
    kind: Service
    metadata:
      name: kubeflow-trainer-controller-manager
      namespace: kubeflow
    spec:
      selector:
        app.kubernetes.io/name: trainer
        app.kubernetes.io/component: manager
      ports:
        - name: webhook-server
          port: 443
          targetPort: webhook
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: kubeflow-trainer-controller-manager
      namespace: kubeflow
    spec:
      template:
        metadata:
          labels:
            app.kubernetes.io/name: trainer
            app.kubernetes.io/component: manager
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: notebook-controller
      namespace: kubeflow
    spec:
      template:
        metadata:
          labels:
            app.kubernetes.io/name: notebooks
            app.kubernetes.io/component: manager
    ```
    """
    for service in workspace.objects.of("Service"):
        selector = service.object.mapping("spec.selector")
        if service.name != _NAME or not selector:
            continue
        selected = [
            one.name
            for one in workspace.objects.of("Deployment", namespace=service.namespace)
            if one.name != _NAME and _is_selected(one, selector)
        ]
        if selected:
            yield service.object.at("spec.selector").key.report(
                f"the selector fits the Pods of Deployment '{selected[0]}' too, which then gets webhook calls",
                help="Add app.kubernetes.io/name: trainer to the selector, or give the Trainer a namespace of its own.",
            )


def _is_selected(deployment: Entry, selector: JsonObject) -> bool:
    labels = deployment.object.mapping("spec.template.metadata.labels")
    return all(labels.get(key) == value for key, value in selector.items())
