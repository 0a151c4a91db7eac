"""Where a finding of a policy points to: policies have no field paths, but their expressions look at fields."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from trainergen.policies.evaluation import whole
from trainergen.policies.expressions import paths_of

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path
    from trainergen.policies.model import Named, Policy

NAME: Path = ("metadata", "name")
_IDENTITY: tuple[Path, ...] = (("apiVersion",), ("kind",), NAME, ("metadata", "namespace"))


def place_of(expression: str, policy: Policy, obj: JsonValue) -> Path:
    """The field that an expression is about: the one it looks at, or what all it looks at have in common.

    As far as it exists in the object; the object's name where nothing better is known.
    """
    paths = list(_paths(expression, policy.variables))
    # What kind of object it is says where to look, and is not what is wrong with it.
    paths = [path for path in paths if path not in _IDENTITY] or paths
    paths = [path for path in paths if _existing(obj, path) == path] or paths
    found = _existing(obj, _common(paths))
    return found if found and found not in (("metadata",), ("spec",)) else NAME


@lru_cache(maxsize=1024)
def _paths(expression: str, variables: tuple[Named, ...]) -> tuple[Path, ...]:
    """The fields that an expression looks at, those of its variables included."""
    return tuple(paths_of(whole(expression, variables), "object"))


def _common(paths: list[Path]) -> Path:
    """What the paths have in common from the start."""
    steps = []
    for several in zip(*paths, strict=False):
        if len(set(several)) > 1:
            break
        steps.append(several[0])
    return tuple(steps)


def _existing(obj: JsonValue, path: Path) -> Path:
    steps: list[str | int] = []
    for step in path:
        if isinstance(obj, dict) and step in obj:
            obj = obj[str(step)]
        elif isinstance(obj, list) and isinstance(step, int) and 0 <= step < len(obj):
            obj = obj[step]
        else:
            break
        steps.append(step)
    return tuple(steps)
