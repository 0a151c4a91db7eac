"""What was probably meant."""

from __future__ import annotations

import pytest

from trainergen.spelling import did_you_mean, nearest

CASES = {
    "a letter too few": ("relase", "release"),
    "another case": ("RELEASE", "release"),
    "another spelling": ("fail_on", "fail-on"),
    "nothing like it": ("zzz", ""),
    "a very long word": ("z" * 1_000_000, ""),
}


@pytest.mark.parametrize("sentence", CASES)
def test_the_nearest_word_to(sentence):
    word, expected = CASES[sentence]
    assert nearest(word, ("release", "fail-on", "check")) == expected


def test_a_suggestion_is_made_only_when_there_is_one():
    assert did_you_mean("relase", ("release",)) == " (did you mean 'release'?)"
    assert did_you_mean("zzz", ("release",)) == ""
