"""Running rules on small trees of files."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.admission.legacy.checks import LEGACY_JOB
from trainergen.engine.options import CheckOptions
from trainergen.engine.run import run_check
from trainergen.finding import Finding, Layer
from trainergen.releases import NEWEST
from trainergen.rules import registry

if TYPE_CHECKING:
    from trainergen.report import Report
    from trainergen.rules.declare import Rule
    from trainergen.rules.documentation import Block

BROKEN: list[str] = []
"""Rules that cannot be imported; a test of the registry says so, and the others are tested all the same."""
GIT = ("git", "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")


@cache
def scanned() -> dict[str, Rule]:
    """Every rule by importing all of them, so that tests do not wait for the index."""
    return registry.scan(BROKEN)


def write_tree(folder: Path, blocks: Sequence[Block]) -> bool:
    """Write the blocks into a repository; True when some of them are its base revision, which is then ``HEAD``."""
    base = [block for block in blocks if block.is_base]
    if not base:
        (folder / ".git").mkdir()
    else:
        git(folder, "init", "--quiet")
        write_files(folder, base)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "--message", "base")
        for block in base:
            (folder / block.file).unlink()
    write_files(folder, [block for block in blocks if not block.is_base])
    return bool(base)


def write_files(folder: Path, blocks: Iterable[Block]) -> None:
    for block in blocks:
        file = folder / block.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8", newline="")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)


def release_for(rule: Rule) -> str:
    """The newest release that a rule holds for."""
    return rule.until or NEWEST.name


def check_tree(folder: Path, rule: Rule, *, with_base: bool, release: str = "") -> Report:
    """The report on a folder with the rules of the recommended profile and this one."""
    return run_check(check_options(rule, with_base=with_base, release=release))


def check_options(rule: Rule, *, with_base: bool, release: str = "") -> CheckOptions:
    """The run on the working folder with the rules of the recommended profile and this one."""
    recommended = [one.id for one in scanned().values() if one.profile in ("minimal", "recommended")]
    return CheckOptions(
        paths=(".",),
        release=release or release_for(rule),
        select=(rule.id, *recommended, "TG0", "TG1"),
        base="HEAD" if with_base else None,
        today="2026-06-30",
        jobs=1,
    )


def lint(report: Report) -> list[Finding]:
    return [finding for finding in told(report) if finding.layer is Layer.LINT]


def told(report: Report) -> list[Finding]:
    """The findings without the remark that every legacy job gets."""
    return [finding for finding in report.findings if finding.rule != LEGACY_JOB.id]


def described(findings: Iterable[Finding]) -> list[str]:
    """Findings in one line each, for comparisons that are read by people."""
    return [f"{one.file}:{one.line}: {one.rule} {one.name}: {one.message}" for one in findings]
