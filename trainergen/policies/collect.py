"""From files to the policies in force: policies and bindings, the parameters they name, the Namespaces they look at."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.policies import checks
from trainergen.policies.policies import Policies, assembled
from trainergen.policies.read import is_policy, read
from trainergen.source.classify import Category
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.load import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from trainergen.finding import Finding, JsonObject
    from trainergen.policies.model import Binding, Policy
    from trainergen.source import Document

_MENTION = b"AdmissionPolicy"


def may_hold_policies(data: bytes) -> bool:
    """Whether a file can hold a policy or a binding; a cheap look at its bytes."""
    return _MENTION in data


@dataclass(slots=True)
class _Found:
    policies: list[tuple[Policy, Document]] = field(default_factory=list)
    bindings: list[tuple[Binding, Document]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    faulty: set[str] = field(default_factory=set)
    """The names of policies that are there and not in force."""


def collect(files: Sequence[SourceFile]) -> Policies:
    """The policies of the files; what else they look at is taken from all of the files, once there is any."""
    contents = [(file, _bytes(file)) for file in files]
    found = _Found()
    for file, data in contents:
        if may_hold_policies(data):
            for document in _objects(file):
                if is_policy(document):
                    _take(document, found)
    in_force = list(_bound(found))
    wanted = _wanted_kinds(policy for policy, _ in in_force)
    objects: list[JsonObject] = []
    if in_force:
        for file, data in contents:
            if any(kind.encode() in data for _, kind in wanted):
                objects += [
                    document.object for document in _objects(file) if (document.api_version, document.kind) in wanted
                ]
    return assembled(in_force, objects, found.findings)


def _bytes(file: SourceFile) -> bytes:
    try:
        return file.read_bytes()
    except UnreadableError:
        # Judging the file says so; here it just holds nothing.
        return b""


def _objects(file: SourceFile) -> Iterator[Document]:
    loaded = load(file, everything=True)
    yield from (document for category, document in loaded.objects if category is not Category.KUSTOMIZATION)


def _wanted_kinds(policies: Iterable[Policy]) -> set[tuple[str, str]]:
    kinds = {("v1", "Namespace")}
    return kinds | {(policy.params.api_version, policy.params.kind) for policy in policies if policy.params is not None}


def _take(document: Document, found: _Found) -> None:
    policy, binding, findings = read(document)
    found.findings += findings
    if policy is not None:
        found.policies.append((policy, document))
    elif binding is not None:
        found.bindings.append((binding, document))
    elif findings:
        found.faulty.add(document.name)


def _bound(found: _Found) -> Iterator[tuple[Policy, Binding]]:
    """Each policy with its bindings, in the order of their names, as the server goes through them."""
    used: set[int] = set()
    pairs: list[tuple[Policy, Binding]] = []
    for binding, document in found.bindings:
        policy = _nearest(binding, found.policies)
        if policy is None:
            found.findings += _without_policy(binding, document, found)
            continue
        used.add(id(policy))
        found.findings += _parameter_faults(policy, binding, document)
        pairs.append((policy, binding))
    for policy, document in found.policies:
        if id(policy) not in used:
            message = f"no binding among the files puts '{policy.name}' into force"
            remedy = f"Add a {policy.kind}Binding with policyName '{policy.name}', or take the policy out."
            found.findings.append(document.place(checks.UNBOUND.at(("metadata", "name"), message, help=remedy)))
    yield from sorted(pairs, key=lambda pair: (pair[0].name, pair[1].name, pair[1].file))


def _nearest(binding: Binding, policies: Sequence[tuple[Policy, Document]]) -> Policy | None:
    """The policy that a binding names; of several in a tree of overlays the one that is nearest by folder."""
    named = [policy for policy, _ in policies if (policy.kind, policy.name) == (binding.kind, binding.policy)]
    return min(named, key=lambda policy: (-_shared(policy.file, binding.file), policy.file), default=None)


def _shared(one: str, other: str) -> int:
    """How many characters of their folders two files have in common."""
    folders = [posixpath.dirname(posixpath.normpath(name.replace("\\", "/"))) for name in (one, other)]
    try:
        return len(posixpath.commonpath(folders))
    except ValueError:
        return 0


def _without_policy(binding: Binding, document: Document, found: _Found) -> Iterator[Finding]:
    if binding.policy in found.faulty:
        return
    names = sorted({policy.name for policy, _ in found.policies if policy.kind == binding.kind})
    from trainergen.spelling import did_you_mean

    message = f"no file holds the {binding.kind} '{binding.policy}'{did_you_mean(binding.policy, names)}"
    remedy = "Check the name; what the policy says could not be evaluated."
    yield document.place(checks.NO_POLICY.at(("spec", "policyName"), message, help=remedy))


def _parameter_faults(policy: Policy, binding: Binding, document: Document) -> Iterator[Finding]:
    if policy.params is None and binding.params is not None:
        message = f"the policy '{policy.name}' has no paramKind, so paramRef is not looked at"
        remedy = "Take paramRef out, or give the policy a paramKind."
    elif policy.params is not None and binding.params is None:
        message = f"the policy '{policy.name}' takes a {policy.params.kind}, but the binding gives none: params is null"
        remedy = "Add paramRef to the binding."
    else:
        return
    yield document.place(checks.NO_PARAMETERS.at(("spec", "paramRef"), message, help=remedy))
