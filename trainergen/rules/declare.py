"""The decorator that makes a function a rule, and what is known of a rule without its code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from trainergen.finding import Severity
from trainergen.rules.settings import DEFAULT_PROFILE, PROFILES

if TYPE_CHECKING:
    from trainergen.rules.found import Found, Undecided

Findings: TypeAlias = "Iterator[Found | Undecided]"
Function = TypeVar("Function", bound=Callable[..., Any])

FAMILIES = {
    "references": "2",
    "resources": "3",
    "frameworks": "4",
    "scheduling": "5",
    "security": "6",
    "gitops": "7",
    "upgrade": "8",
    "tool": "9",
}
"""The families and the hundred of ids that each has."""
VIEWS = {
    "Source": "source",
    "Job": "job",
    "Change": "change",
    "Workspace": "workspace",
    "Kustomization": "kustomization",
    "Chart": "chart",
    "ArgoApplication": "argo-application",
    "FluxObject": "flux-object",
    "Unrenderable": "unrenderable",
    "Directive": "directive",
    "Failure": "failure",
}
"""The views by the class that a rule function takes."""
_DEFAULT_KINDS = {
    "kustomization": ("Kustomization",),
    "chart": ("Chart",),
    "argo-application": ("Application", "ApplicationSet"),
    "flux-object": ("Kustomization", "HelmRelease"),
    "workspace": ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    "directive": ("*",),
    "unrenderable": ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
}
GRADES = ("none", "safe", "unsafe")

_ID = "TG[2-9][0-9]{2}"
_NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)+"


class Rule(NamedTuple):
    """All that is known of a rule without importing it; one line of the index."""

    id: str
    name: str
    view: str
    module: str
    """Below ``trainergen.rules``; another package's module in full."""
    function: str
    summary: str
    severity: str = "warning"
    profile: str = DEFAULT_PROFILE
    kinds: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    triggers: tuple[str, ...] = ()
    looks_up: tuple[str, ...] = ()
    mirrors: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    fix: str = "none"
    options: bool = False

    @property
    def family(self) -> str:
        """The family, with its sub-family: ``gitops.kustomize``."""
        return self.module.rpartition(".")[0]

    @property
    def severity_value(self) -> Severity:
        """The severity as a value."""
        return Severity(self.severity)


def rule(  # noqa: PLR0913 - what there is to say of a rule, all by keyword
    id: str,  # noqa: A002
    name: str,
    *,
    severity: str,
    profile: str = DEFAULT_PROFILE,
    kinds: tuple[str, ...] = (),
    since: str = "",
    until: str = "",
    triggers: tuple[str, ...] = (),
    looks_up: tuple[str, ...] = (),
    mirrors: str | tuple[str, ...] = (),
    answers: tuple[str, ...] = (),
    needs: tuple[str, ...] = (),
    fix: str = "none",
    options: type[Any] | None = None,
) -> Callable[[Function], Function]:
    """Declare a rule; the annotation of the function's first parameter chooses its view.

    ``profile`` is the first one that the rule is on in. ``kinds`` are the kinds of objects it is called for (default:
    TrainJob); ``*`` any kind. ``since`` and ``until`` are the first and last release it holds for. ``triggers``: keys
    or whole texts of which at least one must occur in the object (for a job: in the TrainJob or its runtime) for the
    rule to be called at all; leave it out for rules about what is missing. ``looks_up`` are the kinds it looks for in
    ``objects``. ``mirrors``: a public issue (``kubeflow/trainer#3551``), an upstream check, or nothing for advice.
    ``answers``: the entries of the needs that it answers (``A49``, ``K001``). ``needs``: in words, what it cannot
    decide without. ``fix``: the grade of its fixes. ``options``: a frozen dataclass whose defaults hold without
    configuration, passed as the second argument.
    """

    def declare(function: Function) -> Function:
        # The rest of the metadata is read from the index; to import a rule is to be about to call it.
        view = _view_of(function)
        function.rule = Rule(  # type: ignore[attr-defined]
            id=id,
            name=name,
            view=view,
            module=function.__module__.removeprefix("trainergen.rules."),
            function=function.__name__,
            summary=(function.__doc__ or "").partition("\n")[0].strip(),
            severity=severity,
            profile=profile,
            kinds=kinds or _DEFAULT_KINDS.get(view, ("TrainJob",)),
            since=since,
            until=until,
            triggers=triggers,
            looks_up=looks_up,
            mirrors=(mirrors,) if isinstance(mirrors, str) else mirrors,
            answers=answers,
            needs=needs,
            fix=fix,
            options=options is not None,
        )
        function.options = options  # type: ignore[attr-defined]
        return function

    return declare


def _view_of(function: Callable[..., object]) -> str:
    annotations = function.__annotations__
    # Text where the module postpones its annotations, as ours do; else the class itself.
    first = next(
        (getattr(value, "__name__", str(value)) for name, value in annotations.items() if name != "return"), ""
    )
    try:
        return VIEWS[first.rpartition(".")[2]]
    except KeyError:
        raise TypeError(
            f"{function.__module__}.{function.__name__}: annotate the first parameter with one of {', '.join(VIEWS)}"
        ) from None


def faults(rule: Rule) -> Iterator[str]:
    """What is wrong with a declaration."""
    from trainergen.releases import RELEASES

    releases = ("", *(release.name for release in RELEASES))
    snake = rule.name.replace("-", "_")
    hundred = FAMILIES.get(rule.family.partition(".")[0], rule.id[2:3])
    tests = (
        (re.fullmatch(_ID, rule.id), f"the id '{rule.id}' is not TG and three digits from 200 on"),
        (re.fullmatch(_NAME, rule.name), f"the name '{rule.name}' is not several words in kebab case"),
        (rule.module.rpartition(".")[2] == snake, f"the module is not called {snake}"),
        (rule.function == snake, f"the function is not called {snake}"),
        (rule.id[2:3] == hundred, f"the id does not belong to the family '{rule.family}'"),
        (rule.severity in tuple(Severity), f"there is no severity '{rule.severity}'"),
        (rule.profile in PROFILES, f"there is no profile '{rule.profile}'"),
        (rule.fix in GRADES, f"there is no grade of fixes '{rule.fix}'"),
        (rule.since in releases and rule.until in releases, f"no releases '{rule.since}' or '{rule.until}'"),
        (rule.summary.endswith("."), "the first line of the docstring is no sentence"),
    )
    return (text for fine, text in tests if not fine)
