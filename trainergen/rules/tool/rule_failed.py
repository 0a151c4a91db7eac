"""A rule of trainergen, or of a plugin, that raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, rule

if TYPE_CHECKING:
    from trainergen.rules.views.failure import Failure


@rule("TG901", "rule-failed", severity="error", profile="minimal")
def rule_failed(failure: Failure) -> Findings:
    """A rule could not look at an object because it failed.

    ## Why
    A rule that raises is a defect of the rule. The object counts as not checked by it, the other rules go on, and the
    run ends with exit code 3, so that a broken rule never looks like a clean manifest.
    """
    error = failure.error
    text = str(error).partition("\n")[0][:200]
    name = f"{failure.rule.id} {failure.rule.name}"
    yield failure.spot.report(
        f"the rule {name} failed: {type(error).__name__}{': ' if text else ''}{text}",
        help=f"Report this with the manifest; until then, --ignore {failure.rule.id} leaves the rule out.",
    )
