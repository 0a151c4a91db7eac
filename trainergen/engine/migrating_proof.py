"""The proof of what is written for kustomizations: built before and after, the jobs must come out the same."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.built.builder import build_all
from trainergen.built.targets import find_targets
from trainergen.built.tools import KUSTOMIZE_MISSING, find_kustomize
from trainergen.finding import Severity
from trainergen.migrate import can_migrate, migrate
from trainergen.migrate.catalogue import OVERLAY
from trainergen.migrate.overlays.difference import operations
from trainergen.render import RenderError, render

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.built.build import Build
    from trainergen.engine.migrating import MigrateOptions
    from trainergen.finding import Finding, JsonObject, JsonValue
    from trainergen.migrate.report import FileMigration
    from trainergen.source.files import SourceFile

_MOST_SHOWN = 3


def prove(
    files: Iterable[SourceFile], written: Iterable[FileMigration], options: MigrateOptions, *, folders: set[str]
) -> Iterator[Finding]:
    """What differs between migrating what is built and building what is migrated, each at its kustomization.

    Of the kustomizations that are no part of another one, those in ``folders``, by real path, are built. Errors are
    what must not be; an information says that nothing could be built.
    """
    texts = {os.path.realpath(file.location): file.new for file in written if file.new is not None}
    targets = [target for target in find_targets(files) if not target.is_chart and str(target.root) in folders]
    if not texts or not targets:
        return
    if find_kustomize() is None:
        message = f"it is not proved that the same is built after the migration: {KUSTOMIZE_MISSING}"
        finding = OVERLAY.at((), message, help="Build it before and after, and compare.")
        yield targets[0].document.place(replace(finding, severity=Severity.INFO))
        return
    builds = zip(build_all(targets), build_all(targets, texts=texts), strict=True)
    for before, after in builds:
        touched = {str(path) for path in before.inputs | after.inputs} & texts.keys()
        if touched:
            for message in _differences(before, after, options):
                finding = OVERLAY.at((), message, help="Build it before and after, and compare.")
                severity = Severity.INFO if before.objects is None else Severity.ERROR
                yield before.target.document.place(replace(finding, severity=severity))


def _differences(before: Build, after: Build, options: MigrateOptions) -> Iterator[str]:
    if before.objects is None:
        reasons = [*(one.message for one in before.findings), *(one.reason for one in before.not_evaluated)]
        yield f"it is not proved that the same is built after the migration: {'; '.join(reasons)}"
        return
    if after.objects is None:
        reasons = [*(one.message for one in after.findings), *(one.reason for one in after.not_evaluated)]
        yield f"it would no longer build after the migration: {'; '.join(reasons)}"
        return
    new = list(after.objects)
    for obj in before.objects:
        if not can_migrate(obj):
            if obj not in new:
                yield f"{text_at(obj, 'kind')} '{text_at(obj, 'metadata', 'name')}' would be built otherwise"
            continue
        migration = migrate(obj, target=options.target, choices=options.choices)
        if not any(text_at(each, "kind") == "TrainJob" for each in migration.objects):
            there = _texts(new)
            yield from (
                f"{text_at(each, 'kind')} '{text_at(each, 'metadata', 'name')}' would not be what the built one becomes"
                for each, text in zip(migration.objects, _texts(migration.objects), strict=True)
                if text not in there
            )
            continue
        wanted = _rendered(list(migration.objects), _identity(obj), options.target)
        found = _rendered(new, _identity(obj), options.target)
        if wanted != found:
            places = [str(one["path"]) for one in operations(wanted, found) if isinstance(one, dict)]
            shown = ", ".join(places[:_MOST_SHOWN]) + (" and others" if len(places) > _MOST_SHOWN else "")
            yield (
                f"TrainJob '{text_at(obj, 'metadata', 'name')}' would not be what the built job becomes; what is"
                f" rendered differs at {shown}"
            )


def _texts(objects: Iterable[JsonObject]) -> list[str]:
    """Objects as text, without the names of runtimes, which get their prefix and suffix in another order."""
    found = list(objects)
    names = [text_at(each, "metadata", "name") for each in found if text_at(each, "kind") == "TrainingRuntime"]
    texts = [json.dumps(each, sort_keys=True) for each in found]
    for name in names:
        texts = [text.replace(json.dumps(name), '"the runtime"') for text in texts]
    return texts


def _identity(obj: JsonObject) -> tuple[str, str]:
    return text_at(obj, "metadata", "namespace"), text_at(obj, "metadata", "name")


def _rendered(objects: list[JsonObject], identity: tuple[str, str], release: str) -> JsonValue:
    """What a TrainJob becomes in the cluster, without the copy of its runtime; words where it becomes nothing."""
    job = next((each for each in objects if text_at(each, "kind") == "TrainJob" and _identity(each) == identity), None)
    if job is None:
        return "there is no TrainJob"
    try:
        rendered = render(job, [each for each in objects if each is not job], release=release)
    except RenderError as error:
        return str(error)
    kept = [each for each in rendered.objects if not text_at(each, "metadata", "name").endswith("-runtime-snapshot")]
    found = {f"{text_at(each, 'kind')} {text_at(each, 'metadata', 'name')}": each for each in kept}
    # The id of a rendezvous is the job's name, without what kustomize adds to it: any text will do.
    value: JsonValue = json.loads(re.sub(r"--rdzv_id=[^\s\"]+", "--rdzv_id=any", json.dumps(found)))
    return value
