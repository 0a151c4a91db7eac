"""The error that means: the real controller would fail on this TrainJob."""

from __future__ import annotations

from trainergen.errors import TrainergenError


class RenderError(TrainergenError):
    """What the controller would do instead of creating objects; ``help`` says how to fix it."""

    def __init__(self, message: str, help: str = "") -> None:  # noqa: A002
        super().__init__(message, hint=help)
        self.help = help


def undefaulted(field: str) -> RenderError:
    """The error for a policy without ``field``, which the API server always sets and the controller relies on."""
    return RenderError(
        f"'{field}' is missing from the runtime's snapshot, on which the controller panics",
        help="Delete the snapshot: it was not written by the controller, which takes runtimes with their defaults.",
    )
