"""The semantic difference between two renderings, and what each change means for a TrainJob in the cluster.

Start at ``objects.compare_objects``. Values go in and come out: two lists of objects, and the changes between them.
"""

from trainergen.diff.change import Change, Impact, Kind, ObjectChanges, worst_of
from trainergen.diff.objects import compare_objects
from trainergen.diff.report import DiffReport, JobChanges, NotCompared, RuntimeChanges, Side

__all__ = [
    "Change",
    "DiffReport",
    "Impact",
    "JobChanges",
    "Kind",
    "NotCompared",
    "ObjectChanges",
    "RuntimeChanges",
    "Side",
    "compare_objects",
    "worst_of",
]
