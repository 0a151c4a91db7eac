"""``python -m trainergen.catalogue.generate``: write ``runtimes/`` and the runtimes of ``schemas/``, or ``--check``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from trainergen.catalogue.files import runtime_files, schema_files
from trainergen.datafiles import data_dir


def stale_files(runtimes: Path, schemas: Path) -> Iterator[tuple[Path, str | None]]:
    """The files that differ from the definitions, with the text they should have; None for those that should go."""
    expected = {runtimes / name: text for name, text in runtime_files()}
    for path, text in {**expected, **{schemas / name: text for name, text in schema_files()}}.items():
        if not path.is_file() or path.read_bytes() != text.encode():
            yield path, text
    for path in sorted(runtimes.rglob("*.yaml")):
        if path not in expected:
            yield path, None


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 1 when ``--check`` found stale files."""
    parser = argparse.ArgumentParser(prog="python -m trainergen.catalogue.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    options = parser.parse_args(arguments)
    stale = list(stale_files(data_dir("runtimes"), data_dir("schemas")))
    for path, text in stale:
        print(f"{'out of date' if options.check else 'removed' if text is None else 'written'}: {path}")
        if not options.check:
            _settle(path, text)
    return 1 if stale and options.check else 0


def _settle(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


if __name__ == "__main__":
    sys.exit(main())
