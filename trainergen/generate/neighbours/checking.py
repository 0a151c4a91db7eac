"""What neighbours refer to: claims that the training fills, parameters that it takes, kits that are packed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainergen.generate.names import DIGITS, longest_job_name
from trainergen.generate.neighbours.katib import ALGORITHMS, TRIAL_SUFFIX, references
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.generate.jobs import BuiltJob
    from trainergen.generate.setting import Setting
    from trainergen.generate.spec import Experiment, JobSpec, Range

_CLAIM = "pvc://"
_KIT = "kit://"


class _Fault(NamedTuple):
    field: Path
    message: str
    remedy: str


def check(setting: Setting, job: BuiltJob) -> None:
    """Note every fault in the neighbours of a job."""
    for fault in _faults(setting, job):
        setting.faults.add(("jobs", job.name, *fault.field), fault.message, fault.remedy)


def _faults(setting: Setting, job: BuiltJob) -> Iterator[_Fault]:
    spec = job.spec
    yield from _combined(spec)
    if spec.experiment is not None:
        yield from _experiment(spec.experiment, job)
    claims = _claims(setting, spec)
    if spec.package is not None and spec.package.claim not in claims:
        yield _Fault(("package", "claim"), *_unmounted(spec.package.claim, claims))
    if spec.serving is not None:
        yield from _serving(spec, claims)


def _combined(spec: JobSpec) -> Iterator[_Fault]:
    if spec.experiment is not None and spec.sweep is not None:
        yield _Fault(
            ("experiment",),
            "the job has a sweep and an experiment, which both choose parameters",
            "Keep one of them.",
        )
    if spec.experiment is not None and spec.workflow is not None:
        yield _Fault(
            ("workflow",), "the job has an experiment and a workflow, which both start it", "Keep one of them."
        )
    several = "sweep" if spec.sweep is not None else "experiment" if spec.experiment is not None else ""
    for field in ("package", "serving"):
        if several and getattr(spec, field) is not None:
            yield _Fault(
                (field,),
                f"the {several} makes several results, and {field} takes one",
                f"Give the best one a job of its own, with {field}.",
            )


def _experiment(spec: Experiment, job: BuiltJob) -> Iterator[_Fault]:
    used = references(job.object["spec"])
    for name, given in spec.parameters.items():
        place: Path = ("experiment", "parameters", name)
        if name not in used:
            yield _Fault(
                place, f"nothing in the job refers to the parameter '{name}'", f"Write ${{{name}}} in its args."
            )
        yield from _range(spec, given, place, name)
    if spec.algorithm not in ALGORITHMS:
        yield _Fault(
            ("experiment", "algorithm"),
            f"Katib has no algorithm '{spec.algorithm}'{did_you_mean(spec.algorithm, ALGORITHMS)}",
            f"Use one of {', '.join(ALGORITHMS)}.",
        )
    if spec.parallel > spec.trials:
        yield _Fault(
            ("experiment", "parallel"),
            f"{spec.parallel} trials are to run at a time, but there are {spec.trials} in all",
            "Lower parallel, or raise trials.",
        )
    longest = longest_job_name([each.name for each in job.runtime.templates], job.nodes) - TRIAL_SUFFIX - DIGITS - 1
    if len(job.key) > longest:
        yield _Fault(
            (),
            f"'{job.key}' has {len(job.key)} characters, but at most {longest} leave room for the names of trials",
            "Shorten the name of the job.",
        )


def _range(spec: Experiment, given: Range, place: Path, name: str) -> Iterator[_Fault]:
    if given.values:
        if given.min is not None or given.max is not None:
            yield _Fault(place, f"the parameter '{name}' has values and a range", "Keep one of them.")
        return
    if given.min is None or given.max is None:
        yield _Fault(place, f"the parameter '{name}' has neither values nor min and max", "Give it one of them.")
    elif given.min >= given.max:
        yield _Fault(place, f"min is {given.min:g}, but max is {given.max:g}", "Give max the greater one.")
    elif spec.algorithm == "grid" and given.step is None and not given.whole:
        yield _Fault(place, f"a grid needs steps, and the parameter '{name}' has none", "Set step.")


def _serving(spec: JobSpec, claims: list[str]) -> Iterator[_Fault]:
    assert spec.serving is not None
    uri = spec.serving.uri
    if uri.startswith(_CLAIM):
        claim = uri.removeprefix(_CLAIM).partition("/")[0]
        if claim not in claims:
            yield _Fault(("serving", "uri"), *_unmounted(claim, claims))
    elif uri.startswith(_KIT):
        kit = uri.removeprefix(_KIT)
        if spec.package is not None and spec.package.to != kit:
            yield _Fault(
                ("serving", "uri"),
                f"'{kit}' is to be served, but '{spec.package.to}' is packed",
                f"Write {_KIT}{spec.package.to}.",
            )
    elif "://" not in uri:
        yield _Fault(
            ("serving", "uri"),
            f"'{uri}' has no scheme",
            f"Write it as {_CLAIM}claim/path, {_KIT}registry/name:tag, hf://org/name or s3://bucket/path.",
        )


def _claims(setting: Setting, spec: JobSpec) -> list[str]:
    """The claims that the training has mounted."""
    runtime = setting.spec.runtimes.get(spec.runtime)
    storage = [*spec.storage.values(), *(runtime.storage.values() if runtime is not None else ())]
    return [each.claim for each in storage if each.claim is not None and not each.read_only]


def _unmounted(claim: str, claims: list[str]) -> tuple[str, str]:
    return (
        f"the training does not write to the claim '{claim}'{did_you_mean(claim, claims)}",
        f"Name one of {', '.join(claims)}." if claims else "Give the job storage with that claim.",
    )
