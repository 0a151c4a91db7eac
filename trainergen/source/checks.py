"""What can be wrong with input before anybody looks at its fields (TG001 to TG029)."""

from __future__ import annotations

from trainergen.finding import Check, Layer

UNREADABLE_FILE = Check("TG001", "unreadable-file", Layer.YAML, "A file cannot be opened or read.")
NO_SUCH_PATH = Check("TG002", "no-such-path", Layer.YAML, "A path does not exist, or a pattern matches no file.")
NOT_A_FILE = Check("TG003", "not-a-regular-file", Layer.YAML, "A path names a pipe, a socket or a device.")
FILE_TOO_LARGE = Check("TG004", "file-too-large", Layer.YAML, "A file is larger than a manifest can be.")

NOT_UTF8 = Check("TG005", "not-utf-8", Layer.YAML, "A manifest is not UTF-8 text.")
NOT_TEXT = Check("TG006", "not-text", Layer.YAML, "A manifest contains characters that YAML forbids, or is binary.")
YAML_SYNTAX = Check("TG007", "yaml-syntax", Layer.YAML, "A document is not valid YAML.")
DUPLICATE_KEY = Check("TG008", "duplicate-key", Layer.YAML, "A mapping sets the same key twice.")
MERGE_CONFLICT = Check(
    "TG009", "merge-key-conflict", Layer.YAML, "A key is set both by a merge key and by the mapping itself."
)
INVALID_MERGE = Check("TG010", "invalid-merge", Layer.YAML, "A merge key has a value that is no mapping.")
UNKNOWN_ALIAS = Check("TG011", "unknown-alias", Layer.YAML, "An alias names no anchor that comes before it.")
ALIAS_LOOP = Check("TG012", "alias-loop", Layer.YAML, "An alias lies inside the value that it stands for.")
ALIAS_EXPANSION = Check("TG013", "alias-expansion", Layer.YAML, "Aliases blow a document up beyond reason.")
TOO_DEEP = Check("TG014", "too-deep", Layer.YAML, "A document nests too many levels.")
TOO_MANY_DOCUMENTS = Check("TG015", "too-many-documents", Layer.YAML, "A file holds too many documents.")
INVALID_KEY = Check("TG016", "invalid-key", Layer.YAML, "A mapping key is something that JSON cannot use as a key.")
NOT_A_JSON_NUMBER = Check("TG017", "not-a-json-number", Layer.YAML, "A number is infinite or not a number.")
TAG_MISMATCH = Check("TG018", "tag-mismatch", Layer.YAML, "A value does not fit its YAML tag.")

NOT_AN_OBJECT = Check("TG019", "not-an-object", Layer.SCHEMA, "A document is a list or a single value.")
MISSING_KIND = Check("TG020", "missing-kind", Layer.SCHEMA, "An object does not say its kind.")
MISSING_API_VERSION = Check("TG021", "missing-api-version", Layer.SCHEMA, "An object does not say its apiVersion.")
UNKNOWN_KIND = Check("TG022", "unknown-kind", Layer.SCHEMA, "The Trainer API group has no such kind.")
UNSUPPORTED_VERSION = Check("TG023", "unsupported-version", Layer.SCHEMA, "A Trainer kind has no such API version.")
WRONG_GROUP = Check("TG024", "wrong-group", Layer.SCHEMA, "A Trainer kind is written with a group that lacks it.")

# Findings of these checks mean that the input could not be read: the run exits 2, whatever --fail-on says.
INPUT_CHECKS = frozenset(check.id for check in (UNREADABLE_FILE, NO_SUCH_PATH, NOT_A_FILE, FILE_TOO_LARGE))

ALL_CHECKS: tuple[Check, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Check))
