"""What a credential looks like: by its own shape, or by the name that it is under."""

from __future__ import annotations

import re
from functools import lru_cache

_SHAPES = {
    "a Hugging Face token": r"hf_[A-Za-z0-9]{30,}",
    "a GitHub token": r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}",
    "a GitLab token": r"glpat-[\w-]{20,}",
    "an AWS access key": r"(?:AKIA|ASIA)[A-Z0-9]{16}",
    "an OpenAI or Anthropic key": r"sk-(?:proj-|svcacct-|ant-)?[\w-]{32,}",
    "a Google API key": r"AIza[\w-]{35}",
    "an NVIDIA key": r"nvapi-[\w-]{40,}",
    "a Slack token": r"xox[abprs]-[A-Za-z0-9-]{20,}",
    "a Docker Hub token": r"dckr_pat_[\w-]{20,}",
    "a JSON Web Token": r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",
    "a private key": r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----",
}
_NAMES = tuple(_SHAPES)
_SHAPE = re.compile("|".join(rf"(?<![A-Za-z0-9])({pattern})(?![A-Za-z0-9])" for pattern in _SHAPES.values()))
_MAYBE = re.compile(r"hf_|gh[pousr]_|github_|glpat-|AKIA|ASIA|sk-|AIza|nvapi-|xox|dckr_|eyJ|-----BEGIN")
"""A cheap look for texts that can have one of the shapes."""

_WORDS = r"TOKEN|PASSWORD|PASSWD|PASSPHRASE|SECRET|CREDENTIALS?|(?:API|ACCESS|SECRET|PRIVATE)[_-]?KEY"
_SECRET_NAME = re.compile(rf"(?:^|[_.-])(?:{_WORDS})$", re.IGNORECASE)
_MODEL_TOKEN = re.compile(
    r"(?:^|[_.-])(?:PAD|BOS|EOS|UNK|MASK|SEP|CLS|START|STOP|END|IMAGE|SPECIAL|TRIGGER|INSTANCE)[_-]TOKEN$",
    re.IGNORECASE,
)
_STAND_IN = re.compile(
    r"example|placeholder|change[-_]?me|replace[-_]?me|\byour\b|your[-_]|dummy|fake|redacted|\btodo\b|xxx|\*\*\*|\.\.\."
    r"|^<|^\[|\$[({]|\{\{|^ENC\[|^(?:vault|ref\+\w+|op|sm|gcp-sm|awssm|secretref|arn):",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^(?:[./~]|[A-Za-z][\w+.-]*://)")
_TOO_PLAIN = 8


@lru_cache(maxsize=1024)  # a repository says the same over and over
def credential_in(text: str) -> str:
    """What kind of credential a text holds by shape, ``""`` for none; what only stands for one is none."""
    if _MAYBE.search(text) is None:
        return ""
    for found in _SHAPE.finditer(text):
        kind = _NAMES[(found.lastindex or 1) - 1]
        if kind == "a private key" or _is_random(found.group()):
            return kind
    return ""


def is_credential(name: str, value: str) -> bool:
    """Whether ``value`` is the credential that its name speaks of, and no stand-in, path, address or plain word."""
    if len(value) < _TOO_PLAIN or not _SECRET_NAME.search(name) or _MODEL_TOKEN.search(name):
        return False
    if _STAND_IN.search(value) or _PLACE.match(value) or any(map(str.isspace, value)) or value.isdigit():
        return False
    return "PASS" in name.upper() or _is_mixed(value)


def is_stand_in(value: str) -> bool:
    """Whether a value only stands for a credential, or is put in by a tool later."""
    return _STAND_IN.search(value) is not None


def _is_random(text: str) -> bool:
    return len(set(text)) > _TOO_PLAIN and not _STAND_IN.search(text)


def _is_mixed(value: str) -> bool:
    """Letters and digits, or letters of both cases inside: a word or the name of an object is neither."""
    letters = any(map(str.isalpha, value))
    inner = value[1:]
    return letters and (any(map(str.isdigit, value)) or (inner != inner.lower() and inner != inner.upper()))
