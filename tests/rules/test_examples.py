"""The bad and good examples in the documentation of every rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.rules.running import check_tree, described, lint, scanned, told, write_tree
from trainergen.rules.documentation import Block, documentation_of
from trainergen.rules.registry import function_of

if TYPE_CHECKING:
    from trainergen.rules.declare import Rule

RULES = [rule for rule in scanned().values() if rule.view != "failure"]
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.id}-{rule.name}")


def blocks_of(rule: Rule, heading: str) -> list[Block]:
    return documentation_of(function_of(rule)).blocks(heading)


@every_rule
def test_the_bad_example_gives_this_finding_and_no_other(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(rule, "Bad")
    report = check_tree(tmp_path, rule, with_base=write_tree(tmp_path, blocks))
    # Only a rule on suppressions may be about what the cluster refuses.
    refused = [] if rule.view == "directive" else [finding for finding in report.findings if finding.refuses]
    assert not refused, described(report.findings)
    found = lint(report)
    assert {finding.rule for finding in found} == {rule.id}, described(found)
    marked = {(block.file, line) for block in blocks for line in block.marked_lines}
    if marked:
        assert {(finding.file, finding.line) for finding in found} == marked, described(found)


@every_rule
def test_the_good_example_gives_no_finding(rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = check_tree(tmp_path, rule, with_base=write_tree(tmp_path, blocks_of(rule, "Good")))
    assert not told(report), described(told(report))


@every_rule
def test_findings_offer_a_fix_of_the_grade_that_the_rule_declares(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    report = check_tree(tmp_path, rule, with_base=write_tree(tmp_path, blocks_of(rule, "Bad")))
    grades = {finding.fix for finding in lint(report) if finding.rule == rule.id}
    if rule.fix == "none":
        assert grades == {"none"}
    else:
        assert grades - {"none"}, "the bad example shows no fix"
