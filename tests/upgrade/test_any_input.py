"""Trees that are broken in any way: no traceback, files stay text, and nothing is left for a second run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.upgrade.test_chart_values import TEMPLATES, VALUES
from tests.upgrade.test_elsewhere import REPORTED
from tests.upgrade.test_guide import HOPS
from tests.upgrade.test_patches import OPERATIONS, TARGET, base_of, overlay
from tests.upgrade.test_templates import CHART, HEAD, OLD, TAIL
from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

TREES = [
    *(overlay(before, base=base_of(spec), target=TARGET) for spec, before, _ in OPERATIONS.values()),
    *({"Chart.yaml": CHART, "values.yaml": VALUES, "templates/j.yaml": text} for text in TEMPLATES.values()),
    {"Chart.yaml": CHART, "templates/j.yaml": HEAD + OLD + TAIL},
    *(files for files, _, _, _ in REPORTED.values()),
    *(hop.before for hop in HOPS.values()),
]
PIECES = (
    "\t", "{{ x }}", "{{", "}}", "&a ", "*a", "# c\n", "- ", "null", "[]", "{}", "'", '"', ":", "\r\n", "<<: *a\n",
    "---\n", "|", "é", "\u2028", "!!str ", "podSpecOverrides: []\n", "  labels: {a: b}\n", "  numProcPerNode: gpu\n",
)  # fmt: skip


@st.composite
def trees(draw: st.DrawFn) -> dict[str, str]:
    """A tree with a few changes that make no sense."""
    tree = dict(draw(st.sampled_from(TREES)))
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(tree)))
        text = tree[name]
        at = draw(st.integers(0, len(text)))
        gone = draw(st.sampled_from((0, 0, 1, 5, 20)))
        tree[name] = text[:at] + draw(st.sampled_from(("", *PIECES))) + text[at + gone :]
    return tree


@given(tree=trees(), start=st.sampled_from(("2.0", "2.1", "2.2")), to=st.sampled_from(("2.2", "2.3")))
@settings(max_examples=150)
def test_any_tree_is_upgraded_once_or_reported(tree: dict[str, str], start: str, to: str) -> None:
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path(".git").mkdir()
            for name, text in tree.items():
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_bytes(text.encode())
            asked = UpgradeOptions((".",), start, to)
            for file in run_upgrade(asked).to_write:
                assert file.old == tree[file.name].encode()
                Path(file.name).write_text(file.new.decode(), newline="")
            assert [file.name for file in run_upgrade(asked).to_write] == []
        finally:
            os.chdir(here)
