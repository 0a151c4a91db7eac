"""Rules on the command line: listing, explaining, selecting, configuring, and the exit code of a broken one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.manifests import GOOD
from trainergen.rules.registry import all_rules

if TYPE_CHECKING:
    from tests.cli.conftest import Ran

ZERO = GOOD.replace("numNodes: 2", "numNodes: 0")


def rules_of(ran: Ran) -> list[tuple[str, str]]:
    return [(one["rule"], one["severity"]) for one in json.loads(ran.out)["findings"]]


def test_all_rules_are_listed(trainergen) -> None:
    ran = trainergen("rules")
    assert ran.code == 0
    assert len(ran.out.splitlines()) == len(all_rules())
    (row,) = json.loads(trainergen("rules", "no-nodes", "--format", "json").out)
    assert (row["id"], row["family"], row["profile"], row["answers"]) == ("TG301", "resources", "minimal", ["A21"])


def test_rules_are_listed_by_family_and_profile(trainergen) -> None:
    assert {line[:3] for line in trainergen("rules", "resources").out.splitlines()} == {"TG3"}
    some = trainergen("rules", "--profile", "minimal").out.splitlines()
    assert 0 < len(some) < len(all_rules())


@pytest.mark.parametrize(("words", "near"), [(["no-node"], "no-nodes"), (["--profile", "strikt"], "strict")])
def test_an_unknown_word_gets_the_nearest_one(trainergen, words: list[str], near: str) -> None:
    ran = trainergen("rules", *words)
    assert ran.code == 2
    assert f"did you mean '{near}'" in ran.err


@pytest.mark.parametrize("subject", ["TG301", "tg301", "no-nodes"])
def test_a_rule_is_explained_with_its_examples(trainergen, subject: str) -> None:
    ran = trainergen("explain", subject)
    assert ran.out.startswith("# TG301 no-nodes\n")
    assert "## Bad" in ran.out
    assert "# <-" not in ran.out


def test_a_lint_error_fails_the_run_and_is_marked_as_advice(trainergen) -> None:
    Path("job.yaml").write_text(ZERO)
    ran = trainergen("check", ".", "--select", "no-nodes", "--format", "json")
    assert ran.code == 1
    (found,) = json.loads(ran.out)["findings"]
    assert (found["rule"], found["layer"], found["fix"], found["line"]) == ("TG301", "lint", "unsafe", 10)


def test_selections_name_rules_by_family(trainergen) -> None:
    Path("job.yaml").write_text(ZERO)
    chosen = rules_of(trainergen("check", ".", "--select", "resources", "--format", "json"))
    assert ("TG301", "error") in chosen
    assert {rule[:3] for rule, _ in chosen} == {"TG3"}
    chosen = rules_of(trainergen("check", ".", "--select", "security", "--format", "json"))
    assert {rule[:3] for rule, _ in chosen} <= {"TG6"}
    assert ("TG301", "error") not in rules_of(trainergen("check", ".", "--ignore", "resources", "--format", "json"))
    ran = trainergen("check", ".", "--select", "resorces")
    assert ran.code == 2
    assert "did you mean 'resources'" in ran.err


def test_a_profile_is_named_or_refused(trainergen) -> None:
    Path("job.yaml").write_text(ZERO)
    assert trainergen("check", ".", "--profile", "minimal").code == 1
    ran = trainergen("check", ".", "--profile", "minimum")
    assert ran.code == 2
    assert "--profile names 'minimum'" in ran.err


def test_the_configuration_sets_profile_severities_and_paths(trainergen) -> None:
    for folder in ("legacy", "new"):
        Path(folder).mkdir()
        Path(folder, "job.yaml").write_text(ZERO)
    Path("trainergen.yaml").write_text(
        "check:\n  profile: minimal\n  select: [no-nodes]\n  rules:\n    no-nodes: {severity: warning}\n"
        "  per-path:\n    - {paths: [legacy/], severity: {TG301: info}}\n"
    )
    ran = trainergen("check", ".", "--format", "json")
    assert (ran.code, rules_of(ran)) == (0, [("TG301", "info"), ("TG301", "warning")])
    Path("trainergen.yaml").write_text("check: {select: [TG301], per-path: [{paths: [legacy/], ignore: [TG3]}]}")
    assert rules_of(trainergen("check", ".", "--format", "json")) == [("TG301", "error")]


CONFIGURED_WRONGLY = {
    "a misspelt rule": (
        "{no-node: {severity: info}}",
        "trainergen.yaml:1:17: there is no rule 'no-node' (did you mean",
    ),
    "a severity that is none": ("{no-nodes: {severity: warn}}", "'warn' is no severity (did you mean 'warning'?)"),
    "an option of a rule without options": (
        "{no-nodes: {most: 3}}",
        "trainergen.yaml:1:28: unknown key 'most' in 'check.rules.no-nodes'",
    ),
}


@pytest.mark.parametrize(("rules", "message"), CONFIGURED_WRONGLY.values(), ids=CONFIGURED_WRONGLY)
def test_what_is_configured_wrongly_is_told_with_its_place(trainergen, rules: str, message: str) -> None:
    Path("trainergen.yaml").write_text(f"check: {{rules: {rules}}}")
    ran = trainergen("check", ".")
    assert ran.code == 2
    assert message in ran.err


def test_a_broken_rule_ends_the_run_as_an_internal_error(trainergen, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(job: object) -> list[object]:
        raise RuntimeError("no such thing")

    monkeypatch.setattr("trainergen.rules.runner.function_of", lambda rule: broken)
    Path("job.yaml").write_text(GOOD)
    ran = trainergen("check", ".", "--select", "TG301", "--format", "json")
    assert (ran.code, rules_of(ran)) == (3, [("TG901", "error")])
