"""Kubernetes quantities, against what the real implementation answers."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.api.quantity import Quantity, QuantityError, parse_quantity

RECORDED = json.loads((Path(__file__).parents[1] / "oracle" / "quantities.json").read_text("utf-8"))
"""Text: its canonical form and that of its sum with 1500m, or null where it does not parse (apimachinery v0.36.2)."""


@pytest.mark.parametrize("text", RECORDED)
def test_a_text_parses_and_is_written_as_recorded(text):
    """The canonical form and that of a sum."""
    if RECORDED[text] is None:
        with pytest.raises(QuantityError):
            parse_quantity(text)
        return
    canonical, total = RECORDED[text]
    quantity = parse_quantity(text)
    assert quantity.canonical() == canonical
    assert quantity.plus(parse_quantity("1500m")).canonical() == total


@pytest.mark.parametrize("value", [None, True, 1.5, [], {}, "", " ", "1e99999", "k", "+"])
def test_what_no_quantity_is(value):
    """Booleans and fractions of JSON are none, nor is a unit alone."""
    with pytest.raises(QuantityError):
        parse_quantity(value)


def test_an_integer_of_json_is_a_quantity():
    """Written again as text."""
    assert parse_quantity(8).canonical() == "8"
    assert parse_quantity(0).canonical() == "0"
    assert parse_quantity(0).is_zero


@pytest.mark.parametrize(
    ("text", "whole"),
    [("1500m", 2), ("500m", 1), ("2", 2), ("0.000000001", 1), ("0", 0), ("1Ki", 1024), ("-1500m", -2), ("1e-12", 1)],
)
def test_a_quantity_rounds_up_to_an_integer(text, whole):
    """Away from zero, as processes are counted from CPUs."""
    assert parse_quantity(text).ceil() == whole


@pytest.mark.parametrize(
    ("small", "large"), [("999m", "1"), ("1Gi", "1100M"), ("1G", "1Gi"), ("-1", "0"), ("1k", "1001")]
)
def test_quantities_are_ordered_by_amount(small, large):
    """Whatever their units are."""
    assert parse_quantity(small) < parse_quantity(large)


def test_equal_amounts_are_equal_in_any_unit():
    """So they can be compared with what a cluster stores."""
    assert parse_quantity("1Gi") == parse_quantity("1024Mi") == parse_quantity("1073741824")


@pytest.mark.parametrize(
    ("addends", "total"),
    [
        (["500m", "500m", "250m"], "1250m"),
        (["1Gi", "1Gi", "512Mi"], "2560Mi"),
        (["0", "1Gi"], "1Gi"),
        (["1Gi", "1G"], "2073741824"),
    ],
)
def test_a_sum_has_the_form_of_its_first_amount(addends, total):
    """And is exact."""
    result = Quantity(0)
    for addend in addends:
        result = result.plus(parse_quantity(addend))
    assert result.canonical() == total


def test_a_product_is_exact():
    """As PodGroups add up the requests of equal Pods."""
    assert parse_quantity("100m").times(3).canonical() == "300m"
    assert parse_quantity("1536Mi").times(2).canonical() == "3Gi"
    assert parse_quantity("1").times(0).canonical() == "0"


UNITS = {
    "n": 10**-9,
    "u": 10**-6,
    "m": 10**-3,
    "": 1,
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
}


@given(
    number=st.integers(0, 10**9),
    fraction=st.from_regex(r"(\.[0-9]{1,6})?", fullmatch=True),
    unit=st.sampled_from(list(UNITS)),
)
def test_the_canonical_form_means_the_same_amount(number, fraction, unit):
    """Up to a billionth, to which the server rounds up."""
    quantity = parse_quantity(f"{number}{fraction}{unit}")
    exact = Fraction(f"{number}{fraction}") * Fraction(UNITS[unit]).limit_denominator(10**9)
    assert exact <= Fraction(quantity.nano, 10**9) < exact + Fraction(1, 10**9)
    again = parse_quantity(quantity.canonical())
    assert again == quantity
    assert again.canonical() == quantity.canonical()


@given(st.text(max_size=12))
def test_any_text_is_a_quantity_or_an_error(text):
    """Never anything else."""
    try:
        quantity = parse_quantity(text)
    except QuantityError:
        return
    assert parse_quantity(quantity.canonical()) == quantity
