"""What a plugin can be: it takes part in the phases whose protocols it satisfies and whose lists it is in.

Source: kubeflow/trainer pkg/runtime/framework/interface.go @ v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft


class Plugin(Protocol):
    """A named part of the controller."""

    @property
    def name(self) -> str:
        """The name in the controller's registry."""


class EnforcesMLPolicy(Plugin, Protocol):
    """Sets counts, environment, ports and volumes as the ML policy of the runtime wants them."""

    def enforce_ml_policy(self, draft: Draft) -> None:
        """Change ``draft``; raises RenderError where the controller fails."""


class EnforcesPodGroupPolicy(Plugin, Protocol):
    """Marks Pods for a gang scheduler."""

    def enforce_pod_group_policy(self, draft: Draft) -> None:
        """Change ``draft``."""


class Builds(Plugin, Protocol):
    """Makes objects."""

    def build(self, draft: Draft) -> list[JsonObject]:
        """The objects to apply; raises RenderError where the controller fails."""
