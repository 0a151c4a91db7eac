"""Data of Secrets: given by the caller, or a placeholder. Nothing secret is made here."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import SecretData

GENERATED = "<generated>"
"""Stands for what the controller makes in the cluster. It is no base64, so no API server takes it by mistake."""


def secret_data(secrets: SecretData, name: str, keys: tuple[str, ...]) -> JsonObject:
    """``data`` of the Secret called ``name``: what ``secrets`` has for it, encoded, and else the placeholder."""
    given = secrets.get(name, {})
    return {key: b64encode(given[key].encode()).decode() if key in given else GENERATED for key in keys}
