"""The published JSON Schema of the configuration."""

from __future__ import annotations

import json
from typing import get_args

import jsonschema
import pytest
import yaml

from trainergen.config import generate, model
from trainergen.report import FAIL_ON, FORMAT_NAMES


def _validator():
    return jsonschema.Draft202012Validator(json.loads(generate.schema_text()))


def test_the_committed_schema_is_what_the_model_says(capsys):
    assert generate.main(["--check"]) == 0
    assert capsys.readouterr().err == ""


def test_a_schema_that_drifted_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(generate, "FILE", tmp_path / "schema.json")

    assert generate.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(json.loads(generate.schema_text()))


@pytest.mark.parametrize(
    "text", ["release: 2.3", "release: '2.3'", "check: {fail-on: warning}", "check: {fail-on: [error]}"]
)
def test_an_editor_accepts_what_we_accept(text):
    _validator().validate(yaml.safe_load(text))


@pytest.mark.parametrize("text", ["relase: 2.3", "check: {fail-on: warn}", "check: {outputs: [{format: json}]}"])
def test_an_editor_refuses_what_we_refuse(text):
    with pytest.raises(jsonschema.ValidationError):
        _validator().validate(yaml.safe_load(text))


def test_the_model_knows_the_formats_and_the_reasons_to_fail():
    assert get_args(model.FormatName) == FORMAT_NAMES
    assert get_args(model.FailOn) == FAIL_ON
