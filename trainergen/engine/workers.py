"""Judging many files with several processes; results come back in the order of the files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.engine.judge import FileVerdict, Judge
    from trainergen.source import SourceFile

PARALLEL_FROM = 200
"""Below this many files a second process costs more than it saves."""
_CHUNK = 32

_judge: Judge | None = None


def judge_all(judge: Judge, files: Sequence[SourceFile]) -> Iterator[FileVerdict]:
    """The verdicts on ``files``, one by one and in order."""
    processes = _processes(judge.options.jobs, len(files))
    if processes == 1:
        yield from map(judge.judge, files)
        return
    import multiprocessing

    # NB: fork shares the compiled schemas and the index; elsewhere the judge is sent to each worker once.
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    with context.Pool(processes, _start, (judge,)) as pool:
        yield from pool.imap(_judge_one, files, chunksize=_CHUNK)


def _processes(jobs: int, files: int) -> int:
    if jobs == 1 or files < 2:
        return 1
    if jobs == 0:
        return min(os.cpu_count() or 1, 8) if files >= PARALLEL_FROM else 1
    return min(jobs, files)


def _start(judge: Judge) -> None:
    import signal

    global _judge  # noqa: PLW0603 - the one value a worker is started with
    _judge = judge
    # The parent handles Ctrl-C and ends the workers; they need not print a traceback each.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _judge_one(file: SourceFile) -> FileVerdict:
    assert _judge is not None
    return _judge.judge(file)
