"""What suppressions do to the findings of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.manifests import BAD, GOOD
from tests.rules.conftest import _rules_as_written  # noqa: F401 - rules are taken from their files
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.finding import Layer
from trainergen.rules.settings import PathSetting, RuleSettings

if TYPE_CHECKING:
    from trainergen.report import Report

NO_NODES = GOOD.replace("numNodes: 2", "numNodes: 0")
SUPPRESSED = NO_NODES.replace("numNodes: 0", "numNodes: 0  # trainergen: ignore[TG301] -- scaled up by hand")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def run(text: str, **options: object) -> Report:
    Path("job.yaml").write_text(text)
    return run_check(CheckOptions(paths=("job.yaml",), release="2.3", **options))  # type: ignore[arg-type]


def rules(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


WORDS = {
    "an id": "TG301",
    "the start of an id": "TG3",
    "a name": "no-nodes",
    "a family": "resources",
    "several": "TG203,no-nodes",
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_a_finding_is_suppressed_by(words: str) -> None:
    report = run(SUPPRESSED.replace("TG301", words), select=("TG301",))
    assert (rules(report), report.hidden.suppressed) == ([], 1)


PLACES = {
    "a comment above": NO_NODES.replace("    numNodes", "    # trainergen: ignore[TG301]\n    numNodes"),
    "a comment for the file": f"# trainergen: ignore-file[TG301] -- generated\n{NO_NODES}",
    "an annotation": NO_NODES.replace("  name: mnist", "  annotations: {trainergen.io/ignore: TG301}\n  name: mnist"),
    "a comment in another document": f"{GOOD}---\n{SUPPRESSED}",
}


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_a_finding_is_suppressed_from(text: str) -> None:
    report = run(text, ignore=("TG216",))
    assert (rules(report), report.hidden.suppressed) == ([], 1)


def test_an_annotation_is_silent_about_other_objects() -> None:
    annotated = PLACES["an annotation"]
    other = NO_NODES.replace("name: mnist", "name: other")
    report = run(f"{annotated}---\n{other}")
    assert [(one.rule, one.object and one.object.name) for one in report.findings] == [("TG301", "other")]


def test_a_comment_on_another_line_ignores_nothing_and_is_unused() -> None:
    text = NO_NODES.replace("spec:", "spec: # trainergen: ignore[TG301]")
    report = run(text)
    assert rules(report) == ["TG902", "TG301"]
    assert report.findings[0].fix == "safe"


def test_of_several_words_only_the_unused_ones_are_named() -> None:
    report = run(SUPPRESSED.replace("TG301", "TG301, runtime-not-found"))
    assert [one.message for one in report.findings] == ["'runtime-not-found' ignores nothing here"]


NOT_LOOKED_FOR = {
    "rules that were not selected": {"select": ("TG310", "TG902")},
    "rules that were left out": {"ignore": ("TG301",)},
    "layers that were left out": {"layers": frozenset({Layer.SCHEMA})},
}


@pytest.mark.parametrize("options", NOT_LOOKED_FOR.values(), ids=NOT_LOOKED_FOR)
def test_suppressions_are_not_unused_for(options: dict[str, object]) -> None:
    assert rules(run(GOOD.replace("numNodes: 2", "numNodes: 2  # trainergen: ignore[TG301]"), **options)) == []


def test_a_suppression_of_a_rule_on_changes_is_unused_only_with_a_base() -> None:
    text = GOOD.replace("numNodes: 2", "numNodes: 2  # trainergen: ignore[used-runtime-edited]")
    assert rules(run(text, rules=RuleSettings(profile="production"), ignore=("TG3", "TG4", "TG5", "TG6"))) == []


def test_a_run_on_single_files_does_not_know_what_other_files_would_add() -> None:
    text = GOOD.replace("name: mnist", "name: mnist  # trainergen: ignore[generated-name-taken]")
    assert rules(run(text)) == ["TG902"]
    assert rules(run(text, skip_unrelated=True)) == []


def test_a_refusal_stays_and_the_attempt_is_named() -> None:
    report = run(BAD.replace('"2"', '"2"  # trainergen: ignore[TG102]'))
    assert [(one.rule, one.severity) for one in report.findings] == [("TG102", "error"), ("TG905", "info")]
    assert report.fails()
    assert report.hidden.suppressed == 0


def test_a_suppression_holds_through_its_last_day() -> None:
    text = SUPPRESSED.replace("]", "] until=2027-01-31")
    assert rules(run(text, today="2027-01-31")) == []
    report = run(text, today="2027-02-01")
    assert rules(report) == ["TG301", "TG903"]
    assert report.findings[1].message == "the suppression of 'TG301' ended on 2027-01-31"


def test_a_last_day_that_nobody_compared_is_not_evaluated() -> None:
    report = run(SUPPRESSED.replace("]", "] until=2020-01-31"))
    assert rules(report) == []
    assert [(one.check, one.line) for one in report.not_evaluated] == [("TG903", 10)]


@pytest.mark.parametrize(
    ("words", "message"),
    {
        "an unknown name": ("no-node", "there is no check 'no-node' (did you mean 'no-nodes'?), so it ignores nothing"),
        "trainergen's own checks": ("TG902", "'TG902' is about trainergen itself, which no suppression can ignore"),
    }.values(),
)
def test_a_word_that_can_ignore_nothing_is_malformed(words: str, message: str) -> None:
    report = run(GOOD.replace("numNodes: 2", f"numNodes: 2  # trainergen: ignore[{words}]"))
    assert [(one.rule, one.message) for one in report.findings] == [("TG904", message)]


def test_settings_of_paths_hold_for_findings_on_suppressions_too() -> None:
    text = GOOD.replace("numNodes: 2", "numNodes: 2  # trainergen: ignore[TG301]")
    settings = RuleSettings(per_path=(PathSetting(("job.yaml",), ignore=("TG902",)),))
    assert rules(run(text, rules=settings)) == []


def test_several_processes_say_the_same(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml", "c.yaml"):
        (tmp_path / name).write_text(SUPPRESSED.replace("name: mnist", f"name: {name[0]}"))
    report = run_check(CheckOptions(paths=(".",), release="2.3", jobs=2))
    assert (rules(report), report.hidden.suppressed) == ([], 3)
