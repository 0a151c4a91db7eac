"""No credential in a specification: what looks like one is refused, for it would be in git."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.generate.spec import RuntimeSpec
from trainergen.rules.security.credentials import credential_in, is_credential

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.generate.faults import Faults
    from trainergen.generate.spec import JobSpec

_REMEDY = "Put it into a Secret and name that: secrets: {NAME: secret/key}."


def refuse_secrets(faults: Faults, spec: JobSpec | RuntimeSpec, path: Path) -> None:
    """A fault for each credential among the variables and arguments of a job or a runtime."""
    for where, name, value in _texts(spec):
        kind = credential_in(value) or ("a credential" if is_credential(name, value) else "")
        if kind:
            faults.add((*path, *where), f"{name or 'this text'} holds {kind} as plain text", _REMEDY)


def _texts(spec: JobSpec | RuntimeSpec) -> Iterator[tuple[Path, str, str]]:
    for name, value in spec.env.items():
        yield ("env", name), name, value
    if isinstance(spec, RuntimeSpec):
        return
    for field, source in (("data", spec.data), ("model", spec.model)):
        for name, value in source.env.items() if source is not None else ():
            yield (field, "env", name), name, value
    for index, word in enumerate(spec.args or ()):
        name, equals, value = word.partition("=")
        yield ("args", index), name if equals else "", value if equals else word
