"""``trainergen rules``: all rules, with what they are about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from trainergen.rules.declare import Rule


@click.command("rules")
@click.argument("words", nargs=-1)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--profile", metavar="NAME", help="Only those that are on in this profile.")
def command(words: tuple[str, ...], format_: str, profile: str | None) -> int:
    """List the rules, or those that WORDS name: ids, starts of ids, names, or families.

    'trainergen explain ID' shows one with examples.
    """
    rules = _chosen(words, profile)
    if format_ == "json":
        click.echo(json.dumps([_row(rule) for rule in rules], indent=2, ensure_ascii=False))
        return 0
    width = max((len(rule.name) for rule in rules), default=0)
    for rule in rules:
        marks = f"{rule.severity:<7}  {rule.profile:<11}  {'' if rule.fix == 'none' else 'fix':<3}"
        click.echo(f"{rule.id}  {rule.name:<{width}}  {marks}  {rule.summary}")
    return 0


def _chosen(words: tuple[str, ...], profile: str | None) -> list[Rule]:
    from trainergen.errors import TrainergenError
    from trainergen.rules.registry import all_rules
    from trainergen.rules.selection import known_words
    from trainergen.rules.settings import PROFILES, names
    from trainergen.spelling import did_you_mean

    rules = list(all_rules().values())
    if profile is not None:
        if profile not in PROFILES:
            raise TrainergenError(
                f"there is no profile '{profile}'{did_you_mean(profile, PROFILES)}",
                hint=f"The profiles are {', '.join(PROFILES)}.",
            )
        rules = [rule for rule in rules if PROFILES.index(rule.profile) <= PROFILES.index(profile)]
    found = [rule for rule in rules if not words or any(names(word, rule.id, rule.name, rule.family) for word in words)]
    for word in words:
        if not any(names(word, rule.id, rule.name, rule.family) for rule in found) and profile is None:
            near = did_you_mean(word, known_words(rules))
            raise TrainergenError(f"no rule is called '{word}'{near}", hint="'trainergen rules' lists them all.")
    return found


def _row(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "name": rule.name,
        "family": rule.family,
        "severity": rule.severity,
        "profile": rule.profile,
        "summary": rule.summary,
        "kinds": list(rule.kinds),
        "since": rule.since,
        "until": rule.until,
        "fix": rule.fix,
        "options": _options(rule),
        "mirrors": list(rule.mirrors),
        "answers": list(rule.answers),
    }


def _options(rule: Rule) -> dict[str, object]:
    """The options with their defaults."""
    if not rule.options:
        return {}
    import dataclasses

    from trainergen.rules.registry import options_of

    declared = options_of(rule)
    assert declared is not None
    return {field.name.replace("_", "-"): getattr(declared(), field.name) for field in dataclasses.fields(declared)}
