"""KServe: an InferenceService that serves the result of a training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.generate.neighbours.containers import resources

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.generate.resolved import ResolvedJob
    from trainergen.generate.spec import Serving

_GPU = "nvidia.com/gpu"


def inference_service(spec: Serving, job: ResolvedJob) -> JsonObject:
    """The InferenceService; until the result is there, its Pods fail to fetch it and try again."""
    amounts = resources(spec.cpu, spec.memory)
    if spec.gpus:
        for part in amounts.values():
            assert isinstance(part, dict)
            part[_GPU] = str(spec.gpus)
    model: JsonObject = {
        "modelFormat": {"name": spec.format},
        "storageUri": spec.uri,
        "resources": amounts,
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
    }
    predictor: JsonObject = {
        "minReplicas": spec.replicas,
        "automountServiceAccountToken": False,
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "model": model,
    }
    return {
        "apiVersion": "serving.kserve.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": job.key, "namespace": job.namespace},
        "spec": {"predictor": predictor},
    }
