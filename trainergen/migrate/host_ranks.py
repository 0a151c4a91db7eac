"""Ranks that a shell cuts off the host name: the number of a node counts the Master now, so that nothing is added."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trainergen.migrate import catalogue as c

if TYPE_CHECKING:
    from trainergen.finding import JsonValue, Path
    from trainergen.migrate.pods import Pod
    from trainergen.migrate.work import Work

_CUT: Final = r"\$\{HOSTNAME##\*-\}"
_SUMS: Final = (
    re.compile(rf"\$\(\(\s*({_CUT})\s*\+\s*1\s*\)\)"),
    re.compile(rf"\$\(\(\s*1\s*\+\s*({_CUT})\s*\)\)"),
    re.compile(rf"\$\(\s*expr\s+({_CUT})\s*\+\s*1\s*\)"),
    re.compile(rf"`\s*expr\s+({_CUT})\s*\+\s*1\s*`"),
)
_AWK = re.compile(r"(\b(?:hostname|HOSTNAME)\b[^\n]*?awk\s+-F\s*['\"]?-['\"]?\s+['\"]\{\s*print\s+\$NF)\s*\+\s*1")
_NAMED = re.compile(rf"\b(\w+)=[\"']?(?:{_CUT}|\$\([^()]*HOSTNAME[^()]*\)|\$\(hostname[^()]*\))[\"']?")
_READS = re.compile(rf"{_CUT}|\b(?:hostname|HOSTNAME)\b[^\n;]*(?:\brev\b|-F\s*['\"]?-|\bcut\b|\bgrep\b|\bsed\b)|##\*-")


def rewrite_host_ranks(work: Work, pod: Pod) -> None:
    """Take out what is added to the number in the host name, where a Master went before the Workers.

    Says where that was done, and where such a number is used in a way that is not understood.
    """
    if work.job.role("Master") is None or work.job.role("Worker") is None:
        return
    for key in ("command", "args"):
        words = pod.main.get(key)
        if isinstance(words, list):
            pod.main[key] = [_word(work, word, (*pod.main_path, key, at)) for at, word in enumerate(words)]


def _word(work: Work, word: JsonValue, where: Path) -> JsonValue:
    if not isinstance(word, str) or ("HOSTNAME" not in word and "hostname" not in word):
        return word
    new = without_sums(word)
    if new != word:
        work.say(
            c.HOST_RANK,
            where,
            "1 is no longer added to the number in the host name, which counts the Master as 0 now",
            remedy="Check what else the command does with the host name: no Pod is called master or worker any more.",
        )
    elif _READS.search(word):
        work.say(
            c.HOST_RANK,
            where,
            "a number is cut off the host name; that of a Worker is one more now, since the Master is counted as 0",
            remedy="Use it as the rank as it is, without adding 1.",
        )
    return new


def without_sums(text: str) -> str:
    """A shell's text in which the number in the host name is the rank."""
    for pattern in _SUMS:
        text = pattern.sub(lambda match: match[1], text)
    text = _AWK.sub(lambda match: match[1], text)
    for name in dict.fromkeys(_NAMED.findall(text)):
        text = re.sub(rf"\$\(\(\s*\$?\{{?{name}\}}?\s*\+\s*1\s*\)\)", f"${{{name}}}", text)
        text = re.sub(rf"\$\(\s*expr\s+\$\{{?{name}\}}?\s*\+\s*1\s*\)", f"${{{name}}}", text)
    return text
