"""The pages about policies say what the code does."""

from __future__ import annotations

from pathlib import Path

from trainergen.policies.checks import CHECKS

PAGE = Path(__file__).parents[2] / "docs" / "policies.md"


def test_the_page_names_every_check() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [check.id for check in CHECKS if check.id not in text] == []


def test_the_finding_that_it_shows_is_the_real_one() -> None:
    from tests.policies.asking import JOB, ask
    from tests.policies.test_shipped import shipped

    [finding] = ask(JOB + "    image: torch:latest\n", shipped("trainer-images-pinned")).findings
    assert f"error[{finding.rule}] {finding.message}\n" in PAGE.read_text(encoding="utf-8")
