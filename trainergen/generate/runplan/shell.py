"""A plan as a script for any POSIX shell: all nodes at once, their lines marked, and the first failure ends all."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainergen.generate.runplan.plan import Node, Plan

_WIDTH = 118

_RUN = r"""
folder=$(mktemp -d) || exit 1

stop() {
  for pid in "$folder"/*.pid; do
    [ -e "$pid" ] && kill "$(cat "$pid")" 2>/dev/null
  done
}

start() {
  {
    "$1" &
    echo "$!" >"$folder/$1.pid"
    wait "$!"
    echo "$?" >"$folder/$1.part"
    mv "$folder/$1.part" "$folder/$1.end"
  } 2>&1 | while IFS= read -r line || [ -n "$line" ]; do printf '[%s] %s\n' "$1" "$line"; done &
}

trap 'stop; wait; rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for node in $nodes; do start "$node"; done

worst=0
left=$nodes
while [ -n "$left" ]; do
  running=
  for node in $left; do
    if [ ! -e "$folder/$node.end" ]; then
      running="$running $node"
    elif [ "$worst" -eq 0 ] && [ "$(cat "$folder/$node.end")" -ne 0 ]; then
      worst=$(cat "$folder/$node.end")
      echo "$node ended with exit code $worst" >&2
      stop
    fi
  done
  left=$running
  [ -z "$left" ] || sleep 0.2 2>/dev/null || sleep 1
done
exit "$worst"
"""


def script(plan: Plan) -> str:
    """The text of the script."""
    head = "".join(line + "\n" for line in _head(plan))
    nodes = "".join(f"\n{_function(node)}" for node in plan.nodes)
    return f"#!/bin/sh\n{head}set -u\n{nodes}\nnodes='{' '.join(node.name for node in plan.nodes)}'\n{_RUN}"


def _head(plan: Plan) -> Iterator[str]:
    yield from _commented(f"TrainJob {plan.job} on this machine: {plan.about}.")
    if plan.missing:
        yield "# Not available here:"
        width = max(len(each.name) for each in plan.missing)
        for each in plan.missing:
            yield from _commented(f"{each.name:<{width}}  {each.kind}: {each.source}", indent="  ")
    if plan.inherited:
        yield from _commented(f"As they are here, not as in the container: {', '.join(plan.inherited)}.")
    for text in (*(f"Not run: {each}." for each in plan.skipped), *(f"Note: {each}." for each in plan.notes)):
        yield from _commented(text)


def _commented(text: str, indent: str = "") -> list[str]:
    # Line breaks of a text must not end the comment.
    flat = "".join(letter if letter.isprintable() else " " for letter in text)
    return textwrap.wrap(
        flat,
        _WIDTH,
        initial_indent=f"# {indent}",
        subsequent_indent=f"#   {indent}",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _function(node: Node) -> str:
    assignments = "".join(f"    {shlex.quote(f'{name}={value}')} \\\n" for name, value in node.env.items())
    words = " ".join(map(shlex.quote, node.command))
    if "=" in node.command[0]:
        # NB: env would take it for a variable.
        words = f"sh -c 'exec \"$@\"' sh {words}"
    return f"{node.name}() {{\n  exec env \\\n{assignments}    {words}\n}}\n"
