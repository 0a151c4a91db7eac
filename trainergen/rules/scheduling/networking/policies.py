"""NetworkPolicies as far as rules judge them: whom they select, and what they let through."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonValue
    from trainergen.rules import Entry, Part

_SELF = {"ingress": "from", "egress": "to"}


def isolates(policy: Entry, direction: str) -> bool:
    """Whether a policy isolates the Pods that it selects in a direction, ``ingress`` or ``egress``."""
    types = [str(one).lower() for one in policy.object.values("spec.policyTypes")]
    if types:
        return direction in types
    return direction == "ingress" or policy.object.has("spec.egress")


def selects_all(policy: Entry) -> bool:
    """Whether it selects every Pod of its namespace."""
    selector = policy.object.part("spec.podSelector")
    return not selector.mapping("matchLabels") and not selector.values("matchExpressions")


def may_select(policy: Entry, labels: dict[str, JsonValue]) -> bool:
    """Whether it may select Pods with these labels; what it says of labels that are not known counts as yes."""
    selector = policy.object.part("spec.podSelector")
    return all(labels.get(key, value) == value for key, value in selector.mapping("matchLabels").items())


def rules_of(policy: Entry, direction: str) -> list[Part]:
    """The rules of a policy that isolates in a direction."""
    return list(policy.object.parts("spec", direction)) if isolates(policy, direction) else []


def admits_neighbours(rule: Part, direction: str) -> bool:
    """Whether a rule lets Pods of the same namespace through; what cannot be known counts as yes."""
    peers = list(rule.parts(_SELF[direction]))
    return not peers or any(peer.has("podSelector") or peer.has("namespaceSelector") for peer in peers)


def admits_from_outside(rule: Part) -> bool:
    """Whether a rule lets in what is no Pod, such as the API server."""
    peers = list(rule.parts("from"))
    return not peers or any(peer.has("ipBlock") for peer in peers)


def ports_of(rule: Part) -> list[str]:
    """The ports of a rule by number or name; empty for all, as with ranges and rules for a protocol alone."""
    ports = list(rule.parts("ports"))
    if any(port.has("endPort") or not port.has("port") for port in ports):
        return []
    return [str(port.get("port")) for port in ports]
