"""How scalars are typed, against what go.yaml.in/yaml v2 and Go's JSON packages make of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.source.scalars import TagMismatchError, as_json_number, key_text, plain, plain_key, tagged

PLAIN = {
    "YAML 1.1 words are booleans": {"y": True, "Yes": True, "ON": True, "n": False, "No": False, "off": False},
    "other spellings are text": {"yES": "yES", "True ": "True ", "oN": "oN", "t": "t"},
    "nothing is null": {"": None, "~": None, "null": None, "NULL": None, "nULL": "nULL"},
    "merge and value indicators are text": {"<<": "<<", "=": "="},
    "integers in Go's notation": {
        "0": 0, "-0": 0, "00": 0, "+3": 3, "-17": -17, "017": 15, "0o17": 15, "0O17": 15, "0x1F": 31, "-0XfF": -255,
        "0b101": 5, "0B11": 3, "1_000": 1000, "1__0": 10, "-_1": -1, "0_7": 7,
    },
    "a leading zero with decimal digits is a float": {"08": 8, "0128": 128, "09.5": 9.5},
    "the reader's own binary notation may carry a sign": {"0b-1": -1, "0b+10": 2, "0b2": "0b2", "0b": "0b"},
    "floats": {".5": 0.5, "5.": 5, "1e3": 1000, "1E-2": 0.01, "+.5": 0.5, "1_0.5": 10.5, ".5_0": 0.5, "1.5e+1": 15},
    "numbers without a fraction are integers after JSON": {"2.0": 2, "-2.0": -2, "1e1": 10, "-0.0": 0, "1e18": 10**18},
    "what only looks like a number is text": {
        "1e": "1e", "1.2.3": "1.2.3", "0x": "0x", "0xg": "0xg", "-": "-", "+": "+", ".": ".", "._5": "._5",
        ".5_": ".5_", "1,000": "1,000", "12:30:45": "12:30:45", "1:30": "1:30", "_1": "_1", "0o8": "0o8",
        "infinity": "infinity", "NaN": "NaN", "0x1p3": "0x1p3", "--1": "--1", "1e5x": "1e5x",
    },
    "dates are text": {"2026-11-29": "2026-11-29", "2026-11-29T10:00:00Z": "2026-11-29T10:00:00Z"},
    "64 bits are kept": {
        "9007199254740993": 2**53 + 1, "9223372036854775807": 2**63 - 1, "-9223372036854775808": -(2**63),
    },
    "more than 63 bits become floats": {
        "9223372036854775808": 2.0**63, "18446744073709551615": 2.0**64, "18446744073709551616": 2.0**64,
        "-9223372036854775809": -(2.0**63), "0xFFFFFFFFFFFFFFFF": 2.0**64,
    },
    "more than 64 bits in another base is no number": {"0x1FFFFFFFFFFFFFFFF": "0x1FFFFFFFFFFFFFFFF"},
    "floats out of range are text": {"1e400": "1e400", "-1e999": "-1e999", ".5e999": ".5e999", "1e-400": 0},
    "digits beyond a float's precision are zeros": {"1.2345678901234567e18": 1234567890123456800, "1e19": 1e19},
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [pytest.param(text, value, id=f"{what}: {text}") for what, cases in PLAIN.items() for text, value in cases.items()],
)
def test_a_plain_scalar_is_what_the_api_server_reads(text: str, expected: object) -> None:
    value = plain(text)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize("text", [".inf", ".Inf", ".INF", "+.inf"])
def test_infinity_is_recognised(text: str) -> None:
    assert plain(text) == math.inf


def test_negative_infinity_and_nan_are_recognised() -> None:
    assert plain("-.INF") == -math.inf
    assert math.isnan(plain(".NaN"))  # type: ignore[arg-type]


def test_a_number_of_thousands_of_digits_is_no_trouble() -> None:
    digits = "9" * 10_000
    assert plain(digits) == digits
    assert plain("0x" + digits) == "0x" + digits
    assert plain("0b" + "1" * 10_000) == "0b" + "1" * 10_000


TAGGED = {
    "text": ("str", "~", "~"),
    "integer in quotes": ("int", "3", 3),
    "integer in hexadecimal": ("int", "0x10", 16),
    "integer as float": ("float", "3", 3),
    "float": ("float", "2.5", 2.5),
    "boolean word": ("bool", "yes", True),
    "null word": ("null", "~", None),
    "empty null": ("null", "", None),
    "date": ("timestamp", "2026-1-2", "2026-1-2"),
    "time with zone": ("timestamp", "2026-01-02T03:04:05.5+01:00", "2026-01-02T03:04:05.5+01:00"),
    "time with a space": ("timestamp", "2026-01-02 3:4:5", "2026-01-02 3:4:5"),
    "base64": ("binary", "aGk=", "hi"),
    "base64 over lines": ("binary", "aG\nk=", "hi"),
    "base64 of what is no UTF-8": ("binary", "/w==", "\ufffd"),
    "unknown tag of the core": ("set", "1", "1"),
}


@pytest.mark.parametrize(("tag", "text", "expected"), TAGGED.values(), ids=TAGGED)
def test_a_tag_decides_the_type(tag: str, text: str, expected: object) -> None:
    value = tagged(f"tag:yaml.org,2002:{tag}", text)
    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("int", "x"), ("int", ""), ("int", "2.5"), ("float", "x"), ("float", "18446744073709551615"), ("bool", "1"),
        ("null", "x"), ("timestamp", "x"), ("timestamp", "2026-02-30"), ("timestamp", "2026-01-02T03:04:05"),
        ("binary", "a"), ("binary", "äöü"),
    ],
)  # fmt: skip
def test_a_value_that_is_nothing_of_its_tag_is_refused(tag: str, text: str) -> None:
    with pytest.raises(TagMismatchError):
        tagged(f"tag:yaml.org,2002:{tag}", text)


@pytest.mark.parametrize("tag", ["!local", "!", "tag:example.com,2026:int", "int"])
def test_a_foreign_tag_makes_text(tag: str) -> None:
    assert tagged(tag, "12") == "12"


KEYS = {
    "text": ("a", "a"), "integer": ("0o17", "15"), "boolean": ("on", "true"), "no": ("no", "false"),
    "float": ("1.5", "1.5"), "whole float": ("2.0", "2"), "million": ("1e6", "1e+06"), "small": ("0.00001", "1e-05"),
    "32-bit precision": ("123456789.0", "1.2345679e+08"), "too large for 32 bits": ("1e300", ".inf"),
    "infinity": ("-.inf", "-.inf"), "not a number": (".nan", ".nan"), "zero": ("0.0", "0"), "null": ("~", None),
    "64 bits": ("18446744073709551615", None),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), KEYS.values(), ids=KEYS)
def test_a_key_is_written_as_text(text: str, expected: str | None) -> None:
    assert plain_key(text) == expected


def test_a_value_becomes_a_key() -> None:
    assert [key_text(value) for value in ("a", True, 5, 0.5, None)] == ["a", "true", "5", "0.5", None]


@given(st.integers(-(2**63), 2**63 - 1))
def test_decimal_integers_of_64_bits_are_themselves(value: int) -> None:
    assert plain(str(value)) == value
    assert plain_key(str(value)) == str(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_unchanged_by_json_unless_it_is_an_integer(value: float) -> None:
    number = as_json_number(value)
    assert float(number) == value
    assert isinstance(number, int) == (value.is_integer() and abs(value) < 2.0**63)


@given(st.text(max_size=30))
def test_any_text_has_a_value_and_a_key(text: str) -> None:
    assert isinstance(plain(text), None | bool | int | float | str)  # type: ignore[arg-type]
    assert isinstance(plain_key(text), None | str)  # type: ignore[arg-type]
