"""``trainergen baseline``: record the findings there are, so that ``check --baseline`` tells new ones from them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from trainergen.cli.judging import Listed, check_options, judging_options
from trainergen.suppress.baseline import DEFAULT_FILE


@click.command("baseline")
@judging_options
@click.option("-o", "--output", "file", metavar="FILE", help=f"Where to write; by default {DEFAULT_FILE}.")
def command(paths: Listed, release: str | None, file: str | None, **asked: object) -> int:
    """Record what is found in PATHS today, refusals included, for 'check --baseline FILE'.

    The file holds one finding a line, sorted, with fingerprints that stay the same when lines move. It belongs into the
    repository. What files cannot be read is not recorded.
    """
    from trainergen.cli.settle import settings_for
    from trainergen.engine.run import run_check
    from trainergen.output.targets import write_text
    from trainergen.source.checks import INPUT_CHECKS
    from trainergen.suppress.baseline import made_of, text_of

    settings = settings_for(paths)
    configured = str(settings.place(settings.check.baseline)) if settings.check.baseline else DEFAULT_FILE
    target = file or configured
    report = run_check(check_options(paths, release, settings, asked))
    unread = [finding for finding in report.findings if finding.rule in INPUT_CHECKS]
    for finding in unread:
        click.echo(f"error: {finding.file}: {finding.message}", err=True)
    known = [finding for finding in report.findings if not finding.rule.startswith("TG9") and finding not in unread]
    write_text(Path(target), text_of(made_of(known, target)))
    click.echo(_summary(target, known_refused=sum(one.refuses for one in known), known=len(known)), err=True)
    for (rule, name), count in sorted(Counter((one.rule, one.name) for one in known).items()):
        click.echo(f"  {count:>5}  {rule} {name}", err=True)
    return 2 if unread else 0


def _summary(target: str, *, known: int, known_refused: int) -> str:
    from trainergen.output.phrases import plural

    refused = f", {known_refused} of them refused by the cluster" if known_refused else ""
    return f"{plural(known, 'finding')} recorded in {target}{refused}"
