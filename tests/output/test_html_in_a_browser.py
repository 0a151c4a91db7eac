"""The pages of upgrade and migrate as a browser shows them: complete, readable, and no wider than the window.

Screenshots are left in ``.artefacts``. ``TRAINERGEN_BROWSER`` names a Chromium where none is found by itself; without
one the tests are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from trainergen.cli import main

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / ".artefacts"
TALLEST = 30_000  # pixels: taller pictures take minutes
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MEASURE = (Path(__file__).parent / "measured.js").read_text(encoding="utf-8")
# NB: a headless window is never narrower than 500 pixels, a frame may be.
FRAME = """<!DOCTYPE html>
<html><style>:root {{ color-scheme: light dark; }} iframe {{ border: 0; }}</style>
<script>onmessage = (event) => document.documentElement.setAttribute("data-measured", event.data)</script>
<iframe src="measured.html" width="{width}" height="1000"></iframe></html>
"""
TREES = {
    "upgrade": (("examples/upgraded/before", "examples/upgrade"), ("upgrade", ".", "--from", "2.0", "--to", "2.3")),
    "migrate": (("examples/migrate/before", "tests/migrate/examples"), ("migrate", "jobs", "E06.v1.yaml")),
}
WINDOWS = {"desk": (1280, "light"), "telephone": (420, "dark")}


class Browser(NamedTuple):
    """A headless Chromium."""

    program: str
    profile: Path

    def run(self, page: Path, *options: str, dark: bool = False) -> str:
        """Open a page; what the browser writes to standard output. It says harmless things on standard error."""
        arguments = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"),
            f"--user-data-dir={self.profile}",
            f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        ]
        done = subprocess.run(
            [self.program, *arguments, *options, page.as_uri()], capture_output=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done.stdout.decode()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    named = os.environ.get("TRAINERGEN_BROWSER")
    program = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("there is no browser: install chromium, or name one in TRAINERGEN_BROWSER")
    folder = tmp_path_factory.mktemp("browser")
    found = Browser(program, folder / "profile")
    probe = folder / "probe.html"
    probe.write_text("<p>it can read files</p>")
    if not named:
        # Some of the programs called so are installers, or see no files outside of the home folder.
        try:
            works = "it can read files" in found.run(probe, "--dump-dom")
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            works = False
        if not works:
            pytest.skip(f"{program} opens no pages here; name another browser in TRAINERGEN_BROWSER")
    return found


@pytest.fixture(scope="module", params=TREES)
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The name of a command and a folder with ``report.html`` and ``report.json`` on the worked examples."""
    name: str = request.param
    folder = tmp_path_factory.mktemp(name)
    trees, arguments = TREES[name]
    (folder / "tree" / ".git").mkdir(parents=True)
    for tree in trees:
        shutil.copytree(ROOT / tree, folder / "tree", dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder / "tree")
        for suffix in ("html", "json"):
            assert main((*arguments, "--report", str(folder / f"report.{suffix}"))) in (0, 1)
    return name, folder


class _Measured(HTMLParser):
    found = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "html":
            self.found = dict(attrs).get("data-measured") or ""


@pytest.fixture
def measured(browser: Browser, pages: tuple[str, Path]) -> Callable[[str], dict[str, Any]]:
    """What is seen of a page in one of WINDOWS, of which a screenshot is left."""
    name, folder = pages

    def measure(window: str) -> dict[str, Any]:
        width, scheme = WINDOWS[window]
        dark = scheme == "dark"
        text = (folder / "report.html").read_text(encoding="utf-8")
        script = f"<script>{MEASURE}</script></body>"
        (folder / "measured.html").write_text(text.replace("</body>", script), encoding="utf-8")
        frame = folder / "frame.html"
        frame.write_text(FRAME.format(width=width), encoding="utf-8")
        parser = _Measured()
        parser.feed(browser.run(frame, "--window-size=1400,1000", "--dump-dom", dark=dark))
        found: dict[str, Any] = json.loads(parser.found)
        picture = ARTEFACTS / f"{name}-{window}-{scheme}.png"
        ARTEFACTS.mkdir(exist_ok=True)
        picture.unlink(missing_ok=True)
        size = f"--window-size={width},{min(found['height'], TALLEST)}"
        browser.run(folder / "report.html", size, f"--screenshot={picture}", dark=dark)
        assert picture.stat().st_size > 10_000
        return found

    return measure


@pytest.mark.parametrize("window", WINDOWS)
def test_the_page_is_complete_and_readable_in_a_browser(
    measured: Callable[[str], dict[str, Any]], pages: tuple[str, Path], window: str
) -> None:
    found = measured(window)
    assert found["width"] == WINDOWS[window][0]
    assert found["paper"] == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[WINDOWS[window][1]]
    assert (found["wide"], found["pale"]) == ([], [])
    report = json.loads((pages[1] / "report.json").read_text(encoding="utf-8"))
    shown = _plain(found["text"])
    wanted = [*_upgraded(report)] if pages[0] == "upgrade" else [*_migrated(report)]
    assert len(wanted) > 40
    assert [each for each in wanted if _plain(each) not in shown] == []


def _plain(text: str) -> str:
    """``text`` without the white space that a browser folds."""
    return " ".join(text.split())


def _finding(finding: dict[str, Any]) -> Iterator[str]:
    yield f"{finding['severity']} {finding['rule']} {finding['name']}"
    yield f"{finding['file']}:{finding['line']}:{finding['column']}"
    yield finding["message"]
    yield from finding["help"].splitlines()


def _patch(difference: str) -> Iterator[str]:
    yield from difference.splitlines()


def _upgraded(report: dict[str, Any]) -> Iterator[str]:
    for finding in [*report["findings"], *report["install"]["findings"]]:
        yield from _finding(finding)
    yield from report["install"]["steps"]
    for file in report["files"]:
        yield file["file"]
        yield from _patch(file["diff"])
        for each in file["objects"]:
            yield f"{each['object']['kind']} "
            yield from each["notes"]
    for job in report["jobs"]:
        yield job["object"]["name"]
        for change in job["changes"]:
            yield f"{change['object']} {change['impact']}"
            yield change["reason"]
            if isinstance(change["new"], int):
                yield f": {change['new']}"


def _migrated(report: dict[str, Any]) -> Iterator[str]:
    yield from report["steps"]
    for file in report["files"]:
        yield file["file"]
        yield from _patch(file["diff"])
        for finding in file["findings"]:
            yield from _finding(finding)
        for each in file["objects"]:
            ref = each["object"]
            yield f"{ref['kind']} {ref['namespace']}/{ref['name']}" if ref["namespace"] else ref["name"]
            for finding in each["warnings"]:
                yield from _finding(finding)
            yield from each["notes"]
            for mark in each["mapping"]:
                yield f"{mark['path']} "
                yield f"{mark['kind']} {mark['target']}".strip()
