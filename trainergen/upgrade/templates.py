"""Templates of charts: what is plain YAML in them is edited, around the actions, which stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from trainergen.api.access import object_at
from trainergen.api.structural import GROUP
from trainergen.finding import Severity
from trainergen.fix import Edit, apply_edits
from trainergen.source.edits import replace_key
from trainergen.source.reader import read_documents
from trainergen.source.writing import block_lines
from trainergen.upgrade.chart_values import Link, link_of
from trainergen.upgrade.checks import FRAGMENT_ELSEWHERE
from trainergen.upgrade.gone import PATCHES
from trainergen.upgrade.patches import PatchPlan
from trainergen.upgrade.plan import upgrade
from trainergen.upgrade.work import JOB, RUNTIMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.finding import Finding, JsonObject, ObjectRef
    from trainergen.releases import Release
    from trainergen.source.document import Document
    from trainergen.upgrade.plan import UpgradePlan
    from trainergen.upgrade.work import Surroundings

_ACTION = re.compile(rb"\{\{.*?\}\}", re.DOTALL)
_CONTROL = re.compile(rb"\{\{-?\s*(?:(?:if|else|end|with|range|define|block|break|continue)\b|/\*|\$\w+\s*:?=)")
_QUOTED = re.compile(r"[\"']?xT[0-9a-z]{2}x*[\"']?")
"""The word of an action with the quotes directly around it, which decide on the type of what it gives."""
_LINES = re.compile(r"indent|toYaml|include|template|tpl|fromYaml|\{\{-|-\}\}")
_NEAR = 4096
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_MARK = re.compile(r"xT[0-9a-z]{2}x*")


class TemplatePlanner:
    """Plans one template; ``findings`` are fragments that its actions are part of, with the text to write."""

    def __init__(self, name: str, data: bytes, target: Release, around: Surroundings) -> None:
        self._name = name
        self._data = data
        self._target = target
        self._around = around
        self._actions: dict[str, str] = {}
        self.findings: list[Finding] = []

    def links(self) -> list[Link]:
        """The fields of its TrainJobs that are written out from values."""
        documents, _ = self._read() or ([], b"")
        found = [self._link(one) for one in documents]
        return [link for link in found if link is not None]

    def plans(self, linked: frozenset[Link] = frozenset()) -> list[PatchPlan] | None:
        """The plans for the objects in it, None where even their frame is no YAML.

        The values of those that are ``linked`` become others, too.
        """
        read = self._read()
        if read is None:
            return None
        documents, masked = read
        found = []
        for one in documents:
            link = self._link(one)
            found.append(_renamed(one, link) if link in linked and link is not None else self._plan(one, masked))
        return [one for one in found if one is not None]

    def _read(self) -> tuple[list[Document], bytes] | None:
        """The objects in the template as it is masked."""
        self._actions = {}
        masked = self._masked()
        if masked is None:
            return None
        result = read_documents(masked, file=self._name)
        if result.failures or result.findings:
            return None
        return [one for one in result.documents if _is_ours(one)], masked

    def _link(self, document: Document) -> Link | None:
        if document.kind != JOB:
            return None
        text = self._data.decode("utf-8", "replace")
        return link_of(object_at(document.object, "spec"), self._actions, text, self._target)

    def _masked(self) -> bytes | None:
        """The template with a comment for each line of actions, and a word as long in the place of every other one."""
        text = self._data
        out: list[bytes] = []
        done = 0
        for match in _ACTION.finditer(text):
            start, end = match.span()
            mask = _comment(match[0]) if self._is_alone(start, end) else self._word(match[0])
            if mask is None:
                return None
            out += [text[done:start], mask]
            done = end
        return b"".join([*out, text[done:]])

    def _is_alone(self, start: int, end: int) -> bool:
        """Whether there is nothing but actions on its lines, and it is no value of the key above."""
        text = self._data
        line, stop = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", end)
        if _ACTION.sub(b"", text[line : len(text) if stop < 0 else stop]).strip():
            return False
        above = _ACTION.sub(b"", text[max(0, line - _NEAR) : line])
        return bool(_CONTROL.match(text, start)) or not above.rstrip().endswith(b":")

    def _word(self, action: bytes) -> bytes | None:
        number = len(self._actions)
        if b"\n" in action or number >= len(_DIGITS) ** 2:
            return None
        word = f"xT{_DIGITS[number // len(_DIGITS)]}{_DIGITS[number % len(_DIGITS)]}".ljust(len(action), "x")
        self._actions[word] = action.decode("utf-8", "replace")
        return word.encode()

    def _plan(self, document: Document, masked: bytes) -> PatchPlan | None:
        plan = upgrade(document, to_release=self._target, around=self._around)
        losses = tuple(self._spoken(loss) for loss in plan.losses)
        if not plan.changed:
            return PatchPlan(document, losses=losses)
        edits = self._edits(plan, masked)
        if edits is None:
            self.findings.append(self._finding(document, plan))
            return None
        notes = tuple(self._restored(note) for note in plan.notes)
        return PatchPlan(document, edits, notes, losses)

    def _edits(self, plan: UpgradePlan, masked: bytes) -> tuple[Edit, ...] | None:
        """The edits of the template; None where its actions decide on what changes, or on how it is written.

        An action that stands for a scalar, or for a part of one, moves with its text.
        """
        edits = tuple(_by_line(masked, plan.edits))
        start, end = edits[0].start, edits[-1].end
        if any(self._goes_on(edit.end) for edit in edits):
            return None
        gone = b"".join(masked[edit.start : edit.end] for edit in edits).decode()
        written = b"".join(edit.replacement for edit in edits).decode()
        inside = {self._actions.get(word, "") for word in _MARK.findall(gone)}
        if len(_ACTION.findall(self._data[start:end])) != len(_MARK.findall(gone)) or any(map(_has_lines, inside)):
            return None
        if {match[0] for match in _QUOTED.finditer(gone)} != {match[0] for match in _QUOTED.finditer(written)}:
            return None
        made = tuple(edit._replace(replacement=self._restored(edit.replacement.decode()).encode()) for edit in edits)
        # The same edits in the template itself: what is masked is as long as what it stands for.
        return made if len(apply_edits(self._data, edits)) == len(apply_edits(masked, edits)) else None

    def _goes_on(self, end: int) -> bool:
        """Whether something is written out directly below a place, which may belong to what is above."""
        for line in self._data[end:].splitlines():
            actions = _ACTION.findall(line)
            if _ACTION.sub(b"", line).strip():
                return False
            if any(not _CONTROL.match(action) for action in actions):
                return True
        return False

    def _finding(self, document: Document, plan: UpgradePlan) -> Finding:
        lines = [self._restored(line) for line in block_lines({"spec": plan.object.get("spec")})]
        old, new = object_at(document.object, "spec"), object_at(plan.object, "spec")
        gone = next((key for key in old if key not in new), "")
        finding = FRAGMENT_ELSEWHERE.at(
            ("spec", gone) if gone else ("spec",),
            f"the {document.kind} in here has fields that Trainer {self._target.name} no longer knows, and the "
            "template's actions are part of them",
            help="Write in its place:\n" + "\n".join(lines) + self._unwritten(old, new),
            on_key=True,
        )
        return self._spoken(document.place(finding))

    def _unwritten(self, old: JsonObject, new: JsonObject) -> str:
        """What the text to write cannot hold: lists that actions write out are none of the patches yet."""
        written = set(_MARK.findall(json.dumps(new)))
        lost = dict.fromkeys(word for word in _MARK.findall(json.dumps(old)) if word not in written)
        actions = ", ".join(self._actions[word] for word in lost if _has_lines(self._actions.get(word, "")))
        return f"\nand add, as patches, what is written out by {actions}." if actions else ""

    def _spoken(self, finding: Finding) -> Finding:
        message, remedy = self._restored(finding.message), self._restored(finding.help)
        ref = None if finding.object is None else self.ref_of(finding.object)
        # What an action gives may be right.
        severity = Severity.WARNING if message != finding.message else finding.severity
        return replace(finding, message=message, help=remedy, object=ref, severity=severity)

    def _restored(self, text: str) -> str:
        """A text with the actions that its words stand for."""
        return _MARK.sub(lambda match: self._actions.get(match[0], match[0]), text)

    def ref_of(self, ref: ObjectRef) -> ObjectRef:
        """An object as the template calls it."""
        return ref._replace(name=self._restored(ref.name), namespace=self._restored(ref.namespace))


def _renamed(document: Document, link: Link) -> PatchPlan | None:
    """The field under its new name, its value being written out as before."""
    edit = replace_key(document, ("spec", link.field), PATCHES)
    note = f"spec.{link.field} is spec.{PATCHES}, and so are the values that it is written out from"
    return None if edit is None else PatchPlan(document, (edit,), (note,))


def _is_ours(document: Document) -> bool:
    return document.kind in (JOB, *RUNTIMES) and document.group == GROUP


def _has_lines(action: str) -> bool:
    """Whether an action may give more than a scalar, so that its place decides on what it means."""
    return not action or _LINES.search(action) is not None


def _comment(action: bytes) -> bytes:
    """As many bytes of comment, line by line."""
    return b"\n".join(b"#" * len(line.rstrip(b"\r")) + line[len(line.rstrip(b"\r")) :] for line in action.split(b"\n"))


def _by_line(data: bytes, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The same edits, those of whole lines that stay left out."""
    for edit in edits:
        start = data.rfind(b"\n", 0, edit.start) + 1
        end = data.find(b"\n", edit.end) + 1 or len(data)
        old = data[start:end].splitlines(keepends=True)
        new = (data[start : edit.start] + edit.replacement + data[edit.end : end]).splitlines(keepends=True)
        places = [start]
        for line in old:
            places.append(places[-1] + len(line))
        for kind, first, last, begin, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind != "equal":
                yield Edit(places[first], places[last], b"".join(new[begin:stop]))
