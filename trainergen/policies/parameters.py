"""The objects that a binding gives to its policy as parameters.

Behaviour: kubernetes/apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go CollectParams @ v0.35.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import text_at
from trainergen.policies.evaluation import UnknownError
from trainergen.policies.selectors import labels_of, selects
from trainergen.policies.target import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from trainergen.finding import JsonObject
    from trainergen.policies.model import Binding, ParamKind, ParamRef, Policy
    from trainergen.policies.target import Target

NAMESPACED = frozenset({("v1", "ConfigMap"), ("v1", "Secret")})
"""Kinds of parameters that live in namespaces for certain; those of custom resources are told by their manifests."""


class ConfigurationError(Exception):
    """The binding cannot be put into force for the request, which its policy's failurePolicy decides then."""


def parameters(
    policy: Policy, binding: Binding, target: Target, find: Callable[[ParamKind], Sequence[JsonObject]]
) -> list[JsonObject | None]:
    """The parameters to evaluate the policy with, one after the other; ``[None]`` when it takes none.

    ``find`` gives all objects of a kind that are known. Raises UnknownError when the wanted ones are not among them.
    """
    if policy.params is None or binding.params is None:
        return [None]
    reference = binding.params
    named = [obj for obj in find(policy.params) if _is_wanted(obj, reference)]
    candidates = [obj for obj in named if _in_reach(obj, policy.params, target, reference)]
    if not candidates:
        _refuse_cluster_wide(policy.params, reference, target)
        raise UnknownError(f"its parameters, {_words(policy.params, reference)}, are not among the files")
    return list(candidates if reference.selector is not None else candidates[:1])


def _is_wanted(obj: JsonObject, reference: ParamRef) -> bool:
    if reference.selector is not None:
        return bool(selects(reference.selector, labels_of(obj)))
    return text_at(obj, "metadata", "name") == reference.name


def _in_reach(obj: JsonObject, kind: ParamKind, target: Target, reference: ParamRef) -> bool:
    """Whether the object lies where the binding looks: in the namespace it names, else in that of the request."""
    namespace = text_at(obj, "metadata", "namespace")
    if not namespace and kind not in NAMESPACED:
        return not reference.namespace
    return (namespace or DEFAULT_NAMESPACE) == (reference.namespace or target.namespace)


def _refuse_cluster_wide(kind: ParamKind, reference: ParamRef, target: Target) -> None:
    if kind in NAMESPACED and not reference.namespace and not target.namespace:
        raise ConfigurationError("a binding without paramRef.namespace has no parameters for cluster-wide objects")


def _words(kind: ParamKind, reference: ParamRef) -> str:
    where = f" in the namespace '{reference.namespace}'" if reference.namespace else ""
    if reference.selector is not None:
        return f"each {kind.kind} that paramRef.selector selects{where}"
    return f"{kind.kind} '{reference.name}'{where}"
