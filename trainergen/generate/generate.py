"""What ``overlays/`` has from the generators: ``python -m trainergen.generate.generate [--check]``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from trainergen.datafiles import data_dir
from trainergen.generate.component import NAME, component_files
from trainergen.releases import NEWEST

FOLDER = data_dir("overlays")


def generated() -> Iterator[tuple[Path, str]]:
    """Path and text of every generated file."""
    for file in component_files(NEWEST.name):
        yield FOLDER / "components" / NAME / file.path, file.text


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with ``--check`` say by the exit code whether the committed ones are the same."""
    stale = 0
    for path, text in generated():
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            sys.stderr.write(f"{path} is out of date: run python -m trainergen.generate.generate\n")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
