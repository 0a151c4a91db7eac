"""Fixtures of the CEL tests: every engine that is installed."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from trainergen.cel.engine import Engine


@pytest.fixture(params=["cel-python", "cel-expr-python"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """One engine after the other; the fast one only where it is installed."""
    if request.param == "cel-python":
        from trainergen.cel.python_engine import PythonEngine

        return PythonEngine()
    if importlib.util.find_spec("cel_expr_python") is None:
        pytest.skip("cel-expr-python is not installed")
    from trainergen.cel.native_engine import NativeEngine

    return NativeEngine()
