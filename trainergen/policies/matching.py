"""Whether a policy or binding is about a request.

Behaviour: kubernetes/apiserver pkg/admission/plugin/policy/matching/matching.go, plugin/webhook/predicates @ v0.35.0.
Each kind is served in one version here, so ``matchPolicy`` makes no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.policies.selectors import Labels, labels_of, selects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trainergen.policies.model import Match, ResourceRule
    from trainergen.policies.target import Resource, Target

ALL = "*"


def matches(match: Match, target: Target, namespace: Labels) -> bool | None:
    """Whether ``match`` takes the request in; None when that depends on unknown labels of its namespace."""
    if not about(match, target):
        return False
    if not _objects(match, target):
        return False
    return selects(match.namespaces, namespace) if target.namespace else True


def about(match: Match, target: Target) -> bool:
    """Whether the resource rules take the request in."""
    if any(_rule(rule, target) for rule in match.excluded):
        return False
    return not match.rules or any(_rule(rule, target) for rule in match.rules)


def could_be_about(match: Match, resources: Iterable[Resource]) -> bool:
    """Whether some object of these resources could match."""
    return not match.rules or any(_resource(rule, resource) for rule in match.rules for resource in resources)


def _rule(rule: ResourceRule, target: Target) -> bool:
    if not _resource(rule, target.resource):
        return False
    if not _listed(rule.operations, target.operation):
        return False
    return not rule.names or target.name in rule.names


def _resource(rule: ResourceRule, resource: Resource) -> bool:
    wanted = {"Namespaced": resource.namespaced, "Cluster": not resource.namespaced}.get(rule.scope, True)
    return (
        wanted
        and _listed(rule.groups, resource.group)
        and _listed(rule.versions, resource.version)
        and any(_is_resource(name, resource.plural) for name in rule.resources)
    )


def _is_resource(name: str, plural: str) -> bool:
    resource, _, subresource = name.partition("/")
    return resource in (ALL, plural) and subresource in ("", ALL)


def _listed(values: tuple[str, ...], value: str) -> bool:
    return ALL in values or value in values


def _objects(match: Match, target: Target) -> bool:
    if not match.objects:
        return True
    both = (target.object,) if target.old is None else (target.object, target.old)
    return any(selects(match.objects, labels_of(obj)) for obj in both)
