"""`trainergen migrate --write` when something comes in between: crashes, others' changes, read-only files."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.cli.test_migrate import ELASTIC, LEGACY
from trainergen.engine import migrating_journal

Run = Callable[..., Ran]
KUSTOMIZATION = """\
resources: [../base]
patches:
  - target: {kind: PyTorchJob}
    path: patch.yaml
"""
PATCH = "- {op: replace, path: /spec/pytorchReplicaSpecs/Worker/replicas, value: 7}\n"
FILES = {
    "base/kustomization.yaml": "resources: [job.yaml]\n",
    "base/job.yaml": LEGACY,
    "prod/kustomization.yaml": KUSTOMIZATION,
    "prod/patch.yaml": PATCH,
    "alone.yaml": LEGACY.replace("mnist", "alone"),
}


@pytest.fixture
def migrate(trainergen: Run) -> Run:
    return lambda *arguments: trainergen("migrate", *arguments)


def git(*arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository() -> None:
    if Path(".git").is_dir():
        Path(".git").rmdir()
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "jobs")


def texts() -> dict[str, str]:
    return {name: Path(name).read_text() for name in FILES}


@pytest.fixture
def complete(migrate: Run, repository: None) -> dict[str, str]:
    """What the files hold after a migration that nothing interrupts."""
    assert migrate("--write").code == 0
    made = texts()
    git("checkout", "-q", ".")
    Path(".git/trainergen-migrate.json").unlink()
    return made


@pytest.mark.parametrize("after", range(4))
def test_a_second_run_completes_what_a_crash_interrupted(
    migrate: Run, complete: dict[str, str], monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    count = iter(range(10))
    real = migrating_journal.replace_file

    def crashing(path: str, old: bytes, new: bytes) -> None:
        if next(count) == after:
            raise KeyboardInterrupt
        real(path, old, new)

    monkeypatch.setattr(migrating_journal, "replace_file", crashing)
    with pytest.raises(KeyboardInterrupt):
        _interrupted(migrate)
    assert sum(texts()[name] != FILES[name] for name in FILES) == after
    monkeypatch.setattr(migrating_journal, "replace_file", real)
    ran = migrate("--write")
    assert (ran.code, texts()) == (0, complete)
    assert ran.err.count("completed: ") == 4 - after
    assert migrate("--write").code == 0
    assert texts() == complete


def _interrupted(migrate: Run) -> None:
    if migrate("--write").code == 130:
        raise KeyboardInterrupt


def test_what_was_changed_after_a_crash_is_not_written_over(
    migrate: Run, complete: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crashing(path: str, old: bytes, new: bytes) -> None:
        raise KeyboardInterrupt

    real = migrating_journal.replace_file
    monkeypatch.setattr(migrating_journal, "replace_file", crashing)
    with pytest.raises(KeyboardInterrupt):
        _interrupted(migrate)
    monkeypatch.setattr(migrating_journal, "replace_file", real)
    Path("alone.yaml").write_text(FILES["alone.yaml"] + "# mine\n")
    ran = migrate("--write")
    assert ran.code == 2
    assert "a migration was interrupted, and 'alone.yaml' was changed since" in ran.err
    assert Path("alone.yaml").read_text().endswith("# mine\n")
    assert migrate("--write", "--force").code == 0
    assert Path("alone.yaml").read_text() == complete["alone.yaml"] + "# mine\n"


def test_changes_of_the_migration_itself_are_no_obstacle(migrate: Run, repository: None) -> None:
    Path("later.yaml").write_text(ELASTIC.replace("mnist", "later"))
    git("add", ".")
    git("commit", "-qm", "later")
    assert migrate("--write").code == 1
    assert "later.yaml" not in git("status", "--porcelain")
    assert migrate("--write", "--accept", "elastic-size-fixed").code == 0
    assert "kind: TrainJob" in Path("later.yaml").read_text()
    git("commit", "-qam", "migrated")
    Path("alone.yaml").write_text(Path("alone.yaml").read_text() + "# mine\n")
    Path("next.yaml").write_text(LEGACY.replace("mnist", "next"))
    ran = migrate("--write")
    assert ran.code == 2
    assert "changes that are not committed, 'alone.yaml' among them" in ran.err


def test_the_record_of_what_was_written_holds_what_is_still_so(migrate: Run, repository: None) -> None:
    assert migrate("--write").code == 0
    record = json.loads(Path(".git/trainergen-migrate.json").read_text())
    assert record["pending"] == {}
    assert {Path(name).name for name in record["written"]} == {
        "job.yaml",
        "kustomization.yaml",
        "patch.yaml",
        "alone.yaml",
    }


@pytest.mark.parametrize("text", ["", "{", '{"pending": 3}', "[]", '{"pending": {"a": {}}, "written": {}}'])
def test_a_record_that_cannot_be_read_counts_for_nothing(migrate: Run, repository: None, text: str) -> None:
    Path(".git/trainergen-migrate.json").write_text(text)
    assert migrate("--write").code == 0


def test_without_git_nothing_is_left_behind(migrate: Run) -> None:
    for name in ("a.yaml", "b.yaml"):
        Path(name).write_text(LEGACY.replace("mnist", name[0]))
    assert migrate("--write").code == 0
    assert sorted(path.name for path in Path().iterdir() if path.name != ".git") == ["a.yaml", "b.yaml"]


def test_a_file_that_cannot_be_written_is_said_and_the_others_are(migrate: Run, repository: None) -> None:
    Path("alone.yaml").chmod(0o444)
    ran = migrate("--write")
    assert ran.code == 2
    assert "error: alone.yaml is read-only, so it was not migrated\n" in ran.err
    Path("alone.yaml").chmod(0o644)
    assert migrate("--write").code == 0
    assert "kind: TrainJob" in Path("alone.yaml").read_text()


def test_the_patch_can_be_applied_with_the_files_that_it_makes(migrate: Run, repository: None) -> None:
    Path("prod/kustomization.yaml").write_text(KUSTOMIZATION + "images: [{name: example.org/mnist, newTag: '2'}]\n")
    Path("migration.patch").write_text(migrate("--diff").out)
    assert "--- /dev/null\n+++ b/prod/trainjob-fieldspecs.yaml\n" in Path("migration.patch").read_text()
    git("apply", "migration.patch")
    applied = {**texts(), "": Path("prod/trainjob-fieldspecs.yaml").read_text()}
    git("apply", "-R", "migration.patch")
    assert migrate("--write", "--force").code == 0
    assert {**texts(), "": Path("prod/trainjob-fieldspecs.yaml").read_text()} == applied
