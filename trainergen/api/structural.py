"""Reading of ``schemas/<release>/structural.json``: the structural schemas of the Trainer kinds.

On the path of every check, so json only: the typed model, which the file is generated from, is not imported.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from trainergen.datafiles import data_dir
from trainergen.errors import TrainergenError

Schema: TypeAlias = dict[str, Any]
"""A CRD structural schema node. ``Any``, because a schema is read key by key and each key has its own known type."""

GROUP = "trainer.kubeflow.org"
VERSION = "v1alpha1"
API_VERSION = f"{GROUP}/{VERSION}"


class Kind(NamedTuple):
    """One Trainer kind in one release; ``schema`` is the root node and may hold ``$ref`` nodes at any depth."""

    group: str
    version: str
    kind: str
    plural: str
    scope: str
    schema: Schema

    @property
    def api_version(self) -> str:
        """``group/version`` as manifests write it, ``v1`` for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def namespaced(self) -> bool:
        """False for kinds that live outside namespaces."""
        return self.scope == "Namespaced"


@dataclass(frozen=True, slots=True)
class StructuralSchemas:
    """The schemas of one release: ``kinds`` by kind name and the ``definitions`` that their ``$ref`` nodes name."""

    release: str
    definitions: dict[str, Schema]
    kinds: dict[str, Kind]
    _resolved: dict[int, tuple[Schema, Schema]] = field(default_factory=dict, repr=False, compare=False)

    def resolve(self, node: Schema) -> Schema:
        """``node`` without ``$ref``: the definition's content with the node's other keys laid over it.

        The result is shared and must not be changed. Only the node itself is resolved, not what lies below.
        """
        if "$ref" not in node:
            return node
        known = self._resolved.get(id(node))
        if known is not None:
            return known[1]
        content = self.resolve(self.definitions[node["$ref"]])
        resolved = {**content, **node}
        del resolved["$ref"]
        # The node is kept beside its result, so that its id cannot be given to another object.
        self._resolved[id(node)] = (node, resolved)
        return resolved


@cache
def load(release: str) -> StructuralSchemas:
    """The structural schemas of the release called ``release`` (``2.3``); an unknown name raises TrainergenError."""
    path = data_dir("schemas") / release / "structural.json"
    try:
        raw = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise TrainergenError(
            f"no schemas for Trainer release '{release}'",
            hint="Write the release as in 2.3, or reinstall trainergen if it is a supported one.",
        ) from error
    kinds = {
        name: Kind(
            group=entry["group"],
            version=entry["version"],
            kind=name,
            plural=entry["plural"],
            scope=entry["scope"],
            schema=entry["schema"],
        )
        for name, entry in raw["kinds"].items()
    }
    return StructuralSchemas(release=raw["release"], definitions=raw["definitions"], kinds=kinds)
