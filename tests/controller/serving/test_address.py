"""Addresses as they are written on a command line."""

from __future__ import annotations

import pytest
from trainergen_controller.serving.address import address_of


@pytest.mark.parametrize(
    ("text", "address"),
    [("0.0.0.0:9443", ("0.0.0.0", 9443)), (":8081", ("0.0.0.0", 8081)), ("[::1]:1", ("::1", 1))],
)
def test_an_address_is_host_and_port(text: str, address: tuple[str, int]) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["9443", "host", "host:port", "a:99999"])
def test_what_is_no_address_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="write host:port"):
        address_of(text)
