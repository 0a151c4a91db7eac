"""Building all targets of a run, several at a time."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.built.build import Build
from trainergen.built.helm import build_chart
from trainergen.built.kustomize import build_kustomization
from trainergen.built.runs import Runs
from trainergen.built.sandbox import Sandbox, TooLargeError
from trainergen.errors import TrainergenError
from trainergen.source.files import SourceFile

if TYPE_CHECKING:
    from trainergen.built.build import Target

_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def build_all(
    targets: Iterable[Target],
    *,
    values: tuple[str, ...] = (),
    texts: Mapping[str, bytes] | None = None,
    runs: Runs | None = None,
) -> list[Build]:
    """Build the targets, in their order.

    ``values`` are files with values for every chart; ``texts`` are built in place of what the files of these real
    paths hold. Raises TrainergenError when a file with values does not exist.
    """
    for name in values:
        if not Path(name).is_file():
            raise TrainergenError(f"--values names '{name}', but there is no such file", hint="Check the path.")
    waiting = list(targets)
    runs = runs or Runs()

    def build(target: Target) -> Build:
        return _build(target, runs, values=values, texts=texts or {})

    if len(waiting) < 2:
        return [build(target) for target in waiting]
    with ThreadPoolExecutor(min(len(waiting), os.cpu_count() or 1)) as pool:
        try:
            return list(pool.map(build, waiting))
        except BaseException:
            runs.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _build(target: Target, runs: Runs, *, values: tuple[str, ...], texts: Mapping[str, bytes]) -> Build:
    try:
        with tempfile.TemporaryDirectory(prefix="trainergen-") as folder:
            sandbox = Sandbox(Path(folder), texts)
            if target.is_chart:
                return build_chart(target, sandbox, runs, values)
            return build_kustomization(target, sandbox, runs)
    except (TooLargeError, OSError) as error:
        build = Build(target)
        reason = (
            "it is larger than a build can be" if isinstance(error, TooLargeError) else f"it cannot be copied: {error}"
        )
        build.leave(reason)
        return build


def made_file(build: Build) -> SourceFile:
    """The objects of a build as a file, one document each."""
    documents = (json.dumps(value, ensure_ascii=False) for value in build.objects or ())
    text = "".join(f"---\n{_UNPRINTABLE.sub(_escaped, document)}\n" for document in documents)
    return SourceFile(build.target.made, data=text.encode("utf-8", "surrogatepass"))


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
