"""The runtimes that a Trainer release ships, as cluster objects.

Read from what ``trainergen.catalogue`` generates, since admission and the renderer do without its typed definitions.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from trainergen.datafiles import data_dir

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


@cache
def shipped_runtimes(release: str) -> dict[str, JsonObject]:
    """The ClusterTrainingRuntimes of the release called ``release`` by name, without defaults; empty if unknown."""
    path = data_dir("schemas") / release / "runtimes.json"
    if not path.is_file():
        return {}
    objects: list[JsonObject] = json.loads(path.read_bytes())
    names = {}
    for obj in objects:
        metadata = obj["metadata"]
        assert isinstance(metadata, dict)
        names[str(metadata["name"])] = obj
    return names
