"""A TrainJob that uses a runtime which the new release no longer ships."""

from __future__ import annotations

from trainergen.api.access import object_at, text_at
from trainergen.releases.catalogue import shipped_runtimes
from trainergen.upgrade.checks import RUNTIME_GONE
from trainergen.upgrade.work import JOB, RUNTIMES, Work


def runtime_gone(work: Work) -> None:
    """The runtime stays in a cluster that had it, until somebody deletes it; a new cluster never gets it."""
    if work.document.kind != JOB:
        return
    reference = object_at(work.document.object, "spec", "runtimeRef")
    name = text_at(reference, "name")
    gone = name in shipped_runtimes(work.old.name) and name not in shipped_runtimes(work.new.name)
    if not gone or (text_at(reference, "kind") or RUNTIMES[1]) != RUNTIMES[1]:
        return
    found = work.around.runtime_of(work.document)
    if found is None or not found[0]:
        work.lose(
            RUNTIME_GONE.at(
                ("spec", "runtimeRef", "name"),
                f"the runtime '{name}' was shipped up to {work.old.name}, and {work.new.name} has none of that name",
                help=f"Keep a copy in Git: trainergen runtimes --release {work.old.name} {name} prints it.",
            )
        )
