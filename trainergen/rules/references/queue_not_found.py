"""A queue of Kueue that is missed by a letter, a namespace or a kind."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.references.mistyped import meant

_LABEL = "kueue.x-k8s.io/queue-name"


@rule(
    "TG214",
    "queue-not-found",
    severity="error",
    kinds=("TrainJob", "LocalQueue"),
    triggers=(_LABEL, "clusterQueue"),
    looks_up=("LocalQueue", "ClusterQueue"),
    answers=("A73",),
)
def queue_not_found(source: Source) -> Findings:
    """A TrainJob or LocalQueue names a queue of Kueue that is not there, while a similar one is.

    ## Why
    Kueue suspends a TrainJob whose LocalQueue does not exist, and it waits for ever without an error. The label names a
    LocalQueue of the job's own namespace, not a ClusterQueue. A LocalQueue without its ClusterQueue admits nothing.
    Queues may live in the cluster alone, so only a near miss is reported.

    ## Bad
    ```yaml title="queue.yaml"
    apiVersion: kueue.x-k8s.io/v1beta1
    kind: LocalQueue
    metadata:
      name: training
      namespace: team-a
    spec:
      clusterQueue: gpus
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: trainings  # <-
    spec:
      runtimeRef:
        name: torch-distributed
    ```

    ## Good
    ```yaml title="queue.yaml"
    apiVersion: kueue.x-k8s.io/v1beta1
    kind: LocalQueue
    metadata:
      name: training
      namespace: team-a
    spec:
      clusterQueue: gpus
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: training
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    if source.kind == "LocalQueue":
        name = source.text("spec.clusterQueue")
        near = meant(name, source.objects.names("ClusterQueue"))
        if near and not source.objects.find("ClusterQueue", name):
            place = source.at("spec.clusterQueue")
            yield place.report(f"there is no ClusterQueue '{name}'", help=f"Did you mean '{near}'?")
        return
    name = source.text("metadata.labels", _LABEL)
    if name and not source.objects.find("LocalQueue", name, source.namespace):
        advice = _near_miss(source, name)
        if advice:
            where = f" in namespace '{source.namespace}'" if source.namespace else ""
            yield source.at("metadata.labels", _LABEL).report(f"there is no LocalQueue '{name}'{where}", help=advice)


def _near_miss(job: Source, name: str) -> str:
    """What was probably meant, as a sentence; empty when nothing is near."""
    near = meant(name, job.objects.names("LocalQueue", namespace=job.namespace))
    if near:
        return f"Did you mean '{near}'?"
    queues = job.objects.of("LocalQueue")
    if job.objects.find("ClusterQueue", name):
        own = [queue.name for queue in queues if queue.object.text("spec.clusterQueue") == name]
        hint = f", such as '{own[0]}'" if own else ""
        return f"'{name}' is a ClusterQueue: name a LocalQueue that leads to it{hint}."
    others = [queue.namespace for queue in queues if queue.name == name and queue.namespace]
    if job.namespace and others:
        return f"There is one in namespace '{others[0]}': make one in '{job.namespace}' as well."
    return ""
