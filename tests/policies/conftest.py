"""Fixtures of the policy tests: everything is asked through each CEL engine."""

from __future__ import annotations

import importlib.util

import pytest

from trainergen.cel.engine import ENGINE_VARIABLE


@pytest.fixture(params=["cel-python", "cel-expr-python"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One engine after the other, each alone; the fast one only where it is installed."""
    if request.param == "cel-expr-python" and importlib.util.find_spec("cel_expr_python") is None:
        pytest.skip("cel-expr-python is not installed")
    monkeypatch.setenv(ENGINE_VARIABLE, request.param)
    return str(request.param)
