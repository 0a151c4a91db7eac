"""The result of one comparison as a value: the engine builds it, output formats take it, the exit code follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.diff.change import Change, Impact, Kind, ObjectChanges, rank_of, worst_of

if TYPE_CHECKING:
    from trainergen.diff.footprint import Footprint
    from trainergen.finding import Finding, ObjectRef


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the comparison: a Trainer release, and the git revision that the manifests are from.

    An empty revision is the working tree.
    """

    release: str
    revision: str = ""


@dataclass(frozen=True, slots=True)
class JobChanges:
    """What changes for one TrainJob.

    ``kind`` is ADDED or REMOVED for one that only one side has. ``verdicts`` are the changes in what the cluster says
    to the TrainJob itself: that it is refused, or cannot be rendered. ``notes`` say to whom the changes apply, and what
    one side leaves out. ``before`` and ``after`` are None where that side has nothing rendered.
    """

    ref: ObjectRef
    file: str
    kind: Kind
    verdicts: tuple[Change, ...] = ()
    objects: tuple[ObjectChanges, ...] = ()
    notes: tuple[str, ...] = ()
    before: Footprint | None = None
    after: Footprint | None = None

    @property
    def changes(self) -> Iterator[Change]:
        """All changes, the verdicts first."""
        yield from self.verdicts
        for obj in self.objects:
            yield from obj.changes

    @property
    def worst(self) -> Impact | None:
        """The worst impact of all changes."""
        return worst_of(change.impact for change in self.changes)


@dataclass(frozen=True, slots=True)
class RuntimeChanges:
    """A runtime that differs between the revisions, the TrainJobs that use it, and which of them it reaches.

    ``verdicts`` are the refusals of its update.
    """

    ref: ObjectRef
    file: str
    used_by: tuple[str, ...]
    note: str
    verdicts: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class NotCompared:
    """A TrainJob of which neither side could be rendered, and why."""

    ref: ObjectRef
    file: str
    reason: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class DiffReport:
    """All that one comparison found. ``findings`` are about input that could not be read."""

    old: Side
    new: Side
    jobs: tuple[JobChanges, ...] = ()
    runtimes: tuple[RuntimeChanges, ...] = ()
    not_compared: tuple[NotCompared, ...] = ()
    unchanged: int = 0
    findings: tuple[Finding, ...] = ()
    version: str = ""
    release_reason: str = ""
    counts: Counter[Impact] = field(init=False, compare=False)
    """How many changes have each impact; a change that has two counts for both."""

    def __post_init__(self) -> None:
        counts = Counter(impact for change in self.changes for impact in change.impacts)
        object.__setattr__(self, "counts", counts)

    @property
    def changes(self) -> Iterator[Change]:
        """All changes of all jobs and runtimes."""
        for runtime in self.runtimes:
            yield from runtime.verdicts
        for job in self.jobs:
            yield from job.changes

    @property
    def compared(self) -> int:
        """The number of TrainJobs that were compared, with those that one side lacks."""
        return len(self.jobs) + self.unchanged

    @property
    def worst(self) -> Impact | None:
        """The worst impact of all changes, None when nothing differs."""
        return worst_of(self.counts)

    def differs(self, at_least: Impact = Impact.COSMETIC) -> bool:
        """Whether there is a change of this impact or a worse one."""
        return self.worst is not None and rank_of(self.worst) >= rank_of(at_least)
