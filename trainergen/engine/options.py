"""What one run of ``check`` is asked to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError
from trainergen.finding import Layer
from trainergen.rules.settings import RuleSettings, names
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.suppress.baseline import Baseline

ALL_LAYERS = frozenset(Layer)
NO_SETTINGS = RuleSettings()


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The settled settings of a run, after command line, configuration and detection.

    ``paths`` may hold files, folders, globs and ``-`` for standard input. ``select`` and ``ignore`` hold ids, starts of
    ids, names of checks, or families of rules; ``rules`` is what else is set about rules. ``policies`` are folders with
    admission policies, besides those among the checked files. ``texts`` are judged in place of what the files of these
    real paths hold. Findings of the ``baseline`` are known. ``today`` is a date, ``2027-01-31``, by which suppressions
    end; without it none does. With ``build`` kustomizations and charts are built first, charts with the ``values`` of
    these files. ``skip_unrelated`` treats named files as if they had been found in a folder. ``jobs`` is
    the number of processes; 0 lets the number of files decide.
    """

    paths: tuple[str, ...]
    release: str
    release_reason: str = ""
    layers: frozenset[Layer] = ALL_LAYERS
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    base: str | None = None
    build: bool = False
    values: tuple[str, ...] = ()
    stdin: bytes | None = None
    stdin_filename: str = "<stdin>"
    texts: Mapping[str, bytes] = field(default_factory=dict)
    baseline: Baseline | None = None
    today: str = ""
    rules: RuleSettings = NO_SETTINGS
    skip_unrelated: bool = False
    jobs: int = 0
    progress: Callable[[int, int], None] | None = field(default=None, compare=False)

    def wants(self, rule: str, name: str) -> bool:
        """Whether findings of this check are asked for; ``ignore`` beats ``select``."""
        if any(names(word, rule, name) for word in self.ignore):
            return False
        return not self.select or any(names(word, rule, name) for word in self.select)


def layer_named(word: str) -> Layer:
    """The layer of that name; an unknown one raises TrainergenError with the nearest."""
    names = [str(layer) for layer in Layer]
    if word not in names:
        raise TrainergenError(
            f"there is no layer '{word}'{did_you_mean(word, names)}", hint=f"The layers are {', '.join(names)}."
        )
    return Layer(word)
