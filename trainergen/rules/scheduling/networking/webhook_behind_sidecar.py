"""Controllers whose webhook is behind a sidecar."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.rules.scheduling.networking.mesh import LOOKED_UP, injecting, wish
from trainergen.source.edits import insert_entry

_EXCLUDE = "traffic.sidecar.istio.io/excludeInboundPorts"
_CONTROLLERS = ("kubeflow-trainer-controller-manager", "jobset-controller-manager")
_PORT = "9443"


@rule(
    "TG551",
    "webhook-behind-sidecar",
    severity="warning",
    kinds=("Deployment",),
    triggers=_CONTROLLERS,
    looks_up=LOOKED_UP,
    mirrors=("kubeflow/community-distribution#3322", "kubeflow/community-distribution#3396"),
    answers=("A91", "M008"),
    fix="unsafe",
)
def webhook_behind_sidecar(deployment: Source) -> Findings:
    """The controller of Trainer or JobSet gets an Istio sidecar in front of its webhook.

    ## Why
    The API server is not part of the mesh and calls webhooks on port 9443 without its certificates. Calls end with EOF
    or a deadline: TrainJobs are refused, or, where it hits JobSet alone, accepted and never get a JobSet.

    ## Bad
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: kubeflow-system
      labels:
        istio-injection: enabled
    ```
    ```yaml title="manager.yaml"
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: kubeflow-trainer-controller-manager
      namespace: kubeflow-system
    spec:
      selector:
        matchLabels:
          app.kubernetes.io/name: trainer
      template:  # <-
        metadata:
          labels:
            app.kubernetes.io/name: trainer
        spec:
          containers:
            - name: manager
              image: ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.3.0
    ```

    ## Good
    ```yaml title="namespace.yaml"
    apiVersion: v1
    kind: Namespace
    metadata:
      name: kubeflow-system
      labels:
        istio-injection: enabled
    ```
    ```yaml title="manager.yaml"
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: kubeflow-trainer-controller-manager
      namespace: kubeflow-system
    spec:
      selector:
        matchLabels:
          app.kubernetes.io/name: trainer
      template:
        metadata:
          labels:
            app.kubernetes.io/name: trainer
          annotations:
            traffic.sidecar.istio.io/excludeInboundPorts: "9443"
        spec:
          containers:
            - name: manager
              image: ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.3.0
    ```
    """
    template = deployment.part("spec.template")
    if deployment.name not in _CONTROLLERS or wish(template) == "false":
        return
    if not injecting(deployment.objects, deployment.namespace or "default") and wish(template) != "true":
        return
    ports = [port.strip() for port in template.text("metadata.annotations", _EXCLUDE).split(",")]
    if _PORT in ports or "*" in ports:
        return
    edit = None
    if not template.has("metadata.annotations", _EXCLUDE):
        edit = insert_entry(deployment.document, (*template.path, "metadata", "annotations"), _EXCLUDE, _PORT)
    yield template.at().key.report(
        f"the Deployment '{deployment.name}' gets an Istio sidecar, which keeps the API server from port {_PORT}",
        help=f'Set the annotation {_EXCLUDE}: "{_PORT}" on its Pod template.',
        fix=fix(f"leave port {_PORT} out of the mesh", edit),
    )
