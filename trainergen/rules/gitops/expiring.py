"""Legacy jobs that delete themselves some time after they have finished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trainergen.source.classify import LEGACY_GROUP, LEGACY_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.rules import Entry

LEGACY: Final = tuple(sorted(LEGACY_KINDS))
TIME_TO_LIVE: Final = "spec.runPolicy.ttlSecondsAfterFinished"


def expiring(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The jobs among objects that have a time to live.

    The MPI Operator gives it to the launcher's Job, and its MPIJob stays; kubeflow/mpi-operator
    pkg/controller/mpi_job_controller.go @ v0.8.0.
    """
    for entry in entries:
        is_v1 = entry.kind in LEGACY_KINDS and entry.object.text("apiVersion") == f"{LEGACY_GROUP}/v1"
        if is_v1 and entry.object.integer(TIME_TO_LIVE) is not None:
            yield entry
