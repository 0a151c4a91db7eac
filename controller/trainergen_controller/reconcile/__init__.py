"""Pure reconciliation: what is there in, what is to be done out."""

from trainergen_controller.reconcile.actions import Actions, Apply, Delete, Occurrence, Patch

__all__ = ["Actions", "Apply", "Delete", "Occurrence", "Patch"]
