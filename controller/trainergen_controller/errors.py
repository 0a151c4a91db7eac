"""What an API server, or the way to it, can answer instead of an object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ApiError(Exception):
    """An answer of the API server with a status code of 400 or more; ``reason`` is the one of its Status object."""

    def __init__(
        self, code: int, reason: str, message: str, *, retry_after: float | None = None, details: Mapping[str, Any] = {}
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.retry_after = retry_after
        """Seconds that the server asks to wait."""
        self.details = details

    def __str__(self) -> str:
        return f"{self.reason} ({self.code}): {self.message}"


class NotFoundError(ApiError):
    """404: no such object, or the kind is not served."""


class AlreadyExistsError(ApiError):
    """409 with reason AlreadyExists."""


class ConflictError(ApiError):
    """409: the resource version or a precondition is not what it was, or another manager owns a field."""


class GoneError(ApiError):
    """410: the resource version or the continue token is too old; list anew."""


class InvalidError(ApiError):
    """422: the object is not valid."""


class ForbiddenError(ApiError):
    """403: not allowed, or refused by a webhook."""


class TooManyRequestsError(ApiError):
    """429: wait ``retry_after`` seconds."""


class UnavailableError(Exception):
    """No answer: refused, reset, timed out, cut off, or not the API's language."""


def wait_asked(error: ApiError | UnavailableError) -> float:
    """Seconds that a server asked to wait before the next attempt; zero if it did not."""
    return float(error.retry_after or 0.0) if isinstance(error, ApiError) else 0.0


_BY_CODE: dict[int, type[ApiError]] = {
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    422: InvalidError,
    429: TooManyRequestsError,
}


def error_of(
    code: int, reason: str, message: str, *, retry_after: float | None = None, details: Mapping[str, Any] = {}
) -> ApiError:
    """The error that stands for a status code and reason."""
    made = AlreadyExistsError if reason == "AlreadyExists" else _BY_CODE.get(code, ApiError)
    return made(code, reason, message, retry_after=retry_after, details=details)
