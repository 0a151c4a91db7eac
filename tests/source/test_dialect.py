"""The recorded answers of the API server's reader: what is typed as what, and what it refuses to read."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from trainergen.source import SourceFile, load

ORACLE = Path(__file__).parents[1] / "oracle" / "dialect.json.xz"
CASES: list[dict[str, Any]] = json.loads(lzma.decompress(ORACLE.read_bytes()))
# Refused for what reading sees; all other refusals are about fields, and so for admission to find.
REFUSED_BY_READING = {
    "env value .inf", "env value .nan", "env value a: b", "env value @home", "env value `x`", "env value %x",
    "duplicate key", "duplicate nested key", "tab indentation", "unknown alias", "unknown kind", "unknown version",
    "list instead of mapping", "scalar document", "missing kind", "missing apiVersion",
}  # fmt: skip


def loaded(case: dict[str, Any]) -> Any:
    return load(SourceFile("job.yaml", explicit=True, data=case["manifest"].encode()))


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['what']}" for case in CASES])
def test_reading_refuses_what_the_api_server_cannot_read(case: dict[str, Any]) -> None:
    findings = loaded(case).findings
    assert bool(findings) == (case["what"] in REFUSED_BY_READING)
    assert not findings or case["verdict"] == "invalid"


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["what"].startswith("env value ")], ids=lambda c: c["what"]
)
def test_an_env_value_is_text_where_the_api_server_takes_it(case: dict[str, Any]) -> None:
    for _, job in loaded(case).objects:
        value = job.value["spec"]["trainer"]["env"][0]["value"]
        refused = case["verdict"] == "invalid" and case["what"] not in REFUSED_BY_READING
        assert isinstance(value, str | None) != refused


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["what"].startswith("numNodes ")], ids=lambda c: c["what"]
)
def test_a_number_of_nodes_is_an_integer_where_the_api_server_takes_it(case: dict[str, Any]) -> None:
    ((_, job),) = loaded(case).objects
    value = job.value["spec"]["trainer"]["numNodes"]
    assert (value is None or type(value) is int) == (case["verdict"] == "valid")
