"""``trainergen explain``: a field in every release, or a check by its id or name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trainergen.cli.options import release_option
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.finding import Check


@click.command("explain")
@click.argument("subject")
@release_option
def command(subject: str, release: str | None) -> int:
    """Explain SUBJECT: a field (trainjob.spec.trainer.numProcPerNode), a check or rule (TG101, no-nodes), or 'checks'.

    A field comes with its type, limits, default and rules, and with what differs from release to release.
    """
    if subject == "checks":
        for check in _checks().values():
            click.echo(f"{check.id}  {check.name:<32}  {check.layer:<8} {check.summary}")
        return 0
    named = _find_check(_present_name(subject))
    click.echo(_describe(named) if named is not None else _field(subject, release), nl=False)
    return 0


def _field(subject: str, release: str | None) -> str:
    from trainergen.api.explain import explain
    from trainergen.api.explanation import render_explanation
    from trainergen.releases import get_release

    return render_explanation(explain(subject, release=get_release(release).name if release else None)).rstrip() + "\n"


def _checks() -> dict[str, Check]:
    from trainergen.engine.checks import all_checks

    return all_checks()


def _find_check(subject: str) -> Check | None:
    """The check that ``subject`` names; None when it has the form of a field."""
    checks = _checks()
    if subject.upper() in checks:
        return checks[subject.upper()]
    named = next((check for check in checks.values() if check.name == subject), None)
    if named is None and (subject.upper().startswith("TG") and subject[2:].isdigit()):
        raise TrainergenError(f"no check '{subject}'", hint="'trainergen explain checks' lists them all.")
    return named


def _present_name(subject: str) -> str:
    from trainergen.rules.settings import RENAMED

    return RENAMED.get(subject, subject)


def _describe(check: Check) -> str:
    from trainergen.rules.registry import all_rules

    rule = all_rules().get(check.id)
    if rule is not None:
        from trainergen.rules.pages import rule_page

        return rule_page(rule)
    speaker = {
        "yaml": "the API server cannot read the manifest",
        "schema": "the API server refuses the object by its schema",
        "cel": "the API server refuses the object by a rule of its schema",
        "webhook": "a webhook of the Trainer speaks",
    }.get(check.layer, "trainergen's own advice")
    return f"{check.id} {check.name} ({check.severity})\n\n{check.summary}\n\nLayer: {check.layer} - {speaker}.\n"
