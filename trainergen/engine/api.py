"""``trainergen.check`` for Python: the same run as the command line's, from values to a report."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.engine.options import ALL_LAYERS, CheckOptions, layer_named
from trainergen.engine.run import run_check
from trainergen.errors import TrainergenError
from trainergen.releases import get_release
from trainergen.rules.settings import DEFAULT_PROFILE, PROFILES, RuleSettings
from trainergen.spelling import did_you_mean

if TYPE_CHECKING:
    from trainergen.report import Report
    from trainergen.suppress.baseline import Baseline

PathName = str | os.PathLike[str]


def check(  # noqa: PLR0913 - the options of the command, all but the first by keyword
    paths: PathName | Iterable[PathName],
    *,
    release: str | None = None,
    layers: Iterable[str] = ALL_LAYERS,
    profile: str = DEFAULT_PROFILE,
    base: str | None = None,
    runtimes: Iterable[PathName] = (),
    policies: Iterable[PathName] = (),
    exclude: Iterable[str] = (),
    build: bool = False,
    values: Iterable[PathName] = (),
    baseline: PathName | None = None,
    today: str = "",
    jobs: int = 1,
) -> Report:
    """Check files, folders and patterns as ``trainergen check`` does; the report's ``findings`` are sorted by place.

    ``release`` is a name such as ``2.3``; None takes what the repository around the first path pins, else the newest.
    ``layers`` are names of ``trainergen.finding.Layer``, ``profile`` says which rules are on. ``base`` is a git
    revision to judge changes against. ``runtimes`` are folders to look for runtimes in, ``policies`` for admission
    policies. With ``build`` kustomizations and charts are built first, charts with the ``values`` in these files, and
    what comes of it is judged. ``baseline`` is a file of known findings, which are left out; ``today``, such as
    ``2027-01-31``, ends suppressions. Configuration files are not read. Raises TrainergenError for an unknown release,
    layer or profile, for a baseline that cannot be read and where git fails; what is wrong with files is in the report.
    """
    names = (os.fspath(paths),) if isinstance(paths, str | os.PathLike) else tuple(os.fspath(path) for path in paths)
    name, reason = _release(release, names)
    return run_check(
        CheckOptions(
            paths=names,
            release=name,
            release_reason=reason,
            layers=frozenset(map(layer_named, layers)),
            rules=RuleSettings(_known_profile(profile)),
            base=base,
            runtimes=tuple(os.fspath(folder) for folder in runtimes),
            policies=tuple(os.fspath(folder) for folder in policies),
            exclude=tuple(exclude),
            build=build,
            values=tuple(os.fspath(file) for file in values),
            baseline=None if baseline is None else _baseline(os.fspath(baseline)),
            today=today,
            jobs=jobs,
        )
    )


def _baseline(file: str) -> Baseline:
    from trainergen.suppress.baseline import read

    return read(file)


def _known_profile(name: str) -> str:
    if name not in PROFILES:
        raise TrainergenError(
            f"there is no profile '{name}'{did_you_mean(name, PROFILES)}",
            hint=f"The profiles are {', '.join(PROFILES)}.",
        )
    return name


def _release(asked: str | None, names: tuple[str, ...]) -> tuple[str, str]:
    if asked is not None:
        return get_release(asked).name, "asked for"
    from trainergen.releases.detect import detect_release, repository_root

    start = next((Path(name) for name in names if Path(name).exists()), Path())
    detected = detect_release(repository_root(start))
    return detected.release, detected.reason
