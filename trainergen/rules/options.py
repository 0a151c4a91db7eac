"""The options of rules: from what a configuration says to the value that the rule gets."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel


def default_options(declared: type[Any]) -> Any:
    """The options without configuration."""
    return declared()


def read_options(declared: type[Any], given: Mapping[str, Any]) -> Any:
    """The options as configured; pydantic.ValidationError says what does not fit."""
    model = options_model(declared).model_validate(given)
    return declared(**{name: getattr(model, name) for name in type(model).model_fields})


def options_model(declared: type[Any]) -> type[BaseModel]:
    """The options as a pydantic model, for validation and the published schema.

    Fields are spelled in kebab case; ``metadata`` of a dataclass field goes to pydantic (``description``, ``ge``).
    """
    from typing import get_type_hints

    from pydantic import ConfigDict, Field, create_model

    hints = get_type_hints(declared)
    fields: dict[str, Any] = {}
    for field in dataclasses.fields(declared):
        extra: dict[str, Any] = dict(field.metadata)
        if field.default is not dataclasses.MISSING:
            extra["default"] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            extra["default_factory"] = field.default_factory
        fields[field.name] = (hints[field.name], Field(alias=field.name.replace("_", "-"), **extra))
    config = ConfigDict(extra="forbid", frozen=True)
    model: type[BaseModel] = create_model(
        f"{declared.__name__}Model", __config__=config, __doc__=declared.__doc__, **fields
    )
    return model
