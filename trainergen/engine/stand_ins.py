"""What only a running cluster holds and rendering cannot do without: placeholders for it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING

from trainergen.render import GENERATED
from trainergen.render.trainjobstatus import CA_KEY, CA_SECRET, OPERATOR_NAMESPACE, TrainJobStatus

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


def stand_ins(features: Mapping[str, bool]) -> list[JsonObject]:
    """The Secret with the webhook's certificate authority, if a feature gate asks for it; its content is GENERATED."""
    if not features.get(TrainJobStatus.name):
        return []
    return [
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": CA_SECRET, "namespace": OPERATOR_NAMESPACE},
            "data": {CA_KEY: b64encode(GENERATED.encode()).decode()},
        }
    ]
