"""Write ``schemas/v1/structural.json``: the legacy kinds of the Training Operator and of the MPI Operator, undescribed.

The kinds embed the same Pod template, so every sub-schema that occurs more than once becomes a definition, named after
the field that it was first seen in. The kinds of one API version are kept together, since ``MPIJob`` exists in two::

    git -C trainer show v1.9.2:manifests/base/crds/kubeflow.org_pytorchjobs.yaml > pytorchjobs.yaml   # and the others
    git -C trainer show v1.8.1:manifests/base/crds/kubeflow.org_mxjobs.yaml > mxjobs.yaml
    git -C mpi-operator show v0.8.0:manifests/base/kubeflow.org_mpijobs.yaml > mpijobs-v2beta1.yaml
    python tools/legacy_schemas.py *.yaml
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any, TypeAlias

import yaml

Schema: TypeAlias = dict[str, Any]

SMALLEST = 120
"""Characters below which a schema is written out wherever it occurs."""
ROOT_FIELDS = frozenset({"apiVersion", "kind", "metadata"})


def drop_descriptions(node: Any, *, named: bool = False) -> Any:
    """``node`` without ``description`` keys; in a map of properties (``named``) that is a name like any other."""
    if isinstance(node, list):
        return [drop_descriptions(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: drop_descriptions(value, named=key == "properties" and not named)
        for key, value in node.items()
        if named or key != "description"
    }


def text_of(schema: Schema) -> str:
    """A schema as the text that equal schemas share."""
    return json.dumps(schema, sort_keys=True, separators=(",", ":"))


def children(schema: Schema) -> list[tuple[str, Schema]]:
    """The sub-schemas of a schema, each with the field or keyword that leads to it."""
    found = list(schema.get("properties", {}).items())
    return found + [
        (key, schema[key]) for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)
    ]


class Sharing:
    """Finds equal sub-schemas and replaces them by references."""

    def __init__(self, roots: list[Schema]) -> None:
        self._seen: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self.definitions: dict[str, Schema] = {}
        for root in roots:
            self._count(root)

    def _count(self, schema: Schema) -> None:
        text = text_of(schema)
        self._seen[text] += 1
        if self._seen[text] == 1:
            for _, child in children(schema):
                self._count(child)

    def share(self, schema: Schema, name: str, owner: str) -> Schema:
        """``schema`` with shared parts, itself included, as references."""
        text = text_of(schema)
        if self._seen[text] < 2 or len(text) < SMALLEST:
            return self._inside(schema, name)
        if text not in self._names:
            chosen = self._name(owner if name in ("items", "additionalProperties") else name)
            self._names[text] = chosen
            self.definitions[chosen] = {}
            self.definitions[chosen] = self._inside(schema, chosen)
        return {"$ref": self._names[text]}

    def _inside(self, schema: Schema, owner: str) -> Schema:
        shared = dict(schema)
        if "properties" in schema:
            shared["properties"] = {
                key: self.share(value, key, owner) for key, value in sorted(schema["properties"].items())
            }
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                shared[key] = self.share(schema[key], key, owner)
        return shared

    def _name(self, wanted: str) -> str:
        plain = wanted.rstrip("0123456789")
        taken = sum(1 for name in self.definitions if name.rstrip("0123456789") == plain)
        return f"{plain}{taken + 1}" if taken else plain


def read(path: Path) -> list[tuple[str, str, Schema]]:
    """Version, kind and entry (group, version, plural, scope, schema) of every served version in a CRD file."""
    found = []
    for crd in filter(None, yaml.safe_load_all(path.read_bytes())):
        spec = crd["spec"]
        names = {"group": spec["group"], "plural": spec["names"]["plural"], "scope": spec["scope"]}
        for version in spec["versions"]:
            schema = drop_descriptions(version["schema"]["openAPIV3Schema"])
            fields = {field: value for field, value in schema["properties"].items() if field not in ROOT_FIELDS}
            entry = {**names, "version": version["name"], "schema": {**schema, "properties": fields}}
            found.append((version["name"], spec["names"]["kind"], entry))
    return found


def collect(paths: list[Path]) -> Schema:
    """The file's content: definitions, and the kinds of each API version."""
    entries = sorted((found for path in paths for found in read(path)), key=lambda found: found[:2])
    sharing = Sharing([entry["schema"] for _, _, entry in entries])
    versions: dict[str, Schema] = {}
    for version, kind, entry in entries:
        versions.setdefault(version, {})[kind] = {**entry, "schema": sharing.share(entry["schema"], kind, kind)}
    return {"definitions": sharing.definitions, "versions": versions}


def main() -> None:
    """Parse the command line and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("schemas/v1/structural.json"), help="file to write")
    parser.add_argument("crds", nargs="+", type=Path, help="CRD files")
    options = parser.parse_args()
    options.output.parent.mkdir(parents=True, exist_ok=True)
    content = collect(options.crds)
    lines = [f"{json.dumps(name)}:{text_of(schema)}" for name, schema in sorted(content["definitions"].items())]
    versions = text_of(content["versions"])
    text = '{"definitions":{\n' + ",\n".join(lines) + '\n},\n"versions":' + versions + "}\n"
    options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
