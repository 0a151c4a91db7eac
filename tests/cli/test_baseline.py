"""``trainergen baseline`` and ``check --baseline``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Ran
from tests.manifests import BAD, GOOD

Run = Callable[..., Ran]
NO_NODES = GOOD.replace("numNodes: 2", "numNodes: 0")
FILE = ".trainergen-baseline.json"
CHECK = ("check", "--release", "2.3", "--baseline", FILE)


def test_what_is_recorded_is_left_out_and_counted(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(f"{NO_NODES}---\n{BAD.replace('name: mnist', 'name: other')}")
    ran = trainergen("baseline", "--release", "2.3")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines()[0] == f"2 findings recorded in {FILE}, 1 of them refused by the cluster"
    ran = trainergen(*CHECK)
    assert ran.code == 0
    assert "apart from these: 2 in the baseline (1 of them refused by the cluster)\n" in ran.out
    report = json.loads(trainergen(*CHECK, "--format", "json").out)
    assert report["hidden"] == {"suppressed": 0, "baseline": 2, "refused": 1}


def test_lines_that_move_and_edits_elsewhere_leave_it_known(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    trainergen("baseline", "--release", "2.3")
    (tmp_path / "job.yaml").write_text(
        "# a comment\n\n" + NO_NODES.replace("    name: torch", "    # x\n    name: torch")
    )
    (tmp_path / "other.yaml").write_text(GOOD.replace("name: mnist", "name: other"))
    assert trainergen(*CHECK).code == 0


def test_a_new_finding_fails_the_run(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    trainergen("baseline", "--release", "2.3")
    (tmp_path / "new.yaml").write_text(NO_NODES.replace("name: mnist", "name: other"))
    ran = trainergen(*CHECK, "--format", "json")
    assert ran.code == 1
    assert [(one["rule"], one["file"]) for one in json.loads(ran.out)["findings"]] == [("TG301", "new.yaml")]


def test_what_was_mended_is_named_as_information(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    trainergen("baseline", "--release", "2.3")
    (tmp_path / "job.yaml").write_text(GOOD)
    ran = trainergen(*CHECK, "--format", "json")
    (stale,) = json.loads(ran.out)["findings"]
    assert (ran.code, stale["rule"], stale["severity"], stale["file"]) == (0, "TG906", "info", FILE)
    assert stale["message"] == "1 known finding is gone: TG301 in 'job.yaml'"
    assert json.loads(trainergen(*CHECK, "--ignore", "TG906", "--format", "json").out)["findings"] == []


def test_files_that_were_not_named_and_checks_that_were_not_made_are_not_stale(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    (tmp_path / "good.yaml").write_text(GOOD.replace("name: mnist", "name: good"))
    trainergen("baseline", "--release", "2.3")
    (tmp_path / "job.yaml").write_text(GOOD)
    assert json.loads(trainergen(*CHECK, "good.yaml", "--format", "json").out)["findings"] == []
    assert json.loads(trainergen(*CHECK, "--select", "TG310,TG9", "--format", "json").out)["findings"] == []


def test_the_configuration_names_the_file(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "trainergen.yaml").write_text("release: 2.3\ncheck:\n  baseline: known/findings.json\n")
    (tmp_path / "known").mkdir()
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "job.yaml").write_text(NO_NODES)
    assert trainergen("baseline").code == 0
    (entry,) = json.loads((tmp_path / "known" / "findings.json").read_text())["findings"]
    assert entry["file"] == "../jobs/job.yaml"
    assert trainergen("check").code == 0


def test_a_baseline_that_cannot_be_read_is_one_message(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    ran = trainergen(*CHECK)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        f"error: the baseline '{FILE}' cannot be read: no such file or directory",
        f"hint: Make it with 'trainergen baseline -o {FILE}'.",
    ]


def test_a_path_that_is_missing_is_not_recorded(trainergen: Run, tmp_path: Path) -> None:
    ran = trainergen("baseline", "none.yaml", "-o", "out.json")
    assert ran.code == 2
    assert ran.err.splitlines()[0] == "error: none.yaml: there is no such file or folder"
    assert json.loads((tmp_path / "out.json").read_text())["findings"] == []


def test_today_ends_suppressions(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES.replace("0", "0  # trainergen: ignore[TG301] until=2020-01-31"))
    assert trainergen("check", "--release", "2.3", "--today", "2020-01-31").code == 0
    assert trainergen("check", "--release", "2.3", "--today", "now").code == 1
    ran = trainergen("check", "--today", "tomorrow")
    assert (ran.code, ran.err.splitlines()[0]) == (2, "error: --today is 'tomorrow', which is no date")
