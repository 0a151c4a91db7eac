"""Write ``schemas/<release>/runtimes.json`` from a folder of the runtime manifests that a Trainer release ships.

Usage: python tools/snapshot_runtimes.py RELEASE FOLDER, for example 2.3 with ``manifests/base/runtimes`` of
kubeflow/trainer @ v2.3.0, rendered by kustomize.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent


def snapshot(folder: Path) -> list[dict[str, Any]]:
    """The ClusterTrainingRuntimes in the YAML files below ``folder``, by name."""
    documents = [doc for path in sorted(folder.rglob("*.yaml")) for doc in yaml.safe_load_all(path.read_text("utf-8"))]
    runtimes = [doc for doc in documents if doc and doc.get("kind") == "ClusterTrainingRuntime"]
    return sorted(runtimes, key=lambda runtime: str(runtime["metadata"]["name"]))


def main(release: str, folder: str) -> None:
    """Write the snapshot of one release."""
    target = ROOT / "schemas" / release / "runtimes.json"
    target.write_text(json.dumps(snapshot(Path(folder)), indent=1) + "\n", "utf-8")
    print(f"wrote {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
