"""The configuration file as plain values with the place of each, from YAML or TOML.

Scalars stay as written, without a guess at their type: ``release: 2.10`` is a release and not the number 2.1.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from trainergen.errors import TrainergenError
from trainergen.finding import JsonValue, format_path
from trainergen.finding import Path as DocumentPath

Position = tuple[int, int]
_MAX_BYTES = 1 << 20
_MAX_DEPTH = 30
_MAX_NODES = 200_000
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]")
_ENTRY = re.compile(rf"(\s*)({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


@dataclass
class ConfigDocument:
    """A configuration file: its values, and the line and column (from 1) of keys and values by path."""

    name: str
    value: JsonValue = None
    keys: dict[DocumentPath, Position] = field(default_factory=dict)
    values: dict[DocumentPath, Position] = field(default_factory=dict)

    def place(self, path: DocumentPath, *, on_key: bool = False) -> str:
        """``file:line:column`` of a path, or of the nearest known one above it."""
        first, second = (self.keys, self.values) if on_key else (self.values, self.keys)
        for length in range(len(path), -1, -1):
            position = first.get(path[:length]) or second.get(path[:length])
            if position:
                return f"{self.name}:{position[0]}:{position[1]}"
        return self.name

    def fail(self, position: Position | None, message: str, hint: str) -> TrainergenError:
        """The error that this file has ``message`` at ``position``."""
        place = f"{self.name}:{position[0]}:{position[1]}" if position else self.name
        return TrainergenError(f"{place}: {message}", hint=hint)


def shown_name(file: Path) -> str:
    """A file as messages call it: relative where it lies below the working folder."""
    path = Path(os.path.normpath(Path.cwd() / file))
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def without_nulls(value: JsonValue) -> JsonValue:
    """``value`` without keys that hold nothing: ``check:`` with all its lines commented out sets nothing."""
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    return value


def read_document(file: Path, name: str) -> ConfigDocument:
    """Read ``file``, called ``name`` in messages; TrainergenError says what cannot be read and where."""
    document = ConfigDocument(name)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise document.fail(
            None,
            f"the configuration cannot be read: {error.strerror or error}",
            "Check the path and its permissions.",
        ) from error
    if len(data) > _MAX_BYTES:
        raise document.fail(
            None,
            f"the configuration has {len(data)} bytes, but at most {_MAX_BYTES} are read",
            "Check that this is the right file.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise document.fail((line, 1), "the configuration is not UTF-8 text", "Save it as UTF-8.") from error
    if file.suffix == ".toml":
        _read_toml(text, document)
    else:
        _read_yaml(text, document)
    return document


def _read_yaml(text: str, document: ConfigDocument) -> None:
    try:
        _limit_depth(text, document)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        position = (mark.line + 1, mark.column + 1) if mark else None
        problem = error.problem or error.context or "broken YAML"
        raise document.fail(position, f"this is not YAML: {problem}", "Correct the file at this place.") from error
    except yaml.YAMLError as error:
        problem = str(error).splitlines()[0]
        raise document.fail(None, f"this is not YAML: {problem}", "Remove what is no text from the file.") from error
    if node is not None:
        document.value = _NodeReader(document).read(node, ())


def _limit_depth(text: str, document: ConfigDocument) -> None:
    # The composer works by recursion; the events do not, so the depth is known before it could be too much.
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _MAX_DEPTH:
                mark = event.start_mark
                raise document.fail(
                    (mark.line + 1, mark.column + 1) if mark else None,
                    f"values are nested more than {_MAX_DEPTH} deep",
                    "Check that this is the right file.",
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


class _NodeReader:
    """Turns nodes into values and notes their places."""

    def __init__(self, document: ConfigDocument) -> None:
        self._document = document
        self._count = 0

    def read(self, node: yaml.Node, path: DocumentPath) -> JsonValue:
        self._count += 1
        if self._count > _MAX_NODES or len(path) > _MAX_DEPTH:
            raise self._document.fail(
                _position(node), "aliases make this file far larger than it is", "Write the values out."
            )
        self._document.values[path] = _position(node)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*path, index)) for index, item in enumerate(node.value)]
        if node.tag == "tag:yaml.org,2002:null":
            return None
        return str(node.value)

    def _mapping(self, node: yaml.MappingNode, path: DocumentPath) -> JsonValue:
        out: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._document.fail(_position(key_node), "a key is not text", "Write a plain word as the key.")
            key = str(key_node.value)
            below = (*path, key)
            if key in out:
                line = self._document.keys[below][0]
                raise self._document.fail(
                    _position(key_node),
                    f"{format_path(below)} is set twice, first in line {line}",
                    "Keep one of the two.",
                )
            self._document.keys[below] = _position(key_node)
            out[key] = self.read(value_node, below)
        return out


def _position(node: yaml.Node) -> Position:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _read_toml(text: str, document: ConfigDocument) -> None:
    import tomllib

    try:
        tool = tomllib.loads(text, parse_float=str).get("tool")
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        position = (int(match[1]), int(match[2])) if match else None
        problem = str(error).partition(" (at ")[0]
        raise document.fail(position, f"this is not TOML: {problem}", "Correct the file at this place.") from error
    table = tool.get("trainergen") if isinstance(tool, dict) else None
    document.value = _as_written(table)
    _locate_toml(text, document)


def _as_written(value: object) -> JsonValue:
    if isinstance(value, dict):
        return {str(key): _as_written(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_written(each) for each in value]
    # TOML knows dates as well; as text they are refused like any other word that is not expected.
    return value if isinstance(value, bool) else str(value)


def _locate_toml(text: str, document: ConfigDocument) -> None:
    """Note where the keys of ``[tool.trainergen]`` stand; the parser of the standard library does not say."""
    table: DocumentPath = ()
    tables: dict[DocumentPath, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        header, entry = _HEADER.match(line), _ENTRY.match(line)
        if header:
            table = _keys(header[2])
            if header[1] == "[[":
                tables[table] = tables.get(table, -1) + 1
                table = (*table, tables[table])
            _note(document, table, (number, 1))
        elif entry:
            _note(document, (*table, *_keys(entry[2])), (number, len(entry[1]) + 1))


def _note(document: ConfigDocument, path: DocumentPath, position: Position) -> None:
    if path[:2] == ("tool", "trainergen"):
        document.keys.setdefault(path[2:], position)


def _keys(dotted: str) -> DocumentPath:
    return tuple(key.strip("\"'") for key in re.findall(_KEY, dotted))
