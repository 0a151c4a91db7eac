"""From paths to files."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from trainergen.source import INPUT_CHECKS, Limits, SourceFile, UnreadableError, discover

ROOT = os.geteuid() == 0


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a: 1\n")


def shown(*paths: str, **options: object) -> list[str]:
    discovery = discover(paths, **options)  # type: ignore[arg-type]
    assert discovery.findings == []
    return [file.path for file in discovery.files]


def test_a_folder_gives_its_manifests_sorted() -> None:
    make("b.yaml", "a/z.yml", "a/b/c.json", "a.yaml", "readme.md", "a-b/x.yaml", "Z.yaml", "noext")
    assert shown(".") == ["Z.yaml", "a/b/c.json", "a/z.yml", "a-b/x.yaml", "a.yaml", "b.yaml"]


@pytest.mark.parametrize("path", ["sub", "./sub", "sub/", "./sub/"])
def test_a_path_is_shown_as_it_was_written(path: str) -> None:
    make("sub/a.yaml")
    assert shown(path) == ["sub/a.yaml"]


def test_paths_may_be_absolute_or_lead_upwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("sub/a.yaml", "other/b")
    assert shown(str(tmp_path / "sub")) == [str(tmp_path / "sub" / "a.yaml")]
    monkeypatch.chdir("other")
    assert shown("../sub", "..") == ["../sub/a.yaml"]


def test_files_are_named_explicitly_and_folders_are_not() -> None:
    make("sub/a.yaml", "b.txt")
    assert [(file.path, file.explicit) for file in discover(["sub", "./b.txt"]).files] == [
        ("sub/a.yaml", False),
        ("b.txt", True),
    ]


def test_a_file_named_twice_is_read_once_and_judged() -> None:
    make("sub/a.yaml", "sub/b.yaml")
    files = discover(["sub", "./sub/b.yaml", "sub/b.yaml", "."]).files
    assert [(file.path, file.explicit) for file in files] == [("sub/a.yaml", False), ("sub/b.yaml", True)]


PASSED_OVER = [
    ".hidden/a.yaml", ".git/a.yaml", ".hidden.yaml", "node_modules/p/a.yaml", "vendor/a.yaml", ".venv/lib/a.yaml",
    "x/site-packages/a.yaml", ".terraform/a.yaml", "chart/charts/sub/a.yaml",
]  # fmt: skip


def test_hidden_and_vendored_folders_are_passed_over_and_counted() -> None:
    make("chart/Chart.yaml", "charts/mine/a.yaml", *PASSED_OVER)
    discovery = discover(["."])
    assert [file.path for file in discovery.files] == ["chart/Chart.yaml", "charts/mine/a.yaml"]
    assert discovery.skipped == {"hidden or vendored": len(PASSED_OVER) - 1}


def test_a_hidden_folder_can_be_named() -> None:
    make(".github/a.yaml", "vendor/b.yaml")
    assert shown(".github", "vendor") == [".github/a.yaml", "vendor/b.yaml"]


def test_excludes_are_relative_to_the_root(tmp_path: Path) -> None:
    make("keep/a.yaml", "drop/b.yaml", "keep/x.gen.yaml", "sub/drop/c.yaml")
    assert shown(".", excludes=["/drop", "*.gen.yaml"]) == ["keep/a.yaml", "sub/drop/c.yaml"]
    assert shown("sub", excludes=["/drop"], root=str(tmp_path / "sub")) == []
    assert shown("drop/b.yaml", excludes=["/drop"]) == ["drop/b.yaml"]
    assert discover(["."], excludes=["/drop"]).skipped == {"excluded": 1}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.yaml", ["a.yaml", "b.yaml"]),
        ("**/*.yaml", ["a.yaml", "b.yaml", "sub/c.yaml", "sub/deep/d.yaml"]),
        ("sub/**", ["sub/c.yaml", "sub/deep/d.yaml"]),
        ("s*b", ["sub/c.yaml", "sub/deep/d.yaml"]),
        ("[ab].yaml", ["a.yaml", "b.yaml"]),
        ("su?/*", ["sub/c.yaml", "sub/deep/d.yaml"]),
    ],
)
def test_patterns_are_expanded(pattern: str, expected: list[str]) -> None:
    make("a.yaml", "b.yaml", "sub/c.yaml", "sub/deep/d.yaml", "sub/e.txt", "vendor/f.yaml")
    discovery = discover([pattern])
    assert sorted(file.path for file in discovery.files) == expected
    assert not any(file.explicit for file in discovery.files)


def test_a_file_with_a_pattern_in_its_name_is_that_file() -> None:
    make("[a].yaml")
    assert [file.explicit for file in discover(["[a].yaml"]).files] == [True]


def test_patterns_respect_ignore_rules_and_excludes() -> None:
    make(".git/HEAD", "a.yaml", "b.yaml", "c.yaml")
    Path(".gitignore").write_text("a.yaml\n")
    assert shown("*.yaml", excludes=["b.yaml"]) == ["c.yaml"]


def test_standard_input_takes_its_place() -> None:
    make("a.yaml")
    stdin = SourceFile("job.yaml", explicit=True, data=b"a: 1\n")
    discovery = discover(["a.yaml", "-", "-"], stdin=stdin)
    assert [file.path for file in discovery.files] == ["a.yaml", "job.yaml"]
    assert discovery.files[1].read_bytes() == b"a: 1\n"
    assert discover(["-"]).files[0].read_bytes() == b""


def test_links_to_files_and_folders_are_followed_once() -> None:
    make("real/a.yaml", "z.yaml")
    Path("a-link").symlink_to("real", target_is_directory=True)
    Path("link.yaml").symlink_to("z.yaml")
    assert shown(".") == ["real/a.yaml", "z.yaml"]


def test_link_loops_end() -> None:
    make("sub/a.yaml")
    Path("sub/up").symlink_to("..", target_is_directory=True)
    Path("sub/self").symlink_to("self", target_is_directory=True)
    Path("self.yaml").symlink_to("self.yaml")
    Path("gone.yaml").symlink_to("nowhere.yaml")
    discovery = discover(["."])
    assert [file.path for file in discovery.files] == ["sub/a.yaml"]
    assert discovery.skipped["broken link"] == 2
    assert discovery.findings == []


def test_a_folder_outside_is_reached_by_a_link(tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "a.yaml").write_text("a: 1\n")
    Path("link").symlink_to(outside, target_is_directory=True)
    assert shown(".") == ["link/a.yaml"]


def test_pipes_and_sockets_are_passed_over_in_folders() -> None:
    os.mkfifo("pipe.yaml")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.yaml")
        discovery = discover(["."])
    assert discovery.files == []
    assert discovery.skipped == {"not a regular file": 2}


def problem(path: str) -> tuple[str, str, str]:
    discovery = discover([path])
    assert discovery.files == []
    (finding,) = discovery.findings
    assert finding.rule in INPUT_CHECKS
    assert finding.file == path
    return finding.name, finding.message, finding.help


def test_a_missing_path_is_a_finding_with_the_closest_name() -> None:
    make("sub/train.yaml")
    assert problem("sub/trian.yaml") == (
        "no-such-path", "there is no such file or folder", "Did you mean 'sub/train.yaml'?",
    )  # fmt: skip
    assert problem("nowhere/x.yaml") == ("no-such-path", "there is no such file or folder", "Check the path.")


def test_a_pattern_without_match_is_a_finding() -> None:
    assert problem("*.yaml")[:2] == ("no-such-path", "the pattern matches no file")


def test_a_named_link_to_nothing_is_a_finding() -> None:
    Path("gone.yaml").symlink_to("nowhere.yaml")
    assert problem("gone.yaml")[:2] == ("no-such-path", "the link leads nowhere")


def test_a_named_pipe_is_a_finding() -> None:
    os.mkfifo("pipe.yaml")
    assert problem("pipe.yaml")[:2] == ("not-a-regular-file", "is a pipe, not a file")


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000], ids=["NUL", "too long"])
def test_an_impossible_path_is_a_finding(path: str) -> None:
    assert problem(path)[0] == "unreadable-file"


def test_a_file_as_folder_is_a_finding() -> None:
    make("a.yaml")
    assert problem("a.yaml/b.yaml")[0] == "unreadable-file"


@pytest.mark.skipif(ROOT, reason="root may read everything")
def test_a_folder_without_permission_is_a_finding() -> None:
    make("sub/a.yaml", "b.yaml")
    Path("sub").chmod(0)
    discovery = discover(["."])
    Path("sub").chmod(0o755)
    assert [file.path for file in discovery.files] == ["b.yaml"]
    assert [(one.name, one.file) for one in discovery.findings] == [("unreadable-file", "sub")]


def test_a_folder_that_cannot_be_listed_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    make("sub/a.yaml", "b.yaml")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    discovery = discover(["."])
    assert [file.path for file in discovery.files] == ["b.yaml"]
    (finding,) = discovery.findings
    assert (finding.file, finding.message) == ("sub", "cannot be read: permission denied")
    assert finding.help == "Give read permission, or exclude the path."


def test_names_that_are_no_text_can_be_printed() -> None:
    name = os.fsdecode(b"b\xff.yaml")
    make(name)
    (file,) = discover(["."]).files
    assert file.path == "b\\xff.yaml"
    assert file.read_bytes() == b"a: 1\n"


def refusal(file: SourceFile, limits: Limits | None = None) -> tuple[str, str]:
    with pytest.raises(UnreadableError) as caught:
        file.read_bytes(limits or Limits())
    assert caught.value.exit_code == 2
    assert caught.value.finding.file == file.path
    return caught.value.finding.name, caught.value.finding.message


def test_a_file_over_the_limit_is_not_read() -> None:
    with Path("big.yaml").open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)
    assert refusal(SourceFile("big.yaml")) == (
        "file-too-large", "the file has 50.0 MiB, more than the 16 MiB that are read",
    )  # fmt: skip
    assert refusal(SourceFile("x", data=b"12345"), Limits(file_bytes=4))[0] == "file-too-large"


def test_a_file_at_the_limit_is_read() -> None:
    make("a.yaml")
    assert SourceFile("a.yaml").read_bytes(Limits(file_bytes=5)) == b"a: 1\n"


def test_a_file_that_grows_while_it_is_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.yaml")
    small = os.stat_result((0o100644, *[0] * 9))
    monkeypatch.setattr(os, "fstat", lambda _: small)
    assert refusal(SourceFile("a.yaml"), Limits(file_bytes=3))[0] == "file-too-large"


def test_what_became_a_folder_or_pipe_is_refused() -> None:
    Path("sub").mkdir()
    os.mkfifo("pipe")
    assert refusal(SourceFile("sub"))[0] in {"unreadable-file", "not-a-regular-file"}
    assert refusal(SourceFile("pipe")) == ("not-a-regular-file", "is a pipe, not a file")
    assert refusal(SourceFile("/dev/null")) == ("not-a-regular-file", "is a device, not a file")
    assert refusal(SourceFile("gone"))[0] == "no-such-path"


@pytest.mark.skipif(ROOT, reason="root may read everything")
def test_a_file_without_permission_is_refused() -> None:
    make("a.yaml")
    Path("a.yaml").chmod(0)
    assert refusal(SourceFile("a.yaml")) == ("unreadable-file", "cannot be read: permission denied")


def test_thousands_of_files_are_found() -> None:
    make(*(f"d{index % 50}/f{index}.yaml" for index in range(3_000)))
    assert len(discover(["."]).files) == 3_000
