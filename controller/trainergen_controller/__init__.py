"""The in-cluster controller: the offline answers of trainergen, kept true in a living cluster."""

from trainergen_controller.passes.actions import Actions, Apply, Delete, Occurrence, Patch
from trainergen_controller.passes.train_job import creation_failed, reconcile
from trainergen_controller.passes.training_runtime import reconcile_runtime

__all__ = [
    "Actions",
    "Apply",
    "Delete",
    "Occurrence",
    "Patch",
    "creation_failed",
    "reconcile",
    "reconcile_runtime",
]
