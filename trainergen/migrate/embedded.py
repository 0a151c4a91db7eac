"""Legacy jobs within other objects and in templates: found, and shown as they would be written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from trainergen.finding import Severity
from trainergen.migrate import catalogue as c
from trainergen.migrate.migration import can_migrate, migrate
from trainergen.migrate.placeholders import Placeholders
from trainergen.migrate.writing import yaml_text
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding, JsonObject, JsonValue, Path
    from trainergen.migrate.options import Choices
    from trainergen.source.document import Document

_SIGNS: Final = ("ReplicaSpecs", "kubeflow.org/v2alpha1")
_KIND = re.compile(r"""kind\\?["']?\s*[:=]\s*\\?["']?(\w+)""")
_COUNTED: Final = ("PyTorchJob", "JAXJob", "MPIJob")
"""Kinds that become a manifest of the same length for any number of replicas: others list their hosts."""
_HOLDERS: Final = {
    "Workflow": "an Argo Workflow",
    "WorkflowTemplate": "an Argo WorkflowTemplate",
    "ClusterWorkflowTemplate": "an Argo ClusterWorkflowTemplate",
    "CronWorkflow": "an Argo CronWorkflow",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A legacy job in something else: ``at`` is the value that holds it, ``text`` what to write there."""

    at: Path
    kind: str
    text: str = ""
    losses: tuple[str, ...] = ()
    companions: tuple[str, ...] = field(default=())

    def finding(self, holder: str) -> Finding:
        """The finding, still without file and line."""
        remedy = "Render it, migrate what comes out, and write it anew here."
        if self.text:
            remedy = f"Write in its place:\n{self.text.rstrip()}"
        for other in self.companions:
            remedy += f"\nApply before it:\n{other.rstrip()}"
        for loss in self.losses:
            remedy += f"\nLost: {loss}."
        return c.UNTOUCHED.at(self.at, f"the {self.kind} in {holder} is left alone", help=remedy)


def holds_text(data: bytes) -> bool:
    """Whether the bytes of a file can hold a legacy job."""
    return any(sign.encode() in data for sign in _SIGNS)


class Within:
    """Looks for legacy jobs within other objects and in templates."""

    def __init__(self, *, target: str, choices: Choices) -> None:
        self._target = target
        self._choices = choices

    def findings(self, document: Document) -> Iterator[Finding]:
        """The legacy jobs within a document that is none itself, each with what to write in its place."""
        holder = _HOLDERS.get(document.kind) or (f"the {document.kind}" if document.kind else "another object")
        for one in self._below(document.value, ()):
            yield document.place(one.finding(holder))

    def in_template(self, text: str) -> Iterator[tuple[int, Found]]:
        """The legacy jobs in a text that is no YAML before it is rendered, each with its line, counted from 1."""
        start = 1
        for part in re.split(r"^---[^\n]*\n", text, flags=re.MULTILINE):
            if any(sign in part for sign in _SIGNS):
                found = list(self._in_text(part, ()))
                match = re.search(r"^kind:", part, re.MULTILINE)
                line = start + (part.count("\n", 0, match.start()) if match else 0)
                yield from ((line, one) for one in found)
            start += part.count("\n") + 1

    def _below(self, value: JsonValue, path: Path) -> Iterator[Found]:
        if isinstance(value, dict):
            if path and "spec" in value and can_migrate(value):
                yield self._made(value, path, Placeholders())
                return
            for key, each in value.items():
                yield from self._below(each, (*path, key))
        elif isinstance(value, list):
            for at, each in enumerate(value):
                yield from self._below(each, (*path, at))
        elif isinstance(value, str) and _KIND.search(value) and any(sign in value for sign in _SIGNS):
            yield from self._in_text(value, path)

    def _in_text(self, text: str, path: Path) -> Iterator[Found]:
        """The legacy jobs in a text: manifests, perhaps with placeholders, or something that merely names them."""
        holes = Placeholders()
        result = read_documents(holes.fill(text).encode("utf-8", "surrogatepass"), file="")
        found = [
            self._made(each.object, path, holes)
            for each in result.documents
            if each.object and can_migrate(each.object)
        ]
        if not found:
            match = _KIND.search(text)
            found = [Found(path, match[1] if match else "job")]
        yield from found

    def _made(self, obj: JsonObject, path: Path, holes: Placeholders) -> Found:
        kind = str(obj.get("kind"))
        if holes.has_numbers and kind not in _COUNTED:
            return Found(path, kind)
        migration = migrate(obj, target=self._target, choices=self._choices)
        losses = tuple(each.message for each in migration.warnings if each.severity is Severity.ERROR)
        refused = any(each.rule == c.LEGACY_REFUSED.id for each in migration.warnings)
        if not migration.objects or (refused and holes.used):
            return Found(path, kind, losses=losses)
        texts = [holes.restore(yaml_text(each)) for each in migration.objects]
        return Found(path, kind, texts[-1], losses, tuple(texts[:-1]))
