"""One JSON object a line on standard error; values are said by key, and nothing of a Secret ever is one."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

_ROOT = "trainergen_controller"
# Who uses parts of the controller without asking for its logs gets none.
logging.getLogger(_ROOT).addHandler(logging.NullHandler())


class Logger:
    """Messages of one part; fields are written as they are, so pass names and counts, never whole objects."""

    def __init__(self, part: str) -> None:
        self._logger = logging.getLogger(f"{_ROOT}.{part}")
        self._part = part

    def debug(self, message: str, **fields: Any) -> None:
        """For those who search for a fault."""
        self._say(logging.DEBUG, message, fields)

    def info(self, message: str, **fields: Any) -> None:
        """What happens in the normal course of things."""
        self._say(logging.INFO, message, fields)

    def warning(self, message: str, **fields: Any) -> None:
        """What went wrong and will be tried again."""
        self._say(logging.WARNING, message, fields)

    def error(self, message: str, **fields: Any) -> None:
        """What somebody should look at."""
        self._say(logging.ERROR, message, fields)

    def _say(self, level: int, message: str, fields: dict[str, Any]) -> None:
        if self._logger.isEnabledFor(level):
            self._logger.log(level, message, extra={"part": self._part, "fields": fields})


def logger(part: str) -> Logger:
    """The logger of a part."""
    return Logger(part)


class JsonLines(logging.Formatter):
    """``{"time": …, "level": …, "part": …, "message": …, …fields}``."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": moment.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "part": getattr(record, "part", record.name),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def set_up(level: str) -> None:
    """Sends everything from that level on to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger(_ROOT)
    root.handlers = [handler]
    root.setLevel(level.upper())
    root.propagate = False
