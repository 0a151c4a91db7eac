"""From paths to what the controller would create for every TrainJob in them: found, admitted, rendered, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from trainergen.admission.admit import admit
from trainergen.api.access import text_at
from trainergen.engine.run import index
from trainergen.engine.stand_ins import stand_ins
from trainergen.errors import TrainergenError
from trainergen.generate.names import KEY_LABEL
from trainergen.releases import get_release
from trainergen.render import Cluster, RenderError, render
from trainergen.render.cluster import DEFAULT_NAMESPACE
from trainergen.render.remarks import override_remarks
from trainergen.source.checks import INPUT_CHECKS
from trainergen.source.classify import Category
from trainergen.source.discovery import discover
from trainergen.source.files import SourceFile
from trainergen.source.load import Loaded, load

if TYPE_CHECKING:
    from trainergen.engine.workspace import Nearest, Workspace
    from trainergen.finding import Finding, ObjectRef
    from trainergen.render import Rendered
    from trainergen.source import Document

JOB = "TrainJob"
_NO_FEATURES: Mapping[str, bool] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """The settled settings of a run, after command line, configuration and detection.

    ``paths`` and ``runtimes`` as in ``check``. ``jobs`` limits the run to TrainJobs called so, ``NAMESPACE/NAME`` or
    ``NAME``. ``features`` are the feature gates. ``force`` renders what admission refuses. With ``build``,
    kustomizations and charts are built first, charts with the ``values`` in these files.
    """

    paths: tuple[str, ...]
    release: str
    release_reason: str = ""
    exclude: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    features: Mapping[str, bool] = field(default_factory=lambda: _NO_FEATURES)
    force: bool = False
    build: bool = False
    values: tuple[str, ...] = ()
    stdin: bytes | None = None
    stdin_filename: str = "<stdin>"


@dataclass(frozen=True, slots=True)
class JobRendering:
    """One TrainJob and what became of it: ``rendered``, or an ``error``, or neither because admission refuses it.

    ``refusals`` are the findings for which the cluster would refuse the TrainJob, placed in its file; with ``force``
    it may be rendered all the same.
    """

    document: Document
    release: str
    rendered: Rendered | None = None
    error: RenderError | None = None
    refusals: tuple[Finding, ...] = ()

    @property
    def namespace(self) -> str:
        """The namespace it goes to: ``default`` when the manifest has none."""
        return self.document.namespace or DEFAULT_NAMESPACE

    @property
    def job(self) -> str:
        """``NAMESPACE/NAME``."""
        return f"{self.namespace}/{self.document.name}"

    @property
    def ref(self) -> ObjectRef:
        """Which object of the document this is."""
        return self.document.ref

    @property
    def file(self) -> str:
        """The file's name as given."""
        return self.document.file

    @property
    def line(self) -> int:
        """The line where the TrainJob starts."""
        return self.document.locate(()).line

    @property
    def notes(self) -> list[str]:
        """What cannot be seen in the rendered objects: of the renderer, on overrides, on the Pods."""
        if self.rendered is None:
            return []
        overrides = override_remarks(self.document.object, self.rendered, get_release(self.release).behaviours)
        return list(dict.fromkeys((*self.rendered.notes, *overrides, *self.rendered.pods().warnings)))


class RenderRun:
    """The renderings of one run, made one after the other while it is iterated over, in the order of the files.

    While that goes on ``findings`` takes in what is wrong with files rather than with a TrainJob, and ``seen`` the
    name of every TrainJob, wanted or not.
    """

    def __init__(
        self, files: Iterable[SourceFile], options: RenderOptions, *, findings: Iterable[Finding] = ()
    ) -> None:
        self.options = options
        self.findings: list[Finding] = list(findings)
        self.seen: list[str] = []
        self.found: set[str] = set()
        """Those of the wanted names that there was a TrainJob for."""
        self._files = list(files)
        self._workspace: Workspace = index(self._files, options.runtimes)
        self._clusters: dict[int, Cluster] = {}
        self._read: dict[str, list[Document]] = {}

    def __iter__(self) -> Iterator[JobRendering]:
        for file in self._files:
            loaded = load(file)
            jobs = [document for document in loaded.of(Category.TRAINER) if document.kind == JOB]
            self.findings += _of_file(loaded, jobs)
            for document in jobs:
                rendering = JobRendering(document, self.options.release)
                self.seen.append(rendering.job)
                if self._is_wanted(rendering):
                    yield self._rendered(rendering, loaded)

    @property
    def unreadable(self) -> bool:
        """True when some input could not be read at all."""
        return any(finding.rule in INPUT_CHECKS for finding in self.findings)

    def runtimes_near(self, rendering: JobRendering) -> Nearest:
        """The runtimes that count for a TrainJob, each with the name of its file; those shipped are not among them."""
        return self._workspace.nearest(rendering.file)

    def cluster_of(self, rendering: JobRendering) -> Cluster:
        """What a TrainJob was rendered over, to render it over the same things once more."""
        return self._cluster(rendering.document)

    def read(self, name: str) -> list[Document]:
        """The objects of a file that runtimes were found in, by the name that came with them."""
        if name not in self._read:
            file = self._sources.get(name) or SourceFile(name)
            self._read[name] = [document for _, document in load(file, everything=True).objects]
        return self._read[name]

    @cached_property
    def _sources(self) -> dict[str, SourceFile]:
        lookups = discover(self.options.runtimes).files if self.options.runtimes else []
        return {file.path: file for file in (*lookups, *self._files)}

    def _is_wanted(self, rendering: JobRendering) -> bool:
        # A generated run has a name of its own, and people know it by its key.
        key = text_at(rendering.document.value, "metadata", "labels", KEY_LABEL)
        named = {rendering.job, rendering.document.name, key}.intersection(self.options.jobs)
        self.found |= named
        return bool(named) or not self.options.jobs

    def _rendered(self, rendering: JobRendering, loaded: Loaded) -> JobRendering:
        document, options = rendering.document, self.options
        admission = admit(
            document.object,
            release=get_release(options.release),
            objects=self._workspace.cluster_for(document.file),
        )
        refusals = tuple(
            [one for one in loaded.findings if one.refuses and _is_about(one, document)]
            + [document.place(one) for one in admission.findings if one.refuses]
        )
        if refusals and not options.force:
            return replace(rendering, refusals=refusals)
        try:
            rendered = render(
                document.object, self._cluster(document), release=options.release, features=options.features
            )
        except RenderError as error:
            return replace(rendering, error=error, refusals=refusals)
        return replace(rendering, rendered=rendered, refusals=refusals)

    def _cluster(self, document: Document) -> Cluster:
        nearest = self._workspace.nearest(document.file)
        # NB: the workspace keeps ``nearest``, so that its identity stays its own.
        if id(nearest) not in self._clusters:
            self._clusters[id(nearest)] = Cluster([*stand_ins(self.options.features), *(found for _, found in nearest)])
        return self._clusters[id(nearest)]


def render_paths(options: RenderOptions) -> RenderRun:
    """All TrainJobs of the files, folders and patterns that ``options`` names, to be iterated over.

    Raises TrainergenError for what the user must mend first; whatever files hold ends up in the renderings, or in the
    run's ``findings``.
    """
    get_release(options.release)
    stdin = None if options.stdin is None else SourceFile(options.stdin_filename, explicit=True, data=options.stdin)
    found = discover(options.paths, excludes=options.exclude, stdin=stdin)
    if options.build:
        from trainergen.engine.building import built

        found = built(found, release=options.release, values=options.values)
    return RenderRun(found.files, options, findings=found.findings)


def render_files(files: Iterable[SourceFile], options: RenderOptions) -> RenderRun:
    """The same for files at hand, such as those of a git revision; ``options.paths`` is not looked at."""
    get_release(options.release)
    return RenderRun(files, options)


def no_such_job(run: RenderRun, name: str) -> TrainergenError:
    """The error of a wanted TrainJob that is in none of the files."""
    from trainergen.spelling import did_you_mean

    near = did_you_mean(name, [*run.seen, *(job.partition("/")[2] for job in run.seen)])
    listed = sorted(set(run.seen))
    known = f"There are {', '.join(listed[:5])}{' and more' if len(listed) > 5 else ''}." if listed else ""
    return TrainergenError(
        f"there is no TrainJob '{name}'{near}", hint=known or "The paths hold no TrainJob; name the files it is in."
    )


def _of_file(loaded: Loaded, jobs: list[Document]) -> list[Finding]:
    """The findings that are about no TrainJob that will be rendered."""
    return [one for one in loaded.findings if not (one.refuses and any(_is_about(one, job) for job in jobs))]


def _is_about(finding: Finding, document: Document) -> bool:
    """Whether a finding of reading a file is about that document; one of a list's envelope is about all its members."""
    if finding.document != document.index or not finding.line:
        return False
    at, prefix = finding.at, document.prefix
    return at[: len(prefix)] == prefix[: len(at)]
