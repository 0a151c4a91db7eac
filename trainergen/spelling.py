"""The nearest known word to one that is not known, for messages that offer what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like ``word``, or an empty string when none is like it."""
    from difflib import get_close_matches

    by_folded = {name.casefold(): name for name in known}
    # NB: the length is cut, for the comparison is quadratic and the word comes from a file.
    close = get_close_matches(word[:100].casefold(), by_folded, n=1)
    return by_folded[close[0]] if close else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The words `` (did you mean '…'?)`` to append to a message, or an empty string."""
    near = nearest(word, known)
    return f" (did you mean '{near}'?)" if near else ""
