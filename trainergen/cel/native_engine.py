"""CEL through cel-expr-python, the C++ implementation (the ``fast`` extra)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from cel_expr_python import cel
from cel_expr_python.ext import ext_optional

from trainergen.cel.engine import VARIABLES, UnsupportedError, refusal
from trainergen.cel.library import FUNCTIONS, Function
from trainergen.cel.macros import lowered
from trainergen.cel.syntax import SyntaxFault, parse, write

if TYPE_CHECKING:
    from trainergen.cel.values import CelValue

_TYPES = {
    "bool": cel.Type.BOOL,
    "bytes": cel.Type.BYTES,
    "double": cel.Type.DOUBLE,
    "duration": cel.Type.DURATION,
    "dyn": cel.Type.DYN,
    "int": cel.Type.INT,
    "list": cel.Type.List(cel.Type.DYN),
    "map": cel.Type.Map(cel.Type.DYN, cel.Type.DYN),
    "string": cel.Type.STRING,
    "timestamp": cel.Type.TIMESTAMP,
}


class _NativeProgram:
    def __init__(self, expression: Any) -> None:
        self._expression = expression

    def evaluate(self, bindings: Mapping[str, CelValue]) -> CelValue:
        if any(_has_time(value) for value in bindings.values()):
            raise UnsupportedError("times inside of objects are not passed on")
        try:
            result = self._expression.eval(data=dict(bindings))
            if result.type() != cel.Type.ERROR:
                return result.plain_value()  # type: ignore[no-any-return]
            reason = _reason(str(result.value()))
        except (RuntimeError, TypeError) as error:
            # Values that it does not carry, such as a duration that a function of ours gives back, or an optional.
            raise UnsupportedError(f"its value is not passed on ({_first_error(str(error))})") from None
        raise refusal(reason)


class NativeEngine:
    """The engine of cel-expr-python."""

    name = "cel-expr-python"

    def __init__(self) -> None:
        extensions = [ext_optional.ExtOptional()]
        variables = dict.fromkeys(VARIABLES, cel.Type.DYN)
        self._env = cel.NewEnv(variables=variables, extensions=extensions, functions=_declarations())

    def compile(self, expression: str) -> _NativeProgram:
        """``expression`` compiled; UnsupportedError when the engine does not know a part of it."""
        try:
            return _NativeProgram(self._env.compile(write(lowered(parse(expression)))))
        except SyntaxFault as fault:
            raise UnsupportedError(f"syntax error: {fault}") from None
        except RuntimeError as error:
            raise UnsupportedError(_first_error(str(error))) from None


def _declarations() -> list[Any]:
    by_name: dict[str, list[Any]] = {}
    for function in FUNCTIONS:
        by_name.setdefault(function.name, []).append(_overload(function))
    return [cel.FunctionDecl(name, overloads) for name, overloads in by_name.items()]


def _overload(function: Function) -> Any:
    return cel.Overload(
        f"{function.name}({','.join(function.parameters)})",
        return_type=_TYPES[function.result],
        parameters=[_TYPES[parameter] for parameter in function.parameters],
        is_member=function.member,
        impl=function.implementation,
    )


def _has_time(value: CelValue) -> bool:
    if isinstance(value, dict):
        return any(_has_time(entry) for entry in value.values())
    if isinstance(value, list):
        return any(_has_time(entry) for entry in value)
    return isinstance(value, datetime | timedelta)


_REASONS = (
    (re.compile(r'Key not found in map : "?(.*?)"?$'), r"no such key: {}"),
    (re.compile(r"Index error: index=(-?\d+)"), "index out of bounds: {}"),
    (re.compile(r'No value with name "(.*?)" found'), "no such variable: {}"),
    (re.compile(r"(No matching overloads)"), "no such overload"),
    (re.compile(r"(divide by zero|modulus by zero)"), "division by zero"),
)


def _reason(message: str) -> str:
    """The engine's message in the words of the API server, where it has some for the case."""
    for pattern, words in _REASONS:
        match = pattern.search(message)
        if match:
            return words.format(match[1])
    return message.partition(": ")[2] or message


def _first_error(message: str) -> str:
    match = re.search(r"ERROR: \S+ (.*)", message)
    return match[1] if match else message.partition("\n")[0]
