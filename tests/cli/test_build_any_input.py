"""Whatever a specification says: an exit code that means something, and a message with a place."""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from tests.generate.specs import EXAMPLE
from trainergen.cli import main

TEXT = EXAMPLE.read_text(encoding="utf-8")
LINES = TEXT.splitlines(keepends=True)
WORDS = ["", "0", "-1", "1e999", "null", "[]", "{}", "[a]", "{a: b}", "yes", "x" * 300, "ü", "'", "nan", "99999999999"]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The example with lines left out, doubled or moved, and values replaced."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        line = lines[at]
        match draw(st.sampled_from(["drop", "double", "value", "indent", "cut"])):
            case "drop":
                lines[at] = ""
            case "double":
                lines.insert(at, line)
            case "value":
                lines[at] = f"{line.partition(':')[0]}: {draw(st.sampled_from(WORDS))}\n"
            case "indent":
                lines[at] = f"  {line}"
            case "cut":
                lines[at] = line[: draw(st.integers(0, len(line)))] + "\n"
    return "".join(lines)


def build(text: str) -> tuple[int, str]:
    """Exit code and errors of a build of ``text`` that writes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trainergen.yaml"
        file.write_text(text, encoding="utf-8")
        shutil.copytree(EXAMPLE.parent / "src", Path(folder) / "src")
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["build", str(file), "--check"])
        return code, err.getvalue().replace(folder, "")


@given(damaged())
@example(TEXT)
def test_a_damaged_specification_is_built_or_refused_with_places(text: str) -> None:
    code, errors = build(text)
    if code == 1:
        assert errors == ""
        return
    assert code == 2
    first, *_, last = errors.splitlines()
    assert first.startswith("error: /trainergen.yaml:")
    assert last.startswith("hint: ")
