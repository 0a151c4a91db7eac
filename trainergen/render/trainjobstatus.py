"""The plugin that lets Pods report progress: a token, the address of the status server, and its certificate authority.

Source: kubeflow/trainer pkg/runtime/framework/plugins/trainjobstatus/trainjobstatus.go @ v2.3.0.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.api.decode import plain
from trainergen.api.structural import API_VERSION
from trainergen.render.companion import framed
from trainergen.render.env import literal
from trainergen.render.errors import RenderError
from trainergen.render.model import plugin_origin
from trainergen.render.provenance import Origin
from trainergen.render.trainer import add_env

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.render.model import Draft, TrainJob

OPERATOR_NAMESPACE = "kubeflow-system"
SERVICE = "kubeflow-trainer-controller-manager"
PORT = 10443
CA_SECRET = "kubeflow-trainer-webhook-cert"
CA_KEY = "ca.crt"
MOUNT_PATH = "/var/run/secrets/kubeflow/trainer"
VOLUME = "kubeflow-trainer-token"
TOKEN_SECONDS = 3600


class TrainJobStatus:
    """Every container of the trainer gets it, but no init container. Waits for its feature gate only."""

    name = "TrainJobStatus"

    def enforce_ml_policy(self, draft: Draft) -> None:
        """Add environment, mount and volume."""
        pods = draft.trainer_set()
        if pods is None:
            return
        for container in pods.containers():
            add_env(draft, container, _env(draft.job), self.name)
            mount: JsonObject = {"name": VOLUME, "mountPath": MOUNT_PATH, "readOnly": True}
            draft.add(container, "volumeMounts", mount, plugin_origin(self.name))
        draft.add(pods.pod, "volumes", _volume(draft.job), plugin_origin(self.name))

    def build(self, draft: Draft) -> list[JsonObject]:
        """The ConfigMap with the certificate authority."""
        name = f"{draft.job.name}-tls-config"
        made = framed(draft.job, draft.trace, self.name, kind=("v1", "ConfigMap"), name=name)
        data: JsonObject = {CA_KEY: _authority(draft)}
        draft.trace.field(data, CA_KEY, Origin("object", ("data", CA_KEY), f"Secret {CA_SECRET}"))
        made["data"] = data
        return [made]


def _env(job: TrainJob) -> list[JsonObject]:
    server = f"https://{SERVICE}.{OPERATOR_NAMESPACE}.svc:{PORT}"
    return [
        literal("KUBEFLOW_TRAINER_SERVER_URL", f"{server}/apis/{_resource(job)}"),
        literal("KUBEFLOW_TRAINER_SERVER_CA_CERT", f"{MOUNT_PATH}/{CA_KEY}"),
        literal("KUBEFLOW_TRAINER_SERVER_TOKEN", f"{MOUNT_PATH}/token"),
    ]


def _volume(job: TrainJob) -> JsonObject:
    token: JsonObject = {"audience": _resource(job), "expirationSeconds": TOKEN_SECONDS, "path": "token"}
    authority: JsonObject = {"name": f"{job.name}-tls-config", "items": [{"key": CA_KEY, "path": CA_KEY}]}
    sources: list[JsonValue] = [{"serviceAccountToken": token}, {"configMap": authority}]
    return {"name": VOLUME, "projected": {"sources": sources}}


def _resource(job: TrainJob) -> str:
    return f"{API_VERSION}/namespaces/{job.namespace}/trainjobs/{job.name}/status"


def _authority(draft: Draft) -> str:
    secret = draft.cluster.get("", "Secret", CA_SECRET, OPERATOR_NAMESPACE)
    encoded = text_at(plain(secret), "data", CA_KEY)
    try:
        authority = b64decode(encoded, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        authority = ""
    if authority:
        return authority
    fault = f"has no '{CA_KEY}'" if secret is not None else "is not known"
    raise RenderError(
        f"the Secret '{CA_SECRET}' in namespace '{OPERATOR_NAMESPACE}' {fault}, without which nothing is created",
        help=f"With the gate TrainJobStatus on, pass that Secret with data.{CA_KEY} among the objects.",
    )
