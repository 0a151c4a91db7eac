"""Where a rendered value comes from, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.finding import format_path

if TYPE_CHECKING:
    from trainergen.render import Origin

_NAMES = {"trainjob": "TrainJob", "default": "default", "controller": "controller", "patch": "TrainJob"}


def origin_in_words(origin: Origin) -> tuple[str, str]:
    """Whose a value is, ``ClusterTrainingRuntime torch-distributed`` or ``plugin Torch``, and the path in that.

    The path of what a plugin made is that of the TrainJob's field it made it from.
    """
    name = _NAMES.get(origin.kind, origin.detail)
    if origin.kind == "plugin":
        name = f"plugin {origin.detail}"
    elif origin.kind == "patch" and origin.detail:
        name = f"patch of {origin.detail}"
    return name, format_path(origin.path)
