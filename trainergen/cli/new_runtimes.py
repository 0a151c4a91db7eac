"""The runtime that a new TrainJob is to run on: of the repository, of the release, or a recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import text_at
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.config import Settings
    from trainergen.finding import JsonObject
    from trainergen.generate.one.making import Where

_KINDS = ("ClusterTrainingRuntime", "TrainingRuntime")


class FoundRuntime(NamedTuple):
    """A runtime; ``text`` is its manifest where neither the repository nor the release has it."""

    object: JsonObject
    text: str = ""


def find_runtime(name: str, where: Where, settings: Settings) -> FoundRuntime:
    """The runtime called ``name``; TrainergenError when there is none."""
    from trainergen.catalogue.files import recipe_text
    from trainergen.catalogue.recipes import RECIPES
    from trainergen.releases.catalogue import shipped_runtimes
    from trainergen.spelling import did_you_mean

    here = of_repository(where, settings)
    if name in here:
        return FoundRuntime(here[name])
    shipped = shipped_runtimes(where.release)
    if name in shipped:
        return FoundRuntime(shipped[name])
    recipes = {each.name: each for each in RECIPES if where.release in each.releases}
    if name in recipes:
        return FoundRuntime(recipes[name].runtime.to_dict(), recipe_text(recipes[name]))
    known = [*here, *shipped, *recipes]
    raise TrainergenError(
        f"--runtime: there is no runtime '{name}' here, in Trainer {where.release}, or among the recipes"
        f"{did_you_mean(name, known)}",
        hint="See 'trainergen runtimes', or write one with 'trainergen new runtime'.",
    )


def of_repository(where: Where, settings: Settings) -> dict[str, JsonObject]:
    """The runtimes of the configured paths that the TrainJob can use, by name; one of its namespace goes first."""
    from trainergen.engine.run import index
    from trainergen.source.discovery import discover

    found = discover(places(settings), excludes=settings.check.exclude).files
    values = [value for _, value in index(found, ()).nearest("") if value.get("kind") in _KINDS]
    usable = [value for value in values if text_at(value, "metadata", "namespace") in ("", where.namespace)]
    return {text_at(value, "metadata", "name"): value for value in sorted(usable, key=lambda each: str(each["kind"]))}


def places(settings: Settings) -> tuple[str, ...]:
    """The paths of the repository."""
    check = settings.check
    return tuple(str(settings.place(path)) for path in (*check.paths, *check.runtimes)) or (".",)
