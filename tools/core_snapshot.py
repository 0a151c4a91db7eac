"""Write ``schemas/core/<minor>.json``: the Kubernetes types that Trainer's CRDs embed, in CRD form, undescribed.

A CRD holds those types inlined and nameless; the OpenAPI document of the same Trainer release names the type at each
``$ref`` and carries the strategic-merge keys, but lacks what only CRDs have (defaults, formats, CEL, list types of some
fields). So both are walked side by side, and what the CRD has at a reference is recorded once under the type's name.

Adding a Trainer release whose Kubernetes minor has no snapshot yet::

    git -C trainer show v2.4.0:api/openapi-spec/swagger.json > swagger.json
    git -C trainer show v2.4.0:manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml > trainjobs.yaml
    git -C trainer show v2.4.0:manifests/base/crds/trainer.kubeflow.org_trainingruntimes.yaml > trainingruntimes.yaml
    python tools/core_snapshot.py --kubernetes 1.37 --swagger swagger.json trainjobs.yaml trainingruntimes.yaml

then name the minor in the new ``Release`` and run ``python -m trainergen.api.generate`` and the tests. A diff between
two snapshots (one type a line) is the list of what changed in Kubernetes.

Where one type occurs with different keys beside its properties (a field that declares its own default, list type or
rule), the type keeps what all occurrences share and the rest stays with the referring field.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, TypeAlias

import yaml

Schema: TypeAlias = dict[str, Any]

OWN_TYPES = ("trainer.", "jobset.")
"""Swagger names that the typed model describes itself."""
CHILD_KEYS = frozenset({"properties", "items", "additionalProperties"})
PATCH_KEYS = ("x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy")
ROOT_FIELDS = frozenset({"apiVersion", "kind", "metadata"})


def type_name(swagger_name: str) -> str:
    """``io.k8s.api.core.v1.EnvVar`` as ``core.v1.EnvVar``: group, version (or package) and type."""
    return ".".join(swagger_name.split(".")[-3:]) if swagger_name.startswith("io.k8s.") else swagger_name


class Walker:
    """Two walks over CRD and OpenAPI: ``survey`` finds what a type's occurrences share, ``build`` writes it down."""

    def __init__(self, swagger: Schema) -> None:
        self._schemas: dict[str, Schema] = swagger["components"]["schemas"]
        self._shared: dict[str, Schema] = {}
        self.types: dict[str, Schema] = {}

    def survey(self, crd: Schema, open_api: Schema) -> None:
        """Note the keys of every occurrence of an embedded type below ``crd``."""
        name, open_api = self._dereference(open_api)
        if name:
            own = {key: value for key, value in crd.items() if key not in CHILD_KEYS}
            known = self._shared.setdefault(name, own)
            self._shared[name] = {key: value for key, value in known.items() if key in own and own[key] == value}
        for child, child_api in children(crd, open_api):
            self.survey(child, child_api)

    def build(self, crd: Schema, open_api: Schema) -> Schema:
        """``crd`` with embedded types replaced by references; the types themselves are collected in ``types``."""
        name, target = self._dereference(open_api)
        node = {key: value for key, value in crd.items() if key != "description"}
        node |= {key: open_api[key] for key in PATCH_KEYS if key in open_api}
        for key in CHILD_KEYS & crd.keys():
            if key == "properties":
                fields = target["properties"]
                node[key] = {field: self.build(crd[key][field], fields[field]) for field in sorted(crd[key])}
            elif isinstance(crd[key], dict) and isinstance(target.get(key), dict):
                node[key] = self.build(crd[key], target[key])
        if not name:
            return node
        content = {key: value for key, value in node.items() if key in CHILD_KEYS or key in self._shared[name]}
        if self.types.setdefault(name, content) != content:
            raise SystemExit(f"type {name} occurs with different fields; it cannot be one definition")
        return {"$ref": name} | {key: value for key, value in node.items() if key not in content}

    def _dereference(self, open_api: Schema) -> tuple[str, Schema]:
        """The embedded type that ``open_api`` refers to (empty for own types and plain nodes) and its schema."""
        reference = open_api
        if len(open_api.get("allOf", ())) == 1:
            reference = open_api["allOf"][0]
        if "$ref" not in reference:
            return "", open_api
        full = reference["$ref"].rsplit("/", 1)[-1]
        return "" if full.startswith(OWN_TYPES) else type_name(full), self._schemas[full]


def children(crd: Schema, open_api: Schema) -> list[tuple[Schema, Schema]]:
    """The pairs of sub-schemas of a CRD node and its OpenAPI counterpart."""
    pairs = [(value, open_api["properties"][field]) for field, value in crd.get("properties", {}).items()]
    return pairs + [
        (crd[key], open_api[key])
        for key in ("items", "additionalProperties")
        if isinstance(crd.get(key), dict) and isinstance(open_api.get(key), dict)
    ]


def read_crd(path: Path) -> tuple[str, Schema]:
    """Kind and schema of a CRD's first version, its root fields (which the API server owns) left out."""
    spec = yaml.safe_load(path.read_bytes())["spec"]
    schema = spec["versions"][0]["schema"]["openAPIV3Schema"]
    fields = {field: value for field, value in schema["properties"].items() if field not in ROOT_FIELDS}
    return spec["names"]["kind"], {**schema, "properties": fields}


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


def collect(swagger: Schema, crds: list[tuple[str, Schema]]) -> dict[str, Schema]:
    """The embedded types below the given CRDs, by name."""
    walker = Walker(swagger)
    roots = [
        (drop_descriptions(crd), swagger["components"]["schemas"][f"trainer.v1alpha1.{kind}"]) for kind, crd in crds
    ]
    for crd, open_api in roots:
        walker.survey(crd, open_api)
    for crd, open_api in roots:
        walker.build(crd, open_api)
    return walker.types


def dump_types(types: dict[str, Schema], header: dict[str, str]) -> str:
    """One type a line, sorted, so that a diff between two snapshots names the types that changed."""
    lines = [f"{json.dumps(key)}:{json.dumps(value)}," for key, value in header.items()]
    entries = [
        f"{json.dumps(name)}:{json.dumps(types[name], sort_keys=True, separators=(',', ':'))}" for name in sorted(types)
    ]
    return "{\n" + "\n".join(lines) + '\n"types":{\n' + ",\n".join(entries) + "\n}}\n"


def main() -> None:
    """Parse the command line and write the snapshot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--kubernetes", required=True, metavar="MINOR", help="Kubernetes minor of the release's k8s.io/api"
    )
    parser.add_argument("--swagger", required=True, type=Path, help="the release's api/openapi-spec/swagger.json")
    parser.add_argument("--output", type=Path, default=Path("schemas/core"), help="folder to write to")
    parser.add_argument("crds", nargs="+", type=Path, help="the release's CRD files")
    options = parser.parse_args()
    types = collect(json.loads(options.swagger.read_bytes()), [read_crd(path) for path in options.crds])
    target = options.output / f"{options.kubernetes}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(dump_types(types, {"kubernetes": options.kubernetes}), encoding="utf-8")


if __name__ == "__main__":
    main()
