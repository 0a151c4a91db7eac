"""Write ``schemas/core/encoding.json``: how Go's JSON encoder treats the zero values of the types in a JobSet template.

A runtime passes through Go types before anything is made of it, so ``readOnly: false`` disappears and a missing
``name`` comes back as an empty text. Per type, ``omits`` lists the fields that are held by value and left out when
zero, ``writes`` those that are always written, with their zero value. Lists, maps and objects follow from the schema.

Adding a release whose Kubernetes or JobSet changed (any number of files; the first name in a pair is the prefix that
the structural schemas use for the types of that file)::

    git -C api show v0.37.0:core/v1/types.go > core.go
    git -C api show v0.37.0:batch/v1/types.go > batch.go
    git -C apimachinery show v0.37.0:pkg/apis/meta/v1/types.go > meta.go
    git -C jobset show v0.13.0:api/jobset/v1alpha2/jobset_types.go > jobset.go
    python tools/go_shapes.py core.v1=core.go batch.v1=batch.go meta.v1=meta.go =jobset.go

Only types that some ``schemas/<release>/structural.json`` defines are kept. Run it for the oldest supported versions
too: the tool refuses to write when the file says something else about a field that both know.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, TypeAlias

Shapes: TypeAlias = dict[str, dict[str, Any]]
Struct: TypeAlias = list[tuple[str, str, str]]

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "schemas" / "core" / "encoding.json"
ZEROES: dict[str, Any] = {"string": "", "bool": False, "int": 0, "int32": 0, "int64": 0}
QUANTITIES = ("resource.Quantity",)
STRUCT = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
SCALAR = re.compile(r"^type (\w+) (string|bool|int|int32|int64)$", re.MULTILINE)
FIELD = re.compile(r'^\t(?:(\w+)\s+)?([\w.*\[\]]+)\s+`json:"([^"]*)"', re.MULTILINE)


def read(source: str) -> tuple[dict[str, Struct], dict[str, str]]:
    """The structs of a Go file with their fields (type, JSON name, options), and its scalar types."""
    structs = {name: [_field(*match) for match in FIELD.findall(body)] for name, body in STRUCT.findall(source)}
    return structs, dict(SCALAR.findall(source))


def _field(_name: str, go_type: str, tag: str) -> tuple[str, str, str]:
    json_name, _, options = tag.partition(",")
    return go_type, json_name, options


def shape(struct: Struct, structs: dict[str, Struct], scalars: dict[str, str]) -> dict[str, Any]:
    """What the encoder does with the zero values of one struct, inlined structs included."""
    omits: list[str] = []
    writes: dict[str, Any] = {}
    for go_type, name, options in struct:
        if not name:
            inner = shape(structs.get(go_type, []), structs, scalars)
            omits += inner["omits"]
            writes |= inner["writes"]
        elif go_type in QUANTITIES:
            writes[name] = "0"
        elif scalars.get(go_type, go_type) in ZEROES:
            zero = ZEROES[scalars.get(go_type, go_type)]
            if "omitempty" in options:
                omits.append(name)
            else:
                writes[name] = zero
    return {"omits": sorted(omits), "writes": dict(sorted(writes.items()))}


def defined() -> set[str]:
    """The names of all types that structural schemas define."""
    files = (ROOT / "schemas").glob("*/structural.json")
    return {name for file in files for name in json.loads(file.read_bytes())["definitions"]}


def merged(known: Shapes, found: Shapes) -> Shapes:
    """Both in one; a contradiction about a field ends the program."""
    for name, new in found.items():
        old = known.setdefault(name, {"omits": [], "writes": {}})
        for field in {*new["omits"], *new["writes"]} & {*old["omits"], *old["writes"]}:
            if (field in new["omits"]) != (field in old["omits"]):
                raise SystemExit(f"{name}.{field} is written in one version and omitted in another")
        omits = sorted({*old["omits"], *new["omits"]})
        known[name] = {"omits": omits, "writes": dict(sorted({**old["writes"], **new["writes"]}.items()))}
    return known


def main(arguments: list[str]) -> None:
    """Merge the files given as ``prefix=path`` into the recorded shapes."""
    known: Shapes = json.loads(TARGET.read_bytes()) if TARGET.exists() else {}
    wanted = defined()
    for argument in arguments:
        prefix, _, path = argument.partition("=")
        structs, scalars = read(Path(path).read_text())
        names = {f"{prefix}.{name}" if prefix else name: struct for name, struct in structs.items()}
        found = {name: shape(struct, structs, scalars) for name, struct in names.items() if name in wanted}
        known = merged(known, {name: value for name, value in found.items() if value["omits"] or value["writes"]})
    lines = ",\n".join(f'"{name}": {json.dumps(known[name])}' for name in sorted(known))
    TARGET.write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
