"""The audit of an installation on the checked tree: pins by pattern, and the rules on how the Trainer is delivered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.finding import Layer
from trainergen.releases.companions import companion_pins
from trainergen.releases.pins import pins_in
from trainergen.source.files import UnreadableError
from trainergen.source.lists import members
from trainergen.source.reader import read_documents
from trainergen.upgrade.audit import Audit, Installed, audit
from trainergen.upgrade.crds import KIND, CrdRelease, crd_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from trainergen.releases import Release
    from trainergen.source.files import SourceFile

_WORDS = (b"kubeflow/trainer", b"kubeflow-trainer", b"kubeflow_trainer")
_COMPANIONS = re.compile(rb"jobset|kueue|lws|kindest/node|kubernetesVersion")
_CRD = KIND.encode()
_POSITION = b"/replicatedJobs/"
"""In a JSON patch that goes by the position of a job, which a release may change."""
_SELECTED = ("TG7", "TG806", "TG807", "TG808", "TG809", "TG812", "TG814", "TG815")


class Scope(NamedTuple):
    """What the rules look at: ``texts`` are what files will hold after the upgrade, by real path."""

    paths: tuple[str, ...]
    exclude: tuple[str, ...]
    texts: Mapping[str, bytes]


def audit_tree(
    files: Iterable[SourceFile],
    scope: Scope,
    releases: tuple[Release, Release],
) -> Audit:
    """The audit of the files; the rules look at them only when something there pins or installs the Trainer."""
    old, new = releases
    installed = Installed()
    patched = False
    for file in files:
        try:
            data = file.read_bytes()
        except UnreadableError:
            # The run says so where it plans.
            continue
        if any(word in data for word in _WORDS):
            installed.pins += pins_in(file.path, data)
        if _COMPANIONS.search(data):
            installed.companions += companion_pins(file.path, data)
        if _CRD in data:
            installed.crds += _crds(file, data)
        patched = patched or _POSITION in data
    findings = []
    if (installed.pins or patched) and "-" not in scope.paths:
        options = CheckOptions(
            paths=scope.paths,
            release=new.name,
            layers=frozenset({Layer.LINT}),
            select=_SELECTED,
            exclude=scope.exclude,
            texts=scope.texts,
        )
        findings = [one for one in run_check(options).findings if one.layer is Layer.LINT]
    return audit(installed, findings, old=old, new=new)


def _crds(file: SourceFile, data: bytes) -> Iterator[tuple[str, int, CrdRelease]]:
    for outer in read_documents(data, file=file.path).documents:
        for document in members(outer)[0]:
            found = crd_release(document)
            if found is not None:
                yield file.path, document.locate(()).line, found
