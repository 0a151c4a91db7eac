"""Placeholders of templates, taken out so that what is around them can be read, and put back."""

from __future__ import annotations

import re
from typing import Final

_DIRECTIVE = re.compile(r"^[ \t]*\{\{-?[^{}]*\}\}[ \t]*$", re.MULTILINE)
_PLACE = re.compile(r"\{\{-?[^{}]*\}\}")
_NUMBER_KEYS: Final = (
    "replicas|backoffLimit|ttlSecondsAfterFinished|activeDeadlineSeconds|minAvailable|slotsPerWorker|containerPort|"
    "minReplicas|maxReplicas|maxRestarts|runAsUser|fsGroup"
)
_NUMBER = re.compile(rf"((?:{_NUMBER_KEYS})[\"']?[ \t]*:[ \t]*)(\{{\{{-?[^{{}}]*\}}\}})[ \t]*$", re.MULTILINE)
_FIRST: Final = 1_700_000_000
_STEP: Final = 10_000
_FILLED = re.compile(r"\bx(\d+)placeholderx\b")


class Placeholders:
    """The placeholders of one text; ``used`` says whether it has any.

    Lines that are nothing but a placeholder, such as conditions, are left out: they do not come back.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.has_numbers = False
        """Whether a placeholder stands for a number."""

    @property
    def used(self) -> bool:
        """Whether the text has placeholders."""
        return bool(self._texts)

    def fill(self, text: str) -> str:
        """The text with words and numbers that stand for the placeholders."""
        if "{{" not in text:
            return text
        text = _DIRECTIVE.sub("", text)
        text, count = _NUMBER.subn(lambda match: match[1] + str(_FIRST + _STEP * self._keep(match[2])), text)
        self.has_numbers = self.has_numbers or count > 0
        return _PLACE.sub(lambda match: f"x{self._keep(match[0])}placeholderx", text)

    def _keep(self, text: str) -> int:
        if text not in self._texts:
            self._texts.append(text)
        return self._texts.index(text)

    def restore(self, text: str) -> str:
        """What was made of a filled text with the placeholders in it; sums with a number are written as such."""
        text = _FILLED.sub(lambda match: self._texts[int(match[1])], text)
        return re.sub(r"\b17\d{8}\b", self._number, text) if self._texts else text

    def _number(self, match: re.Match[str]) -> str:
        at, more = divmod(int(match[0]) - _FIRST, _STEP)
        if at >= len(self._texts):
            return match[0]
        return self._texts[at] if not more else f"{self._texts[at]} plus {more}"
