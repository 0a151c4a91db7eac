"""A name of a legacy job that leaves no room for those of its Pods."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.frameworks.legacy.jobs import KINDS, legacy_job

_LONGEST = 63


@rule(
    "TG460",
    "legacy-pod-name-too-long",
    severity="error",
    profile="minimal",
    kinds=KINDS,
    answers=("A34",),
)
def legacy_pod_name_too_long(source: Source) -> Findings:
    """The names of Pods and Services that follow from the name of a legacy job are too long.

    ## Why
    Every Pod is called after job, role and number, and so is its Service, whose name is a label of DNS with 63
    characters at most. The webhook looks at the name of the job only: the job is accepted, its Services are refused.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet-152-imagenet-22k-batch-4096-learning-rate-0-1-run  # <-
    spec:
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template: &node
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
        Worker:
          replicas: 3
          template: *node
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet-152-imagenet
    spec:
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template: &node
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
        Worker:
          replicas: 3
          template: *node
    ```
    """
    # NB: a name beyond the limit by itself is refused by the webhook; MPIJobs of v1 have no Services.
    job = source.once(legacy_job) if 40 < len(source.name) <= _LONGEST else None
    if job is None or (job.kind.kind, job.kind.version) == ("MPIJob", "v1"):
        return
    last = max(
        (f"{source.name}-{role.role.lower()}-{role.replicas - 1}" for role in job.roles if role.replicas),
        key=len,
        default="",
    )
    if len(last) > _LONGEST:
        yield source.at("metadata.name").report(
            f"'{last}' has {len(last)} characters, but the name of a Pod with a Service has {_LONGEST} at most",
            help=f"Shorten the name by {len(last) - _LONGEST}.",
        )
