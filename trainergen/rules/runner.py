"""Calling rules: which of them can apply to an object, with what options, and what becomes of those that raise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from trainergen.finding import Finding, Layer, Severity
from trainergen.rules.found import Found, Spot, Undecided
from trainergen.rules.registry import function_of, options_of
from trainergen.rules.settings import RuleSettings, setting_for

if TYPE_CHECKING:
    from trainergen.rules.declare import Rule

_NOTHING: frozenset[str] = frozenset()
_SHORT = 64

Outcome = Finding | tuple["Rule", Undecided]


class Runner:
    """The enabled rules, ready to be called on one view after the other; imports a rule when it first applies."""

    def __init__(self, rules: Iterable[Rule], settings: RuleSettings) -> None:
        self.rules = tuple(rules)
        self.settings = settings
        self._by_kind: dict[tuple[str, str], list[Rule]] = {}
        for rule in self.rules:
            for kind in rule.kinds:
                self._by_kind.setdefault((rule.view, kind), []).append(rule)
        self._triggers: dict[tuple[str, str], frozenset[str]] = {}
        self._chosen: dict[tuple[str, str, frozenset[str]], list[Rule]] = {}
        self._calls: dict[str, tuple[Callable[..., Any], tuple[Any, ...], Severity | None]] = {}

    def __getstate__(self) -> tuple[tuple[Rule, ...], RuleSettings]:
        return self.rules, self.settings

    def __setstate__(self, state: tuple[tuple[Rule, ...], RuleSettings]) -> None:
        self.__init__(*state)  # type: ignore[misc]  # functions and caches stay with their process

    def has(self, *views: str) -> bool:
        """Whether any rule has one of these views."""
        return any(rule.view in views for rule in self.rules)

    def kinds(self, *views: str) -> frozenset[str]:
        """The kinds that rules of these views are called for."""
        return frozenset(kind for rule in self.rules if rule.view in views for kind in rule.kinds)

    def looked_up(self, *views: str) -> frozenset[str]:
        """The kinds that rules of these views look up."""
        return frozenset(kind for rule in self.rules if rule.view in views for kind in rule.looks_up)

    def run(
        self, view: str, subject: object, *, at: Spot, kind: str = "", words: Iterable[str] = _NOTHING
    ) -> list[Outcome]:
        """Call every rule of a view that can apply to ``subject``; ``at`` is its place, should a rule fail on it.

        ``words`` are the keys and short texts that occur in it (``words_of``).
        """
        outcomes: list[Outcome] = []
        for rule in self.applying(view, kind, words):
            self._call(rule, subject, at, outcomes)
        return outcomes

    def applying(self, view: str, kind: str, words: Iterable[str] = _NOTHING) -> list[Rule]:
        """The rules of a view that can apply to an object of a kind in which these words occur."""
        key = view, kind
        triggers = self._triggers.get(key)
        if triggers is None:
            triggers = frozenset(word for rule in self._of(view, kind) for word in rule.triggers)
            self._triggers[key] = triggers
        present = triggers.intersection(words)
        chosen = self._chosen.get((view, kind, present))
        if chosen is None:
            chosen = [rule for rule in self._of(view, kind) if not rule.triggers or present.intersection(rule.triggers)]
            self._chosen[view, kind, present] = chosen
        return chosen

    def _of(self, view: str, kind: str) -> list[Rule]:
        found = self._by_kind.get((view, kind), [])
        anything = self._by_kind.get((view, "*"), [])
        return sorted({*found, *anything}) if anything else found

    def call(self, rule: Rule, subject: object, *, at: Spot) -> list[Outcome]:
        """What one rule finds; when it raises, the finding that says so is the last."""
        outcomes: list[Outcome] = []
        self._call(rule, subject, at, outcomes)
        return outcomes

    def _call(self, rule: Rule, subject: object, at: Spot, outcomes: list[Outcome]) -> None:
        """``call`` into a list that is there already; most of the forty rules of a TrainJob find nothing."""
        try:
            function, arguments, severity = self._calls.get(rule.id) or self._load(rule)
            for found in function(subject, *arguments):
                if found.__class__ is Undecided:
                    outcomes.append((rule, found))
                else:
                    outcomes.append(placed(rule, found, severity))
        except Exception as error:  # whatever it is, the other rules go on
            outcomes.append(failed(rule, error, at))

    def _load(self, rule: Rule) -> tuple[Callable[..., Any], tuple[Any, ...], Severity | None]:
        function = function_of(rule)
        declared = options_of(rule)
        arguments: tuple[Any, ...] = ()
        if declared is not None:
            given = setting_for(self.settings.options, rule.id, rule.name)
            if isinstance(given, Mapping) and given:
                from trainergen.rules.options import read_options

                arguments = (read_options(declared, given),)
            else:
                arguments = (declared(),)
        severity = setting_for(self.settings.severities, rule.id, rule.name)
        call = function, arguments, None if severity is None else Severity(str(severity))
        self._calls[rule.id] = call
        return call


def placed(rule: Rule, found: Found, severity: Severity | None = None) -> Finding:
    """The finding of a rule at its place."""
    spot, fix = found.spot, found.fix
    finding = Finding(
        rule=rule.id,
        name=rule.name,
        severity=severity or found.severity or Severity(rule.severity),
        layer=Layer.LINT,
        message=found.message,
        help=found.help,
        at=spot.path,
        on_key=spot.on_key,
        fix="none" if fix is None else fix.grade or rule.fix,
        remedy=fix,
    )
    return spot.where.document.place(finding)


def failed(rule: Rule, error: Exception, at: Spot) -> Finding:
    """The finding that a rule raised."""
    from trainergen.rules.tool.rule_failed import rule_failed
    from trainergen.rules.views.failure import Failure

    (found,) = rule_failed(Failure(rule, error, at))
    assert isinstance(found, Found)
    failure: Rule = rule_failed.rule  # type: ignore[attr-defined]
    try:
        return placed(failure, found)
    except Exception:  # the place may be what failed
        return Finding(failure.id, failure.name, Severity(failure.severity), Layer.LINT, found.message, found.help)


NO_VALUE = "(no value)"
"""The trigger of rules about keys without a value."""


def words_of(*values: object) -> set[str]:
    """The keys and the short texts that occur in values, and ``NO_VALUE`` where one is missing."""
    words: set[str] = set()
    stack: list[Any] = list(values)
    while stack:
        value = stack.pop()
        kind = value.__class__
        if kind is dict:
            words.update(value)
            stack += value.values()
        elif kind is list:
            stack += value
        elif kind is str and len(value) < _SHORT:
            words.add(value)
        elif value is None:
            words.add(NO_VALUE)
    return words
