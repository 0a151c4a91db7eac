"""What every framework takes from ``spec.trainer`` in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at
from trainergen.render.env import taken_over
from trainergen.render.model import TRAINER_PORT, plugin_origin

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft


def add_trainer_env(draft: Draft, container: JsonObject) -> None:
    """Upsert the TrainJob's environment into a container."""
    for entry in list_at(draft.job.trainer, "env"):
        draft.add(container, "env", taken_over(entry), draft.trace.find(entry, ()))


def add_env(draft: Draft, container: JsonObject, entries: list[JsonObject], plugin: str) -> None:
    """Upsert variables that a plugin made into a container."""
    for entry in entries:
        draft.add(container, "env", entry, plugin_origin(plugin))


def add_trainer_port(draft: Draft, container: JsonObject, plugin: str) -> None:
    """Upsert the port that nodes meet at; it has no name, so it replaces an unnamed port of another number."""
    draft.add(container, "ports", {"containerPort": TRAINER_PORT}, plugin_origin(plugin))


def framework_container(draft: Draft, plugin: str) -> JsonObject | None:
    """The container that Torch, JAX and XGBoost set up, None without ``spec.trainer``, which they wait for."""
    if draft.job.trainer is None:
        draft.note(
            f"the TrainJob has no spec.trainer, so {plugin} sets no environment and no port; 'trainer: {{}}' is enough"
        )
        return None
    return draft.trainer_container()
