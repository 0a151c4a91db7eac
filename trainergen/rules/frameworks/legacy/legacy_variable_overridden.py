"""A variable of a legacy job that its operator sets after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, fix, rule
from trainergen.rules.frameworks.legacy.jobs import legacy_job
from trainergen.source.edits import delete_entry

if TYPE_CHECKING:
    from trainergen.rules.frameworks.legacy.jobs import Legacy

_RENDEZVOUS = frozenset({"MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "RANK"})
_LAUNCHER = frozenset({"PET_NPROC_PER_NODE", "PET_NNODES"})
_BY_MASTER = _RENDEZVOUS | {"PET_MASTER_ADDR", "PET_MASTER_PORT", "PET_NODE_RANK"}
_BY_POLICY = frozenset({"PET_RDZV_ENDPOINT", "PET_RDZV_BACKEND"})
_OTHERS = {
    "XGBoostJob": _RENDEZVOUS,
    "JAXJob": frozenset({"COORDINATOR_ADDRESS", "COORDINATOR_PORT", "NUM_PROCESSES", "PROCESS_ID"}),
    "PaddleJob": frozenset({"PADDLE_JOB_ID", "PADDLE_NNODES", "PADDLE_MASTER"}),
}
_TRIGGERS = (*_BY_MASTER, *_LAUNCHER, *_BY_POLICY, *_OTHERS["JAXJob"], *_OTHERS["PaddleJob"], "TF_CONFIG")


@rule(
    "TG450",
    "legacy-variable-overridden",
    severity="warning",
    kinds=("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob"),
    triggers=tuple(sorted(_TRIGGERS)),
    answers=("A52",),
    fix="unsafe",
)
def legacy_variable_overridden(source: Source) -> Findings:
    """A container sets a variable that the Training Operator sets after it.

    ## Why
    The operator appends its variables of the rendezvous to those of the container, and of two with one name the kubelet
    takes the last. What is written in the manifest is dead: it misleads whoever reads it, and comes to life in a
    TrainJob, where nobody sets it any more.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
                  env:
                    - name: WORLD_SIZE
                      value: "4"  # <-
                    - name: NCCL_DEBUG
                      value: INFO
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata:
      name: resnet
    spec:
      pytorchReplicaSpecs:
        Master:
          replicas: 1
          template:
            spec:
              containers:
                - name: pytorch
                  image: ghcr.io/example/train:1.0
                  command: [torchrun, train.py]
                  env:
                    - name: NCCL_DEBUG
                      value: INFO
    ```
    """
    job = source.once(legacy_job)
    if job is None:
        return
    names = _set_by_operator(job)
    for role in job.roles:
        # NB: TF_CONFIG is set in the training container alone, everything else in all of them.
        for container in role.containers:
            if job.kind.kind == "TFJob" and container.name != job.kind.container:
                continue
            for entry in container.parts("env"):
                name = entry.text("name")
                if name in names:
                    edit = delete_entry(source.document, entry.path)
                    yield entry.at("value").report(
                        f"{name} is set by the Training Operator after this, so what is written here has no effect",
                        help=f"Remove it; the operator works {name} out from the job.",
                        fix=fix(f"remove {name}", edit),
                    )


def _set_by_operator(job: Legacy) -> frozenset[str]:
    """The variables that the operator sets in this job.

    kubeflow/training-operator pkg/controller.v1/{pytorch,xgboost,paddlepaddle,jax}/envvar.go and
    tensorflow/tensorflow.go @ v1.9.2.
    """
    kind = job.kind.kind
    if kind == "TFJob":
        return frozenset({"TF_CONFIG"}) if job.total > 1 else frozenset()
    if kind != "PyTorchJob":
        return _OTHERS.get(kind, frozenset())
    names = _LAUNCHER | (_BY_MASTER if job.role("Master") else frozenset())
    return names | (_BY_POLICY if job.source.has("spec.elasticPolicy") else frozenset())
