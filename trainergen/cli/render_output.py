"""How ``render`` writes: a stream of YAML, a list in JSON, Pods as text, or a file for each object."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from trainergen.output.rendered.lines import yaml_text
from trainergen.output.targets import emit
from trainergen.output.visible import escape_controls

if TYPE_CHECKING:
    from trainergen.cli.render import Asked
    from trainergen.engine.rendering import JobRendering, RenderRun
    from trainergen.finding import Finding, JsonObject

MOST_NAMED = 3
"""Refusals that a message spells out."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a TrainJob has no objects, in one message and its remedy."""

    message: str
    help: str


class Writer(Protocol):
    """Takes the renderings of a run one after the other."""

    def write(self, rendering: JobRendering) -> None:
        """Write one; what could not be rendered is said elsewhere, unless the format has a place for it."""

    def close(self) -> None:
        """Finish."""


def writer_for(asked: Asked, run: RenderRun) -> Writer:
    """The writer that the options ask for."""
    if asked.format_ == "json":
        return JsonWriter(pods=asked.pods)
    if asked.pods:
        return PodsWriter(run)
    if asked.split is not None:
        return SplitWriter(run, asked)
    return YamlWriter(run, explain=asked.explain)


def problem(rendering: JobRendering) -> Problem | None:
    """What keeps a TrainJob from being rendered, None if it was."""
    if rendering.rendered is not None:
        return None
    if rendering.error is not None:
        return Problem(rendering.error.message, rendering.error.help)
    named = "; ".join(_refusal(finding) for finding in rendering.refusals[:MOST_NAMED])
    more = len(rendering.refusals) - MOST_NAMED
    return Problem(
        f"the cluster would refuse it: {named}{f'; and {more} more' if more > 0 else ''}",
        f"See 'trainergen check {rendering.file}', or 'trainergen render --force' for what would come of it.",
    )


def _refusal(finding: Finding) -> str:
    return f"line {finding.line}: {finding.message} [{finding.rule}]"


def release_line(run: RenderRun) -> str:
    """The release and why it is that one, which heads a whole run."""
    reason = f" ({run.options.release_reason})" if run.options.release_reason else ""
    return escape_controls(f"Trainer {run.options.release}{reason}")


def header(rendering: JobRendering) -> list[str]:
    """What heads the objects of a TrainJob: which it is, and what cannot be seen in the objects."""
    lines = [f"TrainJob {rendering.job} of {rendering.file}:{rendering.line}, Trainer {rendering.release}"]
    if rendering.refusals:
        lines.append(f"note: the cluster would refuse this TrainJob: {_refusal(rendering.refusals[0])}")
    lines += [f"note: {note}" for note in rendering.notes]
    return [escape_controls(line) for line in lines]


class YamlWriter:
    """Documents with comments; ``explain`` tells of each line where it comes from."""

    def __init__(self, run: RenderRun, *, explain: bool) -> None:
        self._text = ObjectText(run, explain=explain)
        self._lead = f"# {release_line(run)}\n"

    def write(self, rendering: JobRendering) -> None:
        """The TrainJob as comments, then its objects."""
        if rendering.rendered is None:
            return
        comments = "".join(f"# {line}\n" for line in header(rendering))
        objects = "".join(f"---\n{text}" for text in self._text.of(rendering))
        emit(sys.stdout, self._lead + comments + objects, format_name="yaml")
        self._lead = ""

    def close(self) -> None:
        """Nothing is left to write."""


class ObjectText:
    """Objects as YAML, explained or not."""

    def __init__(self, run: RenderRun, *, explain: bool) -> None:
        self._run = run
        self._explain = explain

    def of(self, rendering: JobRendering) -> list[str]:
        """The text of each object."""
        assert rendering.rendered is not None
        objects = rendering.rendered.objects
        if not self._explain:
            return [yaml_text(made) for made in objects]
        from trainergen.engine.provenance import places_of
        from trainergen.output.rendered.explain import explained

        places = places_of(rendering, self._run)
        return [explained(made, places) for made in objects]


class SplitWriter:
    """One file for each object; their names go to standard output."""

    def __init__(self, run: RenderRun, asked: Asked) -> None:
        from trainergen.output.rendered.split import SplitFolder

        assert asked.split is not None
        self._folder = SplitFolder(asked.split)
        self._text = ObjectText(run, explain=asked.explain)

    def write(self, rendering: JobRendering) -> None:
        """Write the objects of one TrainJob."""
        if rendering.rendered is None:
            return
        comments = "".join(f"# {line}\n" for line in header(rendering))
        of = f"{rendering.job} ({rendering.file}:{rendering.line})"
        for made, text in zip(rendering.rendered.objects, self._text.of(rendering), strict=True):
            path = self._folder.write(made, comments + text, of=of)
            emit(sys.stdout, f"{path}\n")

    def close(self) -> None:
        """Nothing is left to write."""


class PodsWriter:
    """The Pods of each TrainJob as text."""

    def __init__(self, run: RenderRun) -> None:
        self._lead = f"{release_line(run)}\n"

    def write(self, rendering: JobRendering) -> None:
        """One TrainJob."""
        from trainergen.output.rendered.pods_text import pods_text

        if rendering.rendered is None:
            return
        first, *notes = header(rendering)
        head = "".join(f"{line}\n" for line in (first, *(f"  {note}" for note in notes)))
        emit(sys.stdout, f"{self._lead}\n{head}{pods_text(rendering.rendered.pods())}")
        self._lead = ""

    def close(self) -> None:
        """Nothing is left to write."""


class JsonWriter:
    """A list with an entry for every TrainJob, rendered or not; written as it grows."""

    def __init__(self, *, pods: bool) -> None:
        self._pods = pods
        self._lead = "[\n"

    def write(self, rendering: JobRendering) -> None:
        """One entry."""
        text = json.dumps(self._entry(rendering), indent=2, ensure_ascii=False)
        emit(sys.stdout, f"{self._lead}{text}", format_name="json")
        self._lead = ",\n"

    def close(self) -> None:
        """The end of the list."""
        emit(sys.stdout, "[]\n" if self._lead == "[\n" else "\n]\n", format_name="json")

    def _entry(self, rendering: JobRendering) -> JsonObject:
        rendered = rendering.rendered
        entry: JsonObject = {
            "job": rendering.job,
            "release": rendering.release,
            "file": rendering.file,
            "line": rendering.line,
            "objects": [] if rendered is None else [*rendered.objects],
            "notes": [*rendering.notes],
            "error": _error(rendering),
            "refusals": [_plain(finding) for finding in rendering.refusals],
        }
        if self._pods:
            entry["pods"] = None if rendered is None else rendered.pods().to_dict()
        return entry


def _error(rendering: JobRendering) -> JsonObject | None:
    found = problem(rendering)
    return None if found is None else {"message": found.message, "help": found.help}


def _plain(finding: Finding) -> JsonObject:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "layer": str(finding.layer),
        "message": finding.message,
        "help": finding.help,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "path": finding.path,
    }
