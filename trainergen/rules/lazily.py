"""``functools.cached_property`` without its lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property as lazily
else:

    class lazily:  # noqa: N801 - used like the one it stands for
        """A property worked out once for an object, which needs a ``__dict__``.

        Python 3.11 takes a lock at each first access, which shows in a run: rules ask for a dozen of these of every
        TrainJob. A run has processes and no threads; from 3.12 on the standard one has no lock either.
        """

        def __init__(self, work: Callable[[Any], Any]) -> None:
            self._work = work
            self._name = work.__name__
            self.__doc__ = work.__doc__

        def __get__(self, subject: Any, owner: type | None = None) -> Any:
            if subject is None:
                return self
            made = subject.__dict__[self._name] = self._work(subject)
            return made


__all__ = ["lazily"]
