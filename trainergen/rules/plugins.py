"""Rules of other packages, announced by the entry point group ``trainergen.rules``.

An entry names a module with rules, or one rule's function::

    [project.entry-points."trainergen.rules"]
    acme = "acme_rules.training"

Their ids have the package's own letters, so that they can never be ours: ``ACME101``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from trainergen.errors import TrainergenError
from trainergen.rules.declare import Rule

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "trainergen.rules"
_ID = re.compile("(?!TG)[A-Z]{2,12}[0-9]{3,4}")
_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)+")


@cache
def plugin_functions() -> dict[str, Callable[..., Any]]:
    """The functions of all foreign rules by id; a package whose rules cannot be had raises TrainergenError."""
    found: dict[str, Callable[..., Any]] = {}
    for entry in _entries():
        for function in _functions(entry):
            rule = plugin_rule(function)
            _accept(rule, entry, taken=rule.id in found)
            found[rule.id] = function
    return found


def plugin_rule(function: Callable[..., Any]) -> Rule:
    """The declaration of a foreign rule."""
    rule: Rule = function.rule  # type: ignore[attr-defined]
    return rule


def _entries() -> list[EntryPoint]:
    """The entry points of the group; without one anywhere, the machinery that finds them is not even imported."""
    if not any(map(_announces, sys.path)):
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))


def _announces(folder: str) -> bool:
    """Whether a distribution in ``folder`` has entry points of the group; a look at some dozens of small files."""
    try:
        names = os.listdir(folder or os.curdir)  # noqa: PTH208 - on the way of every cold start, as all below
    except OSError:
        return False
    return any(
        _mentions_group(f"{folder}/{name}/entry_points.txt")
        for name in names
        if name.endswith((".dist-info", ".egg-info"))
    )


def _mentions_group(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return f"[{GROUP}]".encode() in file.read()
    except OSError:
        return False


def _functions(entry: EntryPoint) -> Iterator[Callable[..., Any]]:
    try:
        loaded = entry.load()
    except Exception as error:
        raise TrainergenError(
            f"the rules of '{entry.value}' cannot be loaded: {type(error).__name__}: {error}",
            hint=f"Mend or uninstall the package that has the entry point '{entry.name}'.",
        ) from error
    candidates = [loaded] if callable(loaded) else vars(loaded).values()
    functions = [each for each in candidates if isinstance(getattr(each, "rule", None), Rule)]
    if not functions:
        raise TrainergenError(
            f"'{entry.value}' has no rules", hint="Declare them there with the decorator trainergen.rules.rule."
        )
    yield from functions


def _accept(rule: Rule, entry: EntryPoint, *, taken: bool) -> None:
    fault = ""
    if not _ID.fullmatch(rule.id):
        fault = f"has the id '{rule.id}', which is not capital letters other than TG and three or four digits"
    elif not _NAME.fullmatch(rule.name):
        fault = f"has the name '{rule.name}', which is not several words in kebab case"
    elif taken:
        fault = f"has the id '{rule.id}' of another one"
    if fault:
        raise TrainergenError(
            f"a rule of '{entry.value}' {fault}", hint=f"Mend the package that has the entry point '{entry.name}'."
        )
