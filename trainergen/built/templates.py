"""Where in a template an object that helm rendered is written, as far as a text can tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, Path
    from trainergen.rules.found import Spot
    from trainergen.rules.tree import TextFile

_DOCUMENT = re.compile(r"^---", re.MULTILINE)


def template_spot(template: TextFile, value: JsonObject, at: Path, *, number: int, of: int) -> Spot:
    """The place of a path of a rendered object: its last key that the template spells out, else its kind.

    ``number`` counts the objects of that kind that come from the template, ``of`` is how many there are.
    """
    text = template.text
    kinds = [match.span(1) for match in _key("kind", re.escape(str(value.get("kind")))).finditer(text)]
    start, end = (kinds[number] if len(kinds) == of else kinds[0]) if kinds else (0, len(text.partition("\n")[0]))
    begin = max((match.end() for match in _DOCUMENT.finditer(text, 0, start)), default=0)
    after = _DOCUMENT.search(text, end)
    limit = after.start() if after else len(text)
    for step in at:
        if isinstance(step, str):
            match = _key(re.escape(step)).search(text, begin, limit)
            if match is None:
                break
            start, end = match.span(1)
            begin = match.end()
    return template.at(start, end)


def _key(name: str, value: str = "") -> re.Pattern[str]:
    """A mapping's key, with its value if one is given; group 1 is the key."""
    rest = rf"[\"']?{value}\b" if value else ""
    return re.compile(rf"(?:^|[\s{{,])[\"']?({name})[\"']?[ \t]*:(?=[\s\"'])[ \t]*{rest}", re.MULTILINE)
