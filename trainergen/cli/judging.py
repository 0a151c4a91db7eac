"""What to judge and by what: the options that ``check`` and ``baseline`` share, and the run that they ask for."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from trainergen.cli.options import build_asked, build_options, release_option
from trainergen.errors import TrainergenError
from trainergen.rules.settings import PROFILES

if TYPE_CHECKING:
    from trainergen.config import Settings
    from trainergen.engine.options import CheckOptions
    from trainergen.finding import Check

Listed = tuple[str, ...]
Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_OPTIONS = (
    click.argument("paths", nargs=-1),
    release_option,
    click.option("--layer", "layers", multiple=True, metavar="LIST", help="Only these layers, e.g. yaml,schema,cel."),
    click.option(
        "--profile", metavar="NAME", help="Which rules are on: minimal, recommended (default), strict, production."
    ),
    click.option(
        "--select", multiple=True, metavar="CHECKS", help="Only these: ids, starts of ids, names, or families."
    ),
    click.option("--ignore", multiple=True, metavar="CHECKS", help="Not these checks."),
    click.option("--runtimes", multiple=True, metavar="DIR", help="Look for runtimes there too."),
    click.option("--policies", multiple=True, metavar="DIR", help="Look for admission policies there too."),
    build_options,
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave these files out, as in .gitignore."),
    click.option("--skip-unrelated", is_flag=True, help="Pass over named files that hold no Trainer object."),
    click.option(
        "--today", metavar="DATE", help="End suppressions that are over by then: 'now' reads the clock, or 2027-01-31."
    ),
    click.option("-j", "--jobs", type=click.IntRange(min=0), default=0, help="Processes; 0 lets the work decide."),
)


def judging_options(function: Decorated) -> Decorated:
    """PATHS and the options that say what to judge and by what; ``check_options`` takes them by name."""
    decorated: Any = function
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def check_options(paths: Listed, release: str | None, settings: Settings, asked: dict[str, object]) -> CheckOptions:
    """The run that is asked for; TrainergenError for words that name nothing."""
    from trainergen.cli.progress import progress_line
    from trainergen.cli.settle import settle_release
    from trainergen.engine.options import ALL_LAYERS, CheckOptions, layer_named

    build, values = build_asked(asked)
    check = settings.check
    chosen = paths or tuple(str(settings.place(path)) for path in check.paths) or (".",)
    start = next((Path(path) for path in chosen if path != "-" and Path(path).exists()), Path())
    settled = settle_release(release, settings, start)
    layers = words(asked["layers"]) or tuple(check.layers)
    rules = check.rules if asked["profile"] is None else check.rules._replace(profile=_profile(asked["profile"]))
    return CheckOptions(
        paths=chosen,
        release=settled.name,
        release_reason=settled.reason,
        layers=frozenset(map(layer_named, layers)) or ALL_LAYERS,
        select=_checks(words(asked["select"]), "--select") or _checks(check.select, _key(settings, "select")),
        ignore=_checks(words(asked["ignore"]), "--ignore") + _checks(check.ignore, _key(settings, "ignore")),
        exclude=_strings(asked["exclude"]) + check.exclude,
        runtimes=_looked_up("runtimes", asked, settings),
        policies=_looked_up("policies", asked, settings),
        build=build,
        values=values,
        rules=rules,
        stdin=sys.stdin.buffer.read() if "-" in chosen else None,
        skip_unrelated=bool(asked["skip_unrelated"]),
        today=_today(asked["today"]),
        jobs=int(str(asked["jobs"])),
        progress=progress_line(),
    )


def known_checks() -> dict[str, Check]:
    """Every check there is, by id."""
    from trainergen.engine.checks import all_checks

    return all_checks()


def unknown(option: str, word: str, known: object) -> TrainergenError:
    """The error that an option names something unknown, with the nearest that is known."""
    from trainergen.spelling import did_you_mean

    names = [str(name) for name in known] if isinstance(known, list | tuple) else []
    hint = f"Known: {', '.join(names)}." if len(names) < 12 else "'trainergen explain checks' lists them all."
    return TrainergenError(f"{option} names '{word}', which is unknown{did_you_mean(word, names)}", hint=hint)


def words(value: object) -> Listed:
    """The words of a repeated option whose values may hold several, separated by commas."""
    return tuple(word for text in _strings(value) for word in text.replace(",", " ").split())


def _looked_up(name: str, asked: dict[str, object], settings: Settings) -> Listed:
    """The paths to look in besides; one that is not there would let pass what its content refuses."""
    named = [(path, f"--{name}") for path in _strings(asked[name])]
    named += [(str(settings.place(path)), _key(settings, name)) for path in getattr(settings.check, name)]
    for path, place in named:
        if not os.path.lexists(path) and not glob.has_magic(path):
            hint = "Correct the path, or leave it out."
            raise TrainergenError(f"{place} names '{path}', but there is no such file or folder", hint=hint)
    return tuple(path for path, _ in named)


def _key(settings: Settings, name: str) -> str:
    return f"check.{name} in {settings.file.name}" if settings.file else f"--{name}"


def _checks(named: Listed, option: str) -> Listed:
    """The words, each of which must name a check there is."""
    if not named:
        return ()
    from trainergen.rules.registry import all_rules
    from trainergen.rules.selection import known_words

    known = known_checks()
    names = {check.name for check in known.values()} | known_words(all_rules().values())
    for word in named:
        if word not in names and not (word and any(identity.startswith(word) for identity in known)):
            raise unknown(option, word, [*known, *names])
    return named


def _profile(value: object) -> str:
    if value not in PROFILES:
        raise unknown("--profile", str(value), list(PROFILES))
    return str(value)


def _today(value: object) -> str:
    if value is None:
        return ""
    from datetime import date

    if value == "now":
        return date.today().isoformat()
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError as error:
        hint = "Write 'now' for the system's date, or a date such as 2027-01-31."
        raise TrainergenError(f"--today is '{value}', which is no date", hint=hint) from error


def _strings(value: object) -> Listed:
    return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()
