"""The command of a training container: what launches it, and its rewritten form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from trainergen.migrate.launch import Launch, rewrite_shell

if TYPE_CHECKING:
    from trainergen.migrate.pods import Pod

Launcher = Literal["torchrun", "launch", "accelerate", "deepspeed", "python", "shell", "opaque"]
_MODULES: dict[str, Launcher] = {"torch.distributed.run": "torchrun", "torch.distributed.launch": "launch"}
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh"})
_ACCELERATE = ("num_machines", "machine_rank", "main_process_ip", "main_process_port")
_ACCELERATE_VALUES = ("PET_NNODES", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT")


class Command(NamedTuple):
    """``words`` are command and arguments in one, of which the first ``split`` stand in ``command``."""

    words: list[str]
    split: int
    launcher: Launcher
    end: int
    """Behind the words of the launcher; for a shell, the index of its script."""

    @property
    def script(self) -> str:
        """The text that a shell runs."""
        return self.words[self.end] if self.launcher == "shell" else ""

    @property
    def is_torchrun(self) -> bool:
        """True when the launcher sets the variables of a script itself."""
        return self.launcher in ("torchrun", "launch", "accelerate")


def read_command(pod: Pod) -> Command:
    """The command of a Pod's training container."""
    command, args = pod.texts("command"), pod.texts("args")
    words = command + args
    launcher, end = _launcher(words) if command else ("opaque", 0)
    return Command(words, len(command), launcher, end)


def _launcher(words: list[str]) -> tuple[Launcher, int]:
    program = words[0].rsplit("/", 1)[-1]
    if program == "torchrun":
        return "torchrun", 1
    if program == "deepspeed":
        return "deepspeed", 1
    if program == "accelerate" and words[1:2] == ["launch"]:
        return "accelerate", 2
    if re.fullmatch(r"python[0-9.]*", program):
        return _python(words)
    if program in _SHELLS:
        for at, word in enumerate(words[1:], start=1):
            if re.fullmatch(r"-[a-z]*c", word) and at + 1 < len(words):
                return "shell", at + 1
            if not word.startswith(("-", "+")) and word != "pipefail":
                break
    return "opaque", 0


def _python(words: list[str]) -> tuple[Launcher, int]:
    at = 1
    while at < len(words) and words[at].startswith("-") and words[at] != "-m":
        at += 2 if words[at] in ("-X", "-W") else 1
    if at + 1 < len(words) and words[at] == "-m" and words[at + 1] in _MODULES:
        return _MODULES[words[at + 1]], at + 2
    return "python", at


def rewrite_torch(command: Command, launch: Launch, *, keep_module: bool, extra: list[str]) -> Command | None:
    """The command for the Torch policy; None when it is no launcher of PyTorch.

    ``extra`` are options to put in front. ``launch`` keeps what was found.
    """
    if command.launcher == "shell":
        script = rewrite_shell(command.script, launch, keep_module=keep_module)
        if script is None:
            return None
        if extra:
            script = re.sub(r"(\btorchrun)(?=\s)", lambda match: " ".join([match[1], *extra]), script, count=1)
        return command._replace(words=[*command.words[: command.end], script, *command.words[command.end + 1 :]])
    if command.launcher == "accelerate":
        return _accelerate(command, launch)
    if not command.is_torchrun:
        return None
    launch.was_launch = command.launcher == "launch"
    head = command.words[: command.end]
    if command.launcher == "launch" and keep_module:
        new_head = head
    else:
        new_head = ["torchrun"] if head[0].rsplit("/", 1)[-1] != "torchrun" else head
    return _put_together(command, new_head, _options(command, launch), extra)


def _options(command: Command, launch: Launch) -> list[str | None]:
    rest = command.words[command.end :]
    decided = launch.decide(rest)
    return [*decided, *(launch.rewrite(word) for word in rest[len(decided) :])]


def _put_together(command: Command, head: list[str], options: list[str | None], extra: list[str]) -> Command:
    """Words that stood in ``command`` stay there; what is added comes behind the launcher."""
    own = max(0, command.split - command.end)
    first = [word for word in options[:own] if word is not None]
    second = [word for word in options[own:] if word is not None]
    if command.split >= command.end and not first:
        second = [*extra, *second]
        extra = []
    return Command([*head, *extra, *first, *second], len(head) + len(extra) + len(first), "torchrun", len(head))


def _accelerate(command: Command, launch: Launch) -> Command:
    words = command.words[command.end :]
    kept: list[str | None] = []
    at = 0
    while at < len(words):
        name, separator, _ = words[at].partition("=")
        option = name.lstrip("-").replace("-", "_")
        if name.startswith("--") and option in _ACCELERATE:
            launch.removed.append(option)
            kept += [None] if separator else [None, None][: len(words) - at]
            at += 1 if separator else 2
        else:
            kept.append(words[at])
            at += 1
    extra = [
        word
        for option, value in zip(_ACCELERATE, _ACCELERATE_VALUES, strict=True)
        for word in (f"--{option}", f"$({value})")
    ]
    return _put_together(command, command.words[: command.end], kept, extra)
