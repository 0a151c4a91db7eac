"""From a specification to what it means: every object of every environment, or all that is wrong with it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from trainergen.generate import policies
from trainergen.generate.caches import cache_objects
from trainergen.generate.delivery import annotated
from trainergen.generate.facts import facts_of
from trainergen.generate.faults import Faults
from trainergen.generate.jobs import build_jobs, find_runtime
from trainergen.generate.namespaces import PART as NAMESPACE
from trainergen.generate.namespaces import namespace_objects
from trainergen.generate.neighbours import accounts, is_started_by_neighbour, neighbour_objects, queue_objects
from trainergen.generate.resolved import PARTS, Environment, Placed, Resolved
from trainergen.generate.runs import PART as JOBS
from trainergen.generate.runs import History, identity, named_run, placed_earlier, runs_to_keep
from trainergen.generate.runtimes import BuiltRuntime, build_runtime
from trainergen.generate.setting import Setting
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.generate.jobs import BuiltJob
    from trainergen.generate.spec import Output, Spec
    from trainergen.releases import Release

RUNTIMES = "runtimes"
QUEUES = "queues"


@dataclass(slots=True)
class Resolution:
    """What came out: the resolved specification, which is of no use with faults, and the runs as they are now."""

    resolved: Resolved
    history: History = field(default_factory=History)
    faults: Faults = field(default_factory=Faults)


def resolve(spec: Spec, release: Release, *, root: FilePath, history: History) -> Resolution:
    """Resolve ``spec`` for ``release``; files are relative to ``root``, and ``history`` are the runs so far."""
    faults = Faults()
    texts: dict[FilePath, str] = {}
    _check_names(spec, faults)
    environments, now = [], History()
    for name, environment in spec.environments.items():
        setting = Setting(spec, name, environment, facts_of(release.name), faults, root, texts)
        objects = sorted(_objects(setting, history, now), key=_order)
        environments.append(
            Environment(
                name=name,
                namespace=setting.namespace,
                cluster=environment.cluster,
                revision=environment.revision,
                objects=tuple(objects),
            )
        )
    _check_shared(environments, faults)
    output = spec.output
    _check_delivery(output, faults)
    given: dict[str, str] = {str(name): version for name, version in spec.companions.items()}
    resolved = Resolved(
        name=spec.name,
        release=release,
        companions={"kubernetes": release.kubernetes, "jobset": release.jobset} | given,
        format=output.format,
        delivery=output.delivery,
        install=output.install,
        repository=output.repository,
        directory=_inside(output.folder if output.directory is None else output.directory),
        environments=tuple(environments),
        await_jobs=output.await_jobs,
        credentials=output.credentials or "",
    )
    return Resolution(annotated(resolved), now, faults)


def _inside(folder: str) -> str:
    """A folder of the repository as the delivery names it; empty for the root."""
    tidy = posixpath.normpath(folder.replace("\\", "/")).strip("/")
    return "" if tidy == "." else tidy


def _order(placed: Placed) -> tuple[int, str]:
    return PARTS.index(placed.part), placed.key


def _objects(setting: Setting, history: History, now: History) -> Iterator[Placed]:
    """Everything of one environment; its runs go into ``now``."""
    yield from namespace_objects(setting)
    yield from queue_objects(setting)
    yield from accounts(setting)
    runtimes = {key: build_runtime(setting, key, each) for key, each in setting.spec.runtimes.items()}
    for key, runtime in runtimes.items():
        if runtime is not None:
            policies.hold_runtime(setting, key, runtime)
            if runtime.kind == "TrainingRuntime":
                yield Placed(NAMESPACE, f"runtime-{key}", runtime.object)
            else:
                yield Placed(RUNTIMES, key, runtime.object)
    yield from cache_objects(setting, [(key, each) for key, each in runtimes.items() if each is not None])
    taken = {identity(runtime.object) for runtime in runtimes.values() if runtime is not None}
    yield from _runs(setting, _jobs(setting, runtimes), (history, now), taken)


def _jobs(setting: Setting, runtimes: dict[str, BuiltRuntime | None]) -> Iterator[BuiltJob]:
    for name, spec in setting.spec.jobs.items():
        if spec.only and setting.name not in spec.only:
            continue
        runtime = find_runtime(setting, name, runtimes)
        if runtime is None:
            continue
        for job in build_jobs(setting, name, spec, runtime):
            policies.hold_job(setting, job)
            yield job


def _runs(
    setting: Setting, jobs: Iterable[BuiltJob], histories: tuple[History, History], taken: set[tuple[str, str]]
) -> Iterator[Placed]:
    """The runs of all jobs, by the history so far, which make the one now; ``taken`` are kinds and names in use."""
    history, now = histories
    known, runs = history.of(setting.name), setting.spec.runs
    here = now.environments.setdefault(setting.name, {})
    scripts: set[str] = set()
    for job in jobs:
        before = known.get(job.key, [])
        if job.key in here:
            setting.faults.add(
                ("jobs", job.name), f"two jobs would be called '{job.key}'", "Give one of them another name."
            )
            continue
        if job.config_map is not None and job.name not in scripts:
            scripts.add(job.name)
            yield Placed(JOBS, f"{job.name}-script", job.config_map)
        if not is_started_by_neighbour(job.spec):
            current = named_run(runs, job, before)
            here[job.key] = runs_to_keep(runs, current, before)
            yield Placed(JOBS, job.key, job.object)
            taken |= {identity(each) for each in current.objects}
            yield from placed_earlier(here[job.key], taken)
        yield from neighbour_objects(setting, job)


def _check_names(spec: Spec, faults: Faults) -> None:
    """Every name of an environment must be one."""
    mentioned: list[tuple[Path, str]] = []
    for name, job in spec.jobs.items():
        mentioned += ((("jobs", name, "only", index), each) for index, each in enumerate(job.only))
        mentioned += ((("jobs", name, "environments", each), each) for each in job.environments)
    for name, runtime in spec.runtimes.items():
        mentioned += ((("runtimes", name, "environments", each), each) for each in runtime.environments)
    for path, name in mentioned:
        if name not in spec.environments:
            faults.add(
                path,
                f"there is no environment '{name}'{did_you_mean(name, spec.environments)}",
                f"The environments are {', '.join(spec.environments)}.",
            )


def _check_shared(environments: list[Environment], faults: Faults) -> None:
    """Two environments of one cluster must not have one namespace, nor one cluster-scoped object that differs."""
    for index, later in enumerate(environments):
        for earlier in environments[:index]:
            if later.cluster != earlier.cluster:
                continue
            if later.namespace == earlier.namespace:
                faults.add(
                    ("environments", later.name, "namespace"),
                    f"the environments '{earlier.name}' and '{later.name}' share the namespace '{later.namespace}'",
                    "Give each a namespace of its own, or name the clusters if they are on different ones.",
                )
            if later.cluster:
                _check_runtimes(earlier, later, faults)
                _check_queues(earlier, later, faults)


def _check_queues(earlier: Environment, later: Environment, faults: Faults) -> None:
    first = {identity(placed.object): placed.object for placed in earlier.of(QUEUES)}
    for placed in later.of(QUEUES):
        kind, name = identity(placed.object)
        if placed.object != first.get((kind, name), placed.object):
            faults.add(
                ("environments", later.name, "queue"),
                f"the {kind} '{name}' differs between '{earlier.name}' and '{later.name}' on one cluster",
                "Give each environment a cluster-queue and a flavor of its own, or the same quota and node pool.",
            )


def _check_delivery(output: Output, faults: Faults) -> None:
    """A delivery follows a repository, and only that knows the URL of it."""
    if output.delivery != "none" and not output.repository:
        faults.add(
            ("output", "repository"),
            f"{output.delivery} is to deliver the tree, and nothing says from where",
            "Set output.repository to the URL of the git repository.",
        )


def _check_runtimes(earlier: Environment, later: Environment, faults: Faults) -> None:
    first = {identity(placed.object): placed.object for placed in earlier.of(RUNTIMES)}
    for placed in later.of(RUNTIMES):
        if placed.object != first.get(identity(placed.object), placed.object):
            faults.add(
                ("runtimes", placed.key, "version"),
                f"the runtime '{placed.key}' differs between '{earlier.name}' and '{later.name}' on one cluster",
                "Leave its version out, or write scope: namespace, so that each environment has its own.",
            )
