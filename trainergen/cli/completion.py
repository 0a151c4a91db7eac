"""``trainergen completion SHELL``."""

from __future__ import annotations

import click


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the completion script for SHELL; for bash: eval "$(trainergen completion bash)"."""
    from click.shell_completion import get_completion_class

    from trainergen.cli.app import cli

    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"no completion for '{shell}'")
    click.echo(completion(cli, {}, "trainergen", "_TRAINERGEN_COMPLETE").source())
    return 0
