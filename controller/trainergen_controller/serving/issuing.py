"""A certificate authority of our own and a serving certificate by it: made, judged, renewed. Pure but for the keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_LIFE = timedelta(days=3650)
SERVING_LIFE = timedelta(days=90)
_SKEW = timedelta(hours=1)
_COMMON_NAME_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Issued:
    """PEM, as a Secret holds it."""

    authorities: bytes
    """Whom clients have to trust: the newest authority first, then those before it that are still valid."""
    authority_key: bytes
    chain: bytes
    key: bytes


def issue(names: Iterable[str], now: datetime, before: Issued | None = None) -> Issued:
    """A new serving certificate for DNS ``names``, by the authority of ``before`` for two thirds of that one's life.

    A new authority takes over only with a certificate of its own, and the old one stays in the bundle, so that nobody
    who trusts the bundle distrusts a server that is a moment behind.
    """
    known = (
        [] if before is None else [one for one in _certificates(before.authorities) if one.not_valid_after_utc > now]
    )
    key = _key(b"" if before is None else before.authority_key)
    if key is None or not known or not _fits(known[0], key) or _is_due(known[0], now):
        key, authority = _new_authority(now)
        known = [authority, *known[:1]]
    chain, private = _new_serving(tuple(names), now, known[0], key)
    return Issued(b"".join(_pem(one) for one in known), _private(key), _pem(chain), private)


def fault(issued: Issued, names: Iterable[str], now: datetime) -> str:
    """Why a new certificate is needed, empty if it is not."""
    authorities, chain, key = _certificates(issued.authorities), _certificates(issued.chain), _key(issued.key)
    if not authorities or not chain or key is None:
        return "it is missing, or cannot be read"
    if not _fits(chain[0], key) or not _is_by(chain[0], authorities[0]):
        return "its parts do not fit together"
    missing = sorted(set(names) - set(_dns_names(chain[0])))
    if missing:
        return f"it is not for {', '.join(missing)}"
    if any(_is_due(one, now) for one in (authorities[0], chain[0])):
        return "two thirds of its life are over"
    return ""


def expiry(issued: Issued) -> datetime | None:
    """When the serving certificate ends; None if there is none."""
    chain = _certificates(issued.chain)
    return chain[0].not_valid_after_utc if chain else None


def _new_authority(now: datetime) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    # the time tells authorities in one bundle apart
    subject = _name(f"trainergen-controller authority {now:%Y-%m-%d %H:%M:%S}")
    builder = _builder(subject, subject, key.public_key(), (now, AUTHORITY_LIFE))
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(signs_certificates=True), critical=True)
    return key, builder.sign(key, hashes.SHA256())


def _new_serving(
    names: tuple[str, ...], now: datetime, authority: x509.Certificate, authority_key: ec.EllipticCurvePrivateKey
) -> tuple[x509.Certificate, bytes]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _name(names[0][:_COMMON_NAME_LENGTH])
    builder = _builder(subject, authority.subject, key.public_key(), (now, SERVING_LIFE))
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(_usage(signs_certificates=False), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), critical=False)
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    return builder.add_extension(by, critical=False).sign(authority_key, hashes.SHA256()), _private(key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, life: tuple[datetime, timedelta]
) -> x509.CertificateBuilder:
    begin, length = life
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
    builder = builder.serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(begin - _SKEW).not_valid_after(begin + length)
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _is_due(certificate: x509.Certificate, now: datetime) -> bool:
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return now >= begin + (end - begin) * 2 / 3


def _is_by(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _fits(certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> bool:
    return certificate.public_key() == key.public_key()


def _dns_names(certificate: x509.Certificate) -> list[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except (ValueError, x509.ExtensionNotFound):
        return []
    return found.value.get_values_for_type(x509.DNSName)


def _certificates(pem: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError:
        return []


def _key(pem: bytes) -> ec.EllipticCurvePrivateKey | None:
    """None for none, and for one of another kind, which was not made here and is replaced."""
    try:
        key = serialization.load_pem_private_key(pem, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    return key if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
