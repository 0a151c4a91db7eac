"""The runs of tools in one run of ours: the same content is built once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trainergen.built.process import LIMITS, Limits, Ran, environment, run

if TYPE_CHECKING:
    from trainergen.built.sandbox import Sandbox

_MOST_KEPT = 64
_HERE = "\0sandbox\0"
_kept: dict[str, Ran] = {}


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs tools; what a tool made of the same content before, such as in another round of fixes, is kept."""

    limits: Limits = LIMITS
    stop: threading.Event = field(default_factory=threading.Event)

    def run(
        self, command: Sequence[str], sandbox: Sandbox, *, stdin: bytes = b"", more: dict[str, str] | None = None
    ) -> Ran:
        """What becomes of the command in the sandbox; ``more`` is added to its environment."""
        here = str(sandbox.folder)
        key = sandbox.digest(*(word.replace(here, _HERE) for word in command), stdin.decode().replace(here, _HERE))
        known = _kept.get(key)
        if known is None:
            env = {**environment(sandbox.home), **(more or {})}
            known = run(command, cwd=sandbox.home, env=env, stdin=stdin, limits=self.limits, stop=self.stop)
            known = known._replace(err=known.err.replace(here, _HERE))
            if not known.broken:
                if len(_kept) >= _MOST_KEPT:
                    _kept.clear()
                _kept[key] = known
        return known._replace(err=known.err.replace(_HERE, here))


def forget() -> None:
    """Forget what was built so far."""
    _kept.clear()
