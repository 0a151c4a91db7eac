"""The rules on one object after the other, in whatever process judges its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import object_at
from trainergen.engine.mentions import Mentions
from trainergen.finding import Finding, Layer
from trainergen.report import LocatedNotEvaluated
from trainergen.rules.objects import Entry
from trainergen.rules.runner import words_of
from trainergen.rules.views.source import Source
from trainergen.rules.views.workspace import RUNTIME_KINDS
from trainergen.source.classify import mentions_trainer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from trainergen.admission.result import Admission
    from trainergen.engine.jobs import Renderer
    from trainergen.engine.judge import FileVerdict
    from trainergen.engine.workspace import Workspace
    from trainergen.finding import JsonObject
    from trainergen.releases import Release
    from trainergen.rules.declare import Rule
    from trainergen.rules.found import Undecided
    from trainergen.rules.objects import Objects
    from trainergen.rules.runner import Outcome, Runner
    from trainergen.source import Document, SourceFile

    class Verdict(Protocol):
        """Where findings go."""

        findings: list[Finding]
        not_evaluated: list[LocatedNotEvaluated]


JOB = "TrainJob"
DELIVERIES = ("argo-application", "flux-object")
AFTERWARDS = ("change", "workspace", "kustomization", "chart", *DELIVERIES)
"""The views of rules that run once all files are read."""
LOOKING_UP = ("source", "job", "unrenderable")
"""The views of rules that run while files are judged and look up other objects meanwhile."""
_HEAD = ("apiVersion", "kind", "metadata")


class Linter:
    """Runs the rules that look at one object."""

    def __init__(self, runner: Runner, *, release: Release, workspace: Workspace, objects: Objects) -> None:
        self.runner = runner
        self.release = release
        self.objects = objects
        self._workspace = workspace
        self._whole = runner.kinds("workspace", *DELIVERIES) | runner.looked_up(*AFTERWARDS)
        self.collects = runner.has(*AFTERWARDS)
        self._job_kinds = runner.kinds("job")
        self._mentions = Mentions(runner.rules)
        self._renderer: Renderer | None = None

    def wants(self, data: bytes) -> bool:
        """Whether a file must be parsed: it mentions the Trainer, or a kind that a rule is called for."""
        return mentions_trainer(data) or self._mentions.found_in(data)

    def lint(
        self,
        document: Document,
        file: SourceFile,
        verdict: FileVerdict,
        *,
        admission: Admission | None = None,
        old: JsonObject | None = None,
    ) -> None:
        """Run the rules on one object.

        ``admission`` is what the cluster says when it is a Trainer object, ``old`` its form at ``--base``.
        """
        entry = Entry(document, location=file.location or file.path, data=file.data)
        words = words_of(document.object)
        source = Source(entry, release=self.release, objects=self.objects.near(entry.file))
        outcomes = self.runner.run("source", source, at=source.at(), kind=entry.kind, words=words)
        if admission is not None and entry.kind in self._job_kinds and not admission.refused:
            outcomes += self._rendered(source, admission, words)
        explained = admission is not None and bool(admission.not_evaluated)
        self.take(outcomes, entry, verdict, explained=explained)
        if self.collects:
            entry.let_go()
            if old is not None and old != document.object:
                verdict.changes.append((entry, old))
            verdict.entries.append(self._light(entry))

    def take(
        self, outcomes: Iterable[Outcome], entry: Entry | None, verdict: Verdict, *, explained: bool = False
    ) -> None:
        """Keep what rules found; of what they could not decide one for an object, none where others say why."""
        for outcome in outcomes:
            if isinstance(outcome, Finding):
                verdict.findings.append(outcome)
            elif not explained:
                explained = True
                verdict.not_evaluated.append(undecided(outcome, entry))

    def renderer(self) -> Renderer:
        """What renders jobs for this run."""
        if self._renderer is None:
            from trainergen.engine.jobs import Renderer

            self._renderer = Renderer(self.release, self._workspace, self.objects)
        return self._renderer

    def _rendered(self, source: Source, admission: Admission, words: set[str]) -> Iterable[Outcome]:
        from trainergen.rules.views.job import Job
        from trainergen.rules.views.unrenderable import Unrenderable

        entry, at = source.entry, source.at()
        job = self.renderer().job(entry, admission.object or entry.value)
        if isinstance(job, Job):
            present = words | self.renderer().words_of_runtime(job)
            outcomes = self.runner.run("job", job, at=at, kind=entry.kind, words=present)
            job.let_go()
            return outcomes
        found: list[Outcome] = []
        if job is not None:
            failure = Unrenderable(source, job.message, job.help)
            found = self.runner.run("unrenderable", failure, at=at, kind=entry.kind)
        reason = "the runtime is not known" if job is None else f"the job cannot be rendered: {job.message}"
        for rule in self.runner.applying("job", entry.kind, words)[:1] if not found else []:
            found.append((rule, source.at("spec.runtimeRef.name").undecided(reason)))
        return found

    def _light(self, entry: Entry) -> Entry:
        """The entry as it is kept: only whole where a rule wants it."""
        if entry.kind in self._whole or entry.kind in RUNTIME_KINDS:
            return entry
        value = {key: entry.value[key] for key in _HEAD if key in entry.value}
        if entry.kind == JOB:
            value["spec"] = {"runtimeRef": object_at(entry.value, "spec", "runtimeRef")}
        return entry.with_value(value)


def undecided(outcome: tuple[Rule, Undecided], entry: Entry | None) -> LocatedNotEvaluated:
    """The entry of the report for a rule that could not decide."""
    rule, (spot, reason) = outcome
    placed = spot.where.document.place(
        Finding(rule.id, rule.name, rule.severity_value, Layer.LINT, "", at=spot.path, on_key=spot.on_key)
    )
    return LocatedNotEvaluated(
        check=rule.id,
        reason=reason,
        layer=Layer.LINT,
        file=placed.file,
        line=placed.line,
        column=placed.column,
        document=placed.document,
        object=placed.object or (entry.ref if entry else None),
        path=placed.path,
    )
