"""The published schema takes what the command takes, and refuses what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.generate.specs import EXAMPLE, content

SCHEMA = json.loads((Path(__file__).parents[3] / "schemas/trainergen-config.schema.json").read_text(encoding="utf-8"))


def faults(build: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors({"release": 2.3, "build": build})]


def test_the_example_is_valid() -> None:
    assert faults(yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))["build"]) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"jobs": {"a": {"runtime": "torch", "deadline": 3600, "args": ["--lr", 0.1, True], "data": "hf://a/b"}}},
        {"jobs": {"a": {"runtime": "torch", "sweep": {"lr": [0.1, 0.2]}, "secrets": {"A": "b/c"}}}},
        {"environments": {"dev": {"queue": "q"}, "prod": {"queue": {"name": "q", "quota": {"cpu": 4}}}}},
    ],
)
def test_short_forms_are_valid(changed: dict[str, Any]) -> None:
    assert faults(content(**changed)) == []


@pytest.mark.parametrize(
    "changed",
    [{"jobs": {"a": {}}}, {"nme": "x"}, {"environments": {}}, {"output": {"format": "tar"}}, {"name": "Team"}],
)
def test_what_is_refused_is_invalid(changed: dict[str, Any]) -> None:
    assert faults(content(**changed))
