"""Where the configuration is found."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from trainergen.config import Settings, find_config, find_settings
from trainergen.errors import TrainergenError

TABLE = "[tool.trainergen]\nrelease = '2.3'\n"


def _tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# sentence: (files, start, what is found)
FOUND = {
    "the file beside": ({"trainergen.yaml": ""}, ".", "trainergen.yaml"),
    "the file above": ({"trainergen.yml": "", "a/b/job.yaml": ""}, "a/b", "trainergen.yml"),
    "the file above a file": ({".trainergen.yaml": "", "a/b/job.yaml": ""}, "a/b/job.yaml", ".trainergen.yaml"),
    "the nearest of two": ({"trainergen.yaml": "", "a/trainergen.yaml": "", "a/b/x": ""}, "a/b", "a/trainergen.yaml"),
    "a table in pyproject.toml": ({"pyproject.toml": TABLE}, ".", "pyproject.toml"),
    "a table in another spelling": ({"pyproject.toml": "[tool]\ntrainergen = {}\n"}, ".", "pyproject.toml"),
    "past a pyproject.toml without the table": (
        {"trainergen.yaml": "", "a/pyproject.toml": "[project]\nname = 'uses-trainergen'\n"},
        "a",
        "trainergen.yaml",
    ),
    "past a pyproject.toml that does not speak of it": (
        {"trainergen.yaml": "", "a/pyproject.toml": "[project]\nname = 'x'\n"},
        "a",
        "trainergen.yaml",
    ),
    "past a broken pyproject.toml that is not ours": (
        {"trainergen.yaml": "", "a/pyproject.toml": "dependencies = ['trainergen'\n"},
        "a",
        "trainergen.yaml",
    ),
    "a broken pyproject.toml that is ours": ({"pyproject.toml": "[tool.trainergen]\nx\n"}, ".", "pyproject.toml"),
    "nothing": ({"a/x": ""}, "a", None),
    "nothing beyond the repository": ({"trainergen.yaml": "", "a/.git/HEAD": "", "a/b/x": ""}, "a/b", None),
    "the file at the root of the repository": (
        {"a/trainergen.yaml": "", "a/.git": "", "a/b/x": ""},
        "a/b",
        "a/trainergen.yaml",
    ),
    "nothing in a folder of that name": ({"trainergen.yaml/x": ""}, ".", None),
    "a start that is not there": ({"trainergen.yaml": ""}, "no/such", "trainergen.yaml"),
    "a start with dots": ({"trainergen.yaml": "", "a/b/x": "", "c/trainergen.yaml": ""}, "c/../a/b", "trainergen.yaml"),
}


@pytest.mark.parametrize("sentence", FOUND)
def test_the_search_finds(sentence, tmp_path):
    files, start, expected = FOUND[sentence]
    root = tmp_path / "root"
    _tree(tmp_path, {".git/HEAD": ""})
    _tree(root, files)

    assert find_config(root / start) == (None if expected is None else root / expected)


@pytest.mark.parametrize(
    "files",
    [{"trainergen.yaml": "", "pyproject.toml": TABLE}, {"trainergen.yaml": "", ".trainergen.yaml": ""}],
    ids=["file and table", "two files"],
)
def test_two_configurations_in_one_folder_are_refused(files, tmp_path):
    _tree(tmp_path, files)

    with pytest.raises(TrainergenError, match="two configurations in") as refused:
        find_config(tmp_path)

    assert refused.value.hint == "Keep one of them."


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root and Windows read what modes forbid")
def test_a_file_without_permission_is_told(tmp_path):
    (tmp_path / "trainergen.yaml").write_text("")
    (tmp_path / "trainergen.yaml").chmod(0)

    with pytest.raises(TrainergenError, match="cannot be read: Permission denied"):
        find_settings(tmp_path)


def test_without_a_configuration_there_are_defaults(tmp_path):
    (tmp_path / ".git").mkdir()

    assert find_settings(tmp_path) == Settings()


def test_nothing_heavy_is_loaded_without_a_configuration(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    program = (
        "import sys; from pathlib import Path; from trainergen.config import find_settings;"
        "find_settings(Path(sys.argv[1])); print(*sorted(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True, capture_output=True, text=True)

    assert not {"pydantic", "yaml", "tomllib", "difflib"} & set(run.stdout.split())
