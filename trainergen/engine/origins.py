"""Where a rendered value comes from, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.finding import format_path

if TYPE_CHECKING:
    from trainergen.render import Origin


def origin_in_words(origin: Origin) -> str:
    """``ClusterTrainingRuntime torch-distributed spec.mlPolicy.numNodes``, ``plugin Torch``."""
    path = format_path(origin.path)
    if origin.kind == "trainjob":
        return f"TrainJob {path}".strip()
    if origin.kind == "patch":
        return f"patch of {origin.detail} at {path}" if origin.detail else f"TrainJob {path}"
    if origin.kind in ("runtime", "snapshot", "object"):
        return f"{origin.detail} {path}".strip()
    if origin.kind == "plugin":
        return f"plugin {origin.detail}" + (f" from {path}" if path else "")
    if origin.kind == "default":
        return f"default of {path}"
    return f"controller ({origin.detail})" if origin.detail else "controller"
