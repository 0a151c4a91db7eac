"""The keys of MPI jobs are what OpenSSH reads."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_ssh_public_key
from trainergen_controller.ssh_keys import new_ssh_keys


def test_the_private_key_is_a_pem_of_sec_1_and_its_public_one_a_line_of_authorized_keys() -> None:
    private, public = new_ssh_keys()
    assert private.startswith("-----BEGIN EC PRIVATE KEY-----\n")
    assert public.startswith("ecdsa-sha2-nistp521 ")
    assert public.count("\n") == 1
    pair = load_pem_private_key(private.encode(), password=None)
    assert pair.public_key() == load_ssh_public_key(public.encode())


def test_no_two_pairs_are_alike() -> None:
    assert new_ssh_keys() != new_ssh_keys()


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_openssh_derives_our_public_key_from_our_private_one(tmp_path: Path) -> None:
    private, public = new_ssh_keys()
    path = tmp_path / "id"
    path.touch(mode=0o600)
    path.write_text(private)
    derived = subprocess.run(["ssh-keygen", "-y", "-f", str(path)], capture_output=True, text=True, check=True).stdout
    assert derived.split()[:2] == public.split()[:2]
