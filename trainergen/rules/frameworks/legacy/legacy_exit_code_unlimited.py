"""A limit on restarts that the restart policy ExitCode does not heed."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.frameworks.legacy.jobs import KINDS, legacy_job


@rule(
    "TG453",
    "legacy-exit-code-unlimited",
    severity="warning",
    kinds=KINDS,
    triggers=("ExitCode",),
    mirrors=(
        "kubeflow/trainer#2044",
        "kubeflow/trainer#2045",
        "kubeflow/trainer#2342",
        "kubeflow/trainer#1589",
        "kubeflow/mpi-operator#651",
    ),
    answers=("A84",),
)
def legacy_exit_code_unlimited(source: Source) -> Findings:
    """A role restarts by exit code, and backoffLimit does not end it.

    ## Why
    With `ExitCode` the Training Operator deletes a Pod that ended with 128 or above, and creates it anew.
    `backoffLimit` counts restarts within running Pods, of which the new one has none: a job that runs out of memory
    (137) does so for ever, on paid GPUs. Codes from 1 to 127 fail the job at once.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      runPolicy:
        backoffLimit: 3  # <-
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          restartPolicy: ExitCode
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      runPolicy:
        backoffLimit: 3
        activeDeadlineSeconds: 86400
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          restartPolicy: ExitCode
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
    ```
    """
    job = source.once(legacy_job)
    policy = source.part("spec.runPolicy")
    limit = policy.integer("backoffLimit")
    if job is None or job.kind.version != "v1" or limit is None or policy.has("activeDeadlineSeconds"):
        return
    role = next((role for role in job.roles if role.text("restartPolicy") == "ExitCode"), None)
    if role is not None:
        yield policy.at("backoffLimit").report(
            f"backoffLimit {limit} does not limit restarts by exit code, which {role.words} asks for",
            help="Set activeDeadlineSeconds as well, or use OnFailure.",
        )
