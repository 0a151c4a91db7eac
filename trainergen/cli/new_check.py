"""What the check says of a manifest before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.cli.new_runtimes import places
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.config import Settings

_PROFILE = "production"


def judged(text: str, release: str, settings: Settings) -> list[str]:
    """Remarks of the strictest profile; TrainergenError when the cluster would refuse the manifest."""
    from trainergen.engine.options import CheckOptions
    from trainergen.engine.run import run_check
    from trainergen.rules.settings import RuleSettings

    report = run_check(
        CheckOptions(
            paths=("-",),
            release=release,
            stdin=text.encode(),
            runtimes=places(settings),
            rules=RuleSettings(_PROFILE),
            jobs=1,
        )
    )
    refused = [each for each in report.findings if each.refuses]
    if refused:
        raise TrainergenError(
            "\n".join(f"the cluster would refuse this: {each.message} [{each.rule}]" for each in refused),
            hint=" ".join(dict.fromkeys(each.help for each in refused if each.help)),
        )
    remarks = [f"{each.severity.value}: {each.message} [{each.rule}]" for each in report.findings]
    if remarks:
        remarks.append(f"hint: That is of the profile {_PROFILE}; see 'trainergen explain {report.findings[0].rule}'.")
    return remarks
