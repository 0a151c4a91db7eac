"""Finds a kube-apiserver and an etcd, or builds them from their published Go modules, once for a ``go.sum``.

Also a command without dependencies: ``python tests/controlplane/binaries.py`` builds ahead of the tests, which a run
with a time limit wants.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

MODULE = Path(__file__).parent
CACHE_VARIABLE = "TRAINERGEN_CONTROLPLANE_CACHE"
MODE_VARIABLE = "TRAINERGEN_CONTROLPLANE"
"""``skip`` leaves these tests out, ``required`` makes them fail instead of being skipped, ``found`` never builds."""
PACKAGES = {
    "etcd": "go.etcd.io/etcd/server/v3",
    "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
}


class Binaries(NamedTuple):
    """The two programs of a control plane."""

    etcd: Path
    apiserver: Path


class UnavailableError(Exception):
    """There are no programs; the text says why."""


def find() -> Binaries:
    """The programs of ``KUBEBUILDER_ASSETS``, of PATH, or of the cache, built into it if need be.

    UnavailableError when they are nowhere and cannot be built.
    """
    mode = os.environ.get(MODE_VARIABLE, "")
    if mode == "skip":
        raise UnavailableError(f"{MODE_VARIABLE}=skip")
    found = existing()
    if found is not None:
        return found
    if mode == "found":
        raise UnavailableError(f"kube-apiserver and etcd are not there, and {MODE_VARIABLE}=found forbids building")
    return build()


def existing() -> Binaries | None:
    """The programs, if they are there already."""
    assets = os.environ.get("KUBEBUILDER_ASSETS", "")
    for folder in ([Path(assets)] if assets else []) + [cache()]:
        if all((folder / name).is_file() for name in PACKAGES):
            return Binaries(folder / "etcd", folder / "kube-apiserver")
    etcd, apiserver = shutil.which("etcd"), shutil.which("kube-apiserver")
    return Binaries(Path(etcd), Path(apiserver)) if etcd and apiserver else None


def cache() -> Path:
    """Where programs of exactly this ``go.sum`` are kept."""
    root = os.environ.get(CACHE_VARIABLE) or Path.home() / ".cache" / "trainergen-controlplane"
    text = (MODULE / "go.mod").read_bytes() + (MODULE / "go.sum").read_bytes()
    return Path(root) / hashlib.sha256(text).hexdigest()[:16]


def build() -> Binaries:
    """Builds what the cache does not have; processes that want the same wait for each other."""
    go = shutil.which("go")
    if go is None:
        raise UnavailableError("kube-apiserver and etcd are not there, and there is no Go to build them with")
    folder = cache()
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "lock"):
        for name, package in PACKAGES.items():
            if not (folder / name).is_file():
                _build_one(go, package, folder / name)
    return Binaries(folder / "etcd", folder / "kube-apiserver")


def _build_one(go: str, package: str, target: Path) -> None:
    partial = target.with_suffix(".partial")
    flags = ["-trimpath", f"-ldflags=-s -w -X k8s.io/component-base/version.gitVersion={_version()}"]
    done = subprocess.run(
        [go, "build", *flags, "-o", str(partial), package],
        cwd=MODULE,
        env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise UnavailableError(f"{package} does not build: {done.stderr.strip()[-600:]}")
    partial.rename(target)


def _version() -> str:
    """The Kubernetes version that ``go.mod`` pins, which the server is to name as its own."""
    match = re.search(r"^\s*k8s\.io/kubernetes (v\S+)", (MODULE / "go.mod").read_text(), re.MULTILINE)
    assert match is not None
    return match.group(1)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Finds or builds, and says where and in what time."""
    started = time.monotonic()
    try:
        found = find()
    except UnavailableError as error:
        print(f"no control plane: {error}", file=sys.stderr)
        return 1
    print(f"{found.etcd}\n{found.apiserver}\nin {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
