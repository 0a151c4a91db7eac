"""The renderer: what the Trainer's controller would create for a TrainJob, without a cluster.

Start at ``pipeline.render``. Values go in and come out; nothing here reads files, clocks or random numbers.
"""

import sys
from types import ModuleType
from typing import Any

from trainergen.render.cluster import Cluster
from trainergen.render.errors import RenderError
from trainergen.render.model import PLACEHOLDER_UID
from trainergen.render.pipeline import render
from trainergen.render.provenance import Origin
from trainergen.render.rendered import Rendered
from trainergen.render.secret import GENERATED

__all__ = ["GENERATED", "PLACEHOLDER_UID", "Cluster", "Origin", "RenderError", "Rendered", "render"]


class _CallableModule(ModuleType):
    """Lets ``trainergen.render(job)`` work although importing this package makes that name a module."""

    def __call__(self, *args: Any, **kwargs: Any) -> Rendered:
        return render(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableModule
