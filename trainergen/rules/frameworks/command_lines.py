"""Command lines of containers: which programs they start, with which options, and where the words are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trainergen.rules import Container, Spot

_SHELLS = frozenset({"sh", "bash", "ash", "dash", "zsh"})
_REFERENCE = re.compile(r"\$\(([A-Za-z_]\w*)\)")
_PYTHON = re.compile(r"python[\d.]*")
_RUNNERS = ("torch.distributed.run", "torch.distributed.launch")
_SWITCHES = frozenset({"standalone", "module", "m", "no-python", "run-path", "help", "h"})
"""The options of torchrun that take no value.
pytorch/pytorch torch/distributed/run.py get_args_parser @ v2.9.0."""
# What looks like the program ends the options of mpirun: what follows is the program's own.
_OPTION = r"\s+(?!python|\S*/|\S*\.(?:py|sh)\b|\S*[;&|])\S+"
_MPIRUN = re.compile(
    rf"\b(?:mpirun|mpiexec|orterun|horovodrun)(?:(?:{_OPTION})*?\s+--?np|\s+-[nc])[ =](?P<processes>[0-9]{{1,9}})\b"
)
Options = dict[str, str]


def program(word: str) -> str:
    """The name of the program that a word starts, without its folder."""
    return word.rpartition("/")[2]


def is_python(word: str) -> bool:
    """Whether a word starts Python."""
    return _PYTHON.fullmatch(program(word)) is not None


def script_of(words: Sequence[str]) -> str | None:
    """The script that a shell gets with ``-c``; None where there is no shell, or it runs a file."""
    if not words or program(words[0]) not in _SHELLS:
        return None
    for number, word in enumerate(words[1:-1], 2):
        if re.fullmatch(r"-[a-z]*c", word):
            return words[number]
        if "/" in word or word.endswith(".sh"):
            return None
    return None


def words_of(container: Container) -> list[str]:
    """The words of the command and its arguments, of a script those that are in it; none where it cannot be split."""
    words = [*container.command, *container.args]
    script = script_of(words)
    return words if script is None else _split(script)


def text_of(container: Container) -> str:
    """The whole command line as one text."""
    return " ".join([*container.command, *container.args])


def runs_file(words: Sequence[str]) -> bool:
    """Whether a shell script of the image is part of it, of which nothing is known."""
    return any(word.endswith((".sh", ".bash")) for word in words)


def plain_python(container: Container) -> str:
    """The word that starts a Python program without anything before it; empty where something else may start it."""
    words = words_of(container)
    if not words or runs_file(words):
        return ""
    if not container.command:
        return words[0] if words[0].endswith(".py") or is_python(words[0]) else ""
    if script_of([*container.command, *container.args]) is None:
        words = words[:1]
    return next((word for number, word in enumerate(words) if is_python(word) and "pip" not in words[number:][:3]), "")


def torchrun_options(words: Sequence[str]) -> Options | None:
    """The options of torchrun by name, with ``-`` for ``_``; None where nothing starts it."""
    start = next((number for number, word in enumerate(words) if _is_torchrun(words, number, word)), None)
    if start is None:
        return None
    found: Options = {}
    rest = iter(words[start + 1 :])
    for word in rest:
        if not word.startswith("-"):
            break
        name, equals, value = word.partition("=")
        name = name.lstrip("-").replace("_", "-")
        if not equals and name not in _SWITCHES:
            value = next(rest, "")
        found[name] = value
    return found


def mpirun_processes(text: str) -> list[int]:
    """For how many processes a command line starts mpirun, once for each time that it says a number."""
    return [int(number) for number in _MPIRUN.findall(text)]


def place_of(container: Container, text: str) -> Spot:
    """Where a text is in the command or its arguments; the command where it is nowhere as such."""
    for key, words in (("args", container.args), ("command", container.command)):
        for number, word in enumerate(words):
            if text in word:
                return container.at(key, number)
    return container.at("command" if container.command else "args")


def _is_torchrun(words: Sequence[str], number: int, word: str) -> bool:
    return program(word) == "torchrun" or (word in _RUNNERS and words[number - 1] == "-m")


def _split(script: str) -> list[str]:
    from shlex import shlex

    text = _REFERENCE.sub(r"$\1", script.replace("\\\n", " ")).replace("\n", " ; ")
    reader = shlex(text, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    reader.commenters = ""
    try:
        return list(reader)
    except ValueError:
        return []
