"""Every recorded answer of the API server, with either CEL engine, and the runtimes that the releases ship."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from trainergen.cel import engine

ORACLE = Path(__file__).parent.parent / "oracle"
RELEASES = ("2.0", "2.1", "2.2", "2.3")


def recorded(name: str) -> Any:
    return json.loads(lzma.decompress((ORACLE / f"{name}.json.xz").read_bytes()))


def related(one: str, other: str) -> bool:
    """One path is the other, or lies around it."""
    short, long = sorted((one, other), key=len)
    return long == short or (long.startswith(short) and long[len(short)] in ".[")


@pytest.fixture(params=["cel-python", "cel-expr-python"])
def chosen_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """One engine after the other; the fast one only where it is installed."""
    if request.param == "cel-expr-python":
        pytest.importorskip("cel_expr_python")
    monkeypatch.setenv(engine.ENGINE_VARIABLE, request.param)
    return request.param


@pytest.mark.parametrize("release", RELEASES)
def test_verdict_and_places_are_the_recorded_ones(serve: Callable[..., Any], release: str, chosen_engine: str) -> None:
    wrong = []
    for case in recorded(f"admission-{release}"):
        verdict = serve(yaml.load(case["manifest"], yaml.CSafeLoader), release)
        paths = [finding.path for finding in verdict.findings if finding.refuses]
        agrees = bool(paths) == (case["verdict"] == "invalid")
        if not agrees or not all(any(related(field, path) for path in paths) for field in case["fields"]):
            wrong.append((case["id"], case["what"], case["verdict"], case["fields"], paths))
    assert wrong == []


@pytest.mark.parametrize("release", RELEASES)
def test_shipped_runtimes_are_accepted_by_their_release(serve: Callable[..., Any], release: str) -> None:
    documents = [
        document
        for text in recorded("runtimes")[release].values()
        for document in yaml.load_all(text, yaml.CSafeLoader)
        if document and document["kind"].endswith("TrainingRuntime")
    ]
    assert documents
    for document in documents:
        verdict = serve(document, release)
        assert verdict.findings == ()
        assert verdict.not_evaluated == ()
