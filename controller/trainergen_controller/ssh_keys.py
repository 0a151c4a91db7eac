"""New SSH keys on the curve P-521, for the Secrets of MPI jobs.

Source: kubeflow/trainer pkg/runtime/framework/plugins/mpi/mpi.go @ v2.3.0; SEC 1 and SEC 2 (curve secp521r1), RFC 5915
(private key), RFC 5656 (public key). NB: the arithmetic is not in constant time; keys are made once, on nobody's demand
for timing, and never used here.
"""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Callable
from typing import NamedTuple

_P = 2**521 - 1
_B = 0x0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00  # noqa: E501
_N = 0x01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409  # noqa: E501
_G = (
    0x00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DBAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66,
    0x011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E662C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650,
)
_SIZE = 66
_OID = bytes.fromhex("06052b81040023")
_NAME, _CURVE = b"ecdsa-sha2-nistp521", b"nistp521"
_Point = tuple[int, int, int]


class SshKeys(NamedTuple):
    """A private key in PEM, and the public one as a line of ``authorized_keys``."""

    private: str
    public: str


def new_ssh_keys(below: Callable[[int], int] = secrets.randbelow) -> SshKeys:
    """A new pair; ``below`` gives a random number under its argument."""
    return ssh_keys(below(_N - 1) + 1)


def ssh_keys(scalar: int) -> SshKeys:
    """The pair with that private number, of 1 and more."""
    point = b"\x04" + b"".join(each.to_bytes(_SIZE, "big") for each in multiplied(scalar))
    key = _der(4, scalar.to_bytes(_SIZE, "big"))
    body = _der(0x30, _der(2, b"\x01") + key + _der(0xA0, _OID) + _der(0xA1, _der(3, b"\x00" + point)))
    text = b64encode(body).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    private = "\n".join(["-----BEGIN EC PRIVATE KEY-----", *lines, "-----END EC PRIVATE KEY-----", ""])
    blob = b"".join(len(part).to_bytes(4, "big") + part for part in (_NAME, _CURVE, point))
    return SshKeys(private, f"{_NAME.decode()} {b64encode(blob).decode()}\n")


def is_on_curve(x: int, y: int) -> bool:
    """Whether a point lies on P-521."""
    return (y * y - (x * x * x - 3 * x + _B)) % _P == 0


def multiplied(scalar: int) -> tuple[int, int]:
    """The base point, so many times."""
    total: _Point = (0, 1, 0)
    base: _Point = (*_G, 1)
    for bit in bin(scalar)[2:]:
        total = _doubled(total)
        if bit == "1":
            total = _added(total, base)
    x, y, z = total
    inverse = pow(z, -1, _P)
    return x * inverse**2 % _P, y * inverse**3 % _P


def _doubled(point: _Point) -> _Point:
    x, y, z = point
    delta, gamma = z * z % _P, y * y % _P
    beta, alpha = x * gamma % _P, 3 * (x - delta) * (x + delta) % _P
    new_x = (alpha * alpha - 8 * beta) % _P
    new_z = ((y + z) ** 2 - gamma - delta) % _P
    return new_x, (alpha * (4 * beta - new_x) - 8 * gamma * gamma) % _P, new_z


def _added(one: _Point, other: _Point) -> _Point:
    """The sum of a point and one whose third coordinate is 1."""
    x, y, z = one
    if not z:
        return other
    square = z * z % _P
    h = (other[0] * square - x) % _P
    r = (other[1] * square * z - y) % _P
    if not h:
        return _doubled(one) if not r else (0, 1, 0)
    cube, v = pow(h, 3, _P), x * h * h % _P
    new_x = (r * r - cube - 2 * v) % _P
    return new_x, (r * (v - new_x) - y * cube) % _P, z * h % _P


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    head = bytes([tag, size]) if size < 128 else bytes([tag, 0x81, size])
    return head + content
