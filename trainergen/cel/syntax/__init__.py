"""CEL's syntax: text to a tree and back, so that expressions can be inspected and put into words an engine knows.

Start at ``parse.parse`` and ``write.write``. Grammar: google/cel-spec doc/langdef.md @ v0.24.0, with optional syntax.
"""

from trainergen.cel.syntax.nodes import Node
from trainergen.cel.syntax.parse import parse
from trainergen.cel.syntax.tokens import SyntaxFault
from trainergen.cel.syntax.write import write

__all__ = ["Node", "SyntaxFault", "parse", "write"]
