"""A number of processes that nothing starts."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_READERS = ("torch", "mpi", "flux")


@rule(
    "TG417",
    "processes-without-effect",
    severity="warning",
    triggers=("numProcPerNode",),
)
def processes_without_effect(job: Job) -> Findings:
    """A TrainJob sets numProcPerNode on a runtime where nothing reads it.

    ## Why
    Only the policies torch, MPI and Flux read `numProcPerNode`. JAX runs one process on each node, XGBoost one worker
    for each GPU, and a runtime without a policy whatever its command starts; the number changes nothing there.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: jax-distributed
      trainer:
        numNodes: 2
        numProcPerNode: 4  # <-
        command: [python, /workspace/train.py]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: jax-distributed
      trainer:
        numNodes: 2
        command: [python, /workspace/train.py]
    ```
    """
    if not job.has("spec.trainer.numProcPerNode") or any(job.runtime.policy(name) for name in _READERS):
        return
    policy = next((name for name in ("jax", "xgboost") if job.runtime.policy(name)), "")
    yield job.at("spec.trainer.numProcPerNode").key.report(
        f"numProcPerNode is {job.get('spec.trainer.numProcPerNode')}, but "
        + (f"the policy '{policy}' does not read it" if policy else "the runtime has no policy that reads it"),
        help="Remove it.",
    )
