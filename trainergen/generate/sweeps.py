"""Sweeps: the combinations of parameters, the key of each, and the parameters in texts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from trainergen.generate.names import content_hash, slug

if TYPE_CHECKING:
    from trainergen.generate.spec import Sweep

_LONGEST = 40
_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Member(NamedTuple):
    """One job of a sweep; a job without a sweep is its only member, without parameters."""

    key: str
    parameters: Mapping[str, str]

    def fill(self, text: str) -> str:
        """The text with the values of parameters; other references stay, for they may be the shell's."""
        if "${" not in text:
            return text
        return _REFERENCE.sub(lambda match: self.parameters.get(match[1], match[0]), text)


def combinations(sweep: Sweep) -> Iterator[dict[str, str]]:
    """The values of each job, in the order in which they are written."""
    names, values = list(sweep.parameters), list(sweep.parameters.values())
    product = itertools.product(*values) if sweep.mode == "grid" else zip(*values, strict=False)
    for each in product:
        yield dict(zip(names, each, strict=True))


def count(sweep: Sweep) -> int:
    """How many jobs a sweep makes."""
    sizes = [len(values) for values in sweep.parameters.values()]
    if sweep.mode == "zip":
        return min(sizes)
    total = 1
    for size in sizes:
        total *= size
    return total


def members(key: str, sweep: Sweep | None) -> list[Member]:
    """The jobs of ``key``; the key of each says its parameters, or has a hash of them where that would be too long.

    A new value of a parameter makes new jobs and leaves the keys of the others as they are.
    """
    if sweep is None:
        return [Member(key, {})]
    found = [Member(_key(key, values), values) for values in combinations(sweep)]
    names = [member.key for member in found]
    if len(set(names)) == len(names):
        return found
    return [Member(_hashed(key, member.parameters), member.parameters) for member in found]


def _key(key: str, values: Mapping[str, str]) -> str:
    readable = "-".join([key, *(slug(part) for name, value in values.items() for part in (name, value))])
    return readable if len(readable) <= _LONGEST else _hashed(key, values)


def _hashed(key: str, values: Mapping[str, str]) -> str:
    return f"{key[: _LONGEST - 9].rstrip('-')}-{content_hash(dict(values))}"
