"""What all classes of the typed model share: camelCase names on the wire, nothing unknown, nothing coerced."""

from inspect import Parameter, Signature
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from trainergen.api.fields import Marker


class Model(BaseModel):
    """An object inside a Trainer manifest.

    Python names are in snake case, wire names in camel case. Absent fields are ``None`` and stay absent: what the API
    server would fill in is metadata, not a Python default. The docstrings of class and fields are their published
    descriptions.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        extra="forbid",
        validate_assignment=True,
        use_attribute_docstrings=True,
    )

    core_type: ClassVar[str] = ""
    """Name of the type in ``schemas/core``, for classes that only give Kubernetes' own types Python names."""
    markers: ClassVar[tuple[Marker, ...]] = ()
    """Metadata of the object itself, wherever it occurs."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Show the Python names in the signature, where pydantic puts the wire names."""
        super().__pydantic_init_subclass__(**kwargs)
        parameters = [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                default=Parameter.empty if info.is_required() else info.default,
                annotation=info.annotation,
            )
            for name, info in cls.model_fields.items()
        ]
        cls.__signature__ = Signature(parameters)

    def to_dict(self) -> dict[str, Any]:
        """The object as plain JSON values under wire names, without what is absent."""
        return self.model_dump(by_alias=True, exclude_none=True, mode="json")
