"""What is generated from the rules: their index and the documentation: ``python -m trainergen.rules.generate``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from trainergen.rules.declare import Rule
from trainergen.rules.registry import INDEX, scan

DOCS = Path(__file__).parents[2] / "docs" / "rules"


def index_text(rules: dict[str, Rule]) -> str:
    """The index: one line a rule, defaults left out."""
    lines = [json.dumps(_entry(rule), ensure_ascii=False) for rule in rules.values()]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _entry(rule: Rule) -> dict[str, object]:
    defaults = Rule._field_defaults
    return {key: value for key, value in rule._asdict().items() if key not in defaults or value != defaults[key]}


def generated(broken: list[str]) -> Iterator[tuple[Path, str]]:
    """Path and text of every generated file; modules that cannot be imported are named in ``broken``."""
    from trainergen.rules.pages import page_files

    rules = scan(broken)
    yield INDEX, index_text(rules)
    for name, text in page_files(rules):
        yield DOCS / name, text


def main(arguments: Sequence[str]) -> int:
    """Write the files, or with ``--check`` say by the exit code whether the committed ones are the same."""
    check = "--check" in arguments
    broken: list[str] = []
    files = dict(generated(broken))
    stale = [path for path, text in files.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    gone = [path for path in sorted(DOCS.glob("*.md")) if path not in files]
    for path in [*stale, *gone]:
        print(f"{'out of date' if check else 'removed' if path in gone else 'written'}: {path}")
    for text in broken:
        print(f"left out: {text}")
    if check:
        return 1 if stale or gone or broken else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], encoding="utf-8", newline="\n")
    for path in gone:
        path.unlink()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
