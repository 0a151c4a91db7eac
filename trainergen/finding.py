"""What every layer speaks: document paths, findings and the checks that make them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from trainergen.fix import Fix

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"
Path: TypeAlias = tuple[str | int, ...]


class Severity(StrEnum):
    """How bad a finding is; only errors of a refusing layer mean that the cluster says no."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Layer(StrEnum):
    """Who speaks: the cluster (``yaml`` to ``policy``) or our own advice (``lint``)."""

    YAML = "yaml"
    SCHEMA = "schema"
    CEL = "cel"
    WEBHOOK = "webhook"
    POLICY = "policy"
    LINT = "lint"


REFUSING_LAYERS = frozenset({Layer.YAML, Layer.SCHEMA, Layer.CEL, Layer.WEBHOOK, Layer.POLICY})


class Key(str):
    """A step into a mapping with free keys that the API server writes in brackets, as in ``spec.annotations[a.b/c]``.

    Its schema checks write a dot (``resources.limits.nvidia.com/gpu``): there a plain string is right.
    """

    __slots__ = ()


def format_path(path: Path) -> str:
    """Write a path the way the API server does: ``spec.trainer.env[0].value``, ``resources.limits.nvidia.com/gpu``."""
    out: list[str] = []
    for step in path:
        if isinstance(step, int | Key) or not step or any(c in step for c in "[] \n\t"):
            out.append(f"[{step}]")
        else:
            out.append(f".{step}" if out else step)
    return "".join(out)


class ObjectRef(NamedTuple):
    """Which object of a document a finding is about."""

    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, with its place as a document path and, once located, as file, line and column (from 1)."""

    rule: str
    name: str
    severity: Severity
    layer: Layer
    message: str
    help: str = ""
    at: Path = ()
    on_key: bool = False
    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    document: int = 0
    object: ObjectRef | None = None
    fix: str = "none"
    remedy: Fix | None = field(default=None, compare=False, repr=False)
    """The edits behind ``fix``; no output shows them."""

    @property
    def path(self) -> str:
        """The document path in the API server's notation."""
        return format_path(self.at)

    @property
    def refuses(self) -> bool:
        """True when the cluster would refuse the object for this."""
        return self.severity is Severity.ERROR and self.layer in REFUSING_LAYERS

    def under(self, prefix: Path) -> Finding:
        """The same finding with its path inside an enclosing document (a ``List``, an embedded object)."""
        return replace(self, at=prefix + self.at)


class Check(NamedTuple):
    """A named check: the identity that findings, ``--select`` and the documentation share."""

    id: str
    name: str
    layer: Layer
    summary: str
    severity: Severity = Severity.ERROR

    def at(self, path: Path, message: str, *, help: str = "", on_key: bool = False) -> Finding:  # noqa: A002
        """A finding of this check at ``path``; ``on_key`` points at the key rather than at the value."""
        return Finding(
            rule=self.id,
            name=self.name,
            severity=self.severity,
            layer=self.layer,
            message=message,
            help=help,
            at=path,
            on_key=on_key,
        )


class NotEvaluated(NamedTuple):
    """A check that could not be decided, and why; never counted as accepted."""

    check: str
    reason: str
    layer: Layer
    at: Path = ()
