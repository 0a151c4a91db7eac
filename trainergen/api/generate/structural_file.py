"""``structural.json``: the schemas that admission and the renderer read, all that CRDs have but descriptions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from trainergen.api.generate.lowering import Lowering
from trainergen.api.kinds import KINDS
from trainergen.api.structural import GROUP, VERSION

if TYPE_CHECKING:
    from trainergen.releases import Release


def structural_file(release: Release) -> str:
    """The file's text: kinds and definitions one a line, so that a diff names what changed."""
    lowering = Lowering(release)
    kinds = {
        model.resource.kind: {
            "group": GROUP,
            "version": VERSION,
            "plural": model.resource.plural,
            "scope": model.resource.scope,
            "schema": lowering.object_schema(model),
        }
        for model in KINDS
    }
    lines = ["{", f'"release":{json.dumps(release.name)},', '"definitions":{']
    lines.append(",\n".join(_entry(name, lowering.definitions[name]) for name in sorted(lowering.definitions)))
    lines += ["},", '"kinds":{', ",\n".join(_entry(name, kinds[name]) for name in kinds), "}}", ""]
    return "\n".join(lines)


def _entry(name: str, value: object) -> str:
    return f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}"
