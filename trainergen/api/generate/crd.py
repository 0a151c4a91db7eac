"""``crds/*.yaml``: the CustomResourceDefinitions as the release has them, with our own descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from trainergen.api.generate.lowering import Lowering, plain_text
from trainergen.api.structural import GROUP, VERSION

if TYPE_CHECKING:
    from trainergen.api.resource import Resource
    from trainergen.api.structural import Schema
    from trainergen.releases import Release

PATCH_KEYS = frozenset({"x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy"})
"""Keys that only OpenAPI documents have; the API server refuses them in a CRD."""


class Flow(dict[str, Any]):
    """A mapping to write in flow style: embedded Kubernetes types, which nobody reads here, take most of the lines."""


class CrdDumper(yaml.CSafeDumper):
    """Writes ``Flow`` mappings on one line and repeats shared nodes rather than make anchors of them."""

    def ignore_aliases(self, data: Any) -> bool:
        """Never an alias: not all tools that read CRDs follow them."""
        del data
        return True


CrdDumper.add_representer(
    Flow, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=True)
)


def crd_file_name(model: type[Resource]) -> str:
    """The file name that controller-gen gives the CRD of a kind."""
    return f"{GROUP}_{model.resource.plural}.yaml"


def crd(model: type[Resource], release: Release) -> Schema:
    """The CustomResourceDefinition of a kind, everything inlined."""
    info = model.resource
    lowering = Lowering(release, described=True)
    root = lowering.object_schema(model)
    schema = {"description": plain_text(model.__doc__ or ""), **_inline(root, lowering, embedded=False)}
    # NB: the API server refuses a CRD that says anything of an object's own metadata but its type, even a description.
    schema["properties"]["metadata"] = {"type": "object"}
    version: Schema = {"name": VERSION, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    if info.columns:
        version["additionalPrinterColumns"] = [
            {"name": column.name, "type": column.type, "jsonPath": column.path} for column in info.columns
        ]
    if info.status:
        version["subresources"] = {"status": {}}
    names = {"kind": info.kind, "listKind": f"{info.kind}List", "plural": info.plural, "singular": info.kind.lower()}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{info.plural}.{GROUP}"},
        "spec": {"group": GROUP, "names": names, "scope": info.scope, "versions": [version]},
    }


def crd_text(model: type[Resource], release: Release) -> str:
    """The CustomResourceDefinition of a kind as YAML."""
    text = yaml.dump(crd(model, release), Dumper=CrdDumper, sort_keys=False, width=120, allow_unicode=True)
    return str(text)


def _inline(node: Any, lowering: Lowering, *, embedded: bool) -> Any:
    if isinstance(node, list):
        return [_inline(value, lowering, embedded=embedded) for value in node]
    if not isinstance(node, dict):
        return node
    name = node.get("$ref")
    if isinstance(name, str):
        siblings = {key: value for key, value in node.items() if key != "$ref"}
        content = _inline(lowering.definitions[name], lowering, embedded=embedded or name not in lowering.models)
        return {**siblings, **content, **siblings}
    mapping = Flow if embedded else dict
    return mapping(
        (key, _inline(value, lowering, embedded=embedded)) for key, value in node.items() if key not in PATCH_KEYS
    )
