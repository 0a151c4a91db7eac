"""One file to what the later steps need: its objects, the findings of reading them, and what was passed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.source import checks
from trainergen.source.classify import Category, classify, mentions_trainer
from trainergen.source.files import SourceFile, UnreadableError
from trainergen.source.identity import TRAINER_GROUP, TRAINER_KINDS
from trainergen.source.kustomizations import is_listed_as_patch
from trainergen.source.limits import DEFAULT_LIMITS, Limits
from trainergen.source.lists import members
from trainergen.source.reader import Failure, read_documents

if TYPE_CHECKING:
    from trainergen.finding import Finding
    from trainergen.source.document import Document


@dataclass(slots=True)
class Loaded:
    """The objects of a file by category, findings with their places, and how many documents were passed over as what.

    ``objects`` holds those of category TRAINER, LEGACY, OTHER and KUSTOMIZATION; ``broken`` the documents that could
    not be read, reported or not.
    """

    file: SourceFile
    objects: list[tuple[Category, Document]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    skipped: Counter[Category] = field(default_factory=Counter)
    broken: list[Failure] = field(default_factory=list)
    documents: int = 0
    data: bytes = b""
    """The bytes of a file that is not passed over as unrelated."""

    def of(self, category: Category) -> list[Document]:
        """The objects of one category."""
        return [document for found, document in self.objects if found is category]


JUDGED = frozenset({Category.TRAINER, Category.REFUSED})
_KEPT = frozenset({Category.TRAINER, Category.LEGACY, Category.OTHER, Category.KUSTOMIZATION})


def load(
    file: SourceFile,
    *,
    limits: Limits = DEFAULT_LIMITS,
    served: Mapping[str, frozenset[str]] = TRAINER_KINDS,
    judged: frozenset[Category] = JUDGED,
    everything: bool = False,
    wanted: Callable[[bytes], bool] = mentions_trainer,
) -> Loaded:
    """Read a file, take its documents apart and recognise them; never raises for what the file holds.

    Of a file that was not named, what reading found is reported for documents with objects of the ``judged``
    categories, and for broken documents that mention the Trainer's API group; such a file is passed over unparsed when
    it mentions no group of ours, unless ``everything`` is wanted. ``wanted`` tells by its bytes whether such a file is
    to be parsed.
    """
    loaded = Loaded(file)
    try:
        data = file.read_bytes(limits)
    except UnreadableError as error:
        loaded.findings.append(error.finding)
        return loaded
    if not file.explicit:
        if not everything and not wanted(data):
            loaded.skipped[Category.UNRELATED] += 1
            return loaded
        loaded.data = data
        if b"{{" in data and _in_chart_templates(file.location or file.path):
            loaded.skipped[Category.HELM_TEMPLATE] += 1
            return loaded
    loaded.data = data
    _Loading(loaded, served, judged).take(data, limits)
    return loaded


class _Loading:
    def __init__(self, loaded: Loaded, served: Mapping[str, frozenset[str]], judged: frozenset[Category]) -> None:
        self._judged = judged
        self._loaded = loaded
        self._served = served
        self._explicit = loaded.file.explicit

    def take(self, data: bytes, limits: Limits) -> None:
        result = read_documents(data, file=self._loaded.file.path, limits=limits)
        self._loaded.documents = len(result.documents) + len(result.failures)
        self._loaded.broken = result.failures
        judged = {failure.index for failure in result.failures if self._reports(failure)}
        for document in result.documents:
            if self._sort(document):
                judged.add(document.index)
        whole_file = checks.TOO_MANY_DOCUMENTS.id
        found = [one for one in result.findings if one.document in judged or one.rule == whole_file]
        self._loaded.findings += found

    def _reports(self, failure: Failure) -> bool:
        if self._explicit:
            return True
        if "{{" in failure.text and "}}" in failure.text:
            self._loaded.skipped[Category.HELM_TEMPLATE] += 1
            return False
        if TRAINER_GROUP in failure.text:
            return True
        self._loaded.skipped[Category.BROKEN] += 1
        return False

    def _sort(self, document: Document) -> bool:
        """Put the objects of a document where they belong; True when its reading is judged too."""
        objects, faults = members(document)
        judged = self._explicit
        for one in objects:
            classification = classify(
                one, explicit=self._explicit, listed_as_patch=self._is_patch(one), served=self._served
            )
            category = classification.category
            self._loaded.findings += [one.place(finding) for finding in classification.findings]
            judged = judged or category in self._judged
            if category in _KEPT:
                self._loaded.objects.append((category, one))
            else:
                self._loaded.skipped[category] += 1
        if judged:
            self._loaded.findings += [one.place(finding) for one, finding in faults]
        return judged

    def _is_patch(self, document: Document) -> bool:
        file = self._loaded.file
        lies_somewhere = bool(file.location) or file.data is None
        return not self._explicit and lies_somewhere and bool(document.kind) and is_listed_as_patch(file.location)


def _in_chart_templates(location: str) -> bool:
    """Whether a file lies in the ``templates`` folder of a Helm chart."""
    folders = Path(location).absolute().parents
    return any(folder.name == "templates" and (folder.parent / "Chart.yaml").is_file() for folder in folders)
