"""One suppression as it stands in a file: what it names, what it holds for, and how it is taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trainergen.fix import Edit, Fix

if TYPE_CHECKING:
    from trainergen.finding import Finding, ObjectRef, Path
    from trainergen.source.document import Position
    from trainergen.suppress.grammar import Parsed


class Written(NamedTuple):
    """A suppression at its place; it goes from process to process, and so holds no text and no nodes.

    ``line`` is the line it holds for: 0 the whole file, None one object, which lies below ``prefix`` in ``document``.
    """

    file: str
    parsed: Parsed
    where: Position
    line: int | None
    document: int = 0
    prefix: Path = ()
    path: Path = ()
    object: ObjectRef | None = None
    whole: Edit | None = None
    """Takes it out."""
    words_at: tuple[int, int] | None = None
    """The bytes of its words."""

    @property
    def title(self) -> str:
        """How it is called in messages."""
        return f"'{', '.join(self.parsed.words)}'" if self.parsed.words else "the directive"

    def covers(self, finding: Finding) -> bool:
        """Whether the finding, which is in the same file, lies where this holds."""
        if self.line is None:
            inside = finding.at[: len(self.prefix)] == self.prefix
            return inside and finding.document == self.document and finding.object == self.object
        return self.line in (0, finding.line)

    def without(self, words: tuple[str, ...]) -> Fix | None:
        """The fix that takes these words out, and all of it when none is left."""
        left = [word for word in self.parsed.words if word not in words]
        if not left:
            return None if self.whole is None else Fix("take the suppression out", (self.whole,))
        if self.words_at is None:
            return None
        edit = Edit(*self.words_at, ", ".join(left).encode())
        return Fix(f"take '{', '.join(words)}' out of the suppression", (edit,))
