"""One document of a file: its value as the API server reads it, and the place of everything in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from trainergen.finding import Finding, JsonObject, JsonValue, ObjectRef, Path
from trainergen.source.tree import Node, compose, trail

if TYPE_CHECKING:
    from trainergen.source.text import SourceText


class Position(NamedTuple):
    """A stretch of text; lines and columns count from 1, columns in Unicode characters, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Span:
    """The characters of one document in its file, and its nodes once somebody asks for a place."""

    def __init__(self, source: SourceText, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end
        self._root: Node | None = None

    @property
    def root(self) -> Node | None:
        """The document's nodes, composed when first needed; None where the text is JSON that is not YAML."""
        if self._root is None:
            self._root = compose(self.source, self.start, self.end)
        return self._root

    def release(self) -> None:
        """Forget the nodes."""
        self._root = None

    def position(self, start: int, end: int) -> Position:
        """The place of these characters of the file."""
        return Position(*self.source.place(start), *self.source.place(end))


class Document:
    """A document, or a member of a ``List`` document; then ``prefix`` leads to it and all paths start at the member.

    ``value`` belongs to the reader: change a copy.
    """

    __slots__ = ("_ref", "index", "prefix", "span", "value")

    def __init__(self, value: JsonValue, span: Span, *, index: int, prefix: Path = ()) -> None:
        self.value = value
        self.span = span
        self.index = index
        self.prefix = prefix
        self._ref: ObjectRef | None = None

    @property
    def file(self) -> str:
        """The file's name as given."""
        return self.span.source.file

    @property
    def line(self) -> int:
        """The line where the document starts."""
        return self.span.source.place(self.span.start)[0]

    @property
    def text(self) -> str:
        """The document as written."""
        return self.span.source.text[self.span.start : self.span.end]

    @property
    def object(self) -> JsonObject:
        """The value when it is a mapping, else an empty one."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def ref(self) -> ObjectRef:
        """Which object this is; parts that are missing or no text are empty."""
        if self._ref is None:
            metadata = self.object.get("metadata")
            name, namespace = _text(metadata, "name"), _text(metadata, "namespace")
            self._ref = ObjectRef(_text(self.object, "apiVersion"), _text(self.object, "kind"), namespace, name)
        return self._ref

    @property
    def api_version(self) -> str:
        """``apiVersion`` when it is text, else empty."""
        return self.ref.api_version

    @property
    def kind(self) -> str:
        """``kind`` when it is text, else empty."""
        return self.ref.kind

    @property
    def group(self) -> str:
        """The API group; empty for the core group."""
        return self.ref.api_version.rpartition("/")[0]

    @property
    def name(self) -> str:
        """``metadata.name`` when it is text, else empty."""
        return self.ref.name

    @property
    def namespace(self) -> str:
        """``metadata.namespace`` when it is text, else empty."""
        return self.ref.namespace

    def member(self, path: Path) -> Document:
        """The object at ``path`` inside this document as a document of its own."""
        value: JsonValue = self.value
        for step in path:
            value = value[step]  # type: ignore[index]
        return Document(value, self.span, index=self.index, prefix=self.prefix + path)

    def node_at(self, path: Path) -> Node | None:
        """The node of the value at ``path``, an alias not followed at the last step; None when it does not exist."""
        root = self.span.root
        if root is None:
            return None
        full = self.prefix + path
        steps = trail(root, full)
        if len(steps) < len(full):
            return None
        return steps[-1][1] if steps else root

    def locate(self, path: Path, *, on_key: bool = False) -> Position:
        """Where the value (or its key) at ``path`` is written: through aliases and merge keys, at the anchor.

        A value that does not exist, or that is empty, is placed at its key or at the key of the nearest parent there
        is; a document without nodes at its first line.
        """
        root = self.span.root
        if root is None:
            return self.span.position(self.span.start, self.span.start)
        full = self.prefix + path
        steps = trail(root, full)
        node = _target(root, steps, on_key=on_key or len(steps) < len(full))
        return self.span.position(node.start, node.end)

    def byte_range(self, path: Path) -> tuple[int, int] | None:
        """The bytes of the file that write the value at ``path``; None when it does not exist."""
        node = self.node_at(path)
        source = self.span.source
        return None if node is None else (source.byte_offset(node.start), source.byte_offset(node.end))

    def place(self, finding: Finding) -> Finding:
        """The finding about this document with file, line, column and object filled in, and its path made whole."""
        where = self.locate(finding.at, on_key=finding.on_key)
        return replace(
            finding.under(self.prefix),
            file=self.file,
            line=where.line,
            column=where.column,
            end_line=where.end_line,
            end_column=where.end_column,
            document=self.index,
            object=finding.object or self.ref,
        )

    def release_nodes(self) -> None:
        """Drop what only positions need; it comes back by itself."""
        self.span.release()
        self.span.source.release()


def _target(root: Node, steps: list[tuple[Node | None, Node]], *, on_key: bool) -> Node:
    """The node to point at: the last value, or with ``on_key`` the closest key to it."""
    if not steps:
        return root.target.head() if on_key else root.target
    key, value = steps[-1]
    if key is not None and (on_key or value.target.start == value.target.end):
        return key
    return value.target.head() if on_key else value.target


def _text(value: JsonValue, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
