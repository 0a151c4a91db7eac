"""``python -m trainergen.api.generate``: write ``schemas/<release>``, or with ``--check`` report what is stale."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from trainergen.api.generate.crd import crd_file_name, crd_text
from trainergen.api.generate.json_schema import json_schema_file_name, json_schema_text
from trainergen.api.generate.kustomize import kustomize_text
from trainergen.api.generate.structural_file import structural_file
from trainergen.api.kinds import KINDS
from trainergen.datafiles import data_dir
from trainergen.releases import RELEASES, Release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def generated(release: Release) -> Iterator[tuple[str, str]]:
    """Path below ``schemas/<release>`` and text of every generated file."""
    yield "structural.json", structural_file(release)
    yield "kustomize-openapi.json", kustomize_text(release)
    for model in KINDS:
        yield f"crds/{crd_file_name(model)}", crd_text(model, release)
        yield json_schema_file_name(model), json_schema_text(model, release)


def stale_files(root: Path) -> Iterator[tuple[Path, str]]:
    """The files below ``root`` that differ from what the model gives, with the text they should have."""
    for release in RELEASES:
        for name, text in generated(release):
            path = root / release.name / name
            if not path.is_file() or path.read_bytes() != text.encode():
                yield path, text


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 1 when ``--check`` found stale files."""
    parser = argparse.ArgumentParser(prog="python -m trainergen.api.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    options = parser.parse_args(arguments)
    stale = 0
    for path, text in stale_files(data_dir("schemas")):
        stale += 1
        print(f"{'out of date' if options.check else 'written'}: {path}")
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
