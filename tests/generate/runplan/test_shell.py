"""The script hands every word and every variable over as it is, in every shell that is there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainergen.generate.runplan.plan import Missing, Node, Plan
from trainergen.generate.runplan.shell import script

TELL = """
import json, os, sys
print(json.dumps([sys.argv[1:], {name: value for name, value in os.environ.items() if name.startswith("X_")}]))
"""
SHELLS = [name for name in ("sh", "bash", "dash") if shutil.which(name)]
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=("Cs",)), max_size=20)


def plan(words: list[str], variables: dict[str, str] | None = None, **more: object) -> Plan:
    command = (sys.executable, "-c", TELL, *words)
    return Plan("a/b", "one", (Node("node_0", "node", 0, command, variables or {}),), **more)  # type: ignore[arg-type]


def run(text: str, shell: str = "sh") -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    return subprocess.run([shell, "-c", text], env=env, capture_output=True, text=True, encoding="utf-8", check=False)


def told(done: subprocess.CompletedProcess[str]) -> object:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout.removeprefix("[node_0] "))


@settings(max_examples=15)
@given(words=st.lists(TEXT, max_size=4), value=TEXT)
def test_words_and_values_arrive_as_they_are(words: list[str], value: str) -> None:
    assert told(run(script(plan(words, {"X_VALUE": value})))) == [words, {"X_VALUE": value}]


HARD = ["'", '"', "$HOME", "`id`", "a b", "", "-n", "\\", "\n\nx\n", "*", "~", "!!", "#", "a=b", "ä…", "%s"]


@pytest.mark.parametrize("shell", SHELLS)
def test_what_shells_would_read_arrives_as_it_is(shell: str) -> None:
    variables = {f"X_{number}": value for number, value in enumerate(HARD)}
    assert told(run(script(plan(HARD, variables)), shell)) == [HARD, variables]


def test_a_program_with_an_equals_sign_is_no_variable(tmp_path: Path) -> None:
    program = tmp_path / "a=b"
    program.write_text('#!/bin/sh\necho "it ran with $1"\n')
    program.chmod(0o755)
    node = Node("node_0", "node", 0, (str(program), "x"), {"A": "1"})
    assert run(script(Plan("a/b", "one", (node,)))).stdout == "[node_0] it ran with x\n"


def test_a_last_line_without_an_end_is_not_lost() -> None:
    node = Node("node_0", "node", 0, ("printf", "a\\nb"), {})
    assert run(script(Plan("a/b", "one", (node,)))).stdout == "[node_0] a\n[node_0] b\n"


@settings(max_examples=15)
@given(text=TEXT)
def test_no_text_gets_out_of_the_comments(text: str) -> None:
    head = plan([], missing=(Missing("mount", text, text),), skipped=(text,), notes=(text,))
    assert told(run(script(head))) == [[], {}]
