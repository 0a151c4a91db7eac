"""The baseline: the findings that were there when a repository took trainergen up, to be told from new ones."""
# Paths stay text here, as in the reading of files.
# ruff: noqa: PTH100, PTH110, PTH118, PTH120

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainergen.errors import TrainergenError
from trainergen.report import Hidden
from trainergen.suppress.fingerprint import fingerprint, normal_message

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject

VERSION = 1
DEFAULT_FILE = ".trainergen-baseline.json"
_AGAIN = "Write it again with 'trainergen baseline'."
_MOST_BYTES = 64 * 1024 * 1024


class KnownFinding(NamedTuple):
    """A finding that is known, ``times`` times; the file is relative to the folder of the baseline, with slashes."""

    file: str
    fingerprint: str
    times: int
    rule: str
    object: str = ""
    path: str = ""
    message: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What findings are compared by."""
        return self.file, self.fingerprint


class Compared(NamedTuple):
    """The findings that are new, how many are known, and the known ones that are gone (with how many of each)."""

    findings: list[Finding]
    hidden: Hidden
    stale: list[KnownFinding]


@dataclass(frozen=True, slots=True)
class Baseline:
    """KnownFinding findings, and the file they are kept in, as shown."""

    file: str
    entries: tuple[KnownFinding, ...]

    def compare(self, findings: Iterable[Finding], *, is_judged: Callable[[str, str], bool]) -> Compared:
        """Tell the new findings from the known ones.

        ``is_judged`` tells for a file, as shown, and a check whether this run looked; what it did not look at is not
        stale. Findings of a file that is gone are known in whatever file they are now.
        """
        folder = _folder(self.file)
        left: Counter[tuple[str, str]] = Counter()
        for entry in self.entries:
            left[entry.key] += entry.times
        known: list[Finding] = []
        others: list[tuple[Finding, str]] = []
        for finding in findings:
            mark = fingerprint(finding)
            if _take(left, (_relative(finding.file, folder), mark)):
                known.append(finding)
            else:
                others.append((finding, mark))
        gone = {file for file, _ in left if not os.path.exists(os.path.join(folder, file))}
        moved = {mark: file for file, mark in sorted(left) if file in gone and left[file, mark]}
        new: list[Finding] = []
        for finding, mark in others:
            (known if _take(left, (moved.get(mark, ""), mark)) else new).append(finding)
        hidden = Hidden(baseline=len(known), refused=sum(finding.refuses for finding in known))
        return Compared(new, hidden, list(self._stale(left, folder, gone, is_judged)))

    def _stale(
        self, left: Counter[tuple[str, str]], folder: str, gone: set[str], is_judged: Callable[[str, str], bool]
    ) -> Iterator[KnownFinding]:
        for entry in self.entries:
            count = min(left[entry.key], entry.times)
            shown = os.path.relpath(os.path.join(folder, entry.file))
            if count and (entry.file in gone or is_judged(shown, entry.rule)):
                yield entry._replace(times=count)


def _take(left: Counter[tuple[str, str]], key: tuple[str, str]) -> bool:
    if not left[key]:
        return False
    left[key] -= 1
    return True


def made_of(findings: Iterable[Finding], file: str) -> Baseline:
    """The baseline of findings, to be kept in ``file``."""
    from trainergen.finding import format_path

    folder = _folder(file)
    entries: dict[tuple[str, str], KnownFinding] = {}
    for finding in findings:
        ref = finding.object
        name = "" if ref is None else f"{ref.kind} {'/'.join(filter(None, (ref.namespace, ref.name)))}".strip()
        plain = tuple(step for step in finding.at if not isinstance(step, int))
        one = KnownFinding(
            file=_relative(finding.file, folder),
            fingerprint=fingerprint(finding),
            times=1,
            rule=finding.rule,
            object=name,
            path=format_path(plain),
            message=normal_message(finding.message),
        )
        known = entries.get(one.key)
        entries[one.key] = one if known is None else known._replace(times=known.times + 1)
    return Baseline(file, tuple(sorted(entries.values(), key=_order)))


def text_of(baseline: Baseline) -> str:
    """The baseline as JSON, one finding a line, in an order that does not depend on the run."""
    lines = [json.dumps(entry._asdict(), ensure_ascii=False) for entry in sorted(baseline.entries, key=_order)]
    body = "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"
    return f'{{\n  "tool": "trainergen",\n  "version": {VERSION},\n  "findings": {body}\n}}\n'


def read(file: str) -> Baseline:
    """The baseline in a file; TrainergenError says what is wrong with it."""
    try:
        path = Path(file)
        if path.is_file() and path.stat().st_size > _MOST_BYTES:
            raise TrainergenError(f"the baseline '{file}' is larger than a baseline can be", hint=_AGAIN)
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = f"Make it with 'trainergen baseline -o {file}'."
        raise TrainergenError(f"the baseline '{file}' cannot be read: {reason}", hint=hint) from error
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise TrainergenError(f"the baseline '{file}' is no JSON: {error}", hint=_AGAIN) from error
    if not isinstance(value, dict) or value.get("tool") != "trainergen":
        raise TrainergenError(f"'{file}' is no baseline of trainergen", hint=_AGAIN)
    if value.get("version") != VERSION:
        seen = value.get("version")
        message = f"the baseline '{file}' has version {seen}, but this trainergen reads version {VERSION}"
        raise TrainergenError(message, hint=f"Use the trainergen that wrote it. {_AGAIN}")
    findings = value.get("findings")
    if not isinstance(findings, list):
        raise TrainergenError(f"the baseline '{file}' has no list of findings", hint=_AGAIN)
    return Baseline(file, tuple(_entry(one, index, file) for index, one in enumerate(findings)))


def _entry(value: object, index: int, file: str) -> KnownFinding:
    entry: JsonObject = value if isinstance(value, dict) else {}
    texts = {name: entry.get(name, "") for name in KnownFinding._fields if name != "times"}
    count = entry.get("times")
    is_count = isinstance(count, int) and not isinstance(count, bool) and count > 0
    needed = all(texts[name] for name in ("file", "fingerprint", "rule"))
    if not is_count or not needed or not all(isinstance(text, str) for text in texts.values()):
        raise TrainergenError(f"finding {index + 1} in the baseline '{file}' is garbled", hint=_AGAIN)
    return KnownFinding(times=count, **texts)  # type: ignore[arg-type]


def _order(entry: KnownFinding) -> tuple[str, ...]:
    return entry.file, entry.object, entry.path, entry.rule, entry.fingerprint


def _folder(file: str) -> str:
    return os.path.dirname(os.path.abspath(file))


def _relative(name: str, folder: str) -> str:
    try:
        return os.path.relpath(os.path.abspath(name), folder).replace(os.sep, "/")
    except ValueError:  # another drive
        return name.replace(os.sep, "/")
