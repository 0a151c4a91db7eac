"""CEL through cel-python, with the places mended where it differs from what the API server runs (cel-go).

Those are: ``has()`` of a field whose parent is missing (an error, not false), errors inside of ``all`` and its kin,
equality across types, operators on values they have no meaning for, and functions that are called by a qualified
name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import celpy
from celpy import celtypes
from celpy.celparser import CELParseError
from celpy.evaluation import CELEvalError, Evaluator, base_functions
from lark import Token

from trainergen.cel.checking import TYPES, call_faults, free_names
from trainergen.cel.engine import VARIABLES, UnsupportedError, refusal
from trainergen.cel.library import FUNCTIONS, Function
from trainergen.cel.library.order import is_boolean
from trainergen.cel.macros import lowered
from trainergen.cel.python_operators import FOLDS, entry_of, operators
from trainergen.cel.python_optionals import OPTIONALS, Optional, plain_syntax, select
from trainergen.cel.python_values import from_cel, to_cel
from trainergen.cel.syntax import SyntaxFault, parse, write

if TYPE_CHECKING:
    from trainergen.cel.values import CelValue

_MACROS = frozenset({"all", "exists", "exists_one", "filter", "map"})
_PSEUDO = frozenset({"has", "dyn"})
_NAMES = frozenset(VARIABLES) | TYPES
_NAMESPACES = frozenset(
    {function.name.partition(".")[0] for function in FUNCTIONS if "." in function.name} | {"optional"}
)


class _Evaluator(Evaluator):
    """cel-python's evaluator with cel-go's answers."""

    def sub_evaluator(self, ast: Any) -> _Evaluator:
        return _Evaluator(ast, activation=self.activation)

    def macro_has_eval(self, exprlist: Any) -> Any:
        tree = exprlist.children[0]
        while tree.data != "member_dot" and len(tree.children) == 1:
            tree = tree.children[0]
        operand = self.visit(tree.children[0])
        if isinstance(operand, CELEvalError):
            return operand
        if isinstance(operand, Optional):
            return celtypes.BoolType(bool(select(operand, str(tree.children[1])).found))
        if not isinstance(operand, celtypes.MapType):
            return CELEvalError("no such overload", TypeError, None)
        return celtypes.BoolType(str(tree.children[1]) in operand)

    def member_dot(self, tree: Any) -> Any:
        operand: Any = self.visit(tree.children[0])
        name = celtypes.StringType(tree.children[1])
        if isinstance(operand, CELEvalError):
            return operand
        if isinstance(operand, Optional):
            return _selected(operand, name)
        if isinstance(operand, celtypes.MapType):
            missing = f"no such member in mapping: {str(name)!r}"
            return operand[name] if name in operand else CELEvalError(missing, KeyError, None)
        return CELEvalError("no such overload", TypeError, None)

    def member_index(self, tree: Any) -> Any:
        parts: list[Any] = self.visit_children(tree)
        operand, key = parts
        for part in (operand, key):
            if isinstance(part, CELEvalError):
                return part
        if isinstance(operand, Optional):
            return _selected(operand, key)
        try:
            return entry_of(operand, key)
        except (TypeError, KeyError, IndexError) as error:
            what = "no such overload" if isinstance(error, TypeError) else str(error)
            return CELEvalError(what, type(error), error.args)

    def mapinits(self, tree: Any) -> Any:
        parts: list[Any] = self.visit_children(tree)
        made = celtypes.MapType()
        for key, value in zip(parts[0::2], parts[1::2], strict=True):
            for part in (key, value):
                if isinstance(part, CELEvalError):
                    return part
            if key in made:
                return CELEvalError(f"duplicate key: {key}", ValueError, None)
            made[key] = value
        return made

    def member_dot_arg(self, tree: Any) -> Any:
        name = str(tree.children[1])
        arguments = tree.children[2].children if len(tree.children) > 2 else []
        if name in _MACROS and len(arguments) > 1:
            return self._macro(name, tree.children[0], arguments)
        namespace = _bare_name(tree.children[0])
        values = self.visit(tree.children[2]) if arguments else []
        if namespace in _NAMESPACES:
            return self.function_eval(Token("IDENT", f"{namespace}.{name}"), values)
        return self.method_eval(self.visit(tree.children[0]), tree.children[1], values)

    def _macro(self, name: str, over: Any, arguments: list[Any]) -> Any:
        items = self.visit(over)
        if isinstance(items, CELEvalError):
            return items
        if not isinstance(items, celtypes.ListType | celtypes.MapType):
            return CELEvalError("no such overload", TypeError, None)
        variable = _bare_name(arguments[0])
        results = [[self._with(variable, item, body) for body in arguments[1:]] for item in items]
        return FOLDS[name](list(items), results)

    def _with(self, variable: str, item: Any, body: Any) -> Any:
        try:
            return self.sub_evaluator(body).evaluate({variable: item})
        except CELEvalError as error:
            return error


def _selected(operand: Any, key: Any) -> Any:
    try:
        return select(operand, key)
    except TypeError as error:
        return CELEvalError(str(error), TypeError, None)


def _bare_name(tree: Any) -> str:
    """The name that an expression consists of, empty when it is more than a name."""
    while not isinstance(tree, str) and len(tree.children) == 1:
        if tree.data == "ident":
            return str(tree.children[0])
        tree = tree.children[0]
    return ""


class _Runner(celpy.InterpretedRunner):
    def evaluate(self, context: Any) -> Any:
        return _Evaluator(ast=self.ast, activation=self.new_activation()).evaluate(context)


class _PythonProgram:
    def __init__(self, runner: Any) -> None:
        self._runner = runner

    def evaluate(self, bindings: Mapping[str, CelValue]) -> CelValue:
        try:
            value = self._runner.evaluate({name: to_cel(value) for name, value in bindings.items()})
        except CELEvalError as error:
            raise refusal(_reason(error)) from None
        if isinstance(value, Optional):
            raise UnsupportedError("an optional value is not passed on")
        return cast("CelValue", from_cel(value))


class PythonEngine:
    """The engine of cel-python."""

    name = "cel-python"

    def __init__(self) -> None:
        self._env = celpy.Environment(runner_class=_Runner)
        self._functions = {**operators(), **_library(), **OPTIONALS}
        self._known = base_functions.keys() | self._functions.keys() | _MACROS | _PSEUDO

    def compile(self, expression: str) -> _PythonProgram:
        """``expression`` compiled; UnsupportedError when the engine does not know a part of it."""
        try:
            tree = parse(expression)
            unknown = [f"undeclared reference to '{name.name}'" for name in free_names(tree) if name.name not in _NAMES]
            unknown += [fault.message for fault in call_faults(tree)]
            if unknown:
                raise UnsupportedError(unknown[0])
            ast = self._env.compile(write(plain_syntax(lowered(tree))))
        except SyntaxFault as fault:
            raise UnsupportedError(f"syntax error: {fault}") from None
        except CELParseError as error:
            raise UnsupportedError(f"syntax it does not know in line {error.line}, column {error.column}") from None
        missing = sorted(set(_called(ast)) - self._known)
        if missing:
            raise UnsupportedError(f"function {missing[0]}() is not known to it")
        return _PythonProgram(self._env.program(ast, functions=self._functions))


def _called(ast: Any) -> Iterator[str]:
    for call in ast.find_pred(lambda tree: tree.data in ("ident_arg", "dot_ident_arg")):
        yield str(call.children[0])
    for call in ast.find_data("member_dot_arg"):
        namespace = _bare_name(call.children[0])
        name = str(call.children[1])
        yield f"{namespace}.{name}" if namespace in _NAMESPACES else name


def _library() -> dict[str, Callable[..., Any]]:
    """One callable a name, which picks the overload by the kinds of its arguments."""
    by_name: dict[str, list[Function]] = {}
    for function in FUNCTIONS:
        by_name.setdefault(function.name, []).append(function)
    return {name: _dispatch(overloads) for name, overloads in by_name.items()}


def _dispatch(overloads: list[Function]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        for overload in overloads:
            if len(overload.parameters) == len(arguments) and all(map(_is_of, arguments, overload.parameters)):
                return to_cel(overload.implementation(*(from_cel(argument) for argument in arguments)))
        raise TypeError("no such overload")

    return call


_KINDS: dict[str, type] = {
    "bytes": bytes,
    "double": float,
    "duration": timedelta,
    "int": int,
    "list": list,
    "map": dict,
    "string": str,
    "timestamp": datetime,
}


def _is_of(value: Any, kind: str) -> bool:
    if kind == "bool" or is_boolean(value):
        return kind == "bool" and is_boolean(value)
    return kind == "dyn" or isinstance(value, _KINDS[kind])


_REASONS = (
    (re.compile(r"no such member in mapping: '(.*)'"), "no such key: {}"),
    (re.compile(r"(list index out of range)"), "index out of bounds"),
    (re.compile(r"(found no matching overload)"), "no such overload"),
    (re.compile(r"(modulus or divide by zero)"), "division by zero"),
    (re.compile(r"^(overflow)$"), "integer overflow"),
)


def _reason(error: CELEvalError) -> str:
    """The engine's message in the words of the API server, where it has some for the case."""
    texts = [str(argument) for argument in error.args[:1]]
    if len(error.args) > 2 and error.args[2]:
        texts.append(str(error.args[2][0]))
    for text in texts:
        for pattern, words in _REASONS:
            match = pattern.search(text)
            if match:
                return words.format(match[1])
    return texts[-1] if texts else str(error)
