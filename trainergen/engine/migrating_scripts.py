"""Scripts, programs and notebooks beside the manifests of a run that go by legacy jobs, line by line."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trainergen.migrate.catalogue import DEPENDS
from trainergen.migrate.dependents import may_depend
from trainergen.migrate.mentions import mention_in_code
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.ignore import compile_patterns
from trainergen.source.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.engine.migrating import MigrateOptions
    from trainergen.finding import Finding
    from trainergen.migrate.selectors import Known

_SUFFIXES: Final = (".sh", ".bash", ".py", ".ipynb", ".mk", "Makefile", "Jenkinsfile", ".groovy", ".tf", ".star")
_MOST_BYTES: Final = 2 * 1024 * 1024
_MOST_OF_A_FILE: Final = 10


def scripts(options: MigrateOptions, known: Known) -> Iterator[Finding]:
    """What files other than manifests, in the folders that were named, have to do with legacy jobs."""
    walk = Walk(
        excludes=compile_patterns(options.exclude) if options.exclude else None,
        root=os.path.abspath(os.curdir),  # noqa: PTH100 - as in discovery
        findings=[],
        skipped=Counter(),
        suffixes=_SUFFIXES,
    )
    for path in options.paths:
        if not os.path.isdir(path):  # noqa: PTH112 - as in discovery
            continue
        for _, shown in walk.folder(path):
            try:
                data = SourceFile(shown, location=shown).read_bytes()
            except UnreadableError:
                continue
            named = may_depend(data) or any(name.encode() in data for name in known)
            if named and len(data) <= _MOST_BYTES:
                yield from _lines(shown, data.decode("utf-8", "replace").splitlines(), known)


def _lines(name: str, lines: Iterable[str], known: Known) -> Iterator[Finding]:
    told: set[str] = set()
    for number, line in enumerate(lines, 1):
        said = mention_in_code(line, known)
        # One place is enough to find the others by.
        if said is None or said.remedy in told:
            continue
        if len(told) == _MOST_OF_A_FILE:
            break
        told.add(said.remedy)
        finding = DEPENDS.at((), said.message, help=said.remedy)
        at = said.start + 1
        yield replace(finding, file=name, line=number, column=at, end_line=number, end_column=at)
