"""The fixes of all rules, on the bad examples of their documentation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.rules.conftest import _rules_as_written  # noqa: F401 - rules are taken from their files
from tests.rules.running import check_options, described, scanned, write_tree
from trainergen.engine.run import run_check
from trainergen.fixing.files import DiskFiles
from trainergen.fixing.rounds import Outcome, fix_all
from trainergen.rules.documentation import documentation_of
from trainergen.rules.registry import function_of

if TYPE_CHECKING:
    from trainergen.report import Report
    from trainergen.rules.declare import Rule

FIXING = [rule for rule in scanned().values() if rule.fix != "none"]
every_rule = pytest.mark.parametrize("rule", FIXING, ids=lambda rule: f"{rule.id}-{rule.name}")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fix(folder: Path, rule: Rule, *, with_base: bool = False) -> Outcome:
    options = check_options(rule, with_base=with_base)

    def judge(texts: Mapping[str, bytes]) -> Report:
        return run_check(replace(options, texts=texts))

    return fix_all(judge, DiskFiles(["."]), unsafe=True)


def bad_example(folder: Path, rule: Rule) -> bool:
    return write_tree(folder, documentation_of(function_of(rule)).blocks("Bad"))


def own_line_comments(text: bytes) -> list[bytes]:
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line.startswith(b"#") and b"trainergen:" not in line]


@every_rule
def test_the_bad_example_becomes_clean_and_stays_so(rule: Rule, tmp_path: Path) -> None:
    with_base = bad_example(tmp_path, rule)
    outcome = fix(tmp_path, rule, with_base=with_base)
    assert outcome.texts, outcome.notes
    left = [finding for finding in outcome.report.findings if finding.rule == rule.id]
    assert not left, described(left)
    assert not outcome.notes
    for identity, text in outcome.texts.items():
        Path(identity).write_bytes(text)
    assert fix(tmp_path, rule, with_base=with_base).texts == {}, "twice is once"


@every_rule
def test_comments_on_lines_of_their_own_survive(rule: Rule, tmp_path: Path) -> None:
    with_base = bad_example(tmp_path, rule)
    for identity in fix(tmp_path, rule, with_base=with_base).texts:
        text = Path(identity).read_bytes()
        Path(identity).write_bytes(re.sub(rb"^(?=[a-zA-Z]+:)", b"# a comment\n", text, flags=re.MULTILINE))
    outcome = fix(tmp_path, rule, with_base=with_base)
    assert outcome.texts
    for identity, text in outcome.texts.items():
        assert own_line_comments(text) == own_line_comments(Path(identity).read_bytes())


@every_rule
def test_line_ends_and_byte_order_marks_stay(rule: Rule, tmp_path: Path) -> None:
    with_base = bad_example(tmp_path, rule)
    plain = fix(tmp_path, rule, with_base=with_base).texts
    for identity in plain:
        Path(identity).write_bytes(other_form(Path(identity).read_bytes()))
    fixed = fix(tmp_path, rule, with_base=with_base).texts
    assert fixed == {identity: other_form(text) for identity, text in plain.items()}


def other_form(text: bytes) -> bytes:
    return b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")
