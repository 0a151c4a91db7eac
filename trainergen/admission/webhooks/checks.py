"""The checks of Trainer's webhooks, one for each condition that they refuse or warn of."""

from __future__ import annotations

from trainergen.finding import Check, Layer, Severity


def _refusal(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.WEBHOOK, summary)


def _warning(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.WEBHOOK, summary, Severity.WARNING)


UNDECODABLE = _refusal(130, "undecodable-value", "the schema takes the value, but the webhook cannot read it")
UNSUPPORTED_RUNTIME_KIND = _refusal(131, "unsupported-runtime-kind", "runtimeRef names no kind of training runtime")
INVALID_JOB_NAME = _refusal(132, "invalid-job-name", "the TrainJob's name is no RFC 1035 label")
MISSING_TRAINING_RUNTIME = _refusal(133, "missing-training-runtime", "the namespace has no such TrainingRuntime")
MISSING_CLUSTER_RUNTIME = _refusal(134, "missing-cluster-runtime", "the cluster has no such ClusterTrainingRuntime")
DEPRECATED_RUNTIME_REF = _warning(135, "deprecated-runtime-ref", "the referenced runtime is marked as deprecated")
MISSING_DATASET_JOB = _refusal(136, "missing-dataset-job", "the runtime has no job that fetches a dataset")
MISSING_DATASET_CONTAINER = _refusal(137, "missing-dataset-container", "the dataset job lacks its container")
MISSING_DATASET_MOUNT = _refusal(138, "missing-dataset-mount", "the dataset container mounts no volume 'initializer'")
MISSING_MODEL_JOB = _refusal(139, "missing-model-job", "the runtime has no job that fetches a model")
MISSING_MODEL_CONTAINER = _refusal(140, "missing-model-container", "the model job lacks its container")
MISSING_MODEL_MOUNT = _refusal(141, "missing-model-mount", "the model container mounts no volume 'initializer'")
OVERRIDES_CHANGED_RUNNING = _refusal(142, "overrides-changed-running", "overrides change while the job runs")
OVERRIDES_CHANGED_ACTIVE = _refusal(143, "overrides-changed-active", "overrides change while pods are active")
REPEATED_TARGET_JOB = _refusal(144, "repeated-target-job", "overrides target one job twice")
UNKNOWN_TARGET_JOB = _refusal(145, "unknown-target-job", "an override names a job that the runtime lacks")
RESERVED_CONTAINER_ENV = _refusal(146, "reserved-container-env", "an override sets env of a reserved container")
INVALID_PATCH_MANAGER = _refusal(147, "invalid-patch-manager", "the manager of a patch is no domain-prefixed path")
INVALID_PROCESS_WORD = _refusal(148, "invalid-process-word", "numProcPerNode is a word that Torch does not know")
RESERVED_TORCH_ENV = _refusal(149, "reserved-torch-env", "env sets a variable that the Torch plugin owns")
MISSING_INJECTION_TARGET = _refusal(150, "missing-injection-target", "envInjection names a container the runtime lacks")
UNSUPPORTED_TUNE_MODEL = _refusal(151, "unsupported-tune-model", "the runtime's name gives no supported model")
TUNE_NODES = _refusal(152, "tune-nodes", "the TorchTune model runs on one node only")
QLORA_MODEL = _refusal(153, "qlora-model", "the TorchTune model does not support QLoRA")
QLORA_DEVICES = _refusal(154, "qlora-devices", "QLoRA of this TorchTune model runs on one device only")
LORA_NODES = _refusal(155, "lora-nodes", "LoRA of TorchTune runs on one node only")
LOCKED_TUNE_ARG = _refusal(156, "locked-tune-arg", "args set a TorchTune option that belongs to the runtime")
TUNE_WITHOUT_NODES = _refusal(157, "tune-without-nodes", "the webhook crashes on tune run without numNodes")
MPI_PROCESS_WORD = _refusal(158, "mpi-process-word", "numProcPerNode of an MPI job is a string")
MPI_MISSING_JOB = _refusal(159, "mpi-missing-job", "the MPI runtime lacks the launcher or the node job")
RESERVED_MPI_ENV = _refusal(160, "reserved-mpi-env", "env sets a variable that the MPI plugin owns")
FLUX_PROCESSES = _refusal(161, "flux-processes", "a Flux job has less than one process a node")
RESERVED_FLUX_CONTAINER = _refusal(162, "reserved-flux-container", "the runtime has Flux's own init container")
RESERVED_XGBOOST_ENV = _refusal(163, "reserved-xgboost-env", "env sets a variable that the XGBoost plugin owns")
EMPTY_QUEUE = _refusal(164, "empty-volcano-queue", "the Volcano queue annotation is empty")
MISSING_PRIORITY_CLASS = _refusal(165, "missing-priority-class", "a job's PriorityClass does not exist")
UNMERGEABLE_OVERRIDES = _refusal(166, "unmergeable-overrides", "overrides cannot be merged, which crashes the webhook")
RUNTIME_JOB_REPLICAS = _refusal(167, "runtime-job-replicas", "a labelled job of a runtime has not one replica")
RUNTIME_LAUNCHER_REPLICAS = _refusal(168, "runtime-launcher-replicas", "a runtime's launcher has not one replica")
RUNTIME_JOB_CONTAINER = _refusal(169, "runtime-job-container", "a labelled job of a runtime lacks its container")
DEPRECATED_RUNTIME = _warning(170, "deprecated-runtime", "the runtime is marked as deprecated")

CHECKS: tuple[Check, ...] = (
    UNDECODABLE,
    UNSUPPORTED_RUNTIME_KIND,
    INVALID_JOB_NAME,
    MISSING_TRAINING_RUNTIME,
    MISSING_CLUSTER_RUNTIME,
    DEPRECATED_RUNTIME_REF,
    MISSING_DATASET_JOB,
    MISSING_DATASET_CONTAINER,
    MISSING_DATASET_MOUNT,
    MISSING_MODEL_JOB,
    MISSING_MODEL_CONTAINER,
    MISSING_MODEL_MOUNT,
    OVERRIDES_CHANGED_RUNNING,
    OVERRIDES_CHANGED_ACTIVE,
    REPEATED_TARGET_JOB,
    UNKNOWN_TARGET_JOB,
    RESERVED_CONTAINER_ENV,
    INVALID_PATCH_MANAGER,
    INVALID_PROCESS_WORD,
    RESERVED_TORCH_ENV,
    MISSING_INJECTION_TARGET,
    UNSUPPORTED_TUNE_MODEL,
    TUNE_NODES,
    QLORA_MODEL,
    QLORA_DEVICES,
    LORA_NODES,
    LOCKED_TUNE_ARG,
    TUNE_WITHOUT_NODES,
    MPI_PROCESS_WORD,
    MPI_MISSING_JOB,
    RESERVED_MPI_ENV,
    FLUX_PROCESSES,
    RESERVED_FLUX_CONTAINER,
    RESERVED_XGBOOST_ENV,
    EMPTY_QUEUE,
    MISSING_PRIORITY_CLASS,
    UNMERGEABLE_OVERRIDES,
    RUNTIME_JOB_REPLICAS,
    RUNTIME_LAUNCHER_REPLICAS,
    RUNTIME_JOB_CONTAINER,
    DEPRECATED_RUNTIME,
)
"""Every check of this part, for the documentation and for ``--select``."""
