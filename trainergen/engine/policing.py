"""The admission policies of a run, asked about Trainer objects as admitted and about what TrainJobs become."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trainergen.admission.admit import admit
from trainergen.api.structural import load
from trainergen.finding import Finding, NotEvaluated
from trainergen.policies import checks, collect
from trainergen.policies.places import NAME
from trainergen.policies.review import Review
from trainergen.policies.target import target_of
from trainergen.source.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trainergen.admission.result import Admission
    from trainergen.engine.options import CheckOptions
    from trainergen.engine.workspace import Workspace
    from trainergen.finding import JsonObject
    from trainergen.policies.policies import Policies
    from trainergen.policies.rendered import Made
    from trainergen.render import Cluster
    from trainergen.source import Document, SourceFile

JOB = "TrainJob"


class Policing:
    """Asks the policies of a run."""

    def __init__(self, policies: Policies, *, release: str, workspace: Workspace) -> None:
        self.policies = policies
        self._schemas = load(release)
        self._release = release
        self._workspace = workspace
        self._clusters: dict[int, Cluster] = {}

    def review(self, document: Document, admission: Admission, old: JsonObject | None) -> Review:
        """What the policies say about a Trainer object, with paths inside of its document."""
        review = Review()
        if admission.object is None:
            return review
        stored = None if old is None else admit(old, release=self._release).object
        target = target_of(admission.object, file=document.file, old=stored)
        if target is not None:
            review = self.policies.review(target, self._schemas)
        if admission.refused:
            _forgive_failures(review)
        if document.kind == JOB and self.policies.wants_rendered and not admission.refused:
            self._review_rendered(document, review)
        return review

    def faults(self, options: CheckOptions) -> list[Finding]:
        """What is wrong with the policies themselves, as far as it is asked for."""
        return [
            finding
            for finding in self.policies.findings
            if finding.layer in options.layers and options.wants(finding.rule, finding.name)
        ]

    def _review_rendered(self, document: Document, review: Review) -> None:
        from trainergen.policies.rendered import made_of
        from trainergen.render import RenderError, render

        try:
            rendered = render(document.object, self._cluster(document.file), release=self._release)
        except RenderError as error:
            reason = f"policies about what the TrainJob becomes wait until it can be rendered: {error}"
            review.not_evaluated.append(NotEvaluated(checks.DENIED.id, reason, checks.DENIED.layer, NAME))
            return
        for made in made_of(rendered, file=document.file):
            found = self.policies.review(made.target)
            review.findings += dict.fromkeys(_at_source(found, made))
            review.not_evaluated += found.not_evaluated

    def _cluster(self, file: str) -> Cluster:
        from trainergen.render import Cluster

        nearest = self._workspace.nearest(file)
        # NB: the workspace keeps ``nearest``, so that its identity stays its own.
        if id(nearest) not in self._clusters:
            self._clusters[id(nearest)] = Cluster(value for _, value in nearest)
        return self._clusters[id(nearest)]


def _forgive_failures(review: Review) -> None:
    """Policies never see an object that is refused before: that they cannot be computed for it says nothing."""
    kept = [finding for finding in review.findings if finding.rule != checks.FAILED.id]
    if len(kept) < len(review.findings):
        reason = "policies that cannot be computed for the object wait until its other faults are mended"
        review.not_evaluated.append(NotEvaluated(checks.DENIED.id, reason, checks.DENIED.layer, NAME))
    review.findings = kept


def policing_for(options: CheckOptions, files: Sequence[SourceFile], workspace: Workspace) -> Policing:
    """The policies among the files, and in the folders that are given for them."""
    known = {file.location or file.path for file in files}
    given = discover(options.policies).files if options.policies else []
    more = [file for file in given if (file.location or file.path) not in known]
    return Policing(collect([*files, *more]), release=options.release, workspace=workspace)


def _at_source(found: Review, made: Made) -> Iterator[Finding]:
    """The findings about a rendered object, told as findings of its TrainJob."""
    for finding in found.findings:
        message = f"{made.target.title}, which it becomes: {finding.message}"
        yield replace(finding, at=made.source(finding.at), message=message)
