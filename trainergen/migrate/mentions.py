"""Texts that name something of legacy jobs: commands, conditions, queries, names of frameworks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from trainergen.admission.legacy.kinds import KINDS
from trainergen.migrate.selectors import INDEX, JOBSET, PREFIX, REPLICATED

if TYPE_CHECKING:
    from trainergen.migrate.selectors import Known

_KINDS: Final = "|".join(sorted({each.kind for each in KINDS.values()}))
_METRIC = re.compile(r"training_operator_jobs_(created|deleted|successful|failed|restarted)(?:_total)?")
_METRICS: Final = {
    "created": "kube_job_created of the Jobs",
    "deleted": "kube_job_created, and what is missing in it",
    "successful": "kube_job_status_succeeded of the Jobs",
    "failed": "kube_job_status_failed of the Jobs",
    "restarted": "kube_pod_container_status_restarts_total of the Pods",
}
_COMMAND = re.compile(
    rf"\bkubectl\b[^\n|;&]*?\b((?:{_KINDS.lower()})s?(?:\.(?:v1\.)?kubeflow\.org)?)(?=[/ \t\n\\\"']|$)", re.IGNORECASE
)
_FRAMEWORK = re.compile(rf"\bkubeflow\.org/({_KINDS.lower()})\b")
_STATUS = re.compile(r"status\.replicaStatuses\.(\w+)\.(active|succeeded|failed)")
_HEALTH = re.compile(rf"\bkubeflow\.org_({_KINDS})\b")
_KUBE_LABEL = re.compile(r"label_training_kubeflow_org_(\w+)")
_LABEL = re.compile(rf"{re.escape(PREFIX)}(job-name|replica-type|replica-index|job-role|operator-name)")
_ANY = re.compile(rf"\b({_KINDS})\b")
_NEW_LABELS: Final = {"job-name": JOBSET, "replica-type": REPLICATED, "replica-index": INDEX, "job-role": REPLICATED}


_PLURAL = re.compile(rf"""["']({_KINDS.lower()})s["']""")
_SPECS = re.compile(rf"\b({'|'.join(sorted({each.replicas_key for each in KINDS.values()}))})\b")
_SDK = re.compile(
    r"\b(TrainingClient|(?:PyTorch|TF|MPI|XGBoost|Paddle|JAX)JobClient|KubeflowOrgV1\w+|V1(?:PyTorch|TF|MPI)Job\w*|"
    r"kubeflow\.training)\b|\b(kubeflow-training)\b"
)


class Mention(NamedTuple):
    """What a text names, and what to do."""

    message: str
    remedy: str
    start: int = 0
    """Where in the text it is."""


def mention_in(text: str, known: Known, *, key: str = "") -> Mention | None:
    """The first thing in a text that goes by legacy jobs; None when there is none.

    ``key`` is the field that the text stands in, ``known`` holds the jobs that are migrated.
    """
    return _query(text) or _command(text, known) or _framework(text, key)


def mention_in_code(line: str, known: Known) -> Mention | None:
    """The first thing in a line of a script, program or notebook that goes by legacy jobs; None when there is none."""
    for pattern, remedy in (
        (_SDK, "Use TrainerClient of the package kubeflow, whose train() makes TrainJobs."),
        (_PLURAL, "Use 'trainjobs' of the group trainer.kubeflow.org, version v1alpha1."),
        (_SPECS, "Write the job as migrate writes one like it: spec.trainer has what the containers had."),
    ):
        match = pattern.search(line)
        if match is not None:
            what = match[1] or match[2] if pattern is _SDK else match[0]
            return Mention(f"it uses '{what.strip(chr(34) + chr(39))}' of legacy jobs", remedy, match.start())
    return mention_in(line, known)


def _query(text: str) -> Mention | None:
    match = _METRIC.search(text)
    if match is not None:
        remedy = f"Use {_METRICS[match[1]]}: the Trainer has no such metric."
        return Mention(
            f"it asks for the metric '{match[0]}', which goes with the Training Operator", remedy, match.start()
        )
    match = _KUBE_LABEL.search(text)
    if match is not None:
        new = _NEW_LABELS.get(match[1].replace("_", "-"), "")
        words = f"Use {_metric_label(new)}" if new else "Remove it: no label of the Pods says this"
        return Mention(f"it asks for '{match[0]}', a label of legacy Pods", f"{words}.", match.start())
    match = _STATUS.search(text)
    if match is not None:
        remedy = (
            "Write 'status.jobsStatus.0.succeeded == 1' to wait for success and 'status.jobsStatus.0.failed > 0' for"
            " failure, where the number is that of the job in the runtime; it counts Jobs, not Pods."
        )
        return Mention(f"it waits for '{match[0]}', which no TrainJob has", remedy, match.start())
    return None


def _metric_label(label: str) -> str:
    return "label_" + re.sub(r"\W", "_", label)


def _command(text: str, known: Known) -> Mention | None:
    match = _COMMAND.search(text)
    if match is not None:
        remedy = "Use trainjobs; they are done at condition Complete, not Succeeded, and none of them is ever Running."
        return Mention(f"it runs '{_short(match[0])}'", remedy, match.start())
    match = _LABEL.search(text)
    if match is not None:
        new = _NEW_LABELS.get(match[1], "")
        words = f"Use '{new}'" if new else "Remove it: no label of the Pods says this"
        if match[1] in ("replica-type", "job-role"):
            words += f", and '{INDEX}=0' for the first node"
        return Mention(f"it goes by '{match[0]}', a label of legacy Pods", f"{words}.", match.start())
    for name, places in known.items():
        match = re.search(rf"(?<![\w.-]){re.escape(name)}-({'|'.join(places) or '$.'})-([0-9]+)(?![\w-])", text)
        if match is not None:
            place = places[match[1]]
            host = f"{name}-{place.job}-0-{place.first + int(match[2])}.{name}"
            remedy = f"Its address is '{host}'; the Pod's own name ends in five random characters."
            return Mention(f"it names '{match[0]}', a Pod of a legacy job", remedy, match.start())
    return None


def _framework(text: str, key: str) -> Mention | None:
    match = _FRAMEWORK.search(text)
    if match is not None:
        remedy = "Add 'trainer.kubeflow.org/trainjob' to the integrations of Kueue; TrainJobs stay suspended without."
        return Mention(f"it names '{match[0]}', a framework of Kueue", remedy, match.start())
    match = _HEALTH.search(key) or _HEALTH.search(text)
    if match is not None:
        remedy = (
            "Add one for trainer.kubeflow.org_TrainJob: healthy at condition Complete, degraded at Failed, suspended"
            " at Suspended, else progressing."
        )
        return Mention(f"it says how healthy a {match[1]} is, or what becomes of it", remedy)
    match = _ANY.search(text)
    if match is not None and ("kubeflow.org" in text or "kind" in text):
        remedy = "Check whether it means the migrated jobs: they are TrainJobs."
        return Mention(f"it names the kind {match[1]}", remedy, match.start())
    return None


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else words[:77] + "…"
