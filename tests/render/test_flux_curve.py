"""The CURVE certificate follows from the uid."""

from __future__ import annotations

import pytest

from trainergen.render.flux_curve import curve_certificate, z85

KNOWN = {
    "uid-123": ("{Kg:IBbf$c>3A8?DFDE)]vL!]GeJJR45-%wW^$+b", "bs&KJW1]Uo^ABuY{?H+Jq/?h#-oYas)B*qa0i0ms"),
    "6f1c9a52-3c0e-4b0f-9d55-0d9a4c1e7b11": (
        "27g(T5Ty?]-hJD}z7<M{7KMkjhUyA4+QTiryplJM",
        "x?}J0psV>i@>2]-c1tNN<l^WO^lA-ZeDC<y&v1Va",
    ),
}


@pytest.mark.parametrize("uid", KNOWN)
def test_known_answers(uid: str) -> None:
    public, secret = KNOWN[uid]
    lines = curve_certificate("tj", uid).splitlines()
    assert lines[-4:] == [
        '    name = "tj"',
        "curve",
        f'    public-key = "{public}"',
        f'    secret-key = "{secret}"',
    ]


def test_the_same_uid_gives_the_same_certificate_and_another_one_another() -> None:
    assert curve_certificate("tj", "a") == curve_certificate("tj", "a")
    assert curve_certificate("tj", "a") != curve_certificate("tj", "b")


def test_z85_takes_four_bytes_to_five_characters_and_no_other_lengths() -> None:
    assert (len(z85(bytes(range(32)))), z85(b"abc"), z85(bytes(4))) == (40, "", "00000")
    assert z85(bytes.fromhex("864FD26FB559F75B")) == "HelloWorld"
