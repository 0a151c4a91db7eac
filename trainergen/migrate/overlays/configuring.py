"""Configurations of transformers: those for legacy kinds written anew, those that TrainJobs need added."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trainergen.api.access import text_at
from trainergen.finding import Severity
from trainergen.migrate import catalogue as c
from trainergen.migrate.overlays import fieldspecs
from trainergen.migrate.overlays.editing import with_documents
from trainergen.migrate.overlays.images import renames
from trainergen.rules.tree import join
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding, JsonObject, JsonValue
    from trainergen.migrate.overlays.leveling import LevelPlan
    from trainergen.migrate.target import Target
    from trainergen.rules.tree import Tree
    from trainergen.rules.views.kustomization import Kustomization

FILE: Final = "trainjob-fieldspecs"


class Configuring:
    """Writes configurations; ``files`` are their names, new contents, and who says what about them."""

    def __init__(self, tree: Tree, target: Target) -> None:
        self._tree = tree
        self._changes = fieldspecs.pod_changes(target)
        self._read: dict[str, tuple[bytes, list[str]] | None] = {}
        self.files: list[tuple[str, bytes, list[tuple[LevelPlan, Finding]]]] = []

    def configure(self, plan: LevelPlan) -> None:
        """Write the configurations of a kustomization anew, and add what it needs."""
        for at, name in enumerate(plan.level.kustomization.texts("configurations")):
            self._rewrite(plan, at, join(plan.level.kustomization.folder, name))
        self._add(plan)

    def _rewrite(self, plan: LevelPlan, at: int, path: str) -> None:
        is_first = path not in self._read
        if is_first:
            self._read[path] = _rewritten(self._tree.read(path), path, self._changes)
        found = self._read[path]
        if found is None:
            return
        text, lost = found
        spot = plan.level.kustomization.part("configurations", at).at()
        said = [(plan, spot.where.document.place(replace(each, at=spot.path))) for each in _findings(lost)]
        self.files.append((path, text, said))

    def _add(self, plan: LevelPlan) -> None:
        kustomization = plan.level.kustomization
        kinds = [
            kind
            for kind, where in fieldspecs.SPECS.items()
            if any(renames(kustomization, text_at(made.get(kind), *where, "trainer", "image")) for made in plan.becomes)
        ]
        renamed = any(kustomization.text(key) for key in ("namePrefix", "nameSuffix"))
        own = any("TrainingRuntime" in made for made in plan.becomes)
        named = [kind for kind in fieldspecs.SPECS if any(kind in made for made in plan.becomes)]
        if any(map(fieldspecs.knows_images, kustomization.configurations)):
            kinds = []
        has_names = any(map(fieldspecs.knows_names, kustomization.configurations))
        if not kinds and not (renamed and own and not has_names):
            return
        wanted = fieldspecs.needed(images=kinds, names=[*named] if renamed and not has_names else [])
        name = self._put(kustomization, wanted)
        plan.append("configurations", name)
        about = next(key for key in ("images", "namePrefix", "nameSuffix") if kustomization.has(key))
        spot = kustomization.at(about)
        for message, remedy in _reasons(wanted):
            plan.say(spot, c.OVERLAY.at((), message, help=remedy))

    def _put(self, kustomization: Kustomization, wanted: JsonObject) -> str:
        from trainergen.migrate.writing import yaml_text

        text = yaml_text(wanted).encode()
        for more in ("", "-2", "-3"):
            name = f"{FILE}{more}.yaml"
            path = join(kustomization.folder, name)
            if self._tree.read(path) in (None, text):
                self.files.append((path, text, []))
                return name
        return f"{FILE}-4.yaml"


def _rewritten(data: bytes | None, path: str, changes: str) -> tuple[bytes, list[str]] | None:
    """The configuration for what legacy jobs become, None when it is not about them."""
    documents = read_documents(data, file=path).documents if data is not None else []
    replaced: dict[int, list[JsonValue]] = {}
    lost: list[str] = []
    for document in documents:
        value, gone = fieldspecs.rewritten(document.object, changes)
        if value != document.object:
            replaced[document.index] = [value]
            lost += gone
    return (with_documents(data or b"", path, replaced), lost) if replaced else None


def _findings(lost: list[str]) -> Iterator[Finding]:
    yield c.OVERLAY.at(
        (),
        "the fields of legacy kinds in this configuration are written for TrainJobs and runtimes",
        help="Compare what is built before and after.",
    )
    for path in lost:
        finding = c.OVERLAY.at(
            (), f"the configuration names the field '{path}', which has no counterpart", help="Take it out first."
        )
        yield replace(finding, severity=Severity.ERROR)


def _reasons(wanted: JsonObject) -> Iterator[tuple[str, str]]:
    if "images" in wanted:
        yield (
            f"images does not know {fieldspecs.IMAGE}, so that a configuration with it is added",
            "Keep the file in the list of configurations.",
        )
    if "nameReference" in wanted:
        yield (
            f"a changed name does not reach {fieldspecs.REFERENCE}, so that a configuration with it is added",
            "Keep the file in the list of configurations.",
        )
