"""Record what a Trainer release ships, for the tests: its CRDs without descriptions and its runtimes as they are.

``python tools/record_oracle.py 2.4 manifests/base/crds manifests/base/runtimes`` adds the release, with folders taken
from a checkout of kubeflow/trainer at the release's tag. The model is right when its CRDs equal the recorded ones.
With ``--job-set FILE`` the CRD of the JobSet that the release is built with is recorded too.
"""

from __future__ import annotations

import argparse
import json
import lzma
from pathlib import Path
from typing import Any

import yaml
from core_snapshot import drop_descriptions

ORACLE = Path(__file__).parent.parent / "tests" / "oracle"
GROUP = "trainer.kubeflow.org"


def read_json(path: Path) -> Any:
    """The content of a compressed JSON file, or an empty object when there is none yet."""
    return json.loads(lzma.decompress(path.read_bytes())) if path.is_file() else {}


def write_json(path: Path, value: Any) -> None:
    """Write a compressed JSON file, the same bytes for the same value."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(json.dumps(value, sort_keys=True).encode(), preset=9))


def record_crds(release: str, folder: Path) -> None:
    """Write the CRDs in ``folder`` as ``crds/<release>.json.xz``, by plural name."""
    documents = [yaml.safe_load(path.read_bytes()) for path in sorted(folder.glob(f"{GROUP}_*.yaml"))]
    crds = {document["spec"]["names"]["plural"]: drop_descriptions(document) for document in documents}
    write_json(ORACLE / "crds" / f"{release}.json.xz", crds)


def record_job_set(release: str, file: Path) -> None:
    """Put the JobSet CRD in ``file`` into ``crds/jobsets.json.xz``, by release."""
    path = ORACLE / "crds" / "jobsets.json.xz"
    write_json(path, read_json(path) | {release: drop_descriptions(yaml.safe_load(file.read_bytes()))})


def record_runtimes(release: str, folder: Path) -> None:
    """Put the runtimes in ``folder`` into ``runtimes.json.xz``, by release and file name."""
    path = ORACLE / "runtimes.json.xz"
    texts = {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.yaml"))}
    write_json(path, read_json(path) | {release: texts})


def main() -> None:
    """Parse the command line and record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", help="name of the release line, such as 2.4")
    parser.add_argument("crds", type=Path, help="folder of the CRDs")
    parser.add_argument("runtimes", type=Path, help="folder of the runtimes")
    parser.add_argument("--job-set", type=Path, help="CRD of the JobSet version that the release is built with")
    options = parser.parse_args()
    if options.job_set is not None:
        record_job_set(options.release, options.job_set)
    record_crds(options.release, options.crds)
    record_runtimes(options.release, options.runtimes)


if __name__ == "__main__":
    main()
