"""Write ``schemas/core/builtin-kinds.json``: what kustomize has to know of the common built-in kinds to merge patches.

A kustomization that names an OpenAPI file loses kustomize's own one, and with it the merge keys of Deployments and the
like. So the file that trainergen emits carries the built-in kinds that GitOps trees use, reduced to structure and merge
keys. To take them from a newer Kubernetes, run::

    python tools/builtin_kinds.py --kubernetes 1.37 swagger.json

on ``api/openapi-spec/swagger.json`` of kubernetes/kubernetes or on ``kubernetes/swagger.json.unprocessed`` of
kubernetes-client/python (the same document), then ``python -m trainergen.api.generate`` and the tests.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from core_snapshot import PATCH_KEYS, Schema, dump_types, type_name

KINDS = (
    "io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration",
    "io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration",
    "io.k8s.api.apps.v1.DaemonSet",
    "io.k8s.api.apps.v1.Deployment",
    "io.k8s.api.apps.v1.StatefulSet",
    "io.k8s.api.batch.v1.CronJob",
    "io.k8s.api.batch.v1.Job",
    "io.k8s.api.core.v1.ConfigMap",
    "io.k8s.api.core.v1.Namespace",
    "io.k8s.api.core.v1.PersistentVolumeClaim",
    "io.k8s.api.core.v1.Secret",
    "io.k8s.api.core.v1.Service",
    "io.k8s.api.core.v1.ServiceAccount",
    "io.k8s.api.networking.v1.NetworkPolicy",
    "io.k8s.api.rbac.v1.ClusterRole",
    "io.k8s.api.rbac.v1.ClusterRoleBinding",
    "io.k8s.api.rbac.v1.Role",
    "io.k8s.api.rbac.v1.RoleBinding",
)
GVK = "x-kubernetes-group-version-kind"
KEPT = ("type", "x-kubernetes-list-map-keys", *PATCH_KEYS)


class Reduction:
    """The definitions reachable from some kinds, reduced to structure and merge keys."""

    def __init__(self, definitions: dict[str, Schema]) -> None:
        self._definitions = definitions
        self.types: dict[str, Schema] = {}

    def add_kind(self, name: str) -> None:
        """Add a kind without its status, which no manifest in Git has."""
        self._add(name)
        reduced = self.types[type_name(name)]
        reduced["properties"].pop("status", None)
        reduced[GVK] = self._definitions[name][GVK]

    def reachable(self) -> dict[str, Schema]:
        """The types that the kinds refer to, directly or not."""
        wanted = [name for name, schema in self.types.items() if GVK in schema]
        found: dict[str, Schema] = {}
        while wanted:
            name = wanted.pop()
            if name not in found:
                found[name] = self.types[name]
                wanted.extend(references(found[name]))
        return found

    def _add(self, name: str) -> None:
        short = type_name(name)
        if short not in self.types:
            self.types[short] = {}
            self.types[short] = self._reduce(self._definitions[name])

    def _reduce(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            full = schema["$ref"].rsplit("/", 1)[-1]
            self._add(full)
            return {"$ref": type_name(full)} | {key: schema[key] for key in PATCH_KEYS if key in schema}
        reduced = {key: schema[key] for key in KEPT if key in schema}
        if PATCH_KEYS[1] not in reduced:
            reduced.pop("x-kubernetes-list-map-keys", None)
        if "properties" in schema:
            reduced["properties"] = {name: self._reduce(value) for name, value in schema["properties"].items()}
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                reduced[key] = self._reduce(schema[key])
        return reduced


def references(node: Any) -> list[str]:
    """The names of all types that a schema refers to."""
    if isinstance(node, list):
        return [name for value in node for name in references(value)]
    if not isinstance(node, dict):
        return []
    own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
    return own + [name for value in node.values() for name in references(value)]


def main() -> None:
    """Parse the command line and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kubernetes", required=True, metavar="MINOR", help="minor that the document describes")
    parser.add_argument("swagger", type=Path, help="OpenAPI v2 document of Kubernetes")
    parser.add_argument("--output", type=Path, default=Path("schemas/core"), help="folder to write to")
    options = parser.parse_args()
    document = json.loads(options.swagger.read_bytes())
    reduction = Reduction(document["definitions"])
    for kind in KINDS:
        reduction.add_kind(kind)
    text = dump_types(reduction.reachable(), {"kubernetes": options.kubernetes})
    (options.output / "builtin-kinds.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
