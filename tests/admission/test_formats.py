"""String formats, as the API server takes them."""

from __future__ import annotations

import pytest

from trainergen.admission.formats import ENFORCED, FORMATS, format_check

GOOD = {
    "date-time": [
        "2026-01-31T10:00:00Z",
        "2024-02-29t23:59:59.123z",
        "2026-01-31T10:00:00+25:99",
        "2026-01-31T10:00:00,5Z",
    ],
    "datetime": ["2026-01-31T10:00:00Z"],
    "date": ["2026-01-31", "2000-02-29", "0001-01-01"],
    "byte": ["aGk=", "YWJj", "+/+/"],
    "uuid": [
        "11111111-2222-4333-8444-555555555555",
        "11111111222243338444555555555555",
        "ABCDEFAB-0000-0000-0000-000000000000",
    ],
    "password": ["", "anything"],
    "k8s-short-name": ["a", "a-b", "a" * 63],
    "k8s-long-name": ["a", "a.b-c", "a" * 253],
}
BAD = {
    "date-time": [
        "",
        "2026-01-31",
        "2026-02-30T10:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T10:60:00Z",
        "2026-01-31 10:00:00Z",
        "2026-01-31T10:00:00",
    ],
    "date": ["2026-1-31", "2026-13-01", "2026-00-01", "1900-02-29", "2026-01-32", "2026-01-31\n", "٢٠٢٦-01-31"],
    "byte": ["", "a", "aGk", "a-_=", "aGk=\n"],
    "uuid": ["", "11111111-2222-4333-8444-55555555555", "g" * 32],
    "k8s-short-name": ["", "A", "a.b", "a" * 64, "-a", "a\n"],
    "k8s-long-name": ["", "a..b", "a" * 254],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in GOOD.items() for text in texts])
def test_text_is_of_the_format(name: str, text: str) -> None:
    check = format_check(name)
    assert check is not None
    assert check(text)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in BAD.items() for text in texts])
def test_text_is_not_of_the_format(name: str, text: str) -> None:
    check = format_check(name)
    assert check is not None
    assert not check(text)


@pytest.mark.parametrize("name", ["int32", "quantity", "Date-Time", "ip"])
def test_other_formats_are_ignored(name: str) -> None:
    assert format_check(name) is None


@pytest.mark.parametrize("name", sorted(ENFORCED - FORMATS.keys()))
def test_an_enforced_format_is_never_ignored_silently(name: str) -> None:
    with pytest.raises(LookupError, match=name):
        format_check(name)
