"""The published JSON Schema of the configuration, for editors: ``python -m trainergen.config.generate [--check]``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from trainergen.config.model import ConfigFile
from trainergen.config.rules import rules_schema
from trainergen.datafiles import data_dir
from trainergen.generate.spec import Spec

FILE = data_dir("schemas") / "trainergen-config.schema.json"


def schema_text() -> str:
    """The schema as it is written to the file."""
    schema = ConfigFile.model_json_schema(by_alias=True)
    section = schema["$defs"]["CheckSection"]["properties"]
    section["rules"] = {**rules_schema(), "description": section["rules"]["description"]}
    build = Spec.model_json_schema(by_alias=True)
    schema["$defs"] |= build.pop("$defs")
    schema["properties"]["build"] = build
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "trainergen"}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the schema, or with ``--check`` say by the exit code whether the committed one is the same."""
    text = schema_text()
    if "--check" in arguments:
        if FILE.is_file() and FILE.read_text(encoding="utf-8") == text:
            return 0
        sys.stderr.write(f"{FILE.name} is out of date: run python -m trainergen.config.generate\n")
        return 1
    FILE.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
