"""Values that differ from release to release."""

from __future__ import annotations

import pytest

from trainergen.catalogue.changing import Changing

IMAGE = Changing({"2.1": "old", "2.3": "new"})


@pytest.mark.parametrize(("release", "value"), [("2.1", "old"), ("2.2", "old"), ("2.3", "new")])
def test_a_value_holds_until_the_next_one(release: str, value: str) -> None:
    assert IMAGE.at(release) == value


def test_there_is_no_value_before_the_first() -> None:
    with pytest.raises(LookupError, match=r"no value for Trainer 2\.0, the first came with 2\.1"):
        IMAGE.at("2.0")


def test_a_release_that_does_not_exist_is_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"unknown Trainer release '2\.9'"):
        Changing({"2.9": "never"}).at("2.3")
