"""Variables in a runtime that the plugin of its policy replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import delete_entry

if TYPE_CHECKING:
    from trainergen.rules import Part

_SET = {
    "torch": frozenset({"PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"}),
    "jax": frozenset({"JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS"}),
    "xgboost": frozenset({"DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER"}),
    "mpi": frozenset(
        {
            "OMPI_MCA_orte_default_hostfile",
            "OMPI_MCA_orte_keep_fqdn_hostnames",
            "OMPI_MCA_orte_set_default_slots",
            "OMPI_MCA_plm_rsh_args",
        }
    ),
}
_NAMES = frozenset().union(*_SET.values())
_STEP = "trainer.kubeflow.org/trainjob-ancestor-step"


@rule(
    "TG404",
    "reserved-variable-replaced",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=tuple(sorted(_NAMES)),
    answers=("A23",),
    fix="unsafe",
)
def reserved_variable_replaced(source: Source) -> Findings:
    """A runtime sets variables that the controller replaces without a word.

    ## Why
    What a TrainJob sets of these is refused, or wins; in the runtime it is replaced as soon as a TrainJob has a
    `trainer` section. So a `PET_NPROC_PER_NODE` that should stand in for `mlPolicy.torch.numProcPerNode`, which is gone
    since 2.2, does nothing.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
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
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          env:
                            - name: PET_NPROC_PER_NODE  # <-
                              value: "8"
                            - name: NCCL_DEBUG
                              value: WARN
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
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
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          env:
                            - name: NCCL_DEBUG
                              value: WARN
    ```
    """
    names = next((names for policy, names in _SET.items() if source.has("spec.mlPolicy", policy)), frozenset())
    for pods in source.parts("spec.template.spec.replicatedJobs"):
        if not _is_set_in(source, pods):
            continue
        for container in pods.parts("template.spec.template.spec.containers"):
            for entry in container.parts("env") if container.text("name") == "node" else ():
                if entry.text("name") in names:
                    yield entry.at("name").report(
                        f"{entry.text('name')} is replaced by the controller in each TrainJob with a 'trainer'",
                        help="Remove it; processes are set by numProcPerNode of the TrainJob, nodes by numNodes.",
                        fix=fix("remove the variable", delete_entry(source.document, entry.path)),
                    )


def _is_set_in(source: Source, pods: Part) -> bool:
    """Whether the plugin sets variables in the Pods of a job."""
    if source.has("spec.mlPolicy.mpi"):
        return pods.text("name") == "launcher"
    return pods.text("template.metadata.labels", _STEP) == "trainer"
