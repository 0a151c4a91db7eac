"""The command group; a command's module is imported only when that command runs."""

from __future__ import annotations

from importlib import import_module

import click

import trainergen
from trainergen.spelling import did_you_mean

COMMANDS = {
    "check": ("trainergen.cli.check", "Say what the cluster would say about manifests."),
    "baseline": ("trainergen.cli.baseline", "Record the findings there are, to tell new ones from them."),
    "diff": ("trainergen.cli.diff", "Say what changes in the cluster, between releases or git revisions."),
    "upgrade": ("trainergen.cli.upgrade", "Rewrite manifests for another release, and audit the installation."),
    "migrate": ("trainergen.cli.migrate", "Rewrite jobs of the Training Operator as TrainJobs."),
    "build": ("trainergen.cli.build", "Write a GitOps tree for training from one short specification."),
    "init": ("trainergen.cli.init", "Start a repository, or write the component for kustomize."),
    "new": ("trainergen.cli.new", "Write one good TrainJob or runtime from options."),
    "render": ("trainergen.cli.render", "Print what the cluster would create for TrainJobs."),
    "simulate": ("trainergen.cli.simulate", "Tell a TrainJob's life in a cluster, second by second."),
    "run-plan": ("trainergen.cli.run_plan", "Print how to run a small copy of a TrainJob on one machine."),
    "explain": ("trainergen.cli.explain", "Describe a field, or a check by its id, in every release."),
    "rules": ("trainergen.cli.rules", "List the rules, with severity, profile and what they are about."),
    "schema": ("trainergen.cli.schema", "Print the JSON Schemas, CRDs or kustomize schema of a release."),
    "runtimes": ("trainergen.cli.runtimes", "List the runtimes that a release ships."),
    "doctor": ("trainergen.cli.doctor", "Show what this installation has and what it would use here."),
    "completion": ("trainergen.cli.completion", "Print the completion script for a shell."),
}


class LazyGroup(click.Group):
    """A group that knows its commands' names and help without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{cmd_name} is no command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            ctx.fail(f"no such command '{args[0]}'{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(trainergen.__version__, prog_name="trainergen", message="%(prog)s %(version)s")
def cli() -> None:
    """Check Kubeflow Trainer manifests the way the cluster would, before they are merged."""
