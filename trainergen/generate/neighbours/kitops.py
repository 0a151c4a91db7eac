"""KitOps: a Job that waits for the end of the training, packs its result as a ModelKit and pushes that.

The image runs ``kit`` as user 1001 and finds the credentials of registries as Docker does
(kitops-ml/kitops build/dockerfiles/release.Dockerfile and kubeflow-components/scripts/push-modelkit.sh).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trainergen.api.access import integer_at
from trainergen.generate.names import content_hash
from trainergen.generate.neighbours.containers import (
    KUBECTL,
    container_security,
    kubectl,
    pod_security,
    resources,
    rights,
)

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.resolved import ResolvedJob
    from trainergen.generate.spec import Package

_DAY = 24 * 60 * 60
_PACKING = 2 * 60 * 60
"""How long packing and pushing may take, in seconds."""
_SUFFIX = "-package"
_SCRIPT = """set -eu
cd "/result/$RESULT"
test -f Kitfile || kit init . --name "$NAME"
kit pack . --tag "$MODELKIT"
kit push "$MODELKIT"
"""


def objects(spec: Package, job: ResolvedJob, *, move: Callable[[str], str]) -> list[JsonObject]:
    """The Job with an account that may look at the TrainJob; ``move`` says where images come from."""
    account = f"{job.key}{_SUFFIX}"
    look: JsonObject = {
        "apiGroups": ["trainer.kubeflow.org"],
        "resources": ["trainjobs"],
        "verbs": ["get", "list", "watch"],
    }
    return [*rights(account, job.namespace, [look]), _job(spec, job, account, move)]


def _job(package: Package, job: ResolvedJob, account: str, move: Callable[[str], str]) -> JsonObject:
    longest = integer_at(job.train_job, "spec", "activeDeadlineSeconds") or _DAY
    wait: list[JsonValue] = [
        "wait",
        "--for=condition=Complete",
        f"trainjobs.trainer.kubeflow.org/{job.name}",
        f"--namespace={job.namespace}",
        f"--timeout={longest}s",
    ]
    pod: JsonObject = {
        "serviceAccountName": account,
        # kubectl asks the API server whether the training is over.
        "automountServiceAccountToken": True,
        "enableServiceLinks": False,
        "restartPolicy": "OnFailure",
        "securityContext": pod_security(),
        "initContainers": [kubectl("training", wait, image=move(KUBECTL))],
        "containers": [container(package, name=job.key, image=move(package.image))],
        "volumes": volumes(package),
    }
    spec: JsonObject = {
        "activeDeadlineSeconds": longest + _PACKING,
        "backoffLimit": 6,
        "template": {"metadata": {"labels": {"trainergen.io/package": job.key}}, "spec": pod},
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        # A Job cannot be changed; whatever changes, the run that it waits for included, makes another one.
        "metadata": {"name": f"{account}-{content_hash(spec)}", "namespace": job.namespace},
        "spec": spec,
    }


def container(spec: Package, *, name: str, image: str) -> JsonObject:
    """The container that packs and pushes."""
    return {
        "name": "kit",
        "image": image,
        "command": ["sh", "-c", _SCRIPT],
        "env": [
            {"name": "NAME", "value": name},
            {"name": "MODELKIT", "value": spec.to},
            {"name": "RESULT", "value": spec.path},
            {"name": "HOME", "value": "/work"},
            {"name": "KITOPS_HOME", "value": "/work/kitops"},
            {"name": "DOCKER_CONFIG", "value": "/credentials"},
        ],
        "resources": resources("1", "4Gi"),
        "securityContext": container_security(),
        "volumeMounts": [
            {"name": "result", "mountPath": "/result"},
            {"name": "credentials", "mountPath": "/credentials", "readOnly": True},
            {"name": "work", "mountPath": "/work"},
            {"name": "tmp", "mountPath": "/tmp"},
        ],
    }


def volumes(spec: Package) -> list[JsonValue]:
    """The volumes of the Pod that packs."""
    return [
        {"name": "result", "persistentVolumeClaim": {"claimName": spec.claim}},
        {
            "name": "credentials",
            "secret": {
                "secretName": spec.secret,
                "items": [{"key": ".dockerconfigjson", "path": "config.json"}],
            },
        },
        {"name": "work", "emptyDir": {}},
        {"name": "tmp", "emptyDir": {}},
    ]
