"""Claims for one node that Pods on several need."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.rules import Findings, Job, rule
from trainergen.rules.scheduling.networking.multi import talking_pods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules import Pods, Spot

_ONE_NODE = frozenset({"ReadWriteOnce", "ReadWriteOncePod"})


class _Claim(NamedTuple):
    name: str
    modes: tuple[str, ...]
    spot: Spot
    """Where a Pod gets it."""


@rule(
    "TG575",
    "exclusive-claim-shared",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("persistentVolumeClaim", "volumeClaimPolicies"),
    looks_up=("PersistentVolumeClaim",),
)
def exclusive_claim_shared(job: Job) -> Findings:
    """Several Pods of a job mount a claim that one node at a time can mount.

    ## Why
    A ReadWriteOnce volume is attached to one node. Pods on other nodes stay in ContainerCreating with a multi-attach
    error, the gang never starts, and the GPUs of those that run are idle; it works only as long as all Pods fit on one
    node. With ReadWriteOncePod the second Pod never starts. Copies of Trainer's TorchTune runtimes have such claims.

    ## Bad
    ```yaml title="claim.yaml"
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata:
      name: corpus
      namespace: team-a
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 500Gi
    ```
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 4
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
                      volumes:
                        - name: data
                          persistentVolumeClaim:
                            claimName: corpus  # <-
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: data
                              mountPath: /data
    ```

    ## Good
    ```yaml title="claim.yaml"
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata:
      name: corpus
      namespace: team-a
    spec:
      accessModes: [ReadWriteMany]
      resources:
        requests:
          storage: 500Gi
    ```
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 4
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
                      volumes:
                        - name: data
                          persistentVolumeClaim:
                            claimName: corpus
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: data
                              mountPath: /data
    ```
    """
    seen: dict[str, tuple[_Claim, int]] = {}
    for pods in talking_pods(job):
        for claim in _claims(job, pods):
            seen[claim.name] = claim, seen.get(claim.name, (claim, 0))[1] + pods.count
    for claim, count in seen.values():
        if count > 1 and claim.modes and _ONE_NODE.issuperset(claim.modes):
            yield claim.spot.report(
                f"claim '{claim.name}' is {' and '.join(claim.modes)}, but {count} Pods of the job mount it at once",
                help="Use a claim that is ReadWriteMany or ReadOnlyMany, or train on one node.",
                severity="error" if claim.modes == ("ReadWriteOncePod",) else "",
            )


def _claims(job: Job, pods: Pods) -> Iterator[_Claim]:
    """The claims of a Pod whose access modes are known."""
    volumes = set()
    for volume in pods.spec.parts("volumes"):
        volumes.add(volume.text("name"))
        name = volume.text("persistentVolumeClaim.claimName")
        entry = job.objects.find("PersistentVolumeClaim", name, job.namespace) if name else None
        if entry is not None:
            modes = tuple(entry.object.texts("spec.accessModes"))
            yield _Claim(name, modes, volume.at("persistentVolumeClaim.claimName"))
    mounted = {mount.text("name") for container in pods.all_containers for mount in container.parts("volumeMounts")}
    for policy in job.jobset.parts("spec.volumeClaimPolicies"):
        for template in policy.parts("templates"):
            if template.text("metadata.name") in mounted - volumes:
                modes = tuple(template.texts("spec.accessModes"))
                yield _Claim(template.text("metadata.name"), modes, template.at("spec.accessModes").key)
