"""An expression's text cut into tokens, with the values of its literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

KEYWORDS = frozenset({"true", "false", "null", "in"})
_STRING = r'[bB]?(?:"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^\\"\r\n])*"|\'(?:\\.|[^\\\'\r\n])*\')'
_RAW = r'(?:[rR][bB]?|[bB][rR])(?:"""(?:.)*?"""|\'\'\'(?:.)*?\'\'\'|"[^"\r\n]*"|\'[^\'\r\n]*\')'
_TOKEN = re.compile(
    rf"""
    (?P<space>[\t\n\f\r ]+|//[^\n]*)
    | (?P<string>{_RAW}|{_STRING})
    | (?P<double>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
    | (?P<uint>(?:0[xX][0-9a-fA-F]+|[0-9]+)[uU])
    | (?P<int>0[xX][0-9a-fA-F]+|[0-9]+)
    | (?P<name>[_a-zA-Z][_a-zA-Z0-9]*)
    | (?P<mark>\.\?|&&|\|\||<=|>=|==|!=|[-+*/%<>!?:.,()\[\]{{}}])
    """,
    re.VERBOSE | re.DOTALL,
)
_HEX = "[0-9a-fA-F]"
_ESCAPE = re.compile(rf"\\(?:([abfnrtv\\?\"'`])|[xX]({_HEX}{{2}})|u({_HEX}{{4}})|U({_HEX}{{8}})|([0-3][0-7]{{2}}))")
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class SyntaxFault(Exception):  # noqa: N818 - the fault of an expression that somebody wrote, reported as a finding
    """The text is no CEL expression; ``at`` is the offset where that shows."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class Token(NamedTuple):
    """A token; ``kind`` is that of a literal, ``name``, ``mark`` or ``end``."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of ``text``, closed by one of the kind ``end``; raises SyntaxFault."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise SyntaxFault(f"'{text[at]}' is not expected", at)
        kind = str(match.lastgroup)
        if kind != "space":
            yield Token(kind, match[0], at)
        at = match.end()
    yield Token("end", "", len(text))


def string_value(token: Token) -> str | bytes:
    """What a string or bytes literal stands for."""
    body = token.text.lstrip("rRbB")
    prefix = token.text[: len(token.text) - len(body)].lower()
    quotes = 3 if body[:3] in ('"""', "'''") and len(body) >= 6 else 1
    content = body[quotes:-quotes]
    if "b" in prefix:
        return content.encode() if "r" in prefix else _bytes(content, token.at)
    return content if "r" in prefix else _text(content, token.at)


def _pieces(content: str, at: int) -> Iterator[re.Match[str] | str]:
    start = 0
    while start < len(content):
        if content[start] != "\\":
            end = content.find("\\", start)
            end = len(content) if end < 0 else end
            yield content[start:end]
            start = end
            continue
        match = _ESCAPE.match(content, start)
        if match is None:
            raise SyntaxFault(f"'{content[start : start + 2]}' is no escape", at)
        yield match
        start = match.end()


def _text(content: str, at: int) -> str:
    pieces = _pieces(content, at)
    return "".join(piece if isinstance(piece, str) else _character(piece, at) for piece in pieces)


def _bytes(content: str, at: int) -> bytes:
    out = bytearray()
    for piece in _pieces(content, at):
        if isinstance(piece, str):
            out += piece.encode()
        elif piece[2] or piece[5]:
            out.append(int(piece[2], 16) if piece[2] else int(piece[5], 8))
        elif piece[1]:
            out += _LETTERS.get(piece[1], piece[1]).encode()
        else:
            raise SyntaxFault(f"'{piece[0]}' is no escape of bytes", at)
    return bytes(out)


def _character(match: re.Match[str], at: int) -> str:
    if match[1]:
        return _LETTERS.get(match[1], match[1])
    code = int(match[5], 8) if match[5] else int(match[2] or match[3] or match[4], 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise SyntaxFault(f"'{match[0]}' is no character", at)
    return chr(code)
