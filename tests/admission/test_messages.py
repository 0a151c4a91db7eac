"""The wording of findings: what was seen, what is expected, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Serve = Callable[..., Any]
Check = Callable[..., Any]
STRING: dict[str, Any] = {"type": "string"}
INTEGER: dict[str, Any] = {"type": "integer"}

WORDINGS: dict[str, tuple[dict[str, Any], Any, str, str]] = {
    "boolean for a text": (
        STRING,
        True,
        "spec is the boolean 'true', but must be a string",
        (
            'Put it in quotes ("true"): '
            "without them the API server reads yes, no, on, off, y, n, true and false as booleans."
        ),
    ),
    "number for a text": (
        STRING,
        7,
        "spec is the number '7', but must be a string",
        'Put it in quotes ("7"): without them it is a number to the API server.',
    ),
    "quoted number": (
        INTEGER,
        "2",
        "spec is the string '2', but must be an integer",
        "Remove the quotes: in quotes it is text to the API server.",
    ),
    "word for a number": (INTEGER, "two", "spec is the string 'two', but must be an integer", "Write an integer."),
    "fraction": (INTEGER, 2.5, "spec is the number '2.5', but must be an integer", "Write a whole number."),
    "quoted boolean": (
        {"type": "boolean"},
        "yes",
        "spec is the string 'yes', but must be a boolean",
        "Remove the quotes, or write true or false: in quotes it is text to the API server.",
    ),
    "word for a boolean": (
        {"type": "boolean"},
        "x",
        "spec is the string 'x', but must be a boolean",
        "Write a boolean.",
    ),
    "mapping for a text": (
        STRING,
        {"a": 1},
        "spec is a mapping of 1 entry, but must be a string",
        "Write a single string instead.",
    ),
    "text for a list": (
        {"type": "array", "items": STRING},
        "a",
        "spec is the string 'a', but must be an array",
        "Write a list, each entry on a line of its own after '- '.",
    ),
    "list for a mapping": (
        {"type": "object"},
        ["a", "b"],
        "spec is a list of 2 entries, but must be an object",
        "Write a mapping of fields, indented below the key.",
    ),
    "null in a list": (
        {"type": "array", "items": STRING},
        [None],
        "spec[0] is null, but must be a string",
        "Remove the empty entry, or give it a value.",
    ),
    "absent": (
        {"type": "object", "required": ["a"], "properties": {"a": STRING}},
        {},
        "spec lacks the required field 'a'",
        "Add a.",
    ),
    "null": (
        {"type": "object", "required": ["a"], "properties": {"a": STRING}},
        {"a": None},
        "spec needs a, which is null and so counts as absent",
        "Give a a value.",
    ),
    "near to an allowed value": (
        {**STRING, "enum": ["Always", "Never"]},
        "always",
        "spec is 'always', but only 'Always', 'Never' are allowed",
        "Did you mean 'Always'?",
    ),
    "far from the allowed value": (
        {**STRING, "enum": ["Always"]},
        "x",
        "spec is 'x', but only 'Always' is allowed",
        "Write one of 'Always'.",
    ),
    "too small": (
        {**INTEGER, "minimum": 1},
        0,
        "spec is '0', but must be at least 1",
        "Write a number that is at least 1.",
    ),
    "out of excluded bounds": (
        {**INTEGER, "minimum": 1, "exclusiveMinimum": True, "maximum": 9, "exclusiveMaximum": True},
        9,
        "spec is '9', but must be more than 1 and less than 9",
        "Write a number that is more than 1 and less than 9.",
    ),
    "too long": (
        {**STRING, "maxLength": 1000},
        "x" * 1001,
        "spec has 1,001 characters, but must have at most 1,000",
        f"Shorten '{'x' * 60}…'.",
    ),
    "too short": ({**STRING, "minLength": 3}, "x", "spec has 1 character, but must have at least 3", "Lengthen 'x'."),
    "empty text": (
        {**STRING, "minLength": 1},
        "",
        "spec is empty",
        "Give it a value, or remove spec if it is not needed.",
    ),
    "too many": (
        {"type": "array", "items": STRING, "maxItems": 1},
        ["a", "b"],
        "spec has 2 entries, but must have at most 1",
        "Remove 1 entry.",
    ),
    "too few": (
        {"type": "array", "items": STRING, "minItems": 3},
        ["a"],
        "spec has 1 entry, but must have at least 3",
        "Add 2 entries.",
    ),
    "empty": (
        {"type": "object", "minProperties": 1},
        {},
        "spec is empty, but must have at least 1 entry",
        "Fill spec, or remove it.",
    ),
    "pattern": (
        {**STRING, "pattern": "^a$"},
        "b\n\t\x00",
        "spec is 'b\\n\\t\\u0000', but must match ^a$",
        "Write a text that matches the pattern.",
    ),
    "time": (
        {**STRING, "format": "date-time"},
        "now",
        "spec is 'now', which is no date-time",
        "Write it like 2026-01-31T10:00:00Z.",
    ),
    "other format": ({**STRING, "format": "uuid"}, "x", "spec is 'x', which is no uuid", "Write a uuid."),
    "member of a set": (
        {"type": "array", "items": STRING, "x-kubernetes-list-type": "set"},
        ["a", "a"],
        "'a' is listed twice, first at spec[0]",
        "Remove one of them.",
    ),
    "key of a list map": (
        {
            "type": "array",
            "items": {"type": "object", "properties": {"a": INTEGER}},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["a"],
        },
        [{"a": 1}, {"a": 1}, {}, {}],
        "a second entry with a '1'; the first is spec[0]",
        "Remove one of them, or merge the two.",
    ),
}


@pytest.mark.parametrize("case", WORDINGS.values(), ids=WORDINGS.keys())
def test_wording(check_value: Check, case: tuple[dict[str, Any], Any, str, str]) -> None:
    schema, value, message, remedy = case
    finding = check_value(schema, value)[2].findings[0]
    assert (finding.message, finding.help) == (message, remedy)


UNKNOWN: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "misspelt": (
        "2.3",
        {"suspended": True},
        "'suspended' is no field of spec in Trainer 2.3",
        "Did you mean 'suspend'?",
    ),
    "in the wrong place": (
        "2.3",
        {"numNodes": 2},
        "'numNodes' is no field of spec in Trainer 2.3",
        "It belongs at spec.trainer.numNodes.",
    ),
    "of an older release": (
        "2.3",
        {"podTemplateOverrides": []},
        "'podTemplateOverrides' is no field of spec in Trainer 2.3",
        "It is gone since Trainer 2.2. Use spec.runtimePatches instead.",
    ),
    "of the release before": (
        "2.1",
        {"podSpecOverrides": []},
        "'podSpecOverrides' is no field of spec in Trainer 2.1",
        "It is gone since Trainer 2.1. Use spec.podTemplateOverrides instead.",
    ),
    "of a newer release, with a counterpart": (
        "2.0",
        {"runtimePatches": []},
        "'runtimePatches' is no field of spec in Trainer 2.0",
        "It comes with Trainer 2.2. Use spec.podSpecOverrides instead.",
    ),
    "of a newer release, without": (
        "2.1",
        {"activeDeadlineSeconds": 5},
        "'activeDeadlineSeconds' is no field of spec in Trainer 2.1",
        "It comes with Trainer 2.2. Check against that release, or remove it.",
    ),
    "gone, with a successor elsewhere": (
        "2.2",
        {"labels": {}},
        "'labels' is no field of spec in Trainer 2.2",
        (
            "It is gone since Trainer 2.2. Set labels of the JobSet in "
            "spec.runtimePatches[].trainingRuntimeSpec.template.metadata.labels."
        ),
    ),
    "of no release": (
        "2.3",
        {"zzz": 1},
        "'zzz' is no field of spec in Trainer 2.3",
        "Remove 'zzz': the API server refuses fields that it does not know.",
    ),
}


@pytest.mark.parametrize("case", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_help_for_an_unknown_field(
    serve: Serve, job: dict[str, Any], case: tuple[str, dict[str, Any], str, str]
) -> None:
    release, fields, message, remedy = case
    job["spec"] |= fields
    [finding] = serve(job, release).findings
    assert (finding.message, finding.help) == (message, remedy)
    assert finding.on_key


def test_help_names_places_inside_of_lists(serve: Serve, job: dict[str, Any]) -> None:
    job["spec"]["terminationGracePeriodSeconds"] = 5
    [finding] = serve(job).findings
    assert finding.help.startswith("It belongs at spec.runtimePatches[].trainingRuntimeSpec.template.spec")


@pytest.mark.parametrize(("field", "remedy"), [("label", "Did you mean 'labels'?"), ("zzz", "Remove 'zzz'")])
def test_help_for_an_unknown_field_of_the_metadata(serve: Serve, job: dict[str, Any], field: str, remedy: str) -> None:
    job["metadata"][field] = {}
    [finding] = serve(job).findings
    assert finding.message == f"'{field}' is no field of metadata"
    assert finding.help.startswith(remedy)


def test_an_unknown_field_at_the_top_is_one_of_the_kind(serve: Serve, job: dict[str, Any]) -> None:
    job["extra"] = 1
    assert serve(job).findings[0].message == "'extra' is no field of a TrainJob in Trainer 2.3"


def test_a_release_of_no_name_has_no_neighbours(check_value: Check) -> None:
    finding = check_value({"type": "object", "properties": {"abc": STRING}}, {"abd": "x"})[2].findings[0]
    assert finding.help == "Did you mean 'abc'?"


def test_a_quantity_is_explained(serve: Serve, job: dict[str, Any]) -> None:
    job["spec"]["trainer"]["resourcesPerNode"] = {"limits": {"memory": "16 Gi"}}
    [finding] = serve(job).findings
    assert finding.message == "memory is '16 Gi', but must be a resource quantity"
    assert "no blank between them" in finding.help


OWNER = {"apiVersion": "v1", "kind": "Job", "name": "a", "uid": "u", "controller": True}
METADATA: dict[str, tuple[dict[str, Any], str, str]] = {
    "name": ({"name": "My Job"}, "name is 'My Job', which is no object name", "for example my-job."),
    "name without a rewriting": ({"name": "_"}, "name is '_', which is no object name", "at both ends."),
    "name in another script": ({"name": "Ж"}, "name is 'Ж', which is no object name", "at both ends."),
    "namespace": ({"name": "a", "namespace": "A"}, "namespace is 'A', which is no namespace name", "at both ends."),
    "no name": ({}, "metadata.name is missing", "Give the object a name (or a generateName)."),
    "label value": (
        {"name": "a", "labels": {"team": "a b"}},
        "label 'team' has the value 'a b', which no label may have",
        "anything else belongs in an annotation.",
    ),
    "label key": ({"name": "a", "labels": {"a b": "c"}}, "'a b' is no label key", "as in example.com/team."),
    "annotation key": (
        {"name": "a", "annotations": {"a b": "c"}},
        "'a b' is no annotation key",
        "as in example.com/team.",
    ),
    "annotations": (
        {"name": "a", "annotations": {"b": "c" * 262144}},
        "the annotations take 262,145 bytes, but 262,144 are allowed in all",
        "Move large content to a ConfigMap.",
    ),
    "owner": (
        {"name": "a", "ownerReferences": [{"apiVersion": "v1", "kind": "Job", "uid": "u"}]},
        "the owner reference lacks name",
        "controllers set them on what they create.",
    ),
    "two controllers": (
        {"name": "a", "ownerReferences": [OWNER, OWNER]},
        "a second owner is marked as controller",
        "Mark at most one owner as controller.",
    ),
    "owner of an odd version": (
        {"name": "a", "ownerReferences": [{**OWNER, "apiVersion": "a/"}]},
        "apiVersion is 'a/', which is no group and version",
        "Write it like apps/v1.",
    ),
    "both collectors": (
        {"name": "a", "finalizers": ["orphan", "foregroundDeletion"]},
        "finalizers 'orphan' and 'foregroundDeletion' exclude each other",
        "Remove one of them.",
    ),
    "finalizer": ({"name": "a", "finalizers": ["a b"]}, "'a b' is no finalizer name", "as in example.com/team."),
    "time": (
        {"name": "a", "creationTimestamp": "now"},
        "creationTimestamp is 'now', but must be a time like 2026-01-31T10:00:00Z",
        "Remove creationTimestamp: the API server sets it.",
    ),
}


@pytest.mark.parametrize("case", METADATA.values(), ids=METADATA.keys())
def test_wording_of_metadata(serve: Serve, job: dict[str, Any], case: tuple[dict[str, Any], str, str]) -> None:
    metadata, message, remedy = case
    finding = serve({**job, "metadata": metadata}).findings[0]
    assert finding.message == message
    assert finding.help.endswith(remedy)


def test_wording_of_identity_and_type(serve: Serve, job: dict[str, Any]) -> None:
    finding = serve({**job, "metadata": {"name": "b"}}, old=job).findings[0]
    assert finding.message == "metadata.name changes from 'mnist' to 'b'"
    finding = serve({**job, "apiVersion": "trainer.kubeflow.org/v2"}).findings[0]
    assert finding.message == "apiVersion is 'trainer.kubeflow.org/v2', but must be 'trainer.kubeflow.org/v1alpha1'"
