"""What an audit says, line by line, for all formats that are read by people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.output.phrases import plural

if TYPE_CHECKING:
    from trainergen.upgrade.audit import Audit, CompanionAudit


def crd_lines(audit: Audit) -> Iterator[str]:
    """The CRDs in the tree, one a line."""
    for one in audit.crds:
        crd = one.crd
        exact = f"is that of {crd.of} {crd.release}"
        near = f"is nearest to that of {crd.of} {crd.release}, with {plural(crd.differing, 'field')} that differ"
        remedy = f": write that of {one.write}" if one.write else ""
        yield f"{one.file}:{one.line} the CRD {crd.name} {near if crd.differing else exact}{remedy}"


def companion_lines(audit: Audit) -> Iterator[str]:
    """What goes with the releases, and where it is fixed to something else."""
    for one in audit.companions:
        yield f"{one.name}: {companion_range(one)}; {one.why}"
        for pin in one.pins:
            remedy = f": write {pin.write}" if pin.write else ""
            yield f"  {pin.file}:{pin.line} has {one.name} {pin.version}{remedy}"


def companion_range(one: CompanionAudit) -> str:
    """The versions before and after."""
    if one.before == one.after:
        return f"{one.after} as before, {one.version} suggested"
    return f"{one.before} up to now, {one.after} with the target, {one.version} suggested"
