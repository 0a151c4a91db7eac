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

from trainergen.cel.engine import UnsupportedError, refusal
from trainergen.cel.library import FUNCTIONS, Function
from trainergen.cel.library.order import equal, is_boolean, less
from trainergen.cel.re2 import compile_pattern

if TYPE_CHECKING:
    from trainergen.cel.values import CelValue

_MACROS = frozenset({"all", "exists", "exists_one", "filter", "map"})
_PSEUDO = frozenset({"has", "dyn"})
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
        if not isinstance(operand, celtypes.MapType):
            return CELEvalError("no such overload", TypeError, None)
        return celtypes.BoolType(str(tree.children[1]) in operand)

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
        return _FOLDS[name](list(items), results)

    def _with(self, variable: str, item: Any, body: Any) -> Any:
        try:
            return self.sub_evaluator(body).evaluate({variable: item})
        except CELEvalError as error:
            return error


def _bare_name(tree: Any) -> str:
    """The name that an expression consists of, empty when it is more than a name."""
    while not isinstance(tree, str) and len(tree.children) == 1:
        if tree.data == "ident":
            return str(tree.children[0])
        tree = tree.children[0]
    return ""


def _first_fault(values: Iterator[Any]) -> Any:
    """The first value that is no boolean, as an error; None when all are."""
    for value in values:
        if isinstance(value, CELEvalError):
            return value
        if not is_boolean(value):
            return CELEvalError("no such overload", TypeError, None)
    return None


def _all(_items: list[Any], results: list[list[Any]]) -> Any:
    if any(is_boolean(result) and not result for [result] in results):
        return celtypes.BoolType(False)
    return _first_fault(result for [result] in results) or celtypes.BoolType(True)


def _exists(_items: list[Any], results: list[list[Any]]) -> Any:
    if any(is_boolean(result) and bool(result) for [result] in results):
        return celtypes.BoolType(True)
    return _first_fault(result for [result] in results) or celtypes.BoolType(False)


def _exists_one(_items: list[Any], results: list[list[Any]]) -> Any:
    fault = _first_fault(result for [result] in results)
    return fault or celtypes.BoolType(sum(bool(result) for [result] in results) == 1)


def _filter(items: list[Any], results: list[list[Any]]) -> Any:
    fault = _first_fault(result for [result] in results)
    return fault or celtypes.ListType(item for item, [result] in zip(items, results, strict=True) if result)


def _map(_items: list[Any], results: list[list[Any]]) -> Any:
    if results and len(results[0]) == 2:
        fault = _first_fault(condition for condition, _ in results)
        if fault:
            return fault
        results = [[value] for condition, value in results if condition]
    for [value] in results:
        if isinstance(value, CELEvalError):
            return value
    return celtypes.ListType(value for [value] in results)


_FOLDS: dict[str, Callable[[list[Any], list[list[Any]]], Any]] = {
    "all": _all,
    "exists": _exists,
    "exists_one": _exists_one,
    "filter": _filter,
    "map": _map,
}


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
        return cast("CelValue", from_cel(value))


class PythonEngine:
    """The engine of cel-python."""

    name = "cel-python"

    def __init__(self) -> None:
        self._env = celpy.Environment(runner_class=_Runner)
        self._functions = {**_operators(), **_library()}
        self._known = base_functions.keys() | self._functions.keys() | _MACROS | _PSEUDO

    def compile(self, expression: str) -> _PythonProgram:
        """``expression`` compiled; UnsupportedError when the engine does not know a part of it."""
        try:
            ast = self._env.compile(expression)
        except CELParseError as error:
            raise UnsupportedError(f"syntax it does not know in line {error.line}, column {error.column}") from None
        unknown = sorted(set(_called(ast)) - self._known)
        if unknown:
            raise UnsupportedError(f"function {unknown[0]}() is not known to it")
        return _PythonProgram(self._env.program(ast, functions=self._functions))


def _called(ast: Any) -> Iterator[str]:
    for call in ast.find_pred(lambda tree: tree.data in ("ident_arg", "dot_ident_arg")):
        yield str(call.children[0])
    for call in ast.find_data("member_dot_arg"):
        namespace = _bare_name(call.children[0])
        name = str(call.children[1])
        yield f"{namespace}.{name}" if namespace in _NAMESPACES else name


def to_cel(value: Any) -> Any:
    """A plain value as cel-python computes with it."""
    if isinstance(value, bool):
        return celtypes.BoolType(value)
    if isinstance(value, dict):
        return celtypes.MapType({to_cel(key): to_cel(entry) for key, entry in value.items()})
    if isinstance(value, list):
        return celtypes.ListType([to_cel(entry) for entry in value])
    for plain, own in _WRAPPERS:
        if isinstance(value, plain):
            return value if isinstance(value, own) else own(value)
    return value


_WRAPPERS: tuple[tuple[type, Any], ...] = (
    (int, celtypes.IntType),
    (float, celtypes.DoubleType),
    (str, celtypes.StringType),
    (bytes, celtypes.BytesType),
    (datetime, celtypes.TimestampType),
    (timedelta, celtypes.DurationType),
)


_PLAIN: tuple[type[Any], ...] = (int, float, str, bytes)


def from_cel(value: Any) -> Any:
    """A value of cel-python as a plain one."""
    if is_boolean(value):
        return bool(value)
    if isinstance(value, dict):
        return {from_cel(key): from_cel(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [from_cel(entry) for entry in value]
    for plain in _PLAIN:
        if isinstance(value, plain):
            return plain(value)
    return value


def _operators() -> dict[str, Callable[..., Any]]:
    return {
        "_==_": _absorbing(lambda a, b: celtypes.BoolType(equal(a, b))),
        "_!=_": _absorbing(lambda a, b: celtypes.BoolType(not equal(a, b))),
        "_in_": _absorbing(_contained),
        "_<_": _absorbing(lambda a, b: celtypes.BoolType(_ordered(a, b))),
        "_>_": _absorbing(lambda a, b: celtypes.BoolType(_ordered(b, a))),
        "_<=_": _absorbing(lambda a, b: celtypes.BoolType(not _ordered(b, a))),
        "_>=_": _absorbing(lambda a, b: celtypes.BoolType(not _ordered(a, b))),
        "_&&_": lambda a, b: _all([], [[a], [b]]),
        "_||_": lambda a, b: _exists([], [[a], [b]]),
        "string": _to_string,
        "type": _type_of,
        "matches": lambda text, pattern: celtypes.BoolType(compile_pattern(pattern)(text)),
    }


def _to_string(value: Any) -> Any:
    """``string(value)``: whole doubles without a fraction, as Go writes them."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return celtypes.StringType(str(int(value)))
    return celtypes.StringType("true" if value else "false") if is_boolean(value) else celtypes.StringType(value)


def _type_of(value: Any) -> Any:
    """``type(value)``, which is the function of that name where this module has one."""
    return _to_string if isinstance(value, str) else celtypes.TypeType(value)


def _absorbing(operator: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator whose operands may be errors, which are its value then."""

    def apply(left: Any, right: Any) -> Any:
        for operand in (left, right):
            if isinstance(operand, CELEvalError):
                return operand
        return operator(left, right)

    return apply


def _ordered(left: Any, right: Any) -> bool:
    try:
        return less(left, right)
    except ValueError as error:
        raise TypeError(str(error)) from None


def _contained(item: Any, container: Any) -> Any:
    if not isinstance(container, celtypes.ListType | celtypes.MapType):
        raise TypeError("no such overload")
    return celtypes.BoolType(any(equal(item, entry) for entry in container))


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
