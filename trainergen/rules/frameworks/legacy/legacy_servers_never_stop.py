"""Parameter servers that go on when the training is done."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.frameworks.legacy.jobs import legacy_job


@rule(
    "TG455",
    "legacy-servers-never-stop",
    severity="warning",
    kinds=("TFJob",),
    triggers=("PS", "Ps", "ps"),
    mirrors=("kubeflow/trainer#1579", "kubeflow/trainer#2000"),
    answers=("A85",),
)
def legacy_servers_never_stop(source: Source) -> Findings:
    """Parameter servers of a TFJob keep running after the job has succeeded.

    ## Why
    A parameter server never ends by itself. The Training Operator stops it only if `cleanPodPolicy` is Running or All;
    the default is None, which leaves the Pods, and what they reserve, until somebody deletes the job.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: TFJob
    metadata:
      name: wide-deep
    spec:
      tfReplicaSpecs:
        PS:  # <-
          replicas: 2
          template: &role
            spec:
              containers:
                - name: tensorflow
                  image: ghcr.io/example/train:1.0
        Worker:
          replicas: 4
          template: *role
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: TFJob
    metadata:
      name: wide-deep
    spec:
      runPolicy:
        cleanPodPolicy: Running
      tfReplicaSpecs:
        PS:
          replicas: 2
          template: &role
            spec:
              containers:
                - name: tensorflow
                  image: ghcr.io/example/train:1.0
        Worker:
          replicas: 4
          template: *role
    ```
    """
    job = source.once(legacy_job)
    servers = None if job is None else job.role("PS")
    policy = source.text("spec.runPolicy.cleanPodPolicy") or "None"
    if servers is not None and policy == "None" and not source.has("spec.runPolicy.ttlSecondsAfterFinished"):
        yield servers.at().key.report(
            "parameter servers keep running when the job has succeeded, since cleanPodPolicy is None",
            help="Write cleanPodPolicy: Running into the runPolicy.",
        )
