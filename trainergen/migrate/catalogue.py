"""What a migration can lose or change, each as a check: error means that nothing is written unless it is accepted."""

from __future__ import annotations

from trainergen.finding import Check, Layer, Severity


def _loss(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.LINT, summary)


def _change(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.LINT, summary, Severity.WARNING)


def _remark(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.LINT, summary, Severity.INFO)


UNKNOWN_FIELD = Check(
    "TG821",
    "legacy-field-unknown",
    Layer.LINT,
    "a field is unknown to the legacy kind, so the API server dropped it",
    Severity.WARNING,
)
PREVIEW = Check(
    "TG822",
    "preview-api",
    Layer.LINT,
    "kubeflow.org/v2alpha1 was a preview of the API, gone since Training Operator 1.9.3",
)
LEGACY_REFUSED = Check(
    "TG823", "legacy-refused", Layer.LINT, "the Training Operator would refuse the job, so its meaning is a guess"
)
NOT_CARRIED = Check(
    "TG824", "not-carried-over", Layer.LINT, "a value has no place in the migrated job", Severity.WARNING
)
REFUSED = Check("TG825", "migrated-refused", Layer.LINT, "the target release would refuse what the job becomes")
SHIM = Check(
    "TG826", "rendezvous-shim", Layer.LINT, "variables of the Training Operator are set by hand", Severity.WARNING
)
LAUNCHER = Check("TG827", "launcher-rewritten", Layer.LINT, "the launch command is rewritten", Severity.WARNING)
LOCAL_RANK = Check(
    "TG828", "local-rank", Layer.LINT, "what a script learns of its local rank changes", Severity.WARNING
)
NOT_SHIPPED = Check("TG829", "runtime-not-shipped", Layer.LINT, "the target release ships no runtime for the framework")
NO_FRAMEWORK = Check(
    "TG844", "no-framework-variables", Layer.LINT, "the generated runtime has no policy of a framework", Severity.INFO
)
CONTAINER = Check("TG845", "container-renamed", Layer.LINT, "the training container gets another name", Severity.INFO)
PORT = Check("TG846", "rendezvous-port", Layer.LINT, "the rendezvous moves to another port", Severity.INFO)
FIELD_REF = Check(
    "TG847", "field-reference-renamed", Layer.LINT, "a reference to the training container is renamed", Severity.WARNING
)
RESERVED = Check(
    "TG848", "reserved-variable-removed", Layer.LINT, "a variable that the runtime sets is removed", Severity.WARNING
)
OVERRIDDEN = Check(
    "TG849",
    "overridden-variable-removed",
    Layer.LINT,
    "a variable that the Training Operator replaced is removed",
    Severity.WARNING,
)
NEVER_EXPANDED = Check(
    "TG850",
    "variable-never-expanded",
    Layer.LINT,
    "a value refers to a variable that is set after it",
    Severity.WARNING,
)
UNBUFFERED = Check(
    "TG851", "unbuffered-added", Layer.LINT, "PYTHONUNBUFFERED is set as the Training Operator did", Severity.INFO
)
HOST_NAME = Check(
    "TG852", "host-name-rewritten", Layer.LINT, "a host name of the legacy job is written out", Severity.WARNING
)
WORLD_SIZE = Check(
    "TG853",
    "world-size-as-nodes",
    Layer.LINT,
    "the number of processes was used as the number of nodes",
    Severity.WARNING,
)
OPAQUE = Check("TG854", "command-opaque", Layer.LINT, "what the container runs cannot be looked into", Severity.WARNING)
KATIB = Check("TG855", "katib-trial", Layer.LINT, "the trials of an Experiment become TrainJobs", Severity.WARNING)
PROCESSES = Check(
    "TG856", "processes-differ", Layer.LINT, "the number of processes per node may differ", Severity.WARNING
)
HOST_RANK = Check("TG857", "rank-from-host-name", Layer.LINT, "a rank is derived from the host name", Severity.WARNING)
ELASTIC = Check("TG858", "elastic-size-fixed", Layer.LINT, "an elastic job becomes one of fixed size")
SCRIPTS = Check(
    "TG859",
    "scripts-must-change",
    Layer.LINT,
    "what watches the job must look for other labels, conditions and names",
    Severity.INFO,
)
XGBOOST = Check(
    "TG860", "xgboost-variables", Layer.LINT, "the variables of an XGBoost or LightGBM job differ", Severity.WARNING
)
RUNTIME_FIRST = Check(
    "TG861", "runtime-before-job", Layer.LINT, "a generated runtime must exist before its TrainJob", Severity.INFO
)
JAX = Check("TG862", "jax-variables", Layer.LINT, "the variables of a JAX job have other names", Severity.WARNING)
TENSORFLOW = Check(
    "TG863", "tensorflow-runtime", Layer.LINT, "no release has a policy for TensorFlow", Severity.WARNING
)
TF_CONFIG = Check("TG864", "tf-config-literal", Layer.LINT, "TF_CONFIG lists its hosts one by one", Severity.WARNING)
DYNAMIC = Check("TG865", "dynamic-workers", Layer.LINT, "workers that come and go have no counterpart")
PADDLE = Check("TG866", "paddle-runtime", Layer.LINT, "no release has a policy for Paddle", Severity.WARNING)
MXNET = Check("TG867", "mxjob", Layer.LINT, "MXJob has no counterpart")
SSH = Check(
    "TG868", "ssh-transport", Layer.LINT, "MPI ranks are started over SSH, no more with kubectl", Severity.WARNING
)
SLOTS = Check(
    "TG869", "mpirun-processes", Layer.LINT, "the number of MPI processes comes from nodes and slots", Severity.WARNING
)
IMPLEMENTATION = Check("TG870", "mpi-implementation", Layer.LINT, "the Trainer starts Open MPI only")
SSH_KEYS = Check("TG871", "ssh-keys", Layer.LINT, "SSH refuses keys that others may read", Severity.WARNING)
WORKERS = Check(
    "TG872", "workers-in-runtime", Layer.LINT, "image and settings of MPI workers live in the runtime", Severity.WARNING
)
HOSTFILE = Check("TG873", "hostfile-added", Layer.LINT, "mpirun is given the host file", Severity.WARNING)
FORWARDED = Check(
    "TG874",
    "worker-variables-forwarded",
    Layer.LINT,
    "SSH does not carry the variables of the worker container",
    Severity.WARNING,
)
HOROVOD = Check("TG875", "elastic-horovod", Layer.LINT, "elastic Horovod has no counterpart")
BLANKED = Check(
    "TG876", "launcher-gpus-hidden", Layer.LINT, "GPUs are hidden from the launcher as before", Severity.INFO
)
SSHD_PORT = Check("TG877", "sshd-port-guessed", Layer.LINT, "the port of sshd is a guess", Severity.WARNING)
CLEAN = Check("TG878", "clean-pod-policy", Layer.LINT, "Pods are cleaned up by other rules", Severity.WARNING)
TTL = Check("TG879", "job-not-deleted", Layer.LINT, "nothing deletes a finished TrainJob", Severity.WARNING)
DEADLINE = Check(
    "TG880", "deadline-deletes-pods", Layer.LINT, "at the deadline the Pods go, with their logs", Severity.WARNING
)
RETRIES = Check(
    "TG881", "retries-counted-differently", Layer.LINT, "retries are limited and counted differently", Severity.WARNING
)
RESTART = Check("TG882", "restart-policy", Layer.LINT, "a restart policy has no exact counterpart", Severity.WARNING)
EXIT_CODES = Check(
    "TG883", "exit-code-policy", Layer.LINT, "restarting by exit code is emulated or dropped", Severity.WARNING
)
SUCCESS = Check("TG884", "success-rule", Layer.LINT, "another rule says when the job has succeeded", Severity.WARNING)
GANG = Check(
    "TG885", "gang-scheduling", Layer.LINT, "a part of the scheduling policy has no counterpart", Severity.WARNING
)
KUEUE = Check("TG886", "kueue-queue", Layer.LINT, "Kueue must know TrainJobs", Severity.WARNING)
MANAGER = Check("TG887", "managed-by", Layer.LINT, "managedBy names a controller of the legacy kinds", Severity.INFO)
PRIORITY = Check(
    "TG888", "pod-priority", Layer.LINT, "the priority of the PodGroup becomes that of the Pods", Severity.WARNING
)
GANG_UNKNOWN = Check(
    "TG889",
    "gang-scheduler-unknown",
    Layer.LINT,
    "a scheduling policy counts only with a gang scheduler",
    Severity.WARNING,
)
ROLES = Check(
    "TG890",
    "roles-differ",
    Layer.LINT,
    "roles differ, so that each gets a job of its own in a runtime",
    Severity.WARNING,
)
COUNTS = Check(
    "TG891",
    "counts-in-several-places",
    Layer.LINT,
    "the number of nodes is written in several places",
    Severity.WARNING,
)
RUNTIME_FIELDS = Check(
    "TG892", "fields-in-runtime", Layer.LINT, "fields of the Pod fit only into a runtime", Severity.WARNING
)
NAME = Check("TG893", "name-too-long", Layer.LINT, "the name leaves no room for those of the Pods")
PORTS = Check("TG894", "ports-dropped", Layer.LINT, "ports of the training container are dropped", Severity.INFO)
HOST = Check("TG895", "host-name-dropped", Layer.LINT, "host name and subdomain belong to the JobSet", Severity.WARNING)
AFFINITY = Check("TG896", "affinity-labels", Layer.LINT, "an affinity selects Pods by legacy labels", Severity.WARNING)
ISTIO = Check("TG897", "istio-annotation", Layer.LINT, "the annotation that keeps Istio out is kept", Severity.INFO)
PATCHES = Check("TG898", "patches-used", Layer.LINT, "settings of the Pod are patches of the runtime", Severity.WARNING)
UNTOUCHED = Check("TG899", "left-alone", Layer.LINT, "a legacy job is in a form that cannot be rewritten")

CATALOGUE = {check.id: check for check in list(globals().values()) if isinstance(check, Check)}
"""All of them by id."""
