"""Git's ignore rules, without git."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainergen.errors import TrainergenError
from trainergen.source import discover


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make(tree: dict[str, str]) -> None:
    for name, text in tree.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def shown(*paths: str) -> list[str]:
    return [file.path for file in discover(paths).files]


def manifests(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "a: 1\n")


CASES = {
    "names anywhere": ("out.yaml\n", ["out.yaml", "sub/out.yaml", "a.yaml"], ["a.yaml"]),
    "names at the root": ("/out.yaml\n", ["out.yaml", "sub/out.yaml"], ["sub/out.yaml"]),
    "folders": ("build/\n", ["build/a.yaml", "sub/build/b.yaml", "c.yaml"], ["c.yaml"]),
    "only folders": ("build/\n", ["sub/build", "a.yaml"], ["a.yaml"]),
    "patterns": ("*.gen.yaml\n", ["a.gen.yaml", "a.yaml"], ["a.yaml"]),
    "exceptions": ("*.yaml\n!keep.yaml\n", ["a.yaml", "keep.yaml"], ["keep.yaml"]),
    "exceptions in an ignored folder do not help": ("sub/\n!sub/keep.yaml\n", ["sub/keep.yaml"], []),
    "comments and blanks": ("# a.yaml\n\n   \n", ["a.yaml"], ["a.yaml"]),
    "double stars": ("a/**/z.yaml\n", ["a/z.yaml", "a/b/c/z.yaml", "z.yaml"], ["z.yaml"]),
}


@pytest.mark.parametrize(("patterns", "names", "expected"), CASES.values(), ids=CASES)
def test_patterns_mean_what_they_mean_in_git(patterns: str, names: list[str], expected: list[str]) -> None:
    make({".git/HEAD": "", ".gitignore": patterns} | manifests(*names))
    assert shown(".") == expected


def test_the_closest_file_decides() -> None:
    make({".git/HEAD": "", ".gitignore": "*.yaml\n", "sub/.gitignore": "!a.yaml\n"})
    make(manifests("a.yaml", "sub/a.yaml", "sub/b.yaml", "sub/deep/a.yaml"))
    assert shown(".") == ["sub/a.yaml", "sub/deep/a.yaml"]


def test_rules_above_the_folder_that_is_read_count() -> None:
    make({".git/HEAD": "", ".gitignore": "out.yaml\n/sub/deep/x.yaml\n"})
    make(manifests("sub/deep/out.yaml", "sub/deep/x.yaml", "sub/deep/a.yaml"))
    assert shown("sub/deep") == ["sub/deep/a.yaml"]


def test_the_repository_s_private_excludes_count() -> None:
    make({".git/info/exclude": "secret.yaml\n"} | manifests("secret.yaml", "a.yaml"))
    assert shown(".") == ["a.yaml"]


def test_an_ignored_folder_that_is_named_is_read() -> None:
    make({".git/HEAD": "", ".gitignore": "build/\n", "build/.gitignore": "x.yaml\n"})
    make(manifests("build/a.yaml", "build/x.yaml", "build/sub/b.yaml"))
    assert shown("build") == ["build/a.yaml", "build/sub/b.yaml"]
    assert shown("build/sub") == ["build/sub/b.yaml"]


def test_an_ignored_file_that_is_named_is_read() -> None:
    make({".git/HEAD": "", ".gitignore": "a.yaml\n"} | manifests("a.yaml"))
    assert shown("a.yaml") == ["a.yaml"]


def test_rules_count_outside_of_a_repository_too() -> None:
    make({".gitignore": "a.yaml\n"} | manifests("a.yaml", "b.yaml"))
    assert shown(".") == ["b.yaml"]


def test_what_was_ignored_is_counted() -> None:
    make({".git/HEAD": "", ".gitignore": "build/\na.yaml\n"} | manifests("a.yaml", "build/b.yaml", "build/c.yaml"))
    assert discover(["."]).skipped == {"git-ignored": 2}


def test_pattern_files_that_are_no_text_do_no_harm() -> None:
    make({".git/HEAD": ""} | manifests("a.yaml"))
    Path(".gitignore").write_bytes(b"\xff\xfe\n[\n\\\n")
    assert shown(".") == ["a.yaml"]


def test_an_exclude_that_is_no_pattern_is_an_error() -> None:
    with pytest.raises(TrainergenError) as caught:
        discover(["."], excludes=["a", "\\"])
    assert caught.value.message == "exclude pattern '\\' is no pattern"
