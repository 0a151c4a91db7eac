"""Objects that depend on legacy jobs: by their labels, kinds, counts or metrics, each with what to write instead."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trainergen.admission.legacy.kinds import GROUP, KINDS
from trainergen.api.access import list_at, object_at, text_at
from trainergen.migrate import catalogue as c
from trainergen.migrate.mentions import mention_in
from trainergen.migrate.selectors import INDEX, PREFIX, REPLICATED, names_legacy_pods, translated, translated_key
from trainergen.source.writing import block_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding, JsonObject, JsonValue, Path
    from trainergen.migrate.selectors import Known
    from trainergen.source.document import Document

_NAMES: Final = {each.kind: f"{each.kind.lower()}s" for each in KINDS.values()}
_PLURALS: Final = frozenset(_NAMES.values())
_READING: Final = frozenset({"get", "list", "watch", "*"})
_JOBSETS: Final = "jobset.x-k8s.io"
_TRAINER: Final = "trainer.kubeflow.org"
_WORDS = re.compile(
    rb"kubeflow\.org|training_operator_|training-operator|kubeflow[.-]training|TrainingClient|KubeflowOrgV1|ReplicaSpecs|replica-type|training_kubeflow_org|"
    rb"(?i:pytorchjob|tfjob|mpijob|xgboostjob|paddlejob|jaxjob|mxjob)"
)
_COUNT = re.compile(rf"count/({'|'.join(sorted(_PLURALS))})\.{re.escape(GROUP)}")


def may_depend(data: bytes) -> bool:
    """Whether the bytes of a file can name something of legacy jobs."""
    return _WORDS.search(data) is not None


def dependents(document: Document, known: Known, *, skip: frozenset[Path] = frozenset()) -> Iterator[Finding]:
    """What of an object that is no legacy job depends on such; ``known`` holds the jobs that are migrated.

    A definition of the legacy kinds themselves is passed over, and so is what lies at the paths ``skip``.
    """
    if document.kind == "CustomResourceDefinition" or not isinstance(document.value, dict | list):
        return
    for finding in _Walk(document, known, skip).below(document.value, ()):
        placed = document.place(finding)
        node = document.node_at(finding.at)
        if node is not None and node.target.style == "|":
            at = placed.line + 1 + finding.line
            placed = replace(placed, line=at, column=1, end_line=at, end_column=1)
        yield placed


def takes_the_name(document: Document, names: set[tuple[str, str]]) -> Finding | None:
    """The warning about a Service that is called like a migrated job, whose JobSet brings one of that name.

    ``names`` are namespace and name of the jobs; where either side has no namespace, it may be the same.
    """
    if document.kind != "Service" or document.api_version != "v1":
        return None
    name, namespace = document.name, document.namespace
    if not any(name == other and (not place or not namespace or place == namespace) for place, other in names):
        return None
    message = f"the Service is called '{name}' like a migrated job, whose JobSet makes a headless Service of that name"
    remedy = "Give the Service or the job another name, or remove it: Pods are at NAME-node-0-0.NAME."
    return document.place(c.DEPENDS.at(("metadata", "name"), message, help=remedy))


class _Walk:
    def __init__(self, document: Document, known: Known, skip: frozenset[Path]) -> None:
        self._document = document
        self._known = known
        self._skip = skip

    def below(self, value: JsonValue, path: Path) -> Iterator[Finding]:
        if path in self._skip:
            return
        if isinstance(value, dict):
            found = self._mapping(value, path)
            yield from found
            told = {each.at for each in found}
            for key, each in value.items():
                here = (*path, key)
                if here not in told and path not in told:
                    yield from self.below(each, here)
        elif isinstance(value, list):
            for at, each in enumerate(value):
                yield from self.below(each, (*path, at))
        elif isinstance(value, str):
            yield from self._text(value, path)

    def _mapping(self, value: JsonObject, path: Path) -> list[Finding]:
        for look in (self._labels, self._rule, self._reference, self._expression, self._counts):
            found = look(value, path)
            if found:
                return found
        return []

    def _labels(self, value: JsonObject, path: Path) -> list[Finding]:
        if not path or not names_legacy_pods(value):
            return []
        new, more = translated(value, self._known)
        wanted: JsonObject = dict(new)
        if path[-1] == "matchLabels":
            wanted = {"matchLabels": new, **({"matchExpressions": more} if more else {})}
        text = "\n".join(block_lines(wanted))
        remedy = f"Write in its place:\n{text}\n" if wanted else "Remove it."
        if more and path[-1] != "matchLabels":
            remedy += f"That is all nodes; to leave the first out, a selector needs an expression on {INDEX}.\n"
        if self._document.kind == "NetworkPolicy":
            remedy += "Open port 29500 for the rendezvous in place of the legacy one, and what NCCL or SSH need."
        return [c.DEPENDS.at(path, "it goes by labels of legacy Pods", help=remedy.rstrip(), on_key=True)]

    def _expression(self, value: JsonObject, path: Path) -> list[Finding]:
        key = text_at(value, "key")
        if not key.startswith(PREFIX) or "operator" not in value:
            return []
        new = translated_key(key)
        values = [str(each) for each in list_at(value, "values")]
        if new == REPLICATED:
            values = list(dict.fromkeys("node" if each in ("master", "worker") else each for each in values))
        wanted: JsonObject = {**value, "key": new, **({"values": [*values]} if values else {})}
        remedy = "Write in its place:\n" + "\n".join(block_lines(wanted)) if new else "Remove it: no label says this."
        return [c.DEPENDS.at(path, f"it goes by '{key}', a label of legacy Pods", help=remedy)]

    def _rule(self, value: JsonObject, path: Path) -> list[Finding]:
        """A rule on API groups and resources: of roles, webhooks and policies."""
        groups, resources = list_at(value, "apiGroups"), [str(each) for each in list_at(value, "resources")]
        named = [each for each in resources if each.partition("/")[0] in (*_PLURALS, "*")]
        if GROUP not in groups or not named:
            return self._kinds(value, path)
        new = dict.fromkeys(_resource(each) for each in named)
        wanted: JsonObject = {**value, "apiGroups": [_TRAINER], "resources": [each for each in new if each]}
        if "apiVersions" in value:
            wanted["apiVersions"] = ["v1alpha1"]
        entries: list[JsonValue] = [wanted]
        if "verbs" in value and _READING & {str(each) for each in list_at(value, "verbs")}:
            entries.append({"apiGroups": [_JOBSETS], "resources": ["jobsets"], "verbs": [*sorted(_READING - {"*"})]})
        what = ", ".join(f"'{each}'" for each in named)
        remedy = "Add, next to it until the last legacy job is gone:\n" + "\n".join(block_lines(entries))
        return [c.DEPENDS.at((*path, "resources"), f"it names {what} of {GROUP}", help=remedy)]

    def _kinds(self, value: JsonObject, path: Path) -> list[Finding]:
        """A list of kinds, as policies of Kyverno and Gatekeeper have it."""
        kinds = [str(each) for each in list_at(value, "kinds")]
        named = [each for each in kinds if each.rpartition("/")[2] in _NAMES]
        if not named:
            return []
        what = ", ".join(f"'{each}'" for each in named)
        remedy = f"Add TrainJob of {_TRAINER}; what it says of replica specs is in spec.trainer and in runtimes."
        return [c.DEPENDS.at((*path, "kinds"), f"it names the kinds {what}", help=remedy)]

    def _reference(self, value: JsonObject, path: Path) -> list[Finding]:
        """Kind and group of a job without a spec: a health check, a difference to ignore, an owner, a target."""
        kind = text_at(value, "kind")
        if path and path[-1] == "target" and kind in _NAMES and not _group(value) and self._document.kind:
            remedy = "Aim it at TrainJob, and write the patch for the fields that it has; migrate the kustomizations."
            return [c.DEPENDS.at((*path, "kind"), f"a patch is aimed at the kind {kind}", help=remedy)]
        group = _group(value)
        if not path or kind not in _NAMES or group != GROUP or object_at(value, "spec"):
            return []
        if path[-1] == "scaleTargetRef":
            remedy = "Remove the autoscaler: a TrainJob cannot be scaled."
        else:
            new: JsonObject = {**value, "kind": "TrainJob"}
            new |= {"group": _TRAINER} if "group" in value else {"apiVersion": f"{_TRAINER}/v1alpha1"}
            lines = "\n".join(block_lines(new))
            remedy = f"Write in its place, and mind that the job is done at condition Complete:\n{lines}"
        return [c.DEPENDS.at((*path, "kind"), f"it refers to a {kind}", help=remedy)]

    def _counts(self, value: JsonObject, path: Path) -> list[Finding]:
        found = []
        for key, amount in value.items():
            match = _COUNT.fullmatch(key)
            if match is not None:
                new = "\n".join(block_lines({f"count/trainjobs.{_TRAINER}": amount}))
                remedy = f"Add it, and mind count/jobsets.{_JOBSETS}, count/jobs.batch and count/configmaps:\n{new}"
                found.append(c.DEPENDS.at((*path, key), f"the quota counts {match[1]}", help=remedy, on_key=True))
        return found

    def _text(self, text: str, path: Path) -> Iterator[Finding]:
        said = mention_in(text, self._known, key=str(path[-1]) if path else "")
        if said is not None:
            # The line within the text, which the place of the text is added to.
            yield replace(c.DEPENDS.at(path, said.message, help=said.remedy), line=text.count("\n", 0, said.start))


def _group(value: JsonObject) -> str:
    """The API group of what refers to an object."""
    return text_at(value, "group") or text_at(value, "apiVersion").rpartition("/")[0]


def _resource(name: str) -> str:
    """The resource of the Trainer for one of a legacy kind; empty where there is none."""
    plural, _, below = name.partition("/")
    new = "*" if plural == "*" else "trainjobs"
    if below == "scale":
        return ""
    return f"{new}/{below}" if below else new
