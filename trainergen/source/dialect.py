"""What libyaml reads and the API server's YAML reader refuses.

The latter grew out of an early libyaml: go.yaml.in/yaml v2 scannerc.go (kubernetes-sigs/yaml goyaml.v2 @ v1.4.0).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.source.checks import YAML_SYNTAX
from trainergen.source.problems import MOST_PROBLEMS, Problem

if TYPE_CHECKING:
    from trainergen.finding import Path
    from trainergen.source.document import Document
    from trainergen.source.tree import Node

_ESCAPED_SLASH = r"(?<!\\)(?:\\\\)*(\\/)"


def may_differ(data: bytes) -> bool:
    """A cheap test that is false for nearly every file."""
    return (b"?" in data and (b"[" in data or b"{" in data)) or b"\\/" in data


def dialect_problems(document: Document) -> list[Problem]:
    """The places of a document that libyaml read and the API server's reader would not."""
    root = document.span.root
    if root is None:
        return []
    text = document.span.source.text
    is_json = document.text.lstrip().startswith("{")
    problems: list[Problem] = []
    for node, path, flow in _scalars(root):
        if flow and not node.style and "?" in node.text:
            message = f"not valid YAML: the value '{node.text}' has a '?' inside '[ ]' or '{{ }}'"
            problems.append(Problem(YAML_SYNTAX, message, "Quote the value.", node.start, node.end, path))
        elif node.style == '"' and not is_json and (slash := _slash(text, node)):
            message = "not valid YAML: the API server's reader does not know the escape '\\/'"
            problems.append(Problem(YAML_SYNTAX, message, "Write '/'.", slash.start(1), slash.end(1), path))
        if len(problems) >= MOST_PROBLEMS:
            break
    return problems


def _slash(text: str, node: Node) -> re.Match[str] | None:
    return re.compile(_ESCAPED_SLASH).search(text, node.start, node.end)


def _scalars(root: Node) -> Iterator[tuple[Node, Path, bool]]:
    """Every scalar as written, keys included, with its path and whether it lies in brackets."""
    waiting: list[tuple[Node, Path, bool]] = [(root, (), False)]
    while waiting:
        node, path, flow = waiting.pop()
        flow = flow or node.flow
        if node.is_mapping:
            for key, value in reversed(list(node.pairs)):
                inside = (*path, "<<" if key.merges else key.key)
                waiting += [(value, inside, flow), (key, inside, flow)]
        elif node.is_list:
            items = list(enumerate(node.children))
            waiting += [(item, (*path, index), flow) for index, item in reversed(items)]
        elif node.alias_of is None:
            yield node, path, flow
