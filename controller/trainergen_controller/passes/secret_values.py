"""The content of the Secrets of a TrainJob, made only when the renderer asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from trainergen.render.flux_curve import curve_certificate

SshKeys: TypeAlias = Callable[[], tuple[str, str]]
"""Makes a private key in PEM and a public one as OpenSSH writes it."""
_CURVE, _SSH = "-flux-curve", "-mpi-ssh-auth"


class SecretValues(Mapping[str, Mapping[str, str]]):
    """What ``render`` takes as ``secrets``: the certificate of Flux, which follows from the uid, and new keys for MPI.

    The renderer asks for keys only where the cluster has none, so that none are made for nothing.
    """

    def __init__(self, name: str, uid: str, ssh_keys: SshKeys) -> None:
        self._made: dict[str, Callable[[], dict[str, str]]] = {
            name + _CURVE: lambda: {"curve.cert": curve_certificate(name, uid)},
            name + _SSH: lambda: dict(zip(("ssh-privatekey", "ssh-publickey"), ssh_keys(), strict=True)),
        }

    def __getitem__(self, name: str) -> Mapping[str, str]:
        return self._made[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)
