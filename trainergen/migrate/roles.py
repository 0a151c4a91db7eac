"""Whether the roles of a job are the same but for their number."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.quantity import QuantityError, parse_quantity
from trainergen.migrate import catalogue as c

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue
    from trainergen.migrate.legacy import LegacyJob, Role
    from trainergen.migrate.work import Work


class Comparison(NamedTuple):
    """The fields in which roles differ, by their words in a message."""

    differing: tuple[str, ...]

    @property
    def same(self) -> bool:
        """True when one template serves all."""
        return not self.differing

    @property
    def only_resources(self) -> bool:
        """True when nothing but the resources of the training container differs."""
        return self.differing == ("resources",)


def compare(job: LegacyJob, roles: tuple[Role, ...]) -> Comparison:
    """Compare the Pod templates of roles without what has no effect: order of variables, empty values."""
    forms = [_form(job, role) for role in roles]
    keys = {key for form in forms for key in form}
    differing = sorted(key for key in keys if any(form.get(key) != forms[0].get(key) for form in forms[1:]))
    return Comparison(tuple(differing))


def _form(job: LegacyJob, role: Role) -> JsonObject:
    spec = deepcopy(object_at(role.template, "spec"))
    spec.pop("restartPolicy", None)
    containers = list_at(spec, "containers")
    index = job.main_index(role)
    main = containers.pop(index) if containers else {}
    form: JsonObject = {key: _normal(value) for key, value in spec.items() if key != "containers"}
    if isinstance(main, dict):
        main["env"] = {text_at(each, "name"): each for each in list_at(main, "env")}
        form |= {key: _normal(value) for key, value in main.items()}
    form["sidecars"] = _normal(containers)
    for key in ("labels", "annotations"):
        form[key] = _normal(object_at(role.template, "metadata", key))
    return {key: value for key, value in form.items() if value is not None}


def _normal(value: JsonValue) -> JsonValue:
    """A value without empty parts; quantities are compared as text, but for integers."""
    if isinstance(value, dict):
        found = {key: _normal(each) for key, each in value.items()}
        kept: JsonObject = {key: each for key, each in found.items() if each is not None}
        return kept or None
    if isinstance(value, list):
        return [_normal(each) for each in value] or None
    return value


def same_templates(work: Work, first: Role, others: tuple[Role, ...]) -> None:
    """Everything in the templates of the other roles equals what the first has."""
    for role in others:
        work.ledger.same((*role.path, "template"))
    if others:
        work.ledger.default((*first.path, "template", "spec", "restartPolicy"))


def larger_resources(work: Work, roles: tuple[Role, ...]) -> JsonObject:
    """Of every resource the largest amount that a role asks for."""
    out: JsonObject = {}
    for role in roles:
        containers = list_at(role.template, "spec", "containers")
        resources = object_at(containers[work.job.main_index(role)], "resources")
        for part, amounts in resources.items():
            if not isinstance(amounts, dict):
                continue
            known = object_at(out, part)
            out[part] = {**known, **{key: _larger(known.get(key), each) for key, each in amounts.items()}}
    work.say(
        c.ROLES,
        (*roles[-1].path, "template", "spec", "containers"),
        "roles that differ in resources only become equal nodes of the larger size",
        remedy="Leave --merge-roles out to keep both sizes in a runtime.",
    )
    return out


def _larger(one: JsonValue, other: JsonValue) -> JsonValue:
    if one is None:
        return other
    try:
        return max(one, other, key=lambda each: parse_quantity(str(each)))
    except QuantityError:
        return one
