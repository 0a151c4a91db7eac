"""A Secret, ConfigMap, claim or account that is missed by a letter or a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule
from trainergen.rules.references.mistyped import meant
from trainergen.rules.references.referenced import references

if TYPE_CHECKING:
    from trainergen.rules.references.referenced import Reference

_KINDS = ("ConfigMap", "Secret", "PersistentVolumeClaim", "ServiceAccount")
_MAKERS = ("SealedSecret", "ExternalSecret")


@rule(
    "TG213",
    "referenced-object-not-found",
    severity="warning",
    looks_up=(*_KINDS, *_MAKERS),
    answers=("M004", "A104"),
)
def referenced_object_not_found(job: Job) -> Findings:
    """A Pod refers to an object that the repository has under nearly that name, or in another namespace.

    ## Why
    Pods see Secrets, ConfigMaps, claims and service accounts of their own namespace only. Without them they wait in
    Pending or CreateContainerConfigError, or are not created at all. Such objects often live in the cluster alone, so
    only a near miss is reported: a slip of one letter, or the very name in another namespace of the repository.

    ## Bad
    ```yaml title="claim.yaml"
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata:
      name: datasets
      namespace: team-b
    spec:
      accessModes: [ReadOnlyMany]
      resources:
        requests:
          storage: 1Ti
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      runtimePatches:
        - manager: platform.example.com/gitops
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            volumes:
                              - name: data
                                persistentVolumeClaim:
                                  claimName: datasets  # <-
                            containers:
                              - name: node
                                volumeMounts:
                                  - name: data
                                    mountPath: /data
    ```

    ## Good
    ```yaml title="claim.yaml"
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata:
      name: datasets
      namespace: team-a
    spec:
      accessModes: [ReadOnlyMany]
      resources:
        requests:
          storage: 1Ti
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      runtimePatches:
        - manager: platform.example.com/gitops
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            volumes:
                              - name: data
                                persistentVolumeClaim:
                                  claimName: datasets
                            containers:
                              - name: node
                                volumeMounts:
                                  - name: data
                                    mountPath: /data
    ```
    """
    if not job.objects.has(*_KINDS):
        return
    found = references(job)
    made = {(part.text("kind"), part.text("metadata.name")) for part in job.rendered_objects()} if found else set()
    for reference in found:
        kind, name = reference.kind, reference.name
        if not name or (kind, name) in made or _exists(job, kind, name):
            continue
        advice = _near_miss(job, reference)
        if advice:
            yield reference.where.at(reference.field).report(f"there is no {kind} '{name}' for this Pod", help=advice)


def _exists(job: Job, kind: str, name: str) -> bool:
    if job.objects.find(kind, name, job.namespace):
        return True
    return kind == "Secret" and any(
        name in (entry.name, entry.object.text("spec.target.name"))
        for entry in job.objects.of(*_MAKERS, namespace=job.namespace)
    )


def _near_miss(job: Job, reference: Reference) -> str:
    """What was probably meant, as a sentence; empty when nothing is near."""
    kind, name = reference.kind, reference.name
    near = meant(name, job.objects.names(kind, namespace=job.namespace))
    if near:
        return f"Did you mean '{near}'?"
    # A namespace that no file says comes from the tool that delivers the manifests.
    own = job.source.text("metadata.namespace")
    others = [entry.namespace for entry in job.objects.of(kind) if entry.name == name and entry.namespace]
    if own and others:
        return f"There is one in namespace '{others[0]}': make one in '{own}' as well."
    return ""
