"""Programs that stand for torchrun and mpirun: they start processes with ranks as those do, by Python alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_TORCHRUN = """\
import os, subprocess, sys

words = sys.argv[1:]
words = words[1:] if words[0] == "--no-python" else [sys.executable, *words]
here, nodes, count = (int(os.environ[name]) for name in ("PET_NODE_RANK", "PET_NNODES", "PET_NPROC_PER_NODE"))
shared = {"MASTER_ADDR": os.environ["PET_MASTER_ADDR"], "MASTER_PORT": os.environ["PET_MASTER_PORT"]}
running = [
    subprocess.Popen(words, env=os.environ | shared | {"RANK": str(rank), "WORLD_SIZE": str(nodes * count)})
    for rank in range(here * count, here * count + count)
]
sys.exit(max(process.wait() for process in running))
"""
_MPIRUN = """\
import os, subprocess, sys

words = sys.argv[1:]
assert words.pop(0) in ("-n", "-np")
count = int(words.pop(0))
shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": os.environ["TEST_PORT"], "WORLD_SIZE": str(count)}
running = [subprocess.Popen(words, env=os.environ | shared | {"RANK": str(one)}) for one in range(count)]
sys.exit(max(process.wait() for process in running))
"""


def install(folder: Path) -> dict[str, str]:
    """Put the programs into ``folder``; the variables of the environment by which they are found."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "python3").unlink(missing_ok=True)
    (folder / "python3").symlink_to(sys.executable)
    for name, source in (("torchrun", _TORCHRUN), ("mpirun", _MPIRUN)):
        (folder / f"as_{name}.py").write_text(source)
        (folder / name).write_text(f'#!/bin/sh\nexec {sys.executable} -m as_{name} "$@"\n')
        (folder / name).chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(folder)}
