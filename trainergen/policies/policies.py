"""All policies of a set of files, and what they make of an object."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trainergen.api.access import text_at
from trainergen.policies.evaluation import Environment, UnknownError
from trainergen.policies.matching import about, could_be_about, matches
from trainergen.policies.model import MUTATING
from trainergen.policies.parameters import ConfigurationError, parameters
from trainergen.policies.review import Case, Review, is_relevant, validate
from trainergen.policies.selectors import NAMESPACE_NAME, Labels, labels_of
from trainergen.policies.target import RESOURCES, TRAINER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from trainergen.api.structural import StructuralSchemas
    from trainergen.finding import Finding, JsonObject
    from trainergen.policies.model import Binding, ParamKind, Policy
    from trainergen.policies.target import Target

_RENDERED = tuple(resource for (group, _), resource in RESOURCES.items() if group != TRAINER)


@dataclass(frozen=True, slots=True)
class Policies:
    """The policies in force, with what else of the cluster they look at."""

    in_force: tuple[tuple[Policy, Binding], ...] = ()
    objects: tuple[JsonObject, ...] = ()
    """Namespaces, and what may serve as parameters."""
    findings: tuple[Finding, ...] = ()
    """What is wrong with the policies and bindings themselves, in its place."""
    _namespaces: Mapping[str, JsonObject] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return bool(self.in_force)

    @property
    def wants_rendered(self) -> bool:
        """Whether any policy could be about what a TrainJob becomes, rather than about Trainer's own objects."""
        return any(
            could_be_about(policy.match, _RENDERED) and could_be_about(binding.match, _RENDERED)
            for policy, binding in self.in_force
        )

    def review(self, target: Target, schemas: StructuralSchemas | None = None) -> Review:
        """What the policies say: first those that change the object, then the others about what it has become.

        ``schemas`` are those of the Trainer release, which say how lists are merged.
        """
        review = Review()
        if any(policy.kind == MUTATING for policy, _ in self.in_force):
            from trainergen.policies.mutation import mutated

            target = mutated(self.cases(target, review, mutating=True), target, schemas, review)
        for case, environment in self.cases(target, review, mutating=False):
            if is_relevant(case, environment, review):
                validate(case, environment, review)
        return review

    def cases(self, target: Target, review: Review, *, mutating: bool) -> Iterator[tuple[Case, Environment]]:
        """The policies that are about an object, each with what its expressions see."""
        for policy, binding in self.in_force:
            if (policy.kind == MUTATING) is mutating and about(policy.match, target) and about(binding.match, target):
                yield from self._cases(Case(policy, binding, target), review)

    def _cases(self, case: Case, review: Review) -> Iterator[tuple[Case, Environment]]:
        policy, binding, target = case.policy, case.binding, case.target
        labels = self._labels(target.namespace)
        verdicts = [matches(part.match, target, labels) for part in (policy, binding)]
        if False in verdicts:
            return
        if None in verdicts:
            where = f"the namespace '{target.namespace}', which is not among the files"
            case.unknown("namespaceSelector", f" looks at labels of {where}", review)
            return
        try:
            given = parameters(policy, binding, target, self._of_kind)
        except UnknownError as error:
            case.unknown("", str(error), review)
        except ConfigurationError as error:
            case.failed(str(error), "", review, always=True)
        else:
            for params in given:
                yield case, self._environment(case, params)

    def _of_kind(self, kind: ParamKind) -> Sequence[JsonObject]:
        wanted = (kind.api_version, kind.kind)
        return [obj for obj in self.objects if (text_at(obj, "apiVersion"), text_at(obj, "kind")) == wanted]

    def _labels(self, namespace: str) -> Labels:
        found = self._namespaces.get(namespace)
        own = {NAMESPACE_NAME: namespace}
        return Labels({**labels_of(found).known, **own}) if found else Labels(own, complete=False)

    def _environment(self, case: Case, params: JsonObject | None) -> Environment:
        target = case.target
        bindings: dict[str, Any] = {
            "object": target.seen(),
            "oldObject": target.seen_old(),
            "request": target.request(),
            "params": params,
        }
        found = self._namespaces.get(target.namespace)
        if not target.namespace:
            bindings["namespaceObject"] = None
        else:
            bindings["namespaceObject"] = _namespace(found, target.namespace)
        return Environment(case.policy, bindings, namespace_known=not target.namespace or found is not None)


def _namespace(found: JsonObject | None, name: str) -> JsonObject:
    """The variable ``namespaceObject``: the manifest with the label of the server, or no more than the name."""
    if found is None:
        return {"metadata": {"name": name}}
    metadata = found.get("metadata")
    fields = metadata if isinstance(metadata, dict) else {}
    labels: JsonObject = {**labels_of(found).known, NAMESPACE_NAME: name}
    return {**found, "metadata": {**fields, "labels": labels}}


def assembled(
    in_force: Iterable[tuple[Policy, Binding]], objects: Iterable[JsonObject], findings: Iterable[Finding]
) -> Policies:
    """The policies with the objects that they may look at."""
    listed = tuple(objects)
    namespaces = {
        text_at(obj, "metadata", "name"): obj
        for obj in listed
        if (text_at(obj, "apiVersion"), text_at(obj, "kind")) == ("v1", "Namespace")
    }
    return Policies(tuple(in_force), listed, tuple(findings), namespaces)
