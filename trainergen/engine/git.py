"""Reading from git: a repository's top folder, a revision, the files of its tree and what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from trainergen.errors import TrainergenError

LINK = "120000"


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file of a revision: its path from the top folder as git keeps it, and its mode (``100644``, LINK)."""

    name: bytes
    mode: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit of the repository whose top folder is ``top``."""

    top: Path
    commit: str

    def files(self) -> list[TreeFile]:
        """All files of the commit, those of submodules left out."""
        listed = run_git(self.top, "ls-tree", "-r", "-z", self.commit, what="list files").split(b"\0")
        entries = [entry.partition(b"\t") for entry in listed if entry]
        return [TreeFile(name, head[:6].decode()) for head, _, name in entries if b" blob " in head]

    def contents(self, names: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Name and bytes of each of the files, through one ``git cat-file --batch``."""
        # NB: names with a newline cannot be asked for in batch mode; nobody keeps manifests in them.
        asked = [name for name in names if b"\n" not in name]
        if not asked:
            return
        wanted = b"".join(self.commit.encode() + b":" + name + b"\n" for name in asked)
        out = run_git(self.top, "cat-file", "--batch", what="read files", stdin=wanted)
        at = 0
        for name in asked:
            end = out.index(b"\n", at)
            header = out[at:end].split()
            at = end + 1
            if len(header) != 3 or header[1] != b"blob":
                continue
            size = int(header[2])
            yield name, out[at : at + size]
            at += size + 1


def find_revision(name: str, root: Path) -> Revision:
    """The commit called ``name`` in the repository around ``root``.

    Raises TrainergenError when git, the repository or the revision is missing.
    """
    top = Path(run_git(root, "rev-parse", "--show-toplevel", what="find the git repository").decode().rstrip("\n"))
    wanted = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    commit = run_git(top, *wanted, what=f"find '{name}'").decode().strip()
    return Revision(top.resolve(), commit)


def run_git(cwd: Path, *args: str, what: str, stdin: bytes = b"") -> bytes:
    """What a git command writes; raises TrainergenError, saying that git cannot do ``what``, when it fails."""
    import subprocess

    try:
        done = subprocess.run(["git", *args], cwd=cwd, input=stdin, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise TrainergenError("git is not installed", hint="Install git, or run without --base.") from error
    if done.returncode != 0:
        detail = done.stderr.decode(errors="replace").strip().splitlines()
        reason = f": {detail[-1]}" if detail else ""
        raise TrainergenError(
            f"git cannot {what}{reason}",
            hint="Give --base a revision of this repository; in CI fetch enough history for it (fetch-depth: 0).",
        )
    return done.stdout
