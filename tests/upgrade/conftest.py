"""Upgrading a text of manifests in this process, without files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.fix import apply_edits
from trainergen.releases import get_release
from trainergen.source.lists import members
from trainergen.source.reader import read_documents
from trainergen.upgrade import DEFAULT_MANAGER, Surroundings, UpgradePlan, upgrade

if TYPE_CHECKING:
    from trainergen.finding import Finding, JsonObject


@dataclass(frozen=True)
class Upgraded:
    """What became of a text."""

    text: str
    plans: tuple[UpgradePlan, ...]

    @property
    def losses(self) -> list[Finding]:
        return [loss for plan in self.plans for loss in plan.losses]

    @property
    def rules(self) -> list[str]:
        return [loss.rule for loss in self.losses]

    @property
    def notes(self) -> str:
        return "\n".join(note for plan in self.plans for note in plan.notes)

    @property
    def objects(self) -> list[JsonObject]:
        return [document.object for document in read_documents(self.text.encode(), file="a.yaml").documents]


def upgraded(text: str, *, start: str = "2.1", to: str = "2.3", manager: str = DEFAULT_MANAGER) -> Upgraded:
    data = text.encode()
    documents = [one for outer in read_documents(data, file="a.yaml").documents for one in members(outer)[0]]
    near = [("a.yaml", one.object) for one in documents if one.kind.endswith("TrainingRuntime")]
    jobs = tuple(one for one in documents if one.kind == "TrainJob")
    around = Surroundings(get_release(start), lambda _: near, jobs, manager)
    plans = tuple(upgrade(one, to_release=get_release(to), around=around) for one in documents)
    new = apply_edits(data, [edit for plan in plans for edit in plan.edits])
    return Upgraded(new.decode(), plans)
