"""The CURVE certificate that Flux brokers authenticate with; it follows from the TrainJob's uid alone.

The renderer never calls this, for a certificate is a secret: a controller passes it to ``render`` through ``secrets``.

Source: kubeflow/trainer pkg/runtime/framework/plugins/flux/flux.go buildCurveSecret @ v2.3.0; RFC 7748 (X25519),
ZeroMQ RFC 32 (Z85).
"""

from __future__ import annotations

import hashlib

_P = 2**255 - 19
_A24 = 121665
_Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"


def curve_certificate(name: str, uid: str) -> str:
    """The text of ``curve.cert`` for the TrainJob called ``name``."""
    seed = hashlib.sha256(uid.encode()).digest()
    return (
        "# CURVE certificate of a Flux TrainJob\n\n"
        f'metadata\n    name = "{name}"\n'
        f'curve\n    public-key = "{z85(public_key(seed))}"\n    secret-key = "{z85(seed)}"\n'
    )


def z85(data: bytes) -> str:
    """Binary data in base 85, five characters for four bytes; empty if the length does not allow it."""
    if len(data) % 4:
        return ""
    out: list[str] = []
    for start in range(0, len(data), 4):
        value = int.from_bytes(data[start : start + 4], "big")
        out.extend(_Z85[value // 85**power % 85] for power in (4, 3, 2, 1, 0))
    return "".join(out)


def public_key(secret: bytes) -> bytes:
    """The X25519 public key of a secret key of 32 bytes."""
    scalar = int.from_bytes(bytes([secret[0] & 248, *secret[1:31], (secret[31] & 127) | 64]), "little")
    return _multiplied(scalar, 9).to_bytes(32, "little")


def _multiplied(scalar: int, u: int) -> int:
    """The Montgomery ladder. NB: not in constant time, so for keys that are made once and not on request of others."""
    x2, z2, x3, z3 = 1, 0, u, 1
    swapped = 0
    for bit in range(254, -1, -1):
        now = scalar >> bit & 1
        if swapped != now:
            x2, z2, x3, z3 = x3, z3, x2, z2
        swapped = now
        a, b = x2 + z2, x2 - z2
        aa, bb = a * a % _P, b * b % _P
        e = aa - bb
        da, cb = (x3 - z3) * a % _P, (x3 + z3) * b % _P
        x3, z3 = (da + cb) ** 2 % _P, u * (da - cb) ** 2 % _P
        x2, z2 = aa * bb % _P, e * (aa + _A24 * e) % _P
    if swapped:
        x2, z2 = x3, z3
    return x2 * pow(z2, _P - 2, _P) % _P
