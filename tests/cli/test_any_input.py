"""Whatever the bytes of a file are: an exit code that means something, no traceback, and the same output twice."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.manifests import GOOD, NEEDS_DATASET, RUNTIME
from trainergen.cli import main

TEXTS = (GOOD, RUNTIME, NEEDS_DATASET, f"{RUNTIME}---\n{NEEDS_DATASET}")


def check(data: bytes, *arguments: str) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "job.yaml"
        file.write_bytes(data)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["check", str(file), "--release", "2.3", *arguments])
        assert err.getvalue() == ""
        return code, out.getvalue().replace(folder, "")


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A manifest with a stretch of it replaced."""
    text = draw(st.sampled_from(TEXTS)).encode()
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 40)))
    return text[:start] + draw(st.binary(max_size=20)) + text[end:]


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(max_size=200), damaged(), st.text(max_size=200).map(str.encode)))
def test_any_bytes_end_with_a_known_exit_code_and_the_same_output_twice(data: bytes) -> None:
    first = check(data, "--format", "json")
    assert first[0] in {0, 1, 2}
    assert check(data, "--format", "json") == first
    json.loads(first[1])
    assert check(data)[0] == first[0], "the exit code does not depend on the format"


@st.composite
def reshaped(draw: st.DrawFn) -> bytes:
    """A TrainJob in which one value anywhere is replaced by one of another shape."""
    import yaml

    job = yaml.safe_load(draw(st.sampled_from((GOOD, NEEDS_DATASET, RUNTIME))))
    node, seen = job, 0
    while isinstance(node, dict | list) and node:
        key = draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        child = node[key]
        if not isinstance(child, dict | list) or draw(st.integers(0, 4)) == seen:
            node[key] = draw(
                st.sampled_from((None, 1, -1, 2.5, True, "", "x", [], {}, [None], [[]], {"a": None}, 1 << 70))
            )
            break
        node, seen = child, seen + 1
    return json.dumps(job).encode()


@settings(max_examples=200, deadline=None)
@given(reshaped(), st.sampled_from(("2.0", "2.1", "2.2", "2.3")))
def test_a_value_of_any_shape_anywhere_is_a_verdict(data: bytes, release: str) -> None:
    code, out = check(data, "--format", "json", "--release", release)
    assert code in {0, 1}
    assert (code == 1) == bool(json.loads(out)["summary"]["errors"])


@pytest.mark.parametrize(
    ("data", "code", "check_id"),
    {
        "an empty file holds nothing": (b"", 0, None),
        "comments only": (b"# nothing\n", 0, None),
        "binary": (b"\x00\x01\x02\xff" * 30, 1, "TG006"),
        "not UTF-8": (b"name: \xff\xfe\n", 1, "TG005"),
        "a truncated flow sequence": (GOOD.encode() + b"  x: [a, b", 1, "TG007"),
        "a file of fifty megabytes": (b"# " + b"x" * 50_000_000, 2, "TG004"),
        "ten thousand levels": (b"[" * 10_000 + b"]" * 10_000, 1, "TG014"),
        "a thousand and a half levels of block mappings": (
            b"\n".join(b" " * depth + b"a:" for depth in range(1_500)),
            1,
            "TG014",
        ),
        "an alias bomb": (
            b"a0: &a0 [x, x]\n"
            + b"".join(b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 12)),
            1,
            "TG013",
        ),
    }.values(),
)
def test_input_made_to_hurt_gets_one_clear_finding(data: bytes, code: int, check_id: str | None) -> None:
    got, out = check(data, "--format", "json")
    assert got == code
    rules = [finding["rule"] for finding in json.loads(out)["findings"]]
    assert rules == ([] if check_id is None else [check_id])


def test_pipes_links_and_unreadable_things_do_not_stop_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.yaml")
    Path("loop").symlink_to(".")
    Path("dangling.yaml").symlink_to("nowhere.yaml")
    Path("self.yaml").symlink_to("self.yaml")
    Path("folder.yaml").mkdir()
    Path("job.yaml").write_text(GOOD)
    assert main(["check", ".", "--format", "json"]) == 0
    assert main(["check", "pipe.yaml", "dangling.yaml", "folder.yaml", "job.yaml"]) == 2
    out = capsys.readouterr().out
    assert "pipe.yaml:1:1: error[TG003] is a pipe, not a file" in out
    assert "dangling.yaml:1:1: error[TG002] the link leads nowhere" in out
