"""``trainergen check --fix`` and ``--diff``."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.cli.conftest import Ran
from tests.manifests import BAD, GOOD, NEEDS_DATASET, RUNTIME

if TYPE_CHECKING:
    import pytest

Run = Callable[..., Ran]
NO_NODES = GOOD.replace("numNodes: 2", "numNodes: 0  # for now")
FIXED = NO_NODES.replace("numNodes: 0", "numNodes: 1")
UNUSED = GOOD.replace("numNodes: 2", "numNodes: 2  # trainergen: ignore[TG301]")
UNSAFE = ("--fix", "--unsafe", "--release", "2.3")


def test_a_file_is_mended_and_the_report_says_what_was_done(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    ran = trainergen("check", *UNSAFE)
    assert ran.code == 0
    assert ran.out == (
        "no findings in 1 document, 1 file\nrelease: Trainer 2.3 (--release)\napart from these: 1 fixed\n"
    )
    assert ran.err == "fixed: job.yaml: set numNodes to 1 (TG301)\n"
    assert (tmp_path / "job.yaml").read_text() == FIXED


def test_what_changes_the_meaning_needs_a_word(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    ran = trainergen("check", "--fix", "--release", "2.3")
    assert ran.code == 1
    assert "fixable: 1 with --fix --unsafe" in ran.out
    assert (tmp_path / "job.yaml").read_text() == NO_NODES
    assert trainergen("check", "--unsafe").code == 2


def test_what_cannot_be_mended_is_still_reported(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(f"{NO_NODES}---\n{BAD.replace('name: mnist', 'name: other')}")
    ran = trainergen("check", *UNSAFE, "--format", "json")
    report = json.loads(ran.out)
    assert (ran.code, report["fixed"]) == (1, 1)
    assert [(one["rule"], one["line"]) for one in report["findings"]] == [("TG102", 21)]


def test_a_diff_is_shown_and_nothing_is_written(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    before = (tmp_path / "job.yaml").stat().st_mtime_ns
    ran = trainergen("check", "--diff", "--unsafe", "--output", "json=report.json")
    assert ran.code == 1
    assert ran.out.startswith("--- a/job.yaml\n+++ b/job.yaml\n@@ -")
    assert "-    numNodes: 0  # for now\n+    numNodes: 1  # for now\n" in ran.out
    assert ran.err == "would fix: job.yaml: set numNodes to 1 (TG301)\n"
    assert (tmp_path / "job.yaml").stat().st_mtime_ns == before
    assert json.loads((tmp_path / "report.json").read_text())["fixed"] == 1


def test_a_diff_says_when_there_is_more_with_unsafe(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    ran = trainergen("check", "--diff")
    assert (ran.code, ran.out, ran.err) == (1, "", "note: 1 more with --unsafe\n")


def test_nothing_to_mend_leaves_no_diff_and_no_trace(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(GOOD)
    before = (tmp_path / "job.yaml").stat()
    assert trainergen("check", "--diff", "--unsafe").out == ""
    assert trainergen("check", *UNSAFE).code == 0
    after = (tmp_path / "job.yaml").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_other_bytes_of_the_file_stay(trainergen: Run, tmp_path: Path) -> None:
    text = "\ufeff" + NO_NODES.replace("\n", "\r\n").replace("  trainer:", "  # é\r\n  trainer:") + "\r\n\r\n"
    (tmp_path / "job.yaml").write_bytes(text.encode())
    (tmp_path / "job.yaml").chmod(0o600)
    assert trainergen("check", *UNSAFE).code == 0
    assert (tmp_path / "job.yaml").read_bytes() == text.replace("numNodes: 0", "numNodes: 1").encode()
    assert (tmp_path / "job.yaml").stat().st_mode & 0o777 == 0o600


def test_standard_input_comes_back_mended_and_the_report_goes_to_the_other_stream(
    trainergen: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(NO_NODES.encode())))
    ran = trainergen("check", "-", "--stdin-filename", "job.yaml", *UNSAFE)
    assert (ran.code, ran.out) == (0, FIXED)
    assert ran.err.startswith("fixed: job.yaml: set numNodes to 1 (TG301)\nno findings in 1 document, 1 file\n")


def test_standard_input_without_a_fault_comes_back_as_it_was(trainergen: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert trainergen("check", "-", *UNSAFE).out == GOOD


def test_standard_input_is_not_mended_beside_files(
    trainergen: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "job.yaml").write_text(NO_NODES)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(NO_NODES.encode())))
    ran = trainergen("check", "-", "job.yaml", *UNSAFE)
    assert (ran.code, ran.out) == (2, "")
    assert "goes alone" in ran.err


def test_a_read_only_file_is_named_and_the_others_are_mended(trainergen: Run, tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(NO_NODES.replace("mnist", name[0]))
    (tmp_path / "a.yaml").chmod(0o444)
    ran = trainergen("check", *UNSAFE, "--format", "json")
    report = json.loads(ran.out)
    assert ran.code == 2
    assert ran.err.splitlines() == [
        "error: a.yaml is read-only, so it was not fixed",
        "fixed: b.yaml: set numNodes to 1 (TG301)",
    ]
    assert [(one["rule"], one["file"]) for one in report["findings"]] == [("TG301", "a.yaml")]
    assert report["fixed"] == 1
    assert "numNodes: 1" in (tmp_path / "b.yaml").read_text()


def test_a_link_out_of_the_tree_is_not_followed(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "outside.yaml").write_text(NO_NODES)
    (tmp_path / "tree" / "link.yaml").symlink_to("../outside.yaml")
    ran = trainergen("check", "tree", *UNSAFE)
    assert ran.code == 1
    assert "note: tree/link.yaml: is a link that leads out of the checked paths, so it is not changed\n" in ran.err
    assert (tmp_path / "outside.yaml").read_text() == NO_NODES


def test_a_link_inside_the_tree_is_mended_once_at_its_target(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text(NO_NODES)
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    assert trainergen("check", *UNSAFE).err.count("fixed:") == 1
    assert (tmp_path / "real.yaml").read_text() == FIXED
    assert os.readlink(tmp_path / "link.yaml") == "real.yaml"  # noqa: PTH115


def test_a_fix_that_the_cluster_would_refuse_is_taken_back(
    trainergen: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from trainergen.fix import Edit
    from trainergen.rules.resources import no_nodes

    # A rule with a defect: its fix writes a text where a number belongs.
    original = no_nodes.replace_value
    monkeypatch.setattr(
        no_nodes, "replace_value", lambda *place: (edit := original(*place)) and Edit(edit.start, edit.end, b'"1"')
    )
    (tmp_path / "job.yaml").write_text(NO_NODES)
    ran = trainergen("check", *UNSAFE)
    assert ran.code == 1
    assert "note: job.yaml: 'set numNodes to 1' (TG301) is left out: the cluster would refuse the result" in ran.err
    assert (tmp_path / "job.yaml").read_text() == NO_NODES


def test_what_is_suppressed_or_known_is_not_mended(trainergen: Run, tmp_path: Path) -> None:
    text = NO_NODES.replace("# for now", "# trainergen: ignore[TG301] -- for now")
    (tmp_path / "job.yaml").write_text(text)
    assert trainergen("check", *UNSAFE).code == 0
    assert (tmp_path / "job.yaml").read_text() == text
    (tmp_path / "job.yaml").write_text(NO_NODES)
    trainergen("baseline", "--release", "2.3")
    assert trainergen("check", *UNSAFE, "--baseline", ".trainergen-baseline.json").code == 0
    assert (tmp_path / "job.yaml").read_text() == NO_NODES


def test_an_unused_suppression_is_taken_out_by_a_safe_fix(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(UNUSED)
    ran = trainergen("check", "--fix", "--release", "2.3")
    assert ran.err == "fixed: job.yaml: take the suppression out (TG902)\n"
    assert (tmp_path / "job.yaml").read_text() == GOOD


def test_a_runtime_in_another_file_is_looked_up_in_its_mended_form(trainergen: Run, tmp_path: Path) -> None:
    (tmp_path / "runtime.yaml").write_text(RUNTIME.replace("    torch: {}", "    numNodes: 0\n    torch: {}"))
    (tmp_path / "job.yaml").write_text(NEEDS_DATASET)
    ran = trainergen("check", *UNSAFE, "--format", "json")
    assert [one["layer"] for one in json.loads(ran.out)["findings"]] == ["webhook"]
    assert "numNodes: 1" in (tmp_path / "runtime.yaml").read_text()
