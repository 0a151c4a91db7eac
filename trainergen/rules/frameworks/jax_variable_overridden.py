"""Variables of a TrainJob that override what the JAX policy sets."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.source.edits import delete_entry

_SET = frozenset({"JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS"})


@rule(
    "TG405",
    "jax-variable-overridden",
    severity="error",
    since="2.2",
    triggers=("JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS"),
    mirrors="kubeflow/trainer#3669",
    answers=("A23", "T4"),
    fix="unsafe",
)
def jax_variable_overridden(job: Job) -> Findings:
    """A TrainJob overrides the variables that a JAX runtime sets.

    ## Why
    Other frameworks refuse their own variables in a TrainJob; for JAX nothing checks them, and the TrainJob's value
    wins. All nodes then have one process id, wait for another number of processes, or look for the coordinator where
    there is none.

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
        command: [python, /workspace/train.py]
        env:
          - name: JAX_PROCESS_ID  # <-
            value: "0"
          - name: XLA_FLAGS
            value: --xla_gpu_enable_latency_hiding_scheduler=true
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
        env:
          - name: XLA_FLAGS
            value: --xla_gpu_enable_latency_hiding_scheduler=true
    ```
    """
    if job.runtime.policy("jax") is None:
        return
    for entry in job.source.parts("spec.trainer.env"):
        name = entry.text("name")
        if name in _SET:
            yield entry.at("name").report(
                f"{name} of the TrainJob takes the place of what the runtime sets for each node",
                help="Remove it.",
                fix=fix(f"remove {name}", delete_entry(job.document, entry.path)),
            )
