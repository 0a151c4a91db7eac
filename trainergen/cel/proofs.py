"""Known rules of the Trainer and JobSet definitions, and plain conditions that prove them true without an engine.

A proof accepts and never refuses: what it does not accept goes to an engine, which alone decides. So everyday objects
are admitted without importing one, and a proof that is too strict costs time, not correctness.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from trainergen.cel.re2 import compile_pattern

if TYPE_CHECKING:
    from trainergen.finding import JsonValue

IMMUTABLE = "self == oldSelf"
"""The rule of fields that cannot be changed; ``equality.same`` decides it."""


class Known(NamedTuple):
    """A rule that is known by its text."""

    proves: Callable[[JsonValue], bool]
    """True only when the rule holds for the value, which has passed the structural checks."""
    help: str
    about: tuple[str, ...] = ()
    """Where below the rule's value the fault is to be mended, if the rule names a single place."""


def known(rule: str) -> Known | None:
    """What is known about the rule with this text; blanks do not count."""
    return _KNOWN.get("".join(rule.split()))


def _field(value: JsonValue, *path: str) -> JsonValue:
    """The value below, None when there is none."""
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _has(value: JsonValue, *path: str) -> bool:
    return _field(value, *path) is not None


def _is_int(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _one_of(*allowed: str) -> Callable[[JsonValue], bool]:
    return lambda value: value in allowed


def _at_most_one(*fields: str) -> Callable[[JsonValue], bool]:
    return lambda value: sum(_has(value, field) for field in fields) <= 1


def _named(pattern: str) -> Callable[[JsonValue], bool]:
    def proves(value: JsonValue) -> bool:
        name = _field(value, "metadata", "name")
        return isinstance(name, str) and compile_pattern(pattern)(name)

    return proves


def _short_name(value: JsonValue) -> bool:
    name = _field(value, "metadata", "name")
    return isinstance(name, str) and len(name) <= 63


def _is_uri(value: JsonValue) -> bool:
    return isinstance(value, str) and (value == "" or compile_pattern("^[A-Za-z][A-Za-z0-9+.-]*://.+$")(value))


def _process_count(value: JsonValue) -> bool:
    return value in ("auto", "cpu", "gpu") or (isinstance(value, int) and _is_int(value) and value > 0)


def _positive(value: JsonValue) -> bool:
    return isinstance(value, int) and _is_int(value) and value >= 1


def _without_node(value: JsonValue) -> bool:
    return isinstance(value, list) and "node" not in value


def _fixed_size(value: JsonValue) -> bool:
    return not (_has(value, "numNodes") and _has(value, "torch", "elasticPolicy"))


def _order_or_dependencies(value: JsonValue) -> bool:
    order = _field(value, "startupPolicy", "startupPolicyOrder")
    if not _has(value, "startupPolicy") or (isinstance(order, str) and order != "InOrder"):
        return True
    jobs = _field(value, "replicatedJobs")
    return isinstance(jobs, list) and not any(_has(job, "dependsOn") for job in jobs)


def _claims_without_namespace(value: JsonValue) -> bool:
    templates = _field(value, "templates")
    return isinstance(templates, list) and all(
        _has(template, "metadata") and _field(template, "metadata", "namespace") in (None, "") for template in templates
    )


_NAME_HELP = (
    "Use up to 63 lower-case letters, digits and '-', beginning with a letter and ending with a letter or digit."
)
_ONE_POLICY = "Keep one of the policies and remove the others."
_RULES: dict[str, Known] = {
    "self in ['trainer.kubeflow.org/trainjob-controller', 'kueue.x-k8s.io/multikueue']": Known(
        _one_of("trainer.kubeflow.org/trainjob-controller", "kueue.x-k8s.io/multikueue"),
        "Remove managedBy, or name one of the two controllers.",
    ),
    "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')": Known(
        _named("^[a-z]([-a-z0-9]*[a-z0-9])?$"), _NAME_HELP, ("metadata", "name")
    ),
    "size(self.metadata.name) <= 63": Known(_short_name, _NAME_HELP, ("metadata", "name")),
    "self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')": Known(
        _is_uri, "Write a URI with its scheme, as in hf://owner/name or s3://bucket/path."
    ),
    "has(self.lastUpdatedTime)": Known(
        lambda value: _has(value, "lastUpdatedTime"), "Leave the status out of manifests: the controller writes it."
    ),
    "[has(self.torch), has(self.mpi), has(self.jax), has(self.xgboost),has(self.flux)].filter(x, x).size() <= 1": Known(
        _at_most_one("torch", "mpi", "jax", "xgboost", "flux"), _ONE_POLICY
    ),
    "!(has(self.torch) && has(self.mpi))": Known(_at_most_one("torch", "mpi"), _ONE_POLICY),
    "!(has(self.numNodes) && (has(self.torch) && has(self.torch.elasticPolicy)))": Known(
        _fixed_size, "Remove numNodes, or remove torch.elasticPolicy, which sets the number of nodes by itself."
    ),
    "self > 0 || self in ['auto', 'cpu', 'gpu']": Known(_process_count, "Write a number above 0, auto, cpu or gpu."),
    "!self.exists(c, c == 'node')": Known(_without_node, "Remove node: its environment is always injected."),
    "self >= 1": Known(_positive, "Write 1 or more, or remove the field."),
    "!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' && "
    "self.replicatedJobs.exists(x, has(x.dependsOn)))": Known(
        _order_or_dependencies, "Remove startupPolicy, or remove dependsOn from every job."
    ),
    "self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)": Known(
        _claims_without_namespace, "Give every template a metadata, without a namespace in it."
    ),
}
_KNOWN = {"".join(text.split()): rule for text, rule in _RULES.items()}
