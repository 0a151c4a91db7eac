"""SSH keys for MPI: the arithmetic, and the two texts that other programs read."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trainergen_controller.ssh_keys import _G, _N, _P, is_on_curve, multiplied, new_ssh_keys, ssh_keys


def test_the_base_point_is_on_the_curve_and_has_its_order() -> None:
    assert is_on_curve(*_G)
    assert multiplied(1) == _G
    assert multiplied(_N - 1) == (_G[0], _P - _G[1])


@given(st.integers(min_value=2, max_value=_N - 2))
def test_every_multiple_is_on_the_curve_and_its_negative_mirrors_it(scalar: int) -> None:
    x, y = multiplied(scalar)
    assert is_on_curve(x, y)
    assert multiplied(_N - scalar) == (x, _P - y)


def test_the_private_key_is_written_as_openssh_reads_it() -> None:
    lines = ssh_keys(1).private.splitlines()
    assert (lines[0], lines[-1]) == ("-----BEGIN EC PRIVATE KEY-----", "-----END EC PRIVATE KEY-----")
    content = base64.b64decode("".join(lines[1:-1]))
    assert content[:8] == bytes.fromhex("3081dc0201010442")
    assert content[8:74] == (1).to_bytes(66, "big")
    assert content.endswith(_G[1].to_bytes(66, "big"))


def test_the_public_key_is_a_line_of_authorized_keys() -> None:
    name, text = ssh_keys(1).public.split(" ")
    assert name == "ecdsa-sha2-nistp521"
    assert base64.b64decode(text)[4:23] == b"ecdsa-sha2-nistp521"
    assert text.endswith("\n")


def test_random_numbers_decide_alone() -> None:
    assert new_ssh_keys(lambda limit: limit - 1) == ssh_keys(_N - 1)
    assert new_ssh_keys() != new_ssh_keys()


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen to ask")
def test_openssh_derives_our_public_key_from_our_private_one(tmp_path: Path) -> None:
    keys = new_ssh_keys()
    file = tmp_path / "id_ecdsa"
    file.write_text(keys.private)
    file.chmod(0o600)
    derived = subprocess.run(["ssh-keygen", "-y", "-f", file], capture_output=True, text=True, check=True).stdout
    assert derived.split()[:2] == keys.public.split()
