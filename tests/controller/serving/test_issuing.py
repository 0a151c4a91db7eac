"""Certificates of our own: what is in them, and when they are made anew."""

from __future__ import annotations

import dataclasses
from datetime import datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.verification import PolicyBuilder, Store
from trainergen_controller.serving.issuing import AUTHORITY_LIFE, SERVING_LIFE, Issued, expiry, fault, issue

from tests.controller.clocks import START

NAMES = ("a.ns.svc", "a.ns.svc.cluster.local")
NOTHING = Issued(b"", b"", b"", b"")


def trusted(issued: Issued, authorities: bytes, name: str, now: datetime) -> None:
    """Raises unless a client that trusts ``authorities`` would trust the server called ``name``."""
    store = Store(x509.load_pem_x509_certificates(authorities))
    verifier = PolicyBuilder().store(store).time(now).build_server_verifier(x509.DNSName(name))
    leaf, *rest = x509.load_pem_x509_certificates(issued.chain)
    verifier.verify(leaf, rest)


def test_a_client_with_the_authority_trusts_the_server_under_each_name() -> None:
    made = issue(NAMES, START)
    for name in NAMES:
        trusted(made, made.authorities, name, START)
    with pytest.raises(x509.verification.VerificationError):
        trusted(made, made.authorities, "b.ns.svc", START)


def test_what_was_just_made_is_good_even_where_the_clock_is_half_an_hour_behind() -> None:
    made = issue(NAMES, START)
    assert fault(made, NAMES, START) == ""
    trusted(made, made.authorities, NAMES[0], START - timedelta(minutes=30))


def test_the_serving_certificate_is_renewed_at_two_thirds_of_its_life_by_the_same_authority() -> None:
    made = issue(NAMES, START)
    assert fault(made, NAMES, START + SERVING_LIFE * 0.66) == ""
    later = START + SERVING_LIFE * 0.67
    assert fault(made, NAMES, later) == "two thirds of its life are over"
    renewed = issue(NAMES, later, made)
    assert fault(renewed, NAMES, later) == ""
    assert renewed.authorities == made.authorities
    assert renewed.chain != made.chain
    assert expiry(renewed) == later + SERVING_LIFE


def test_a_new_authority_is_added_to_the_bundle_while_the_old_one_lives() -> None:
    made = issue(NAMES, START)
    later = START + AUTHORITY_LIFE * 0.67
    renewed = issue(NAMES, later, made)
    assert len(x509.load_pem_x509_certificates(renewed.authorities)) == 2
    trusted(renewed, renewed.authorities, NAMES[0], later)
    # a replica that still serves by the old one is trusted by whoever has the new bundle
    still = issue(NAMES, START + AUTHORITY_LIFE * 0.65, made)
    trusted(still, renewed.authorities, NAMES[0], START + AUTHORITY_LIFE * 0.65 + timedelta(days=1))


def test_an_authority_that_has_ended_is_forgotten() -> None:
    made = issue(NAMES, START)
    later = START + AUTHORITY_LIFE + timedelta(days=1)
    assert len(x509.load_pem_x509_certificates(issue(NAMES, later, made).authorities)) == 1


def test_a_further_name_needs_a_new_certificate() -> None:
    made = issue(NAMES, START)
    assert fault(made, (*NAMES, "c.ns.svc"), START) == "it is not for c.ns.svc"


@pytest.mark.parametrize("part", ["authorities", "chain", "key"])
def test_what_is_missing_or_garbled_is_made_anew(part: str) -> None:
    made = issue(NAMES, START)
    for value in (b"", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", b"\xff\x00"):
        broken = dataclasses.replace(made, **{part: value})
        assert fault(broken, NAMES, START) == "it is missing, or cannot be read"
        assert fault(issue(NAMES, START, broken), NAMES, START) == ""


def test_parts_of_two_certificates_do_not_fit_together() -> None:
    one, two = issue(NAMES, START), issue(NAMES, START)
    for mixed in (dataclasses.replace(one, key=two.key), dataclasses.replace(one, authorities=two.authorities)):
        assert fault(mixed, NAMES, START) == "its parts do not fit together"


def test_an_authority_without_its_key_or_with_one_of_another_kind_is_replaced_and_stays_trusted() -> None:
    made = issue(NAMES, START)
    other = rsa.generate_private_key(65537, 2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    for key in (b"", other, issue(NAMES, START).authority_key):
        again = issue(NAMES, START, dataclasses.replace(made, authority_key=key))
        assert fault(again, NAMES, START) == ""
        assert again.authorities.endswith(made.authorities)


def test_nothing_has_no_end() -> None:
    assert expiry(NOTHING) is None
    assert fault(NOTHING, NAMES, START)
