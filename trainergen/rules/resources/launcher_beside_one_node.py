"""One node that is two."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_FIELD = "spec.trainer.numNodes"


@rule("TG321", "launcher-beside-one-node", severity="warning", triggers=("runLauncherAsNode",), answers=("T6",))
def launcher_beside_one_node(job: Job) -> Findings:
    """A TrainJob asks an MPI runtime for one node and gets two.

    ## Why
    With `runLauncherAsNode` the launcher trains, and counts as one of `numNodes`. But the job `node` never has less
    than one Pod: `numNodes: 1` gives the launcher and a node, both with the resources of a node, and mpirun uses both.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: t5
      namespace: team-a
    spec:
      runtimeRef:
        name: deepspeed-distributed
      trainer:
        numNodes: 1  # <-
        command: [mpirun, python, t5.py]
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 4
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: t5
      namespace: team-a
    spec:
      runtimeRef:
        name: deepspeed-distributed
      trainer:
        numNodes: 2
        command: [mpirun, python, t5.py]
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 4
    ```
    """
    policy = job.runtime.policy("mpi")
    if policy is None or policy.get("runLauncherAsNode") is not True or job.integer(_FIELD) != 1:
        return
    pods = sum(pods.count for pods in job.pods if pods.name in ("node", "launcher"))
    if pods > 1:
        yield job.at(_FIELD).report(
            f"numNodes is 1, but {pods} Pods train: the launcher, and a node beside it",
            help="Set it to 2 to say what runs, or train on one node with a torch runtime.",
        )
