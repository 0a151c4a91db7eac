"""Runs: the names of TrainJobs, which cannot be changed, and the earlier runs that stay."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import object_at, text_at
from trainergen.errors import TrainergenError
from trainergen.generate.jobs import run_content
from trainergen.generate.names import KEY_LABEL, content_hash
from trainergen.generate.resolved import Placed
from trainergen.generate.workspace_files import GeneratedFile

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.generate.jobs import BuiltJob
    from trainergen.generate.spec import Runs

FOLDER = PurePosixPath(".trainergen")
PART = "jobs"
_PLACES = {"TrainingRuntime": ("namespace", "runtime-{}"), "ClusterTrainingRuntime": ("runtimes", "{}")}
"""Where runtimes are placed, by kind: part and key."""


class Run(NamedTuple):
    """One run of a job: its name, the hash of what it consists of, its number, and its objects."""

    name: str
    hash: str
    number: int
    objects: list[JsonObject]


@dataclass(slots=True)
class History:
    """The runs of each environment by the key of their job, newest first."""

    environments: dict[str, dict[str, list[Run]]] = field(default_factory=dict)

    def of(self, environment: str) -> Mapping[str, list[Run]]:
        """The runs of one environment."""
        return self.environments.get(environment, {})


def history_path(environment: str) -> PurePosixPath:
    """The file of a tree that remembers the runs of an environment."""
    return FOLDER / f"runs-{environment}.json"


def history_files(runs: Runs, history: History) -> Iterable[GeneratedFile]:
    """The files to remember runs by; none where the names say all and nothing stays."""
    if runs.keep == 1 and runs.names == "hash":
        return
    for environment, jobs in history.environments.items():
        runtimes: JsonObject = {}
        found: JsonObject = {key: [_written(run, runtimes) for run in each] for key, each in sorted(jobs.items())}
        content: JsonObject = {"runs": found, "runtimes": dict(sorted(runtimes.items()))}
        yield GeneratedFile(history_path(environment), json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _written(run: Run, runtimes: JsonObject) -> JsonObject:
    """A run as it is remembered; its runtime, which many have, is remembered once."""
    objects: list[JsonValue] = []
    for each in run.objects:
        kind, name = identity(each)
        if kind in _PLACES:
            runtimes[f"{kind}/{name}/{content_hash(each)}"] = each
            objects.append(f"{kind}/{name}/{content_hash(each)}")
        else:
            objects.append(each)
    return {"name": run.name, "hash": run.hash, "number": run.number, "objects": objects}


def read_history(texts: Mapping[str, str]) -> History:
    """The history in files as ``history_files`` makes them, by environment; TrainergenError for broken ones."""
    history = History()
    for environment, text in texts.items():
        try:
            content = json.loads(text)
            runtimes = content["runtimes"]
            history.environments[environment] = {
                key: [_read(each, runtimes) for each in runs] for key, runs in content["runs"].items()
            }
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TrainergenError(
                f"'{history_path(environment)}' cannot be read, which remembers the runs of jobs",
                hint="Restore it from git, or delete it to begin anew.",
            ) from error
    return history


def _read(written: JsonObject, runtimes: JsonObject) -> Run:
    objects = [runtimes[each] if isinstance(each, str) else each for each in written["objects"]]  # type: ignore[union-attr]
    return Run(str(written["name"]), str(written["hash"]), int(str(written["number"])), objects)  # type: ignore[arg-type]


def named_run(runs: Runs, job: BuiltJob, known: list[Run]) -> Run:
    """The run of a job as it is now; its TrainJob gets the name of the run."""
    fingerprint = content_hash(*run_content(job))
    same = next((run for run in known if run.hash == fingerprint), None)
    number = same.number if same is not None else max((run.number for run in known), default=0) + 1
    name = f"{job.key}-{fingerprint}" if runs.names == "hash" else f"{job.key}-r{number}"
    metadata = job.object["metadata"]
    assert isinstance(metadata, dict)
    metadata["name"] = name
    objects = [job.runtime.object, *([] if job.config_map is None else [job.config_map]), job.object]
    return Run(name, fingerprint, number, objects)


def runs_to_keep(runs: Runs, current: Run, known: list[Run]) -> list[Run]:
    """The current run and the earlier ones that stay, newest first."""
    return [current, *(run for run in known if run.name != current.name)][: runs.keep]


def placed_earlier(kept: list[Run], taken: set[tuple[str, str]]) -> Iterable[Placed]:
    """The objects of earlier runs; ``taken`` are kinds and names that are placed already."""
    for run in kept[1:]:
        for each in run.objects:
            kind, name = identity(each)
            if (kind, name) not in taken:
                taken.add((kind, name))
                part, key = _PLACES.get(kind, (PART, "{}"))
                yield Placed(part, key.format(name), _superseded(each))


def _superseded(obj: JsonObject) -> JsonObject:
    """An object of an earlier run, without the label that the current one has."""
    metadata = object_at(obj, "metadata")
    labels = {name: value for name, value in object_at(metadata, "labels").items() if name != KEY_LABEL}
    return {**obj, "metadata": {**metadata, "labels": labels}} if "labels" in metadata else obj


def identity(obj: JsonObject) -> tuple[str, str]:
    """Kind and name of an object."""
    return text_at(obj, "kind"), text_at(obj, "metadata", "name")
