"""The environment of one Pod's container, as far as it can be known without a cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.generate.runplan.places import LOCAL
from trainergen.generate.runplan.plan import Missing
from trainergen.render.pods.env import JOB_COMPLETION_INDEX, expand_text
from trainergen.render.pods.readable import INDEX_FIELDS, variable_source

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.render.pods import PodKind
    from trainergen.render.pods.model import Pod

OF_THE_CONTAINER = frozenset({"HOME", "USER", "LOGNAME", "PATH", "LD_LIBRARY_PATH"})
"""Variables that tell a program where things of its image are; here they are elsewhere."""
_ADDRESSES = frozenset({"status.podIP", "status.podIPs", "status.hostIP", "status.hostIPs"})
_LABEL = re.compile(r"metadata\.(labels|annotations)\['(.+)'\]")


def environment(container: JsonObject, kind: PodKind, pod: Pod) -> tuple[dict[str, str], list[Missing]]:
    """The variables of ``container`` in ``pod``, in order, and those whose values only a cluster knows."""
    known: dict[str, str] = {}
    missing: dict[str, Missing] = {}
    for item in list_at(container, "env"):
        name, source = text_at(item, "name"), object_at(item).get("valueFrom")
        value = expand_text(text_at(item, "value"), known) if source is None else _field(source, kind, pod)
        # What comes later takes the place of what came before, also where its value is not known.
        known.pop(name, None)
        missing.pop(name, None)
        if value is None:
            missing[name] = Missing("variable", name, variable_source(source))
        else:
            known[name] = value
    if pod.index is not None:
        known.setdefault(JOB_COMPLETION_INDEX, str(pod.index))
    return known, list(missing.values())


def _field(source: JsonValue, kind: PodKind, pod: Pod) -> str | None:
    """The value of a field of the Pod; None where it is something else."""
    path = text_at(source, "fieldRef", "fieldPath")
    if path in INDEX_FIELDS:
        return str(pod.index or 0)
    label = _LABEL.fullmatch(path)
    if label is not None:
        return (kind.labels if label[1] == "labels" else kind.annotations).get(label[2])
    if path in _ADDRESSES:
        return LOCAL
    return {
        "metadata.name": pod.hostname or pod.job,
        "metadata.namespace": kind.namespace,
        "spec.nodeName": "localhost",
        "spec.serviceAccountName": kind.scheduling.service_account,
    }.get(path)
