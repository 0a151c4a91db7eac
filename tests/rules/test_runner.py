"""How rules are called: which, with what, and what becomes of those that raise."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from tests.manifests import GOOD
from trainergen.finding import Finding, Layer, Severity
from trainergen.rules import runner as running
from trainergen.rules.declare import Rule
from trainergen.rules.found import Found, Spot, Undecided
from trainergen.rules.objects import Entry
from trainergen.rules.runner import NO_VALUE, Runner, words_of
from trainergen.rules.settings import RuleSettings
from trainergen.source.reader import read_documents


@dataclass(frozen=True)
class Options:
    most: int = field(default=3, metadata={"description": "how many", "ge": 1})


def spot() -> Spot:
    return Spot(Entry(read_documents(GOOD.encode(), file="job.yaml").documents[0]), ("spec", "trainer", "numNodes"))


def rule(identity: str, function: object, **more: object) -> Rule:
    FUNCTIONS[identity] = function
    return Rule(identity, f"name-{identity.lower()}", "source", "resources.x", "x", "One.", kinds=("TrainJob",), **more)  # type: ignore[arg-type]


FUNCTIONS: dict[str, object] = {}


@pytest.fixture(autouse=True)
def _functions(monkeypatch: pytest.MonkeyPatch) -> None:
    FUNCTIONS.clear()
    monkeypatch.setattr(running, "function_of", lambda rule: FUNCTIONS[rule.id])
    monkeypatch.setattr(running, "options_of", lambda rule: Options if rule.options else None)


def says(message: str = "it is wrong", **more: object):
    def found(subject: object, *options: Options) -> Iterator[Found]:
        text = f"{message}, at most {options[0].most}" if options else message
        yield spot().report(text, **more)  # type: ignore[arg-type]

    return found


def run(*rules: Rule, settings: RuleSettings | None = None, words: tuple[str, ...] = ()) -> list[object]:
    ran = Runner(rules, settings or RuleSettings())
    return list(ran.run("source", SimpleNamespace(), at=spot(), kind="TrainJob", words=words))


def test_a_finding_gets_the_identity_severity_and_place_of_its_rule() -> None:
    (found,) = run(rule("TG301", says(help="Mend it."), severity="error"))
    assert isinstance(found, Finding)
    assert (found.rule, found.name, found.layer, found.severity) == ("TG301", "name-tg301", Layer.LINT, Severity.ERROR)
    assert (found.file, found.line, found.column, found.path) == ("job.yaml", 10, 15, "spec.trainer.numNodes")
    assert not found.refuses, "advice is no refusal"


def test_a_configured_severity_beats_that_of_the_finding_and_the_rule() -> None:
    ruled = rule("TG301", says(severity="error"), severity="warning")
    assert [found.severity for found in run(ruled)] == ["error"]  # type: ignore[attr-defined]
    by_name = RuleSettings(severities={"name-tg301": "info"})
    assert [found.severity for found in run(ruled, settings=by_name)] == ["info"]  # type: ignore[attr-defined]


def test_options_are_the_defaults_or_what_is_configured() -> None:
    ruled = rule("TG301", says(), options=True)
    assert [found.message for found in run(ruled)] == ["it is wrong, at most 3"]  # type: ignore[attr-defined]
    settings = RuleSettings(options={"TG301": {"most": "7"}})
    assert [found.message for found in run(ruled, settings=settings)] == ["it is wrong, at most 7"]  # type: ignore[attr-defined]


def test_a_rule_is_called_where_one_of_its_triggers_occurs() -> None:
    always, never = rule("TG301", says("always")), rule("TG302", says("torch"), triggers=("torch", "mpi"))
    assert [found.message for found in run(always, never)] == ["always"]  # type: ignore[attr-defined]
    assert [found.message for found in run(always, never, words=("mpi", "x"))] == ["always", "torch"]  # type: ignore[attr-defined]


def test_a_rule_for_any_kind_runs_among_the_others_in_the_order_of_ids() -> None:
    anything = rule("TG301", says("any"))._replace(kinds=("*",))
    job, other = rule("TG302", says("job")), rule("TG303", says("other"))._replace(kinds=("Secret",))
    assert [found.message for found in run(other, job, anything)] == ["any", "job"]  # type: ignore[attr-defined]


def test_a_rule_that_raises_is_a_finding_that_names_it_and_the_others_go_on() -> None:
    def broken(subject: object) -> Iterator[Found]:
        yield spot().report("so far so good")
        raise KeyError("metadata")

    first, failure, last = run(rule("TG301", broken), rule("TG302", says()))
    assert isinstance(failure, Finding)
    assert (failure.rule, failure.severity) == ("TG901", "error")
    assert failure.message == "the rule TG301 name-tg301 failed: KeyError: 'metadata'"
    assert (failure.file, failure.line) == ("job.yaml", 10)
    assert [one.message for one in (first, last)] == ["so far so good", "it is wrong"]  # type: ignore[attr-defined]


def test_a_place_that_cannot_be_found_does_not_hide_the_failure() -> None:
    class Gone:
        @property
        def document(self) -> object:
            raise LookupError("changed meanwhile")

    def broken(subject: object) -> Iterator[Found]:
        yield Spot(Gone(), ()).report("somewhere")  # type: ignore[arg-type]

    ran = Runner([rule("TG301", broken)], RuleSettings())
    (failure,) = ran.run("source", None, at=Spot(Gone(), ()), kind="TrainJob")  # type: ignore[arg-type]
    assert isinstance(failure, Finding)
    assert "changed meanwhile" in failure.message


def test_what_cannot_be_decided_comes_with_its_rule() -> None:
    def unsure(subject: object) -> Iterator[Undecided]:
        yield spot().undecided("the namespace is not known")

    ruled = rule("TG301", unsure)
    ((asked, undecided),) = run(ruled)  # type: ignore[misc]
    assert (asked, undecided.reason) == (ruled, "the namespace is not known")


def test_a_runner_can_be_sent_to_another_process() -> None:
    ran = Runner([rule("TG301", says())], RuleSettings("strict"))
    list(ran.run("source", None, at=spot(), kind="TrainJob"))
    again = pickle.loads(pickle.dumps(ran))
    assert (again.rules, again.settings) == (ran.rules, ran.settings)


def test_words_are_keys_and_short_texts_of_all_depths() -> None:
    value = {"a": [{"b": "Never"}, "c"], "d": "x" * 64, "e": 1, "f": None}
    assert words_of(value, {"g": {}}) == {"a", "b", "Never", "c", "d", "e", "f", "g", NO_VALUE}
