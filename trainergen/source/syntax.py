"""What a YAML syntax error means, in words that say what to change."""

from __future__ import annotations

import re
from typing import Final

from yaml.error import MarkedYAMLError
from yaml.reader import ReaderError

from trainergen.source.checks import NOT_TEXT, TOO_DEEP, YAML_SYNTAX
from trainergen.source.problems import Problem

# The characters that YAML 1.1 readers take, as in libyaml reader.c @ 0.2.5 yaml_parser_update_buffer.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

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
        "<block end>",
        "the line fits nothing at this indentation",
        "Line it up with the lines above, or close the quote or bracket before it.",
    ),
    (
        "block sequence entries are not allowed",
        "a list item '- ' stands where none can be",
        "Start the list on its own line.",
    ),
    ("unexpected end of stream", "a quote is opened and never closed", "Close the quote."),
    ("unexpected document separator", "a quote is open where the next document starts", "Close the quote."),
    ("unexpected document indicator", "a quote is open where the next document starts", "Close the quote."),
    ("expected ',' or", "a '[' or '{' is opened and not closed here", "Close the bracket, or add the comma."),
    ("expected node content", "a bracket is open or a value is missing here", "Close the bracket, or write the value."),
    ("undefined alias", "an alias names no anchor", "Define the anchor first."),
    ("tag handle", "a tag starts with an undefined handle", "Quote a value that starts with '!'."),
    (
        "escape",
        "a backslash sequence in double quotes is unknown",
        "Write '\\\\' for a backslash, or use single quotes.",
    ),
    ("expected <document start>", "text follows the end of the document", "Separate documents with a line '---'."),
    (
        "expected the node content",
        "a bracket is open or a value is missing here",
        "Close the bracket, or write the value.",
    ),
)


def syntax_problem(error: Exception, text: str) -> Problem:
    """The problem that an error of the YAML parser stands for; ``text`` is what was parsed."""
    if isinstance(error, ReaderError):
        return control_character(text)
    mark = error.problem_mark or error.context_mark if isinstance(error, MarkedYAMLError) else None
    offset = min(mark.index, len(text)) if mark is not None else len(text)
    said = " ".join(str(part) for part in (getattr(error, "problem", ""), getattr(error, "context", "")) if part)
    if "maximum nesting depth" in said:
        message, remedy, check = "nesting is deeper than the YAML parser goes", "Flatten the document.", TOO_DEEP
    else:
        message, remedy = _explain(said, text[offset : offset + 1])
        check = YAML_SYNTAX
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
    found = _FORBIDDEN.search(text)
    offset = found.start() if found else 0
    code = f"U+{ord(text[offset]):04X}" if found else "unknown"
    message = f"a control character ({code}) is not allowed in YAML"
    remedy = 'Remove it, or write it as an escape in double quotes, such as "\\u0007".'
    return Problem(NOT_TEXT, message, remedy, offset, offset + 1)
