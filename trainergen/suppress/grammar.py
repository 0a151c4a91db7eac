"""How a suppression is written, ``ignore[TG203, no-nodes] until=2027-01-01 -- reason``, and what is wrong with it."""

from __future__ import annotations

import re
from typing import NamedTuple

from trainergen.spelling import nearest

LINE = "ignore"
FILE = "ignore-file"
FORM = "# trainergen: ignore[TG203] until=2027-01-31 -- why it is fine"
ANNOTATION = "trainergen.io/ignore"
"""The annotation that holds for its object: ``TG203, no-nodes until=2027-01-31 -- why it is fine``."""

_VERB = re.compile(r"([A-Za-z][\w-]*)[ \t]*(\[?)")
_WORDS = re.compile(r"\[([^\[\]]*)\]")
_OPTION = re.compile(r"([A-Za-z][\w-]*)[ \t]*=[ \t]*([^\s]*)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OTHER_VERBS = ("disable", "noqa", "skip", "suppress", "allow", "nolint", "ignore-line", "ignore-next-line")


class Parsed(NamedTuple):
    """A suppression taken apart. One with a fault says nothing else; ``words`` are ids, starts of ids, names, families.

    ``start`` and ``end`` are where the words stand in the text.
    """

    is_for_file: bool = False
    words: tuple[str, ...] = ()
    until: str = ""
    reason: str = ""
    start: int = 0
    end: int = 0
    fault: str = ""
    help: str = ""


def parse_comment(text: str) -> Parsed | None:
    """What follows ``# trainergen`` in a comment; None when it is prose."""
    colon = re.match(r"[ \t]*:[ \t]*", text)
    start = colon.end() if colon else len(text) - len(text.lstrip(" \t"))
    verb = _VERB.match(text, start)
    if verb is None or not _is_meant(verb[1], with_colon=colon is not None, with_bracket=bool(verb[2])):
        return None
    if colon is None:
        return _faulty("a colon is missing behind 'trainergen'")
    if verb[1] not in (LINE, FILE):
        near = nearest(verb[1], (LINE, FILE)) or LINE
        return _faulty(f"'{verb[1]}' is no directive (did you mean '{near}'?)")
    words = _WORDS.match(text, verb.end(1)) or _WORDS.match(text, verb.end(1) + 1)
    if words is None:
        return _faulty(f"'{verb[1]}' does not say in brackets what to ignore")
    return _rest(words[1], text[words.end() :], at=words.start(1))._replace(is_for_file=verb[1] == FILE)


def parse_annotation(text: str) -> Parsed:
    """The value of the annotation."""
    tail = re.search(r"(?:^|[ \t\n])(?:--|[A-Za-z][\w-]*[ \t]*=)", text)
    end = len(text) if tail is None else tail.start()
    return _rest(text[:end], text[end:], at=0)


def _is_meant(verb: str, *, with_colon: bool, with_bracket: bool) -> bool:
    if verb.lower() in (LINE, FILE):
        return with_colon or with_bracket
    known = (LINE, FILE, *_OTHER_VERBS)
    return with_colon and (with_bracket or bool(nearest(verb, known)))


def _rest(words: str, tail: str, *, at: int) -> Parsed:
    named = tuple(word for word in re.split(r"[\s,]+", words) if word)
    if not named:
        return _faulty("it does not name a check to ignore")
    options, dashes, reason = _parted(tail)
    until = ""
    for name, value in _OPTION.findall(options):
        if name != "until":
            near = " (did you mean 'until'?)" if nearest(name, ("until",)) else ""
            return _faulty(f"there is no option '{name}'{near}")
        if not _is_date(value):
            return _faulty(f"until is '{value}', but a date such as 2027-01-31 is expected")
        until = value
    if left := _OPTION.sub("", options).strip():
        return _faulty(f"'{left}' is neither an option nor a reason, which follows ' -- '")
    if dashes and not reason:
        return _faulty("there is no reason behind '--'")
    return Parsed(words=named, until=until, reason=reason, start=at, end=at + len(words))


def _parted(tail: str) -> tuple[str, bool, str]:
    """The options, whether dashes follow, and the reason."""
    found = re.search(r"(?:^|\s)--(?=\s|$)", tail)
    if found is None:
        return tail, False, ""
    return tail[: found.start()], True, tail[found.end() :].strip()


def _is_date(text: str) -> bool:
    from datetime import date

    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _faulty(fault: str) -> Parsed:
    return Parsed(fault=fault, help=f"Write '{FORM}'.")
