"""Write ``schemas/<release>/chart-values.json``: what values the chart of each Trainer release knows.

Paths and types of the defaults, no texts of the chart: enough to tell an unknown value from a known one, and one that
no template reads from one that has an effect. Run on a clone of kubeflow/trainer that has the tags of the releases::

    python tools/chart_values.py ../trainer
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import yaml

from trainergen.releases import RELEASES, Release

CHART = "charts/kubeflow-trainer"
_VALUE = re.compile(r"\.Values((?:\.\w+)+)")
_ENABLED = re.compile(r"\.Values\.((?:\w+\.)+enabled)\b")
_FILE = re.compile(r"files/runtimes/([\w.-]+)\.yaml")
_RUNTIME = re.compile(r"^kind: ClusterTrainingRuntime$.*?^  name: ([\w.-]+)$", re.MULTILINE | re.DOTALL)
_IMAGE = re.compile(r"^\s*(?:- )?image: \"?([\w./-]+)\"?$", re.MULTILINE)
_BLOCK = re.compile(r"\{\{-? if (?:or|and) (?P<condition>[^}]+)\}\}(?P<body>.*?)\{\{-? end \}\}", re.DOTALL)
_HOOK = re.compile(r"helm\.sh/hook\"?: .*post-install")


class Chart:
    """The chart at one tag of a clone."""

    def __init__(self, clone: Path, release: Release) -> None:
        self._git = ("git", "-C", str(clone))
        self._tag = release.tag
        names = self._run("ls-tree", "-r", "--name-only", self._tag, f"{CHART}/").splitlines()
        self.files = {name.removeprefix(f"{CHART}/"): name for name in names}
        self.meta: dict[str, Any] = yaml.safe_load(self.read("Chart.yaml"))
        self.values: dict[str, Any] = yaml.safe_load(self.read("values.yaml"))
        inside = [name for name in self.files if name.startswith(("templates/", "files/"))]
        self.texts = {name: self.read(name) for name in inside}

    def read(self, name: str) -> str:
        """The text of a file of the chart."""
        return self._run("show", f"{self._tag}:{self.files[name]}")

    def _run(self, *arguments: str) -> str:
        return subprocess.run([*self._git, *arguments], check=True, capture_output=True, text=True).stdout


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    """The leaves of the values by dotted path; empty mappings and lists are leaves."""
    if not isinstance(value, dict) or not value:
        return {path: value}
    # A key with a dot is no value of the chart's own: its mapping takes any.
    if any("." in key for key in value):
        return {path: {}}
    return {
        name: leaf for key, inner in value.items() for name, leaf in leaves(inner, f"{path}.{key}".strip(".")).items()
    }


def facts(chart: Chart, release: Release) -> dict[str, Any]:
    """The file's content for one release."""
    known = leaves(chart.values)
    used = {match[1:] for text in chart.texts.values() for match in _VALUE.findall(text)}
    dependencies = {entry["name"]: entry for entry in chart.meta.get("dependencies", [])}
    # Of several conditions Helm takes the first that the values have.
    used |= {entry["condition"].partition(",")[0] for entry in dependencies.values()}
    passed = tuple(f"{name}." for name in dependencies)
    dead = {path: leaf for path, leaf in known.items() if not path.startswith(passed) and not _is_read(path, used)}
    whole = {path for path in used if path not in known and any(leaf.startswith(f"{path}.") for leaf in known)}
    empty = {path for path, leaf in known.items() if leaf in ({}, [])}
    return {
        "release": release.name,
        "chart": str(chart.meta["version"]),
        "dependencies": {name: str(entry["version"]).removeprefix("v") for name, entry in dependencies.items()},
        "crdsInTemplates": any(name.startswith("templates/crd") for name in chart.files),
        "installer": any(_HOOK.search(text) for text in chart.texts.values()),
        "needsAppVersion": _needs_app_version(chart),
        "image": ":".join((chart.values["image"]["repository"], chart.values["image"]["tag"])).rstrip(":"),
        "values": {path: _type(leaf) for path, leaf in sorted(known.items())},
        "on": sorted(path for path, leaf in known.items() if leaf is True),
        "open": sorted(empty | {path for path in whole if not path.lower().endswith("image")}),
        "dead": dead,
        "runtimes": dict(sorted(_runtimes(chart).items())),
        "untagged": dict(sorted(_untagged(chart).items())),
    }


def _needs_app_version(chart: Chart) -> bool:
    """Whether the image's tag comes from an app version, which the chart in Git does not have."""
    return "appVersion" not in chart.meta and any(".Chart.AppVersion" in text for text in chart.texts.values())


def _is_read(path: str, used: set[str]) -> bool:
    steps = path.split(".")
    return any(".".join(steps[:n]) in used for n in range(1, len(steps) + 1))


def _type(leaf: Any) -> str:
    names = {bool: "boolean", int: "integer", str: "string", list: "list", dict: "mapping", float: "number"}
    return "null" if leaf is None else names[type(leaf)]


def _runtimes(chart: Chart) -> dict[str, str]:
    """The value that enables each runtime."""
    found: dict[str, str] = {}
    for text in chart.texts.values():
        name = _RUNTIME.search(text)
        if name and (enabled := _own(text)):
            found[name[1]] = enabled
        for block in _BLOCK.finditer(text):
            file = _FILE.search(block["body"])
            if file and (enabled := _own(block["condition"])):
                found[file[1]] = enabled
    return found


def _own(text: str) -> str:
    """The most particular of the switches that a text names."""
    return max(_ENABLED.findall(text), key=lambda path: path.count("."), default="")


def _untagged(chart: Chart) -> dict[str, list[str]]:
    """The images without tag of each runtime."""
    found = {}
    for text in chart.texts.values():
        name = _RUNTIME.search(text)
        images = sorted(set(_IMAGE.findall(text)))
        if name and images:
            found[name[1]] = images
    return found


def main() -> None:
    """Parse the command line and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clone", type=Path, help="clone of kubeflow/trainer")
    parser.add_argument("--output", type=Path, default=Path("schemas"), help="folder to write to")
    options = parser.parse_args()
    for release in RELEASES:
        text = json.dumps(facts(Chart(options.clone, release), release), indent=1) + "\n"
        (options.output / release.name / "chart-values.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
