"""Where the parts of a Pod go: into the TrainJob, into patches of its runtime, or into a runtime of its own."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, text_at
from trainergen.migrate import catalogue as c
from trainergen.migrate.pods import NODE, TRAINER_FIELDS

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.migrate.pods import Env, Pod
    from trainergen.migrate.work import Work

MANAGER = "trainergen.dev/v1-migration"
RUNTIME = "TrainingRuntime"
JOB = "TrainJob"
ANCESTOR: JsonObject = {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}}
_TRAINER = {"resources": "resourcesPerNode"}


def template_path(index: int) -> Path:
    """The Pod template of a runtime's replicated job."""
    return ("spec", "template", "spec", "replicatedJobs", index, "template", "spec", "template")


def needs_runtime(work: Work, pod: Pod) -> bool:
    """Whether the Pod has something that neither a TrainJob nor its patches can say; says what."""
    before = len(work.findings)
    fields = [key for key in pod.fields if key not in work.target.pod_fields]
    for key in fields:
        work.say(
            c.RUNTIME_FIELDS,
            (*pod.spec_path, key),
            f"{key} of the Pods goes into a runtime",
            remedy="Share one runtime among the jobs that need it.",
        )
    for key in _container_fields(work, pod):
        work.say(
            c.RUNTIME_FIELDS,
            (*pod.main_path, key),
            f"{key} of the training container goes into a runtime",
            remedy="Share one runtime among the jobs that need it.",
        )
    _say_mounts(work, pod)
    _say_containers(work, pod)
    return len(work.findings) > before


def _container_fields(work: Work, pod: Pod) -> list[str]:
    known = {"name", *TRAINER_FIELDS, *work.target.container_fields}
    return [key for key in pod.main if key not in known]


def _say_mounts(work: Work, pod: Pod) -> None:
    mounted = Counter(text_at(each, "name") for each in list_at(pod.main, "volumeMounts"))
    for name, count in mounted.items():
        if count > 1:
            work.say(
                c.RUNTIME_FIELDS,
                (*pod.main_path, "volumeMounts"),
                f"volume '{name}' is mounted {count} times, which no patch can say, so the mounts go into a runtime",
                remedy="Mount it once, and use paths below.",
            )


def _say_containers(work: Work, pod: Pod) -> None:
    for at, each in pod.others.items():
        work.say(
            c.RUNTIME_FIELDS,
            (*pod.spec_path, "containers", at),
            f"container '{text_at(each, 'name')}' goes into a runtime, without the variables of the rendezvous",
            remedy="Make it a native sidecar, an init container that restarts Always, so that it lets the Job finish.",
        )
    for at, init in enumerate(pod.inits):
        work.say(
            c.RUNTIME_FIELDS,
            (*pod.spec_path, "initContainers", at),
            f"init container '{text_at(init, 'name')}' goes into a runtime",
            remedy="Keep it there: a TrainJob can only change init containers that its runtime has.",
        )


def template(work: Work, pod: Pod, place: tuple[str, Path], *, name: str = NODE, whole: bool = False) -> JsonObject:
    """The Pod as a template with ``metadata`` and ``spec``, at ``place`` in the output.

    Without ``whole`` the fields that a TrainJob sets are left out.
    """
    kind, base = place
    out: JsonObject = {}
    metadata = _metadata(work, pod, place)
    if metadata:
        out["metadata"] = metadata
    spec: JsonObject = {}
    for key, value in pod.fields.items():
        spec[key] = value
        source = "serviceAccount" if key == "serviceAccountName" and key not in _spec(pod) else key
        work.ledger.mapped((*pod.spec_path, source), kind, (*base, "spec", key))
    if pod.inits:
        spec["initContainers"] = pod.inits
        work.ledger.mapped((*pod.spec_path, "initContainers"), kind, (*base, "spec", "initContainers"))
    main = _main(work, pod, (kind, (*base, "spec", "containers", 0)), name, whole=whole)
    others: list[JsonValue] = []
    for at, each in pod.others.items():
        others.append(each)
        target: Path = (*base, "spec", "containers", len(others))
        work.ledger.mapped((*pod.spec_path, "containers", at), kind, target)
    if len(main) > 1 or others or whole:
        spec["containers"] = [main, *others]
    if spec:
        out["spec"] = spec
    return out


def _spec(pod: Pod) -> JsonObject:
    spec = pod.role.template.get("spec")
    return spec if isinstance(spec, dict) else {}


def _metadata(work: Work, pod: Pod, place: tuple[str, Path]) -> JsonObject:
    kind, base = place
    out: JsonObject = {}
    for key, values in (("labels", pod.labels), ("annotations", pod.annotations)):
        if values:
            out[key] = values
            for name in values:
                work.ledger.mapped((*pod.path, "metadata", key, name), kind, (*base, "metadata", key, name))
    return out


def _main(work: Work, pod: Pod, place: tuple[str, Path], name: str, *, whole: bool) -> JsonObject:
    kind, base = place
    out: JsonObject = {"name": name}
    wanted = [key for key in TRAINER_FIELDS if key == "env" or key in pod.main] if whole else []
    for key in [*wanted, *(key for key in pod.main if key != "name" and key not in TRAINER_FIELDS)]:
        if key != "env":
            out[key] = pod.main[key]
            work.ledger.mapped((*pod.main_path, key), kind, (*base, key))
        elif pod.env:
            out["env"] = env_list(work, pod.env, (kind, (*base, "env")))
    old = text_at(pod.main, "name")
    where: Path = (*pod.main_path, "name")
    if old == name:
        work.ledger.mapped(where, kind, (*base, "name"))
    else:
        work.say(
            c.CONTAINER,
            where,
            f"container '{old}' is called '{name}' now",
            remedy="Change 'kubectl logs -c', dashboards and whatever else names it.",
        )
    return out


def env_list(work: Work, env: list[Env], place: tuple[str, Path]) -> list[JsonValue]:
    """Variables as the output holds them."""
    kind, base = place
    for at, each in enumerate(env):
        if each.source is not None:
            work.ledger.mapped(each.source, kind, (*base, at))
    return [each.entry for each in env]


def trainer(work: Work, pod: Pod) -> JsonObject:
    """What a TrainJob says of its training container."""
    out: JsonObject = {}
    for key in TRAINER_FIELDS:
        target = _TRAINER.get(key, key)
        if key == "env":
            if pod.env:
                out["env"] = env_list(work, pod.env, (JOB, ("spec", "trainer", "env")))
        elif pod.main.get(key) not in (None, {}, []):
            out[target] = pod.main[key]
            work.ledger.mapped((*pod.main_path, key), JOB, ("spec", "trainer", target))
        else:
            work.ledger.default((*pod.main_path, key))
    return out


def patches(work: Work, pod: Pod) -> JsonObject:
    """The fields of a TrainJob's spec that patch the Pods of its runtime; empty when there is nothing to patch."""
    field = work.target.overrides
    way: Path = ("spec", field, 0)
    if work.target.by_manager:
        way = (*way, "trainingRuntimeSpec", *template_path(0)[1:])
    patch = template(work, pod, (JOB, way))
    if not patch:
        return {}
    if not work.target.by_manager:
        return {field: [{"targetJobs": [{"name": NODE}], **patch}]}
    work.say(
        c.PATCHES,
        (),
        f"settings of the Pods are {field} of the manager '{MANAGER}', which the webhook stamps with a time",
        remedy="Let Argo CD or Flux ignore the time; most patched fields can never change, others while suspended.",
    )
    job: JsonObject = {"name": NODE, "template": {"spec": {"template": patch}}}
    spec: JsonObject = {"template": {"spec": {"replicatedJobs": [job]}}}
    return {field: [{"manager": MANAGER, "trainingRuntimeSpec": spec}]}
