"""``trainergen new``: one good manifest from options."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from trainergen.cli.exit_codes import EXIT_OK
from trainergen.cli.options import release_option
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from trainergen.config import Settings
    from trainergen.finding import JsonObject
    from trainergen.generate.one.making import Where

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Listed = tuple[str, ...]
DEFAULT_BASE = "torch-ddp"
_GANGS, _LEVELS = ("kueue", "volcano", "coscheduling", "none"), ("restricted", "baseline", "unchanged")


class Draft(NamedTuple):
    """What is being made: the options that were given, by the keys of a specification, and where it goes."""

    name: str
    choices: dict[str, object]
    where: Where
    settings: Settings
    output: Path | None
    force: bool


def _options(*declared: Callable[[Decorated], Decorated]) -> Callable[[Decorated], Decorated]:
    def decorate(function: Decorated) -> Decorated:
        for each in reversed(declared):
            function = each(function)
        return function

    return decorate


_SIZE = _options(
    click.option("--image", metavar="IMAGE", help="The training image; by default that of the runtime."),
    click.option("--nodes", metavar="N", help="Nodes."),
    click.option("--gpus", metavar="N", help="GPUs of a node."),
    click.option("--cpu", metavar="AMOUNT", help="CPUs of a node."),
    click.option("--memory", metavar="AMOUNT", help="Memory of a node, such as 64Gi."),
    click.option("--env", multiple=True, metavar="NAME=VALUE", help="A variable."),
    click.option("--claim", multiple=True, metavar="NAME=DIR", help="A PersistentVolumeClaim and where it is mounted."),
)
_PLACE = _options(
    click.option("-n", "--namespace", default="", metavar="NAME", help="Its namespace; none is written without it."),
    click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Write it there instead of to standard output.",
    ),
    click.option("--force", is_flag=True, help="Write over a file that exists."),
    release_option,
)
_RUNTIME = _options(
    click.argument("name"),
    click.option("--from", "base", metavar="NAME", help="A shipped runtime or a recipe, see 'trainergen runtimes'."),
    _SIZE,
    click.option("--gang", type=click.Choice(_GANGS), help="What starts the Pods together."),
    click.option("--topology", metavar="LABEL", help="Keep the nodes of a job near each other, by this label."),
    click.option("--shared-memory", metavar="AMOUNT", help="The size of /dev/shm."),
    click.option("--security", type=click.Choice(_LEVELS), help="The Pod Security level; restricted by default."),
    click.option("--restarts", metavar="N", help="How often a training starts over."),
    _PLACE,
)


@click.group("new")
def command() -> None:
    """Write one good manifest, to standard output or a file.

    It passes 'trainergen check --profile production' where the runtime allows it; what is left is said. On a terminal
    it asks for what is missing.
    """


@command.command("trainjob")
@click.argument("name")
@click.argument("words", nargs=-1, metavar="[-- COMMAND...]")
@click.option("--runtime", metavar="NAME", help="A runtime of this repository, a shipped one, or a recipe.")
@_SIZE
@click.option("--processes", metavar="N", help="Processes of a node; by default one for each GPU.")
@click.option("--secret", multiple=True, metavar="NAME=SECRET/KEY", help="A variable from a Secret.")
@click.option("--data", metavar="URI", help="Data that the runtime downloads first, such as hf://org/name.")
@click.option("--model", metavar="URI", help="A model that it downloads first.")
@click.option("--deadline", default="24h", show_default=True, metavar="TIME", help="When to give up.")
@click.option("--queue", default="", metavar="NAME", help="The LocalQueue of Kueue.")
@_PLACE
def train_job(name: str, words: Listed, runtime: str | None, **asked: Any) -> int:
    """Write a TrainJob called NAME that runs COMMAND.

    \b
    trainergen new trainjob bert-r1 --runtime torch-ddp --image ghcr.io/acme/bert:1.0 --nodes 2 -- torchrun train.py
    """
    from trainergen.cli.new_runtimes import find_runtime
    from trainergen.generate.one.making import image_of, new_train_job, starts_by_itself

    draft = _draft(name, asked)
    _refuse_existing(draft)
    choices = draft.choices | _job_choices(asked, draft.where.release)
    wanted = runtime or _ask("--runtime", "Runtime", DEFAULT_BASE)
    found = find_runtime(wanted, draft.where, draft.settings)
    if not words and not starts_by_itself(found.object):
        words = tuple(shlex.split(_ask("a command after --", "Command")))
        if "image" not in choices:
            choices["image"] = _ask("--image", "Image", image_of(found.object))
        if "nodes" not in choices:
            choices["nodes"] = _ask("--nodes", "Nodes", "1")
    if words:
        choices |= {"entrypoint": list(words[:1]), "args": list(words[1:])}
    job = new_train_job(draft.name, choices, draft.where, found.object)
    _deliver(draft, [found.text, _text(job)] if found.text else [_text(job)])
    return EXIT_OK


@command.command("runtime")
@_RUNTIME
def training_runtime(name: str, base: str | None, **asked: Any) -> int:
    """Write a TrainingRuntime called NAME, for one namespace.

    \b
    trainergen new runtime acme-torch --from torch-distributed --image ghcr.io/acme/torch:2.9 --gpus 8 -n vision
    """
    return _runtime(name, base, "namespace", asked)


@command.command("cluster-runtime")
@_RUNTIME
def cluster_runtime(name: str, base: str | None, **asked: Any) -> int:
    """Write a ClusterTrainingRuntime called NAME, for all namespaces.

    \b
    trainergen new cluster-runtime acme-torch --from torch-ddp --image ghcr.io/acme/torch:2.9 --gpus 8
    """
    return _runtime(name, base, "cluster", asked)


def _runtime(name: str, base: str | None, scope: str, asked: Mapping[str, Any]) -> int:
    from trainergen.generate.one.making import new_runtime

    draft = _draft(name, asked)
    _refuse_existing(draft)
    if scope == "cluster" and draft.where.namespace:
        raise TrainergenError(
            "--namespace: a ClusterTrainingRuntime is in no namespace", hint="Leave it out, or write 'new runtime'."
        )
    choices = draft.choices | {"scope": scope, "from": base or _ask("--from", "Runtime to start from", DEFAULT_BASE)}
    for option in ("gang", "topology", "shared_memory", "security", "restarts"):
        if asked[option] is not None:
            choices[option.replace("_", "-")] = asked[option]
    _deliver(draft, [_text(new_runtime(draft.name, choices, draft.where))])
    return EXIT_OK


def _draft(name: str, asked: Mapping[str, Any]) -> Draft:
    from trainergen.cli.settle import settle_release
    from trainergen.config import find_settings
    from trainergen.generate.one.making import Where

    settings = find_settings(Path())
    release = settle_release(asked["release"], settings, Path()).name
    choices: dict[str, object] = {
        option: asked[option] for option in ("image", "nodes", "gpus", "cpu", "memory") if asked[option] is not None
    }
    if asked["env"]:
        choices["env"] = _pairs("--env", asked["env"], "NAME=VALUE")
    if asked["claim"]:
        claims = _pairs("--claim", asked["claim"], "NAME=DIR")
        choices["storage"] = {claim: {"claim": claim, "mount": mount} for claim, mount in claims.items()}
    where = Where(release, asked["namespace"], asked.get("queue") or "")
    return Draft(name, choices, where, settings, asked["output"], bool(asked["force"]))


def _job_choices(asked: Mapping[str, Any], release: str) -> dict[str, object]:
    from trainergen.generate.facts import facts_of

    choices: dict[str, object] = {
        option: asked[option] for option in ("processes", "data", "model") if asked[option] is not None
    }
    if asked["secret"]:
        choices["secrets"] = _pairs("--secret", asked["secret"], "NAME=SECRET/KEY")
    source = click.get_current_context().get_parameter_source("deadline")
    # Nobody asked for the default, so it is no fault where TrainJobs have no deadline.
    if source is not click.core.ParameterSource.DEFAULT or facts_of(release).has_deadline:
        choices["deadline"] = asked["deadline"]
    return choices


def _pairs(option: str, texts: Listed, form: str) -> dict[str, str]:
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise TrainergenError(f"{option}: '{text}' has no '='", hint=f"Write it as {form}.")
        pairs[key] = value
    return pairs


def _ask(option: str, question: str, default: str | None = None) -> str:
    """The answer of somebody at a terminal; without one a usage error that names what is missing."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise TrainergenError(f"{option} is missing", hint="Add it, or run the command on a terminal, where it asks.")
    return str(click.prompt(question, default=default, err=True))


def _text(value: JsonObject) -> str:
    from trainergen.generate.emitting import manifest

    return manifest(value)


def _refuse_existing(draft: Draft) -> None:
    if draft.output is not None and draft.output.exists() and not draft.force:
        raise TrainergenError(f"'{draft.output}' exists already", hint="Name another file, or add --force.")


def _deliver(draft: Draft, documents: list[str]) -> None:
    """Check the manifest, write it, and say what is left to do."""
    from trainergen.cli.new_check import judged

    text = "---\n".join(documents)
    remarks = judged(text, draft.where.release, draft.settings)
    if draft.output is None:
        click.echo(text, nl=False)
    else:
        draft.output.parent.mkdir(parents=True, exist_ok=True)
        draft.output.write_text(text, encoding="utf-8", newline="\n")
        click.echo(f"wrote {draft.output}", err=True)
    for remark in remarks:
        click.echo(remark, err=True)
