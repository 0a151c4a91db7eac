"""Rules that another package brings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.manifests import GOOD

RULES = '''
"""House rules of a team."""

from trainergen.rules import Findings, Source, rule


@rule("ACME101", "team-label-missing", severity="error")
def team_label_missing(job: Source) -> Findings:
    """A TrainJob does not say which team pays.

    ## Why

    Costs are split by the label.
    """
    if "acme.example/team" not in job.labels:
        yield job.at("metadata").key.report("the TrainJob has no label acme.example/team", help="Add the label.")
'''


def install(folder: Path, *, rules: str = RULES, module: str = "acme_rules") -> None:
    """A distribution with the entry point, as pip would leave it."""
    (folder / "acme_rules.py").write_text(rules)
    info = folder / "acme_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[trainergen.rules]\nacme = {module}\n")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "trainergen", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder)


def test_a_package_brings_rules_that_run_like_ours(tmp_path: Path) -> None:
    install(tmp_path)
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = run(tmp_path, "check", "job.yaml", "--release", "2.3", "--format", "json")
    assert (ran.returncode, ran.stderr) == (1, "")
    (finding,) = json.loads(ran.stdout)["findings"]
    assert (finding["rule"], finding["name"], finding["layer"]) == ("ACME101", "team-label-missing", "lint")
    assert (finding["line"], finding["column"]) == (3, 1)
    for word in ("ACME101", "ACME", "team-label-missing"):
        assert run(tmp_path, "check", "job.yaml", "--release", "2.3", "--ignore", word).returncode == 0


def test_it_is_listed_explained_and_configured(tmp_path: Path) -> None:
    install(tmp_path)
    (tmp_path / "job.yaml").write_text(GOOD)
    (tmp_path / "trainergen.yaml").write_text("check: {rules: {team-label-missing: {severity: warning}}}\n")
    assert "ACME101  team-label-missing" in run(tmp_path, "rules").stdout
    assert "Costs are split by the label." in run(tmp_path, "explain", "ACME101").stdout
    assert run(tmp_path, "check", "job.yaml", "--release", "2.3").returncode == 0


@pytest.mark.parametrize(
    ("change", "message"),
    {
        "an id of ours": (("ACME101", "TG301"), "has the id 'TG301'"),
        "a name of one word": (("team-label-missing", "label"), "has the name 'label'"),
        "a module that fails": (("from trainergen.rules", "from nowhere"), "cannot be loaded: ModuleNotFoundError"),
        "a module without rules": (("@rule", "# @rule"), "has no rules"),
    }.values(),
)
def test_a_faulty_package_is_named_with_a_way_out(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    install(tmp_path, rules=RULES.replace(*change))
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = run(tmp_path, "check", "job.yaml", "--release", "2.3")
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "\nhint: " in ran.stderr


def test_its_findings_are_suppressed_like_ours(tmp_path: Path) -> None:
    install(tmp_path)
    (tmp_path / "job.yaml").write_text(GOOD.replace("metadata:", "metadata: # trainergen: ignore[ACME101] -- ours"))
    assert run(tmp_path, "check", "job.yaml", "--release", "2.3").returncode == 0
