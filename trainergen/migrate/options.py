"""What a caller may choose about a migration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Gang = Literal["auto", "volcano", "coscheduling", "none"]


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices where the legacy job leaves more than one meaning, or the Trainer more than one form.

    ``keep_launch_module`` leaves ``torch.distributed.launch`` in place. ``exact_restart`` generates a runtime where
    nothing but a restart policy needs one. ``merge_roles`` lets roles that differ in resources become equal nodes of
    the larger size. ``gang`` is the gang scheduler that the Training Operator ran with.
    """

    keep_launch_module: bool = False
    exact_restart: bool = False
    merge_roles: bool = False
    gang: Gang = "auto"
