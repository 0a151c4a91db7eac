"""The one exception that means the tool cannot do what was asked."""

from __future__ import annotations


class TrainergenError(Exception):
    """A failure to report in one message with a way out.

    ``exit_code`` is 2 for usage, configuration and unreadable input, 3 for an internal error.
    """

    def __init__(self, message: str, *, hint: str = "", exit_code: int = 2) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.exit_code = exit_code
