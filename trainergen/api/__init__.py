"""The typed model of Trainer's kinds: ``from trainergen.api import TrainJob, TrainJobSpec, RuntimeRef``.

The classes are imported when first asked for, because checking needs the schemas in this package but not pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.api.authoring import *  # noqa: F403


def __getattr__(name: str) -> object:
    if name[:1].isupper():
        from trainergen.api import authoring

        if name in authoring.__all__:
            return getattr(authoring, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    from trainergen.api import authoring

    return sorted({*globals(), *authoring.__all__})
