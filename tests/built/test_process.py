"""Tools that fail in every way."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

from tests.built.conftest import Check, Pretend, Write, said
from tests.built.manifests import JOB
from trainergen.built.process import Limits, environment, run
from trainergen.built.runs import Runs

OVERLAY = {"prod/kustomization.yaml": "resources: [job.yaml]\n", "prod/job.yaml": JOB}


def python(body: str, tmp_path: Path, **limits: float) -> tuple[str, int, bytes]:
    command = [sys.executable, "-S", "-c", f"import os, sys, time\n{body}"]
    ran = run(command, cwd=tmp_path, env=environment(tmp_path), limits=Limits(**limits))  # type: ignore[arg-type]
    return ran.broken, ran.code, ran.out


def test_output_and_code_come_back(tmp_path: Path) -> None:
    assert python("print('out'); sys.exit(3)", tmp_path) == ("", 3, b"out\n")


@pytest.mark.skipif(not Path("/proc").exists(), reason="there is no /proc")
def test_a_command_that_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    begin = time.monotonic()
    body = "os.fork() or (open('child', 'w').write(str(os.getpid())), time.sleep(60)); time.sleep(60)"
    broken, _, _ = python(body, tmp_path, seconds=0.5)
    assert broken == "takes longer than 0.5 seconds"
    assert time.monotonic() - begin < 10
    child = int((tmp_path / "child").read_text())
    assert any(_is_gone(child) for _ in range(100))


def _is_gone(pid: int) -> bool:
    """Whether a process has ended; where nobody waits for its like, it stays in the table."""
    time.sleep(0.02)
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().split()[2] == "Z"


def test_a_command_that_writes_too_much_is_ended(tmp_path: Path) -> None:
    broken, _, out = python("while True: sys.stdout.write('x' * 10000)", tmp_path, output=1024 * 1024)
    assert broken == "writes more than 1 MiB"
    assert len(out) <= 1024 * 1024


def test_a_command_that_closes_its_output_and_stays_is_ended(tmp_path: Path) -> None:
    broken, _, _ = python("os.close(1); os.close(2); time.sleep(60)", tmp_path, seconds=0.5)
    assert broken == "takes longer than 0.5 seconds"


def test_a_command_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    ran = run([str(tmp_path / "none")], cwd=tmp_path, env={})
    assert (ran.code, ran.broken) == (126, "cannot be started: no such file or directory")


def test_a_run_stops_when_it_is_told_to(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    command = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]
    assert run(command, cwd=tmp_path, env={}, stop=stop).broken == "is interrupted"


def test_nothing_of_the_user_is_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example.org")
    found = environment(tmp_path)
    assert "AWS_SECRET_ACCESS_KEY" not in found
    assert found["HOME"] == str(tmp_path)
    assert "example.org" not in "".join(found.values())


def test_without_the_tool_files_are_judged_as_ever(write: Write, check: Check, pretend: Pretend) -> None:
    write({"prod/kustomization.yaml": "resources: [job.yaml]\n", "prod/job.yaml": JOB.replace("2", "two")})
    write({"chart/Chart.yaml": "apiVersion: v2\nname: chart\nversion: 0.1.0\n"})
    report = check()
    assert said(report) == [("prod/job.yaml", 10, "TG102")]
    assert [(item.file, item.check, item.reason) for item in report.not_evaluated if item.check == "TG025"] == [
        ("chart/Chart.yaml", "TG025", "it is not rendered: helm is not on PATH; install it, or the extra 'helm'"),
        (
            "prod/kustomization.yaml",
            "TG025",
            "it is not built: neither kustomize nor kubectl is on PATH; install one, or the extra 'kustomize'",
        ),
    ]


@pytest.mark.parametrize(
    ("body", "rule", "words"),
    {
        "an exit code without a word": ("sys.exit(9)", "TG025", "kustomize cannot build it: it ends with 9"),
        "text that is no YAML": ("print('a: b: c')", "TG025", "what kustomize gives is no list of objects"),
        "bytes that are no text": ("os.write(1, b'\\xff')", "TG025", "what kustomize gives is no list of objects"),
        "a list": ("print('- a')", "TG025", "what kustomize gives is no list of objects"),
    }.values(),
)
def test_a_tool_that_gives_nonsense_is_a_finding(
    write: Write, check: Check, pretend: Pretend, body: str, rule: str, words: str
) -> None:
    write(OVERLAY)
    pretend("kustomize", body)
    report = check()
    assert said(report) == [("prod/kustomization.yaml", 1, rule)]
    assert words in report.findings[0].message


def test_a_tool_that_gives_nothing_gives_no_objects(write: Write, check: Check, pretend: Pretend) -> None:
    write(OVERLAY)
    pretend("kustomize", "pass")
    report = check()
    assert (said(report), report.documents) == ([], 0)


@pytest.mark.parametrize("limits", [Limits(seconds=0.3), Limits(output=10)])
def test_a_tool_beyond_its_limits_is_not_evaluated(
    write: Write, check: Check, pretend: Pretend, monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> None:
    write(OVERLAY)
    pretend("kustomize", "print('a: ' + 'b' * 100, flush=True); time.sleep(30 if len(sys.argv) > 1 else 0)")
    monkeypatch.setattr("trainergen.built.builder.Runs", lambda: Runs(limits=limits))
    report = check()
    assert (said(report), len(report.not_evaluated)) == ([], 1)
    assert report.not_evaluated[0].reason.startswith("it is not built: kustomize ")
    assert report.documents == 1, "the file is judged as ever"


def test_a_tool_that_writes_does_so_in_the_sandbox(write: Write, check: Check, pretend: Pretend) -> None:
    write(OVERLAY)
    body = "open('here', 'w'); open(sys.argv[-1] + '/there', 'w'); open(os.path.expanduser('~/home'), 'w')"
    pretend("kustomize", body)
    assert said(check()) == []
    assert sorted(path.name for path in Path().rglob("*")) == [".git", "job.yaml", "kustomization.yaml", "prod"]


def test_the_same_content_is_built_once(write: Write, check: Check, pretend: Pretend, tmp_path: Path) -> None:
    write(OVERLAY)
    pretend("kustomize", f"open({str(tmp_path / 'calls')!r}, 'a').write('x')")
    check()
    check()
    assert (tmp_path / "calls").read_text() == "x"
    write({"prod/job.yaml": JOB + "# changed\n"})
    check()
    assert (tmp_path / "calls").read_text() == "xx"
