"""The phrases on legacy jobs that the formats for people share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trainergen.migrate.report import severities
from trainergen.output.phrases import plural

if TYPE_CHECKING:
    from trainergen.migrate.report import MigratedObject

OUTCOMES: Final = {
    "mapped": "mapped",
    "same": "as another role says",
    "reported": "said above",
    "default": "what holds anyway",
}
"""What became of a value, in words."""


def becomes(one: MigratedObject) -> str:
    """``TrainingRuntime bert-runtime, TrainJob bert``."""
    return ", ".join(f"{kind} {name}" for kind, name in one.becomes) or "nothing"


def counted(one: MigratedObject) -> str:
    """``1 error, 2 warnings``, or ``no findings``."""
    found = severities(one.warnings)
    return ", ".join(plural(count, severity.value) for severity, count in found.items() if count) or "no findings"
