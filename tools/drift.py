"""Regenerate every generated file, or with ``--check`` say which differ from what is committed."""

from __future__ import annotations

import subprocess
import sys

GENERATORS = (
    "trainergen.api.generate",
    "trainergen.catalogue.generate",
    "trainergen.rules.generate",
    "trainergen.config.generate",
    "trainergen.generate.generate",
    "trainergen.generate.spec.reference",
)


def main(arguments: list[str]) -> int:
    """Run each generator with the same arguments; the exit code is the worst of theirs."""
    return max(subprocess.run([sys.executable, "-m", name, *arguments], check=False).returncode for name in GENERATORS)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
