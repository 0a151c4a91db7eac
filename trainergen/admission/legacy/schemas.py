"""The structural schemas of the legacy kinds, one set for each API version, since ``MPIJob`` exists in two."""

from __future__ import annotations

import json
from functools import cache

from trainergen.api.structural import Kind, StructuralSchemas
from trainergen.datafiles import data_dir


@cache
def load_legacy() -> dict[str, StructuralSchemas]:
    """The schemas by version: ``v1`` of the Training Operator (MXJob of 1.8), ``v2beta1`` of the MPI Operator."""
    raw = json.loads((data_dir("schemas") / "v1" / "structural.json").read_bytes())
    return {
        version: StructuralSchemas(
            release=version,
            definitions=raw["definitions"],
            kinds={name: Kind(kind=name, **entry) for name, entry in kinds.items()},
        )
        for version, kinds in raw["versions"].items()
    }
