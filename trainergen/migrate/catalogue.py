"""What a migration can lose or change, each as a check: error means that nothing is written unless it is accepted."""

from __future__ import annotations

from trainergen.finding import Check, Layer, Severity


def _loss(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.LINT, summary)


def _change(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.LINT, summary, Severity.WARNING)


def _remark(number: int, name: str, summary: str) -> Check:
    return Check(f"TG{number}", name, Layer.LINT, summary, Severity.INFO)


DEPENDS = _change(805, "depends-on-legacy-job", "an object goes by labels, kinds or metrics of the legacy jobs")
OVERLAY = _change(811, "overlay-rewritten", "what a kustomization does to a legacy job is written for what it becomes")
ENVIRONMENT = _change(818, "environment-differs", "a Pod sees other values than those of the legacy job did")
UNKNOWN_FIELD = _change(
    821, "legacy-field-unknown", "a field is unknown to the legacy kind, so the API server dropped it"
)
PREVIEW = _loss(
    822, "preview-api", "kubeflow.org/v2alpha1 was a preview of the API, gone since Training Operator 1.9.3"
)
LEGACY_REFUSED = _loss(823, "legacy-refused", "the Training Operator would refuse the job, so its meaning is a guess")
NOT_CARRIED = _change(824, "not-carried-over", "a value has no place in the migrated job")
REFUSED = _loss(825, "migrated-refused", "the target release would refuse what the job becomes")
SHIM = _change(826, "rendezvous-shim", "variables of the Training Operator are set by hand")
LAUNCHER = _change(827, "launcher-rewritten", "the launch command is rewritten")
LOCAL_RANK = _change(828, "local-rank", "what a script learns of its local rank changes")
NOT_SHIPPED = _loss(829, "runtime-not-shipped", "the target release ships no runtime for the framework")
NO_FRAMEWORK = _remark(819, "no-framework-variables", "the generated runtime has no policy of a framework")
CONTAINER = _remark(845, "container-renamed", "the training container gets another name")
PORT = _remark(846, "rendezvous-port", "the rendezvous moves to another port")
FIELD_REF = _change(847, "field-reference-renamed", "a reference to the training container is renamed")
RESERVED = _change(848, "reserved-variable-removed", "a variable that the runtime sets is removed")
OVERRIDDEN = _change(849, "overridden-variable-removed", "a variable that the Training Operator replaced is removed")
NEVER_EXPANDED = _change(850, "variable-never-expanded", "a value refers to a variable that is set after it")
UNBUFFERED = _remark(851, "unbuffered-added", "PYTHONUNBUFFERED is set as the Training Operator did")
HOST_NAME = _change(852, "host-name-rewritten", "a host name of the legacy job is written out")
WORLD_SIZE = _change(853, "world-size-as-nodes", "the number of processes was used as the number of nodes")
OPAQUE = _change(854, "command-opaque", "what the container runs cannot be looked into")
KATIB = _change(855, "katib-trial", "the trials of an Experiment become TrainJobs")
PROCESSES = _change(856, "processes-differ", "the number of processes per node may differ")
HOST_RANK = _change(857, "rank-from-host-name", "a rank is derived from the host name")
ELASTIC = _loss(858, "elastic-size-fixed", "an elastic job becomes one of fixed size")
SCRIPTS = _remark(859, "scripts-must-change", "what watches the job must look for other labels, conditions and names")
XGBOOST = _change(860, "xgboost-variables", "the variables of an XGBoost or LightGBM job differ")
RUNTIME_FIRST = _remark(861, "runtime-before-job", "a generated runtime must exist before its TrainJob")
JAX = _change(862, "jax-variables", "the variables of a JAX job have other names")
TENSORFLOW = _change(863, "tensorflow-runtime", "no release has a policy for TensorFlow")
TF_CONFIG = _change(864, "tf-config-literal", "TF_CONFIG lists its hosts one by one")
DYNAMIC = _loss(865, "dynamic-workers", "workers that come and go have no counterpart")
PADDLE = _change(866, "paddle-runtime", "no release has a policy for Paddle")
MXNET = _loss(867, "mxjob", "MXJob has no counterpart")
SSH = _change(868, "ssh-transport", "MPI ranks are started over SSH, no more with kubectl")
SLOTS = _change(869, "mpirun-processes", "the number of MPI processes comes from nodes and slots")
IMPLEMENTATION = _loss(870, "mpi-implementation", "the Trainer starts Open MPI only")
SSH_KEYS = _change(871, "ssh-keys", "SSH refuses keys that others may read")
WORKERS = _change(872, "workers-in-runtime", "image and settings of MPI workers live in the runtime")
HOSTFILE = _change(873, "hostfile-added", "mpirun is given the host file")
FORWARDED = _change(874, "worker-variables-forwarded", "SSH does not carry the variables of the worker container")
HOROVOD = _loss(875, "elastic-horovod", "elastic Horovod has no counterpart")
BLANKED = _remark(876, "launcher-gpus-hidden", "GPUs are hidden from the launcher as before")
SSHD_PORT = _change(877, "sshd-port-guessed", "the port of sshd is a guess")
CLEAN = _change(878, "clean-pod-policy", "Pods are cleaned up by other rules")
TTL = _change(879, "job-not-deleted", "nothing deletes a finished TrainJob")
DEADLINE = _change(880, "deadline-deletes-pods", "at the deadline the Pods go, with their logs")
RETRIES = _change(881, "retries-counted-differently", "retries are limited and counted differently")
RESTART = _change(882, "restart-policy", "a restart policy has no exact counterpart")
EXIT_CODES = _change(883, "exit-code-policy", "restarting by exit code is emulated or dropped")
SUCCESS = _change(884, "success-rule", "another rule says when the job has succeeded")
GANG = _change(885, "gang-scheduling", "a part of the scheduling policy has no counterpart")
KUEUE = _change(886, "kueue-queue", "Kueue must know TrainJobs")
MANAGER = _remark(887, "managed-by", "managedBy names a controller of the legacy kinds")
PRIORITY = _change(888, "pod-priority", "the priority of the PodGroup becomes that of the Pods")
GANG_UNKNOWN = _change(889, "gang-scheduler-unknown", "a scheduling policy counts only with a gang scheduler")
ROLES = _change(890, "roles-differ", "roles differ, so that each gets a job of its own in a runtime")
COUNTS = _change(891, "counts-in-several-places", "the number of nodes is written in several places")
RUNTIME_FIELDS = _change(892, "fields-in-runtime", "fields of the Pod fit only into a runtime")
NAME = _loss(893, "name-too-long", "the name leaves no room for those of the Pods")
PORTS = _remark(894, "ports-dropped", "ports of the training container are dropped")
HOST = _change(895, "host-name-dropped", "host name and subdomain belong to the JobSet")
AFFINITY = _change(896, "affinity-labels", "an affinity selects Pods by legacy labels")
ISTIO = _remark(897, "istio-annotation", "the annotation that keeps Istio out is kept")
PATCHES = _change(898, "patches-used", "settings of the Pod are patches of the runtime")
UNTOUCHED = _loss(899, "left-alone", "a legacy job is in a form that cannot be rewritten")

CATALOGUE = {check.id: check for check in list(globals().values()) if isinstance(check, Check)}
"""All of them by id."""
