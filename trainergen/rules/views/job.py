"""The rendered view: a TrainJob as it is stored, its runtime, and what the controller makes of the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules.found import Spot
from trainergen.rules.lazily import lazily
from trainergen.rules.part import DocumentRoot, ElsewhereRoot, Made, Memory, Part
from trainergen.rules.views.pods import Pods

if TYPE_CHECKING:
    from collections.abc import Callable

    from trainergen.finding import JsonObject, Path
    from trainergen.releases import Release
    from trainergen.render.provenance import Origin
    from trainergen.render.rendered import Rendered
    from trainergen.rules.objects import Entry, Objects
    from trainergen.source import Document

_REFERENCE: Path = ("spec", "runtimeRef", "name")


class Runtime(Part):
    """The runtime of a job. Reports on it go to its file; without one, to the ``runtimeRef`` of the job."""

    __slots__ = ("entry",)

    def __init__(self, value: JsonObject, entry: Entry | None, reference: Spot) -> None:
        super().__init__(value, ElsewhereRoot(reference) if entry is None else DocumentRoot(entry))
        self.entry = entry
        """Where it is written, None when the release ships it."""

    @property
    def kind(self) -> str:
        """``TrainingRuntime`` or ``ClusterTrainingRuntime``."""
        return self.text("kind")

    @property
    def name(self) -> str:
        """The runtime's name."""
        return self.text("metadata.name")

    @property
    def words(self) -> str:
        """How messages call it."""
        return f"{self.kind} '{self.name}'"

    @property
    def is_shipped(self) -> bool:
        """True when it is taken from what the release ships."""
        return self.entry is None

    def policy(self, name: str) -> Part | None:
        """The ML policy of that name (``torch``), None when it is not set; an empty one is set."""
        return self._set("spec.mlPolicy", name)

    def gang(self, name: str) -> Part | None:
        """The Pod group policy of that name (``volcano``), None when it is not set; an empty one is set."""
        return self._set("spec.podGroupPolicy", name)

    def _set(self, section: str, name: str) -> Part | None:
        found = self.part(section, name)
        return None if found.value is None else found


class RenderedRoot:
    """A rendered object: its paths are placed where the values come from."""

    __slots__ = ("_job", "_object", "_spots")

    def __init__(self, job: Job, rendered: JsonObject) -> None:
        self._job = job
        self._object = rendered
        self._spots: dict[Path, Spot] = {}

    def spot(self, path: Path) -> Spot:
        """The line of the TrainJob or runtime that the value comes from."""
        spot = self._spots.get(path)
        if spot is None:
            spot = self._spots[path] = self._job.place(self._job.rendered.origin(self._object, path))
        return spot


class Job(Part):
    """A TrainJob that the cluster accepts, with its runtime, rendered.

    As a ``Part`` it is the TrainJob as stored: defaulted, so that ``get("spec.runtimeRef.kind")`` is never missing.
    For runtimes (a rule with their kinds) it is a bare TrainJob that refers to the runtime; then ``is_probe`` is true.
    """

    def __init__(
        self,
        entry: Entry,
        stored: JsonObject,
        *,
        rendered: Rendered,
        runtime: JsonObject,
        runtime_entry: Entry | None,
        release: Release,
        objects: Objects,
        is_probe: bool = False,
    ) -> None:
        super().__init__(stored, ElsewhereRoot(Spot(entry, ())) if is_probe else DocumentRoot(entry))
        self._memory = Memory()
        self.entry = entry
        self.rendered = rendered
        self.release = release
        self.objects = objects
        """The objects of the kinds that the rule ``looks_up``, the nearest to this file first."""
        self.is_probe = is_probe
        self.runtime = Runtime(runtime, runtime_entry, self._reference(runtime))

    def once(self, work: Callable[[Job], Made]) -> Made:
        """What a function makes of this job; made once for all rules that ask for it."""
        return self._memory.once(self, work)

    def let_go(self) -> None:
        """Forget everything, once no rule looks at the job any more.

        The parts know the job that knows them. Without these circles the memory is free at once, for the next job to
        use, instead of whenever garbage is next looked for.
        """
        for pods in self.__dict__.get("pods", ()):
            pods.__dict__.clear()
        self.__dict__.clear()

    @property
    def document(self) -> Document:
        """The TrainJob's document, for ``trainergen.source.edits``."""
        return self.entry.document

    @property
    def source(self) -> Part:
        """The TrainJob as written."""
        return Part(self.entry.value, DocumentRoot(self.entry))

    @property
    def name(self) -> str:
        """``metadata.name``."""
        return self.text("metadata.name")

    @property
    def namespace(self) -> str:
        """The namespace; ``default`` where the manifest has none."""
        return self.text("metadata.namespace") or "default"

    @lazily
    def jobset(self) -> Part:
        """The rendered JobSet."""
        return self.rendered_object("JobSet") or Part({}, self.root)

    def rendered_object(self, kind: str) -> Part | None:
        """The first rendered object of that kind (``PodGroup``, ``ConfigMap``, ``Secret``), None when there is none."""
        return next(iter(self.rendered_objects(kind)), None)

    def rendered_objects(self, kind: str = "") -> list[Part]:
        """The rendered objects of that kind, or all."""
        return [
            Part(made, RenderedRoot(self, made))
            for made in self.rendered.objects
            if not kind or made.get("kind") == kind
        ]

    @lazily
    def pods(self) -> list[Pods]:
        """The Pods by replicated job, in the order of the JobSet."""
        return [Pods(part.value, part.root, part.path) for part in self.jobset.parts("spec.replicatedJobs")]

    @lazily
    def trainer(self) -> Pods | None:
        """The Pods that train: the first replicated job labelled as ``trainer``."""
        return next((pods for pods in self.pods if pods.ancestor == "trainer"), None)

    @property
    def nodes(self) -> int:
        """How many Pods train; 0 without a trainer."""
        return self.trainer.parallelism if self.trainer else 0

    def place(self, origin: Origin) -> Spot:
        """Where a rendered value was written, or what made it."""
        if origin.kind in ("trainjob", "patch"):
            return self.at("", *origin.path)
        if origin.kind == "runtime" or (origin.kind == "default" and origin.detail):
            return self.runtime.at("", *origin.path)
        return self.at("", *origin.path) if origin.path else Spot(self.entry, _REFERENCE, suffix=_made_by(origin))

    def _reference(self, runtime: JsonObject) -> Spot:
        metadata = runtime.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else ""
        return Spot(self.entry, _REFERENCE, suffix=f", set by the {runtime.get('kind')} '{name}'")


def _made_by(origin: Origin) -> str:
    return f", set by the {origin.detail} plugin" if origin.kind == "plugin" else ""
