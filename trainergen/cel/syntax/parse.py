"""Text to tree."""

from __future__ import annotations

from math import isinf

from trainergen.cel.syntax.nodes import (
    Call,
    Entry,
    Index,
    Item,
    ListOf,
    Literal,
    MapOf,
    Name,
    Node,
    Operation,
    Select,
    children,
)
from trainergen.cel.syntax.nodes import qualified as _qualified
from trainergen.cel.syntax.tokens import KEYWORDS, SyntaxFault, Token, string_value, tokens
from trainergen.cel.values import RESERVED

_LOGICAL = ("||", "&&")
_LEVELS = (("||",), ("&&",), ("<", "<=", ">", ">=", "==", "!=", "in"), ("+", "-"), ("*", "/", "%"))
_DEPTH = 50
"""Deeper nesting than any rule has, and as deep as Python's own stack allows; the API server stops at 250."""
_LONGEST = 150
"""Likewise for what is not nested but chained, as in ``a.b.c`` or ``a + b + c``."""
_INT64 = 2**63


def parse(text: str) -> Node:
    """The tree of an expression; raises SyntaxFault."""
    parser = _Parser(text)
    node = parser.expression()
    parser.expect("end", "")
    level: tuple[Node, ...] = (node,)
    for _ in range(_LONGEST):
        level = tuple(child for parent in level for child in children(parent))
        if not level:
            return node
    raise SyntaxFault("the nesting is too deep", level[0].at)


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._next = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._next]

    def take(self) -> Token:
        token = self.token
        self._next += 1
        return token

    def accept(self, *marks: str) -> Token | None:
        """The next token, taken, when it is one of the marks (or the word ``in``)."""
        token = self.token
        if token.kind in ("mark", "name") and token.text in marks:
            return self.take()
        return None

    def expect(self, kind: str, text: str) -> Token:
        token = self.token
        if token.kind != kind or (text and token.text != text):
            raise self.fault(f"but '{text}' belongs here" if text else "")
        return self.take() if kind != "end" else token

    def fault(self, wanted: str = "") -> SyntaxFault:
        seen = "the end" if self.token.kind == "end" else f"'{self.token.text}'"
        return SyntaxFault(f"{seen} is not expected{', ' + wanted if wanted else ''}", self.token.at)

    def expression(self) -> Node:
        self._depth += 1
        if self._depth > _DEPTH:
            raise SyntaxFault("the nesting is too deep", self.token.at)
        node = self._binary(0)
        question = self.accept("?")
        if question is not None:
            yes = self._binary(0)
            self.expect("mark", ":")
            node = Operation("?:", (node, yes, self.expression()), question.at)
        self._depth -= 1
        return node

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        node = self._binary(level + 1)
        found: list[Node] = [node]
        while (operator := self.accept(*_LEVELS[level])) is not None:
            found.append(self._binary(level + 1))
            if operator.text in _LOGICAL:
                node = Operation(operator.text, tuple(found), operator.at)
            else:
                node = Operation(operator.text, (node, found[-1]), operator.at)
        return node

    def _unary(self) -> Node:
        operator = self.accept("!", "-")
        if operator is None:
            return self._member(self._primary())
        if operator.text == "-" and self.token.kind in ("int", "double"):
            return self._member(self._number(self.take(), negative=True))
        self._depth += 1
        if self._depth > _DEPTH:
            raise SyntaxFault("the nesting is too deep", operator.at)
        operand = self._unary()
        self._depth -= 1
        return Operation(f"{operator.text}_", (operand,), operator.at)

    def _member(self, node: Node) -> Node:
        while True:
            if (mark := self.accept(".", ".?")) is not None:
                node = self._selection(node, mark)
            elif (mark := self.accept("[")) is not None:
                optional = self.accept("?") is not None
                node = Index(node, self.expression(), optional, mark.at)
                self.expect("mark", "]")
            elif self.token.text == "{" and self.token.kind == "mark" and _qualified(node):
                at = self.token.at
                node = MapOf(self._entries(fields=True), _qualified(node), at)
            else:
                return node

    def _selection(self, node: Node, mark: Token) -> Node:
        field = self.expect("name", "")
        if field.text in KEYWORDS:
            raise SyntaxFault(f"'{field.text}' cannot name a field", field.at)
        if mark.text == "." and self.accept("("):
            return Call(field.text, node, self._arguments(), field.at)
        return Select(node, field.text, mark.text == ".?", field.at)

    def _arguments(self) -> tuple[Node, ...]:
        if self.accept(")"):
            return ()
        found = [self.expression()]
        while self.accept(","):
            found.append(self.expression())
        self.expect("mark", ")")
        return tuple(found)

    def _primary(self) -> Node:
        token = self.token
        if token.kind in ("int", "uint", "double"):
            return self._number(self.take())
        if token.kind == "string":
            value = string_value(self.take())
            return Literal("bytes" if isinstance(value, bytes) else "string", value, token.at)
        if token.kind == "name":
            return self._name("")
        if self.accept("("):
            node = self.expression()
            self.expect("mark", ")")
            return node
        if self.accept("."):
            return self._name(".")
        if self.accept("["):
            return ListOf(self._items(), token.at)
        if token.kind == "mark" and token.text == "{":
            return MapOf(self._entries(fields=False), "", token.at)
        raise self.fault()

    def _name(self, dot: str) -> Node:
        token = self.expect("name", "")
        if token.text in KEYWORDS:
            if dot or token.text == "in":
                raise SyntaxFault(f"'{token.text}' is not expected", token.at)
            value = None if token.text == "null" else token.text == "true"
            return Literal("null" if value is None else "bool", value, token.at)
        if token.text in RESERVED:
            raise SyntaxFault(f"'{token.text}' is a reserved word", token.at)
        if self.accept("("):
            return Call(dot + token.text, None, self._arguments(), token.at)
        return Name(dot + token.text, token.at)

    def _items(self) -> tuple[Item, ...]:
        found: list[Item] = []
        while not self.accept("]"):
            optional = self.accept("?") is not None
            found.append(Item(self.expression(), optional))
            if not self.accept(","):
                self.expect("mark", "]")
                break
        return tuple(found)

    def _entries(self, *, fields: bool) -> tuple[Entry, ...]:
        self.expect("mark", "{")
        found: list[Entry] = []
        while not self.accept("}"):
            optional = self.accept("?") is not None
            key = self._field() if fields else self.expression()
            self.expect("mark", ":")
            found.append(Entry(key, self.expression(), optional))
            if not self.accept(","):
                self.expect("mark", "}")
                break
        return tuple(found)

    def _field(self) -> Node:
        token = self.expect("name", "")
        return Literal("string", token.text, token.at)

    def _number(self, token: Token, *, negative: bool = False) -> Literal:
        sign = -1 if negative else 1
        if token.kind == "double":
            value = sign * float(token.text)
            if isinf(value):
                raise SyntaxFault(f"{token.text} does not fit into a double", token.at)
            return Literal("double", value, token.at)
        digits = token.text.rstrip("uU")
        number = sign * int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
        low, high = (0, 2 * _INT64) if token.kind == "uint" else (-_INT64, _INT64)
        if not low <= number < high:
            raise SyntaxFault(f"{token.text} does not fit into 64 bits", token.at)
        return Literal(token.kind, number, token.at)
