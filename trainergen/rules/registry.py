"""All rules: from the committed index, so that a run imports only the rules it calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainergen.rules.declare import Rule
from trainergen.rules.plugins import plugin_functions, plugin_rule

if TYPE_CHECKING:
    from trainergen.rules.declare import Findings

INDEX = Path(__file__).with_name("index.json")
RETIRED: frozenset[str] = frozenset()
"""Ids of rules that are gone; never given to another."""
_PACKAGE = "trainergen.rules"
_NO_RULES = frozenset({"views"})


@cache
def own_rules() -> dict[str, Rule]:
    """Every rule of trainergen by id, in the order of the ids, as the index has them."""
    return {entry["id"]: read_rule(entry) for entry in json.loads(INDEX.read_bytes())}


@cache
def all_rules() -> dict[str, Rule]:
    """Our own rules and, before them, those of other packages (``plugins``); by id, in the order of the ids."""
    foreign = plugin_functions()
    if not foreign:
        return own_rules()
    return _by_id([*own_rules().values(), *map(plugin_rule, foreign.values())])


def read_rule(entry: dict[str, Any]) -> Rule:
    """A rule from its entry in the index."""
    known: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return Rule(**known)


def function_of(rule: Rule) -> Callable[..., Findings]:
    """The function of a rule; imports its module."""
    if rule.id in (foreign := plugin_functions()):
        return foreign[rule.id]
    module = rule.module if rule.module.startswith(_PACKAGE + ".") else f"{_PACKAGE}.{rule.module}"
    function: Callable[..., Findings] = getattr(import_module(module), rule.function)
    return function


def options_of(rule: Rule) -> type[Any] | None:
    """The class of a rule's options, None when it has none."""
    if not rule.options:
        return None
    found: type[Any] = function_of(rule).options  # type: ignore[attr-defined]
    return found


def scan(broken: list[str] | None = None) -> dict[str, Rule]:
    """Every rule by id, by importing all of them; ValueError when two have one id or name.

    Modules that cannot be imported are named in ``broken`` when that is given, else the first one raises.
    """
    found = (import_module(name) if broken is None else _imported(name, broken) for name in _module_names())
    return _by_id(rule for module in found if module is not None for rule in rules_in(module))


def _imported(name: str, broken: list[str]) -> Any:
    try:
        return import_module(name)
    except Exception as error:  # whatever stops it, the others count
        broken.append(f"{name}: {type(error).__name__}: {error}")
        return None


def rules_in(module: Any) -> Iterable[Rule]:
    """The rules that a module declares."""
    for value in vars(module).values():
        declared = getattr(value, "rule", None)
        if isinstance(declared, Rule) and value.__module__ == module.__name__:
            yield declared


def _module_names() -> Iterable[str]:
    """The modules below the families' packages."""
    import pkgutil

    for found in pkgutil.walk_packages(import_module(_PACKAGE).__path__, _PACKAGE + "."):
        family = found.name.split(".")[2]
        if not found.ispkg and family not in _NO_RULES and found.name.count(".") > 2:
            yield found.name


def _by_id(rules: Iterable[Rule]) -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    names: dict[str, str] = {}
    for rule in rules:
        if rule.id in found or rule.name in names:
            other = found.get(rule.id) or found[names[rule.name]]
            raise ValueError(f"{rule.module} and {other.module} are both called {rule.id} or {rule.name}")
        found[rule.id] = rule
        names[rule.name] = rule.id
    return dict(sorted(found.items()))
