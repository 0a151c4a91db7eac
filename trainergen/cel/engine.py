"""One interface over the CEL engines: cel-expr-python when it is installed, cel-python otherwise, the same answers from
both.

What an engine cannot do is tried with the other one, and is an ``UnsupportedError`` when that cannot do it either.
Engines are imported when the first expression is really evaluated.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from trainergen.cel.values import CelValue


class UnsupportedError(Exception):
    """The engine cannot compile or run the expression, although the API server can."""


class EvaluationError(Exception):
    """The expression has no value for these inputs ("no such key: name"); the API server refuses then."""


def refusal(reason: str) -> EvaluationError | UnsupportedError:
    """The exception for an evaluation that failed for ``reason``: the rule's fault, or that of a function of ours."""
    from trainergen.cel.library import UNSUPPORTED

    return UnsupportedError(reason) if UNSUPPORTED in reason else EvaluationError(reason)


VARIABLES = (
    *("self", "oldSelf"),
    *("object", "oldObject", "request", "params", "namespaceObject", "variables"),
)
"""What expressions may refer to: those of resource definitions, then those of policies. One that is not bound is an
error where it is used."""


class Program(Protocol):
    """A compiled expression."""

    def evaluate(self, bindings: Mapping[str, CelValue]) -> CelValue:
        """The expression's value; EvaluationError when it has none, UnsupportedError when the engine cannot tell."""
        ...


class Engine(Protocol):
    """A CEL implementation with the functions of Kubernetes registered."""

    name: str

    def __hash__(self) -> int: ...

    def compile(self, expression: str) -> Program:
        """``expression`` over VARIABLES, compiled; UnsupportedError for what the engine lacks."""
        ...


ENGINE_VARIABLE = "TRAINERGEN_CEL_ENGINE"
"""Environment variable that picks an engine by name, for comparisons."""


def engines() -> Iterator[Engine]:
    """The engines that are installed, the fastest first; each is imported when it is asked for."""
    wanted = os.environ.get(ENGINE_VARIABLE, "")
    if wanted in ("", "cel-expr-python"):
        native = _native()
        if native is not None:
            yield native
    if wanted in ("", "cel-python"):
        yield _python()


@cache
def _native() -> Engine | None:
    try:
        from trainergen.cel.native_engine import NativeEngine
    except ImportError:
        return None
    return NativeEngine()


@cache
def _python() -> Engine:
    from trainergen.cel.python_engine import PythonEngine

    return PythonEngine()


@cache
def _program(engine: Engine, expression: str) -> Program | UnsupportedError:
    try:
        return engine.compile(expression)
    except UnsupportedError as error:
        return error


def evaluate(expression: str, bindings: Mapping[str, CelValue]) -> CelValue:
    """The value of ``expression``; EvaluationError when it has none, UnsupportedError when no engine can tell."""
    reasons = []
    for engine in engines():
        program = _program(engine, expression)
        try:
            if isinstance(program, UnsupportedError):
                raise program
            return program.evaluate(bindings)
        except UnsupportedError as error:
            reasons.append(f"{engine.name}: {error}")
    raise UnsupportedError("; ".join(reasons) or "no CEL engine is installed")


def holds(expression: str, bindings: Mapping[str, CelValue]) -> bool:
    """Does the rule ``expression`` hold? A value that is no boolean is an EvaluationError."""
    value = evaluate(expression, bindings)
    if not isinstance(value, bool):
        raise EvaluationError("the rule gives no boolean")
    return value
