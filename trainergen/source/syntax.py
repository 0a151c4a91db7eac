"""What a YAML syntax error means, in words that say what to change."""

from __future__ import annotations

import re
from typing import Final

from yaml.error import MarkedYAMLError
from yaml.reader import ReaderError

from trainergen.source.checks import NOT_TEXT, TOO_DEEP, YAML_SYNTAX
from trainergen.source.problems import Problem

# The characters that YAML 1.1 readers take, as in libyaml reader.c @ 0.2.5 yaml_parser_update_buffer.
_FORBIDDEN = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"

# Parts of libyaml's and PyYAML's messages, with what is said instead. The first that fits counts.
_KNOWN: Final = (
    (
        "mapping values are not allowed",
        "a ': ' stands where no key can be",
        "Quote a value that contains ': ', or check the indentation.",
    ),
    (
        "could not find expected ':'",
        "a line is neither 'key: value' nor a list item",
        "Add the colon, or check quotes and indentation.",
    ),
    (
        "did not find expected key",
        "the line fits no mapping at this indentation",
        "Line it up with the key above, or close the quote or bracket before it.",
    ),
    (
        "did not find expected '-' indicator",
        "the line fits no list at this indentation",
        "Line it up with the list items above.",
    ),
    (
        "expected <block end>",
        "the line fits nothing at this indentation",
        "Line it up with the lines above, or close the quote or bracket before it.",
    ),
    (
        "block sequence entries are not allowed",
        "a list item '- ' stands where none can be",
        "Start the list on its own line.",
    ),
    ("unexpected end of stream", "a quote is opened and never closed", "Close the quote."),
    ("unexpected document", "a quote is opened and never closed", "Close the quote."),
    ("expected ',' or", "a comma or a closing bracket is missing", "Close the bracket, or add the comma."),
    ("node content", "a value or a closing bracket is missing", "Write the value, or close the bracket."),
    ("tag handle", "a tag starts with an undefined handle", "Quote a value that starts with '!'."),
    ("escape", "an escape in double quotes is unknown", "Write '\\\\' for a backslash, or use single quotes."),
    ("expected <document start>", "text follows the end of the document", "Separate documents with a line '---'."),
)
_OPEN_QUOTE: Final = ("unexpected end of stream", "unexpected document")


def syntax_problem(error: Exception, text: str, *, first_line: int) -> Problem:
    """The problem that an error of the YAML parser stands for; ``text`` is what was parsed, from ``first_line`` on."""
    if isinstance(error, ReaderError):
        return control_character(text)
    mark = context = None
    if isinstance(error, MarkedYAMLError):
        mark, context = error.problem_mark, error.context_mark
    said = " ".join(str(part) for part in (getattr(error, "problem", ""), getattr(error, "context", "")) if part)
    if context is not None and (mark is None or any(part in said for part in _OPEN_QUOTE)):
        mark = context
    offset = min(mark.index, len(text)) if mark is not None else len(text)
    if "maximum nesting depth" in said:
        message, remedy, check = "nesting is deeper than the YAML parser goes", "Flatten the document.", TOO_DEEP
    else:
        message, remedy = _explain(said, text[offset : offset + 1])
        check = YAML_SYNTAX
    opened = "" if context is None else text[context.index : context.index + 1]
    # NB: where a value is missing the parser names that place, and not the bracket around it.
    if context is not None and "flow" in said and opened in ("[", "{"):
        message = f"{message}, in the '{opened}' of line {first_line + context.line}"
    return Problem(check, message, remedy, offset, min(offset + 1, len(text)))


def _explain(said: str, at: str) -> tuple[str, str]:
    if at == "\t":
        return "not valid YAML: a tab is used for indentation", "Indent with spaces."
    if "that cannot start any token" in said:
        return f"not valid YAML: a value cannot start with '{at}'", "Quote the value."
    for part, message, remedy in _KNOWN:
        if part in said:
            return f"not valid YAML: {message}", remedy
    return f"not valid YAML: {said}", "Correct the line, or quote the value."


def control_character(text: str) -> Problem:
    """The problem of text that holds characters which YAML forbids."""
    found = re.search(_FORBIDDEN, text)
    offset = found.start() if found else 0
    code = f"U+{ord(text[offset]):04X}" if found else "unknown"
    message = f"a control character ({code}) is not allowed in YAML"
    remedy = 'Remove it, or write it as an escape in double quotes, such as "\\u0007".'
    return Problem(NOT_TEXT, message, remedy, offset, offset + 1)
