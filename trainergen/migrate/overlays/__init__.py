"""Kustomizations that do something to legacy jobs: what they do is found by doing it, and written for TrainJobs.

A job is carried through its kustomizations twice, as it is and migrated; a patch becomes the difference between what
the job becomes before and after it. Start at ``rewrite``.
"""

from trainergen.migrate.overlays.rewriting import Rewriting, Rewritten, rewrite

__all__ = ["Rewriting", "Rewritten", "rewrite"]
