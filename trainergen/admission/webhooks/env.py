"""Environment variables of a TrainJob that a plugin sets itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Check, Finding, JsonObject


def reserved_variables(trainer: JsonObject, reserved: frozenset[str], check: Check, *, owner: str) -> Iterator[Finding]:
    """A finding for each entry of ``spec.trainer.env`` that sets one of the ``reserved`` names."""
    for at, entry in enumerate(list_at(trainer, "env")):
        name = text_at(entry, "name")
        if name in reserved:
            yield check.at(
                ("spec", "trainer", "env", at, "name"),
                f"env sets '{name}', which {owner} sets itself",
                help="Remove the entry; the plugin derives the value from the TrainJob and its runtime.",
            )
