"""The Python names of Kubernetes types against the snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trainergen.api.generate.lowering import core_types
from trainergen.api.kinds import all_models
from trainergen.releases import RELEASES

if TYPE_CHECKING:
    from trainergen.api.model import Model
    from trainergen.api.structural import Schema

NAMED = sorted((model for model in all_models() if model.core_type), key=lambda model: model.core_type)


def snapshots_of(name: str) -> list[Schema]:
    """The type in every snapshot that has it, oldest first."""
    minors = dict.fromkeys(release.kubernetes for release in RELEASES)
    return [core_types(minor)[name] for minor in minors if name in core_types(minor)]


@pytest.mark.parametrize("model", NAMED, ids=lambda model: model.core_type)
def test_a_class_has_the_fields_that_some_release_has(model: type[Model]) -> None:
    fields = {info.alias for info in model.model_fields.values()}
    assert fields == {name for schema in snapshots_of(model.core_type) for name in schema["properties"]}


@pytest.mark.parametrize("model", NAMED, ids=lambda model: model.core_type)
def test_a_class_requires_what_all_releases_require(model: type[Model]) -> None:
    required = {info.alias for info in model.model_fields.values() if info.is_required()}
    assert required == set.intersection(*(set(schema.get("required", ())) for schema in snapshots_of(model.core_type)))


def test_every_own_field_of_the_model_is_described() -> None:
    undescribed = [
        f"{model.__name__}.{name}"
        for model in all_models()
        if not model.core_type
        for name, info in model.model_fields.items()
        if not info.description
    ]
    assert undescribed == []
    assert [model.__name__ for model in all_models() if not model.__doc__] == []
