"""What holds for every rule, whatever it is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.cases.reading import all_cases
from tests.rules.running import BROKEN, scanned
from trainergen.rules import generate
from trainergen.rules.declare import faults
from trainergen.rules.documentation import documentation_of
from trainergen.rules.registry import INDEX, RETIRED, function_of, options_of
from trainergen.rules.settings import PROFILES, RENAMED

if TYPE_CHECKING:
    from trainergen.rules.declare import Rule

RULES = list(scanned().values())
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.id}-{rule.name}")
ANSWER = re.compile(r"[A-Z]\d{1,3}|5\.7\.\d+")
MIRROR = re.compile(r"[\w.-]+/[\w.-]+#\d+|[a-z].*")


def test_every_rule_can_be_imported() -> None:
    assert BROKEN == []


@every_rule
def test_the_declaration_holds_together(rule: Rule) -> None:
    assert list(faults(rule)) == []


@every_rule
def test_the_documentation_has_all_sections(rule: Rule) -> None:
    missing = list(documentation_of(function_of(rule)).faults())
    if rule.view == "failure":
        missing = [text for text in missing if "Bad" not in text and "Good" not in text]
    assert missing == []


@every_rule
def test_what_a_rule_answers_and_mirrors_is_written_as_ids(rule: Rule) -> None:
    assert all(ANSWER.fullmatch(answer) for answer in rule.answers), rule.answers
    assert all(MIRROR.fullmatch(mirror) for mirror in rule.mirrors), rule.mirrors


@every_rule
def test_a_case_file_has_the_rule_on_a_realistic_manifest(rule: Rule) -> None:
    if rule.view != "failure":
        assert any(expected.rule == rule.id for case in all_cases() for expected in case.expected)


@every_rule
def test_options_have_defaults_and_descriptions(rule: Rule) -> None:
    declared = options_of(rule)
    if declared is not None:
        declared()
        assert all(field.metadata.get("description") for field in declared.__dataclass_fields__.values())


def test_retired_ids_are_not_given_again() -> None:
    assert not RETIRED & scanned().keys()


def test_renamed_rules_exist_and_no_rule_has_an_old_name() -> None:
    words = {word for rule in RULES for word in (rule.id, rule.name)}
    assert not RENAMED.keys() & words
    assert set(RENAMED.values()) <= words


def test_the_index_and_the_pages_are_what_the_rules_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 0, capsys.readouterr().out


def test_the_index_says_of_every_rule_what_its_declaration_does() -> None:
    from trainergen.rules.registry import read_rule

    rules = scanned()
    text = generate.index_text(rules)
    import json

    assert {entry["id"]: read_rule(entry) for entry in json.loads(text)} == rules
    assert INDEX.is_file()


def test_every_profile_but_the_last_leaves_something_to_the_next() -> None:
    used = {rule.profile for rule in RULES}
    assert {"minimal", "recommended"} <= used <= set(PROFILES)
