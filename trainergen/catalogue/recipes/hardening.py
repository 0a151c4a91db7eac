"""What makes a runtime fit for production: the parts that the recipes share, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.api import (
    FailurePolicy,
    FailurePolicyRule,
    JobSetSpec,
    Network,
    ReplicatedJob,
    SuccessPolicy,
    VolumeClaimPolicy,
)
from trainergen.catalogue.parts import STEP

if TYPE_CHECKING:
    from trainergen.api import DependsOn
    from trainergen.api.fields import JsonMap

USER = 1000
"""User and group of every process. The images for MPI have a user of this number, whom SSH has to know by name."""
HOME = "/home/trainer"
EVICTED, CONDITION = "evicted", {"type": "DisruptionTarget", "status": "True"}

POD_SECURITY: JsonMap = {
    "runAsNonRoot": True,
    "runAsUser": USER,
    "runAsGroup": USER,
    # Secrets and claims are readable for the group; on a large volume that is not put right at each start.
    "fsGroup": USER,
    "fsGroupChangePolicy": "OnRootMismatch",
    "seccompProfile": {"type": "RuntimeDefault"},
}


def container_security(*capabilities: str) -> JsonMap:
    """No way up from the user; ``capabilities`` are kept, and restricted Pods may keep but NET_BIND_SERVICE."""
    added = {"add": list(capabilities)} if capabilities else {}
    return {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"], **added}}


@dataclass(frozen=True, slots=True)
class Size:
    """The resources of one container.

    Requests equal limits: that is demanded of GPUs and gives the Pod the quality of service Guaranteed. Both are
    written, because what Trainer tells gang schedulers is the sum of the requests alone.
    """

    cpu: int
    memory: str
    gpus: int = 0

    def resources(self) -> JsonMap:
        """The resources as a container writes them."""
        amounts = {"cpu": str(self.cpu), "memory": self.memory}
        if self.gpus:
            amounts["nvidia.com/gpu"] = str(self.gpus)
        return {"requests": dict(amounts), "limits": dict(amounts)}


def home(size: str = "20Gi") -> JsonMap:
    """A volume for the home of a user whom the image does not know."""
    return {"name": "home", "emptyDir": {"sizeLimit": size}}


def shared_memory(size: str) -> JsonMap:
    """Room for data loaders and NCCL, which need more than the 64 MiB a container has; it counts as its memory."""
    return {"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": size}}


HOME_MOUNT = {"name": "home", "mountPath": HOME}
SHARED_MEMORY_MOUNT = {"name": "shared-memory", "mountPath": "/dev/shm"}


def user_env() -> list[JsonMap]:
    """Variables that stand in for an entry in the image's passwd file, without which PyTorch, Hugging Face and pip fail
    or write to the root of the file system."""
    return [{"name": "HOME", "value": HOME}, {"name": "USER", "value": "trainer"}]


def container(name: str, image: str, size: Size, fields: JsonMap, *, keeps: Sequence[str] = ()) -> JsonMap:
    """A container; ``keeps`` are capabilities, ``fields`` further fields."""
    return {
        "name": name,
        "image": image,
        **fields,
        "resources": size.resources(),
        "securityContext": container_security(*keeps),
    }


def in_home(name: str, image: str, size: Size, *, env: Sequence[JsonMap], **fields: object) -> JsonMap:
    """A container that works in a home of its own, where scripts may be written; ``env`` comes after the user's."""
    mounts = [HOME_MOUNT, SHARED_MEMORY_MOUNT]
    usual = {"workingDir": HOME, "env": [*user_env(), *env], "volumeMounts": mounts}
    return container(name, image, size, usual | fields)


def pod(*, grace: int, volumes: Sequence[JsonMap], **fields: object) -> JsonMap:
    """A Pod without its containers; ``grace`` are the seconds to write a checkpoint in when it has to go."""
    return {
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": grace,
        # A training has no business with the API server, nor with the addresses of all Services of its namespace.
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        **fields,
        "securityContext": POD_SECURITY,
        "volumes": list(volumes),
    }


def hardened_job(
    name: str,
    made_of: JsonMap,
    in_pod: JsonMap,
    *,
    step: str | None = None,
    depends_on: Sequence[DependsOn] = (),
    **job_fields: object,
) -> ReplicatedJob:
    """A replicated job of one container. It does not retry, but leaves that to the JobSet, which restarts all Jobs
    together: the others cannot go on without the one that failed. ``job_fields`` says otherwise."""
    metadata: JsonMap = {"metadata": {"labels": {STEP: step}}} if step else {}
    evictions = {"rules": [{"action": "FailJob", "onPodConditions": [CONDITION]}]}
    return ReplicatedJob(
        name=name,
        group_name="default",
        replicas=1,
        depends_on=list(depends_on) or None,
        template=metadata
        | {
            "spec": {
                "backoffLimit": 0,
                "podFailurePolicy": evictions,
                **job_fields,
                "template": {
                    # The proxy of a service mesh breaks connections between nodes and never ends.
                    "metadata": {"labels": {"sidecar.istio.io/inject": "false"}},
                    "spec": {**in_pod, "containers": [made_of]},
                },
            }
        },
    )


def hardened_jobset(
    *jobs: ReplicatedJob,
    rules: Sequence[FailurePolicyRule] = (),
    success: SuccessPolicy | None = None,
    claims: Sequence[VolumeClaimPolicy] = (),
) -> JobSetSpec:
    """A JobSet that starts over three times, not counting Pods that were evicted or preempted."""
    evicted = FailurePolicyRule(
        name=EVICTED, action="RestartJobSetAndIgnoreMaxRestarts", on_job_failure_reasons=["PodFailurePolicy"]
    )
    return JobSetSpec(
        network=Network(enable_dns_hostnames=True, publish_not_ready_addresses=True),
        success_policy=success,
        # Blocking, for Pods of two attempts would find each other under the same names.
        failure_policy=FailurePolicy(max_restarts=3, restart_strategy="BlockingRecreate", rules=[*rules, evicted]),
        volume_claim_policies=list(claims) or None,
        replicated_jobs=list(jobs),
    )
