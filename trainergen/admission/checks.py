"""The checks the API server makes on a custom resource, before any webhook has its say."""

from __future__ import annotations

from trainergen.finding import Check, Layer

UNKNOWN_FIELD = Check("TG101", "unknown-field", Layer.SCHEMA, "the release has no such field")
WRONG_TYPE = Check("TG102", "wrong-type", Layer.SCHEMA, "the value is of another type than the field")
MISSING_FIELD = Check("TG103", "missing-field", Layer.SCHEMA, "a required field is absent")
VALUE_NOT_ALLOWED = Check("TG104", "value-not-allowed", Layer.SCHEMA, "the field takes only certain values")
OUT_OF_RANGE = Check("TG105", "number-out-of-range", Layer.SCHEMA, "the number is too small or too large")
TOO_LONG = Check("TG106", "string-too-long", Layer.SCHEMA, "the text has too many characters")
TOO_SHORT = Check("TG107", "string-too-short", Layer.SCHEMA, "the text has too few characters")
TOO_MANY = Check("TG108", "too-many-entries", Layer.SCHEMA, "the list or mapping has too many entries")
TOO_FEW = Check("TG109", "too-few-entries", Layer.SCHEMA, "the list or mapping has too few entries")
PATTERN = Check("TG110", "pattern-mismatch", Layer.SCHEMA, "the text does not match the field's pattern")
FORMAT = Check("TG111", "format-mismatch", Layer.SCHEMA, "the text is not of the field's format")
DUPLICATE = Check("TG112", "duplicate-entry", Layer.SCHEMA, "two entries of a list have the same key or value")
INVALID_NAME = Check("TG113", "invalid-name", Layer.SCHEMA, "the object's name or namespace is missing or malformed")
INVALID_LABEL = Check("TG114", "invalid-label", Layer.SCHEMA, "a label's key or value is malformed")
INVALID_ANNOTATION = Check(
    "TG115", "invalid-annotation", Layer.SCHEMA, "an annotation is malformed or all are too large"
)
INVALID_OWNER = Check("TG116", "invalid-owner-reference", Layer.SCHEMA, "an owner reference is incomplete or malformed")
INVALID_FINALIZER = Check("TG117", "invalid-finalizer", Layer.SCHEMA, "a finalizer is no qualified name")
INVALID_METADATA = Check("TG118", "invalid-metadata", Layer.SCHEMA, "a server-kept field of the metadata is malformed")
WRONG_KIND = Check("TG119", "wrong-kind", Layer.SCHEMA, "apiVersion or kind is not the one that was checked for")
IMMUTABLE_METADATA = Check("TG120", "immutable-metadata", Layer.SCHEMA, "the object's identity cannot be changed")
RULE_FAILED = Check("TG121", "rule-failed", Layer.CEL, "a validation rule of the resource definition says no")
RULE_ERROR = Check(
    "TG122", "rule-error", Layer.CEL, "a validation rule cannot be computed for the value, which refuses it"
)
FIELD_IMMUTABLE = Check("TG123", "field-immutable", Layer.CEL, "the field cannot be changed once it is set")

CHECKS: tuple[Check, ...] = (
    UNKNOWN_FIELD,
    WRONG_TYPE,
    MISSING_FIELD,
    VALUE_NOT_ALLOWED,
    OUT_OF_RANGE,
    TOO_LONG,
    TOO_SHORT,
    TOO_MANY,
    TOO_FEW,
    PATTERN,
    FORMAT,
    DUPLICATE,
    INVALID_NAME,
    INVALID_LABEL,
    INVALID_ANNOTATION,
    INVALID_OWNER,
    INVALID_FINALIZER,
    INVALID_METADATA,
    WRONG_KIND,
    IMMUTABLE_METADATA,
    RULE_FAILED,
    RULE_ERROR,
    FIELD_IMMUTABLE,
)
"""Every check of this part, for the documentation and for ``--select``."""

BLOCKING = frozenset({WRONG_TYPE, MISSING_FIELD, VALUE_NOT_ALLOWED, TOO_LONG, TOO_MANY, FORMAT, WRONG_KIND})
"""After one of these the API server evaluates no rule: the values might not be what a rule was compiled for.

kubernetes/apiextensions-apiserver pkg/registry/customresource/strategy.go hasBlockingErr @ v0.35.0.
"""
