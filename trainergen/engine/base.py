"""The objects of a git revision, so that an update can be judged against what it changes (``--base``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from trainergen.errors import TrainergenError
from trainergen.source.classify import mentions_trainer
from trainergen.source.identity import TRAINER_GROUP
from trainergen.source.lists import members
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.source import Document
    from trainergen.source.files import SourceFile

Identity = tuple[str, str, str]
"""Kind, namespace (empty when the manifest has none) and name."""

_SUFFIXES = (b".yaml", b".yml", b".json")


@dataclass(frozen=True, slots=True)
class GitBase:
    """Trainer objects of one revision by identity; each entry keeps the file it came from."""

    revision: str
    top: Path
    """The top folder of the repository, resolved."""
    objects: dict[Identity, list[tuple[str, JsonObject]]] = field(default_factory=dict)

    def find(self, document: Document, file: SourceFile) -> JsonObject | None:
        """The base version of an object: from the same file where that has it, else from wherever it lived."""
        candidates = self.objects.get((document.kind, document.namespace, document.name), [])
        if not candidates:
            return None
        here = Path(file.location or file.path).resolve()
        for path, value in candidates:
            if self.top / path == here:
                return value
        # NB: the same identity in several files is an overlay tree; guessing one would judge against the wrong object.
        return candidates[0][1] if len(candidates) == 1 else None


def read_base(revision: str, root: Path) -> GitBase:
    """Read every Trainer object of ``revision`` in the repository around ``root``.

    Raises TrainergenError when git, the repository or the revision is missing.
    """
    top = Path(_git(root, "rev-parse", "--show-toplevel", what="find the git repository").decode().rstrip("\n"))
    commit = _git(
        top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", what=f"find '{revision}'"
    )
    base = GitBase(revision, top.resolve())
    names = [
        name
        for name in _git(top, "ls-tree", "-r", "-z", "--name-only", commit.decode().strip(), what="list files").split(
            b"\0"
        )
        if name.endswith(_SUFFIXES)
    ]
    for name, data in _contents(top, commit.decode().strip(), names):
        if mentions_trainer(data):
            _index(base, name, data)
    return base


def _index(base: GitBase, name: str, data: bytes) -> None:
    for document in read_documents(data, file=name).documents:
        for member in members(document)[0]:
            if member.group == TRAINER_GROUP:
                identity = (member.kind, member.namespace, member.name)
                base.objects.setdefault(identity, []).append((name, member.object))


def _git(cwd: Path, *args: str, what: str, stdin: bytes = b"") -> bytes:
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


def _contents(top: Path, commit: str, names: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """The bytes of every named file, through one ``git cat-file --batch``."""
    if not names:
        return
    # NB: names with a newline cannot be asked for in batch mode; nobody keeps manifests in them.
    asked = [name for name in names if b"\n" not in name]
    out = _git(
        top,
        "cat-file",
        "--batch",
        what="read files",
        stdin=b"".join(commit.encode() + b":" + name + b"\n" for name in asked),
    )
    at = 0
    for name in asked:
        end = out.index(b"\n", at)
        header = out[at:end].split()
        at = end + 1
        if len(header) != 3 or header[1] != b"blob":
            continue
        size = int(header[2])
        yield name.decode(errors="surrogateescape"), out[at : at + size]
        at += size + 1
