"""Every case of the case files, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases.reading import Case, all_cases
from tests.rules.running import write_tree
from trainergen.cli import main


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_case(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    write_tree(tmp_path, case.blocks)
    code = main([*case.arguments, "--format", "json"])
    captured = capfd.readouterr()
    assert captured.out, captured.err
    findings = json.loads(captured.out)["findings"]
    found = [f"{one['file']}:{one['line']}: {one['rule']}: {one['message']}" for one in findings]
    assert len(found) == len(case.expected), found
    for line, expected in zip(found, case.expected, strict=True):
        place, _, message = line.partition(f": {expected.rule}: ")
        assert place == f"{expected.file}:{expected.line}", found
        assert expected.words in message, found
    assert code == (1 if any(one["severity"] == "error" for one in findings) else 0)
