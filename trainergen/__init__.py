"""trainergen: GitOps manifest generator and validation toolkit for Kubeflow Trainer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.admission.admit import admit
    from trainergen.engine.api import check
    from trainergen.render import RenderError, render

__all__ = ["RenderError", "__version__", "admit", "check", "render"]
__version__ = "0.1.0"

_EXPORTS = {
    "RenderError": "trainergen.render",
    "admit": "trainergen.admission.admit",
    "check": "trainergen.engine.api",
    "render": "trainergen.render",
}


def __getattr__(name: str) -> object:
    """Import the public functions when they are first used, since the command line often needs only one of them."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value
