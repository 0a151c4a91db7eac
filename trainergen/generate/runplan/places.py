"""Addresses, ports and paths of the cluster, and what takes their place on one machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.render.pods import JobPods

LOCAL = "127.0.0.1"
_MOST_HOSTS = 10_000


@dataclass(frozen=True, slots=True)
class Places:
    """How texts of commands and variables are changed."""

    _hosts: re.Pattern[str] | None
    _ports: Mapping[str, str]
    _paths: tuple[tuple[re.Pattern[str], str], ...]

    def text(self, text: str) -> str:
        """An argument, or the value of a variable that holds no port alone."""
        if self._hosts is not None:
            text = self._hosts.sub(LOCAL, text)
        for old, new in self._ports.items():
            text = re.sub(rf"({re.escape(LOCAL)}:){old}(?!\d)", rf"\g<1>{new}", text)
        for pattern, here in self._paths:
            text = pattern.sub(lambda _match, here=here: here, text)  # type: ignore[misc]
        return text

    def value(self, name: str, text: str) -> str:
        """The value of the variable ``name``."""
        return self._ports.get(text, text) if name.endswith("_PORT") else self.text(text)


def places(pods: JobPods, *, port: int | None, paths: Iterable[tuple[str, str]] = ()) -> Places:
    """Every Pod is at ``LOCAL``; ports start at ``port`` unless that is None; ``paths`` are pairs of there and here."""
    numbers = sorted({opened.number for kind in pods.kinds for box in kind.containers for opened in box.ports})
    moved = {} if port is None else {str(old): str(port + step) for step, old in enumerate(numbers)}
    # The longest first, so that a folder in another one can be somewhere else.
    ordered = sorted(paths, key=lambda pair: -len(pair[0]))
    return Places(_hosts(pods), moved, tuple((_path(there), here.rstrip("/") or "/") for there, here in ordered))


def _hosts(pods: JobPods) -> re.Pattern[str] | None:
    names = [
        re.escape(pod.hostname)
        for kind in pods.kinds
        if kind.count <= _MOST_HOSTS
        for pod in kind.pods()
        if pod.hostname
    ]
    if not names:
        return None
    domain = rf"(?:\.{re.escape(pods.service)}(?:\.{re.escape(pods.namespace)}(?:\.svc(?:\.[\w-]+)*)?)?)?"
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(sorted(names, key=len, reverse=True))}){domain}(?![\w-]|\.\w)")


def _path(there: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w./-]){re.escape(there.rstrip('/'))}(?![\w.-])")
