"""From one short specification to the tree of a GitOps repository: ``build:`` of trainergen.yaml, or Python.

``spec`` is the form of the specification and the only package that knows pydantic; ``resolved`` is what it means.
The writers (``plain``, ``kustomize``, ``helm``, ``argocd``, ``flux``) are functions from resolved values to files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.generate.spec import Spec
    from trainergen.generate.workspace import Workspace

__all__ = ["Spec", "Workspace"]

_EXPORTS = {"Spec": "trainergen.generate.spec", "Workspace": "trainergen.generate.workspace"}


def __getattr__(name: str) -> object:
    """Import what is public when it is first used: single writers are imported without the models."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_EXPORTS[name]), name)
    globals()[name] = value
    return value
