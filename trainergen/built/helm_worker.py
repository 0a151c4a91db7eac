"""Renders one chart with the Helm SDK; run as a program of its own, since a process with that library cannot fork.

The request comes on standard input, the answer goes to standard output, both JSON: ``{"chart": …, "name": …,
"values": [files]}`` and ``{"templates": {name: text}}`` or ``{"error": text}``. Imports nothing of ours.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    import helm_python  # type: ignore[import-not-found, unused-ignore]  # of the extra 'helm'

    try:
        values: dict[str, Any] = {}
        for name in request["values"]:
            _merge(values, helm_python.values_from_yaml(Path(name).read_text()))
        with helm_python.Chart.load(request["chart"]) as chart:
            chart.validate_schema(values)
            answer = {"templates": chart.render(values=values, name=request["name"], namespace="default")}
    except helm_python.HelmError as error:
        answer = {"error": str(error)}
    json.dump(answer, sys.stdout)


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    """Lay values over others as several ``--values`` do: mappings are merged, everything else is replaced."""
    for key, value in more.items():
        there = into.get(key)
        if isinstance(there, dict) and isinstance(value, dict):
            _merge(there, value)
        else:
            into[key] = value


if __name__ == "__main__":
    main()
