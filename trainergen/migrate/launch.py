"""Launch commands: what torchrun and its forerunners were told of the network is taken out, the rest stays."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

VALUE_OPTIONS: Final = frozenset(
    {"nnodes", "nproc_per_node", "node_rank", "master_addr", "master_port", "rdzv_backend", "rdzv_endpoint", "rdzv_id"}
    | {"rdzv_conf", "max_restarts", "monitor_interval", "start_method", "role", "log_dir", "redirects", "tee"}
    | {"local_addr", "local_ranks_filter", "event_log_handler", "logs_specs", "numa_binding", "signals_to_handle", "r"}
    | {"t"}
)
"""The options of torchrun that take a value."""
_NETWORK = frozenset({"nnodes", "node_rank", "master_addr", "master_port", "use_env"})
_RENDEZVOUS = frozenset({"rdzv_backend", "rdzv_endpoint", "rdzv_id", "rdzv_conf"})
_LAUNCHER = re.compile(
    r"(?:^|(?<=[\s;&|(]))"
    r"(?P<all>(?:\S*/)?torchrun|(?:\S*/)?python[0-9.]*(?:\s+-u)*\s+-m\s+torch\.distributed\.(?P<module>run|launch))(?=\s)"
)
_WORD = re.compile(r"(?:\"[^\"]*\"|'[^']*'|\\[^\n]|\$\([^)]*\)|[^\s;&|\"'\\])+")
_GAP = re.compile(r"(?:[ \t]|\\\n|\n(?=[ \t]*-))+")
_V1 = ("MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE")
_REFERENCE = re.compile(r"(?<!\$)\$(?:\((?P<k8s>[A-Z_]+)\)|\{(?P<braced>[A-Z_]+)\}|(?P<bare>[A-Z_]+)\b)")
_NAMES = {"MASTER_ADDR": "PET_MASTER_ADDR", "MASTER_PORT": "PET_MASTER_PORT", "RANK": "PET_NODE_RANK"}


@dataclass(slots=True)
class Launch:
    """What is known before a command is looked at, and what was found in it.

    ``world_is_nodes``: ``WORLD_SIZE`` counted nodes. ``shell`` writes variables as a shell reads them.
    """

    nodes: int
    elastic: bool = False
    world_is_nodes: bool = True
    shell: bool = False
    removed: list[str] = field(default_factory=list)
    processes: str = ""
    use_env: bool = False
    was_launch: bool = False
    etcd: bool = False
    world_as_nodes: bool = False
    has_rendezvous: bool = False
    needs_world_size: bool = False

    def decide(self, words: list[str]) -> list[str | None]:
        """The options before the script, each word as it stays, or None; ends at the first word that is no option."""
        dynamic = self.elastic or _restarts(words)
        self.etcd = self.etcd or any("etcd" in word for word in words[: options_end(words)])
        decided: list[str | None] = []
        at = 0
        while at < len(words) and words[at].startswith("-") and words[at] not in ("-m", "--"):
            name, separator, value = words[at].partition("=")
            option = name.lstrip("-").replace("-", "_")
            takes_next = not separator and option in VALUE_OPTIONS and at + 1 < len(words)
            if takes_next:
                value = words[at + 1]
            kept = self._option(option, value, dynamic=dynamic)
            if kept is None:
                self.removed.append(option)
                decided += [None, None] if takes_next else [None]
            else:
                spelt = name if len(option) == 1 else f"--{option}"
                decided += [spelt, kept] if takes_next else [f"{spelt}={kept}" if separator else spelt]
            at += 2 if takes_next else 1
        return decided

    def _option(self, option: str, value: str, *, dynamic: bool) -> str | None:
        """The value an option keeps, None when it goes."""
        if option in _NETWORK:
            self.use_env = self.use_env or option == "use_env"
            self.world_as_nodes = self.world_as_nodes or (option == "nnodes" and "WORLD_SIZE" in value)
            return None
        if option == "nproc_per_node":
            self.processes = value
            return None if value.isdecimal() or value in ("auto", "gpu") else self.rewrite(value)
        if option in _RENDEZVOUS:
            return self._rendezvous(option, value, dynamic=dynamic)
        if option == "standalone":
            return value if self.nodes == 1 else None
        return self.rewrite(value)

    def _rendezvous(self, option: str, value: str, *, dynamic: bool) -> str | None:
        if self.etcd:
            return value
        if not dynamic:
            return None
        self.has_rendezvous = True
        return self.endpoint() if option == "rdzv_endpoint" else self.rewrite(value)

    def endpoint(self) -> str:
        """The rendezvous of the Torch policy."""
        return f"{self._variable('PET_MASTER_ADDR')}:{self._variable('PET_MASTER_PORT')}"

    def _variable(self, name: str) -> str:
        return f"${name}" if self.shell else f"$({name})"

    def rewrite(self, text: str) -> str:
        """A text in which variables of the Training Operator are those of the Torch policy."""
        return _REFERENCE.sub(self._reference, text)

    def _reference(self, match: re.Match[str]) -> str:
        name = match["k8s"] or match["braced"] or match["bare"]
        if name not in _V1 or (match["k8s"] is None and not self.shell):
            return match[0]
        if name == "WORLD_SIZE":
            if not self.world_is_nodes:
                self.needs_world_size = True
                return match[0]
            new = "PET_NNODES"
        else:
            new = _NAMES[name]
        return match[0].replace(name, new)


def refers(text: str) -> bool:
    """True when a text refers to a variable of the Training Operator."""
    return any((match["k8s"] or match["braced"] or match["bare"]) in _V1 for match in _REFERENCE.finditer(text))


def options_end(words: list[str]) -> int:
    """How many words belong to the options before the script."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-m", "--"):
        name, separator, _ = words[at].partition("=")
        takes_next = not separator and name.lstrip("-").replace("-", "_") in VALUE_OPTIONS
        at += 2 if takes_next else 1
    return min(at, len(words))


def _restarts(words: list[str]) -> bool:
    for at, word in enumerate(words):
        if word.lstrip("-").replace("-", "_").startswith("max_restarts"):
            value = word.partition("=")[2] or (words[at + 1] if at + 1 < len(words) else "")
            return value not in ("", "0")
    return False


def rewrite_shell(text: str, launch: Launch, *, keep_module: bool) -> str | None:
    """A shell script with its launchers rewritten; None when it has none."""
    launch.shell = True
    out: list[str] = []
    at = 0
    for match in _LAUNCHER.finditer(text):
        out.append(launch.rewrite(text[at : match.start()]))
        launch.was_launch = launch.was_launch or match["module"] == "launch"
        plain = match["module"] is None or (keep_module and match["module"] == "launch")
        out.append(match["all"] if plain else "torchrun")
        spans = _words(text, match.end())
        decided = launch.decide([text[start:end] for start, end in spans])
        at = match.end()
        for (start, end), word in zip(spans, decided, strict=False):
            if word is not None:
                out += [text[at:start], word]
            at = end
    if not out:
        return None
    return "".join(out) + launch.rewrite(text[at:])


def _words(text: str, at: int) -> list[tuple[int, int]]:
    """The words of the command that goes on at a character."""
    spans: list[tuple[int, int]] = []
    while True:
        gap = _GAP.match(text, at)
        if gap is None:
            return spans
        word = _WORD.match(text, gap.end())
        if word is None:
            return spans
        spans.append(word.span())
        at = word.end()
