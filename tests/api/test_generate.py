"""The committed files are what the model gives."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from trainergen.api.generate import __main__ as generate
from trainergen.datafiles import data_dir
from trainergen.releases import RELEASES

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def copied_schemas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the committed schemas that the command works on."""
    root = tmp_path / "schemas"
    shutil.copytree(data_dir("schemas"), root)
    monkeypatch.setattr(generate, "data_dir", lambda name: tmp_path / name)
    return root


def test_no_committed_file_is_stale() -> None:
    assert [path for path, _ in generate.stale_files(data_dir("schemas"))] == []


def test_check_names_stale_files_and_fails(copied_schemas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = copied_schemas / "2.3" / "structural.json"
    changed.write_text("{}", encoding="utf-8")
    missing = copied_schemas / "2.0" / "trainjob_v1alpha1.json"
    missing.unlink()
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [f"out of date: {missing}", f"out of date: {changed}"]
    assert changed.read_text(encoding="utf-8") == "{}"


def test_writing_brings_stale_files_up_to_date(copied_schemas: Path) -> None:
    (copied_schemas / "2.1" / "kustomize-openapi.json").unlink()
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_each_release_gets_the_same_set_of_files() -> None:
    kinds = ("trainjob", "trainingruntime", "clustertrainingruntime")
    expected = {"structural.json", "kustomize-openapi.json"}
    expected |= {f"crds/trainer.kubeflow.org_{kind}s.yaml" for kind in kinds}
    expected |= {f"{kind}_v1alpha1.json" for kind in kinds}
    for release in RELEASES:
        assert {name for name, _ in generate.generated(release)} == expected
