"""What a kustomization refers to: folders, files, and what would be fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainergen.rules.views.kustomization import is_remote

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path

FOLDERS = ("resources", "bases", "components", "generators", "transformers", "validators")
"""The lists whose items may be folders with a kustomization, or files with objects."""
DROPPED = ("resources", "bases")
"""Those of which an item can be left out without a change of the objects of the others."""
_FILE_LISTS = (*FOLDERS, "configurations", "crds", "patchesStrategicMerge")
_GENERATOR_LISTS = ("files", "envs")
_FILE_FIELDS = ("path", "valuesFile")
_ON_A_HOST = re.compile(r"[\w-]+(\.[\w-]+)+[:/]\S*/")


class Reference(NamedTuple):
    """A text in a kustomization, where it is, and the list or field at the top that it belongs to."""

    at: Path
    text: str

    @property
    def field(self) -> str:
        """The field at the top that it belongs to."""
        return str(self.at[0])

    @property
    def names_file(self) -> bool:
        """Whether it is the name of a file or folder and nothing else."""
        if len(self.at) == 2 and self.field in _FILE_LISTS:
            return True
        if len(self.at) == 4 and self.at[2] in _GENERATOR_LISTS:
            return True
        return self.at[-1] in _FILE_FIELDS and "options" not in self.at

    @property
    def is_remote(self) -> bool:
        """Whether it is fetched, supposed that no such file exists."""
        text = self.text
        if not self.names_file or "\n" in text:
            return False
        if self.field in FOLDERS:
            return is_remote(text) or _ON_A_HOST.match(text) is not None
        return text.startswith(("http://", "https://"))

    @property
    def name(self) -> str:
        """The file or folder that it names, if it names one: generators give files a key, as in ``KEY=FILE``."""
        is_keyed = len(self.at) == 4 and self.at[2] in _GENERATOR_LISTS and "=" in self.text
        return self.text.partition("=")[2] if is_keyed else self.text

    @property
    def can_be_name(self) -> bool:
        """Whether it can name something in the folder or around it."""
        text = self.text
        return bool(text) and len(text) < 1024 and not text.startswith("/") and not any(one in text for one in "\n\0")


def references(value: JsonObject) -> Iterator[Reference]:
    """All texts of a kustomization, in order."""
    waiting: list[tuple[Path, JsonValue]] = [((), value)]
    while waiting:
        at, one = waiting.pop()
        if isinstance(one, dict):
            waiting += [((*at, key), item) for key, item in reversed(one.items())]
        elif isinstance(one, list):
            waiting += [((*at, index), item) for index, item in reversed(list(enumerate(one)))]
        elif isinstance(one, str) and at:
            yield Reference(at, one)
