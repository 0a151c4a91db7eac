"""What a git revision holds: the objects to judge updates by, and its manifests as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.manifests import GOOD, RUNTIME
from trainergen.engine.base import read_base
from trainergen.engine.checkout import checked_out
from trainergen.engine.git import find_revision
from trainergen.errors import TrainergenError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.engine.conftest import Repository


def found(paths: Iterable[str], revision: str = "HEAD", excludes: Iterable[str] = ()) -> list[str]:
    with checked_out(revision, paths) as checkout:
        return [file.path for file in checkout.discover(paths, excludes=excludes).files]


def test_the_objects_of_a_revision_are_found_by_kind_namespace_and_name(repository: Repository) -> None:
    repository.write(jobs__mnist=GOOD, platform__runtime=RUNTIME, other="kind: ConfigMap\n")
    repository.commit()
    repository.write(jobs__mnist=GOOD.replace("numNodes: 2", "numNodes: 9"))
    base = read_base("HEAD", Path())
    assert set(base.objects) == {("TrainJob", "team-a", "mnist"), ("TrainingRuntime", "team-a", "team-torch")}
    ((file, job),) = base.objects["TrainJob", "team-a", "mnist"]
    assert (file, str(job).count("'numNodes': 2")) == ("jobs/mnist.yaml", 1)


def test_a_checkout_holds_the_files_as_they_were(repository: Repository) -> None:
    repository.write(jobs__a=GOOD, jobs__gone=GOOD, platform__runtime=RUNTIME)
    repository.commit()
    (repository.folder / "jobs/gone.yaml").unlink()
    repository.write(jobs__a="changed", jobs__new=GOOD)
    with checked_out("HEAD", ["jobs"]) as checkout:
        files = checkout.discover(["jobs"]).files
        assert {file.path: file.read_bytes().decode() for file in files} == {
            "jobs/a.yaml": GOOD,
            "jobs/gone.yaml": GOOD,
        }
        place = checkout.folder
    assert not place.exists()


def test_paths_mean_in_a_revision_what_they_mean_in_the_working_tree(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write(top=GOOD, jobs__a=GOOD, jobs__b=GOOD, jobs__deep__c=GOOD, vendor__d=GOOD)
    repository.commit()
    assert found(["."]) == ["jobs/a.yaml", "jobs/b.yaml", "jobs/deep/c.yaml", "top.yaml"]
    assert found(["."], excludes=["jobs/deep/", "top.yaml"]) == ["jobs/a.yaml", "jobs/b.yaml"]
    assert found(["jobs/*.yaml"]) == ["jobs/a.yaml", "jobs/b.yaml"]
    assert found([str(repository.folder / "jobs/deep")]) == ["jobs/deep/c.yaml"]
    monkeypatch.chdir(repository.folder / "jobs")
    assert found(["a.yaml", "deep"]) == ["a.yaml", "deep/c.yaml"]


def test_what_the_working_tree_passes_over_a_revision_does_too(repository: Repository) -> None:
    patch = "patches:\n- path: patch.yaml\n"
    repository.write(overlay__kustomization=patch, overlay__patch=GOOD, chart__Chart="name: c\n", made__job=GOOD)
    repository.git("add", "--all")
    (repository.folder / ".gitignore").write_text("made/\n")
    repository.commit()
    files = found(["."])
    assert "made/job.yaml" not in files
    with checked_out("HEAD", ["overlay"]) as checkout:
        from trainergen.source.load import load

        (file,) = (file for file in checkout.discover(["overlay"]).files if file.path.endswith("patch.yaml"))
        assert load(file).objects == []
        assert (checkout.folder / "chart/Chart.yaml").exists(), "it decides what is a template"


def test_links_lead_where_they_led(repository: Repository) -> None:
    repository.write(shared__job=GOOD)
    (repository.folder / "jobs").mkdir()
    (repository.folder / "jobs/link.yaml").symlink_to("../shared/job.yaml")
    (repository.folder / "jobs/out.yaml").symlink_to("/etc/hostname")
    repository.commit()
    with checked_out("HEAD", ["jobs"]) as checkout:
        (file,) = checkout.discover(["jobs"]).files
        assert (file.path, file.read_bytes().decode()) == ("jobs/link.yaml", GOOD)


def test_names_may_be_odd(repository: Repository) -> None:
    repository.write(**{"jobs__ä ö\t'x'": GOOD})
    repository.commit()
    assert found(["jobs"]) == ["jobs/ä ö\t'x'.yaml"]


def test_a_revision_that_is_none_says_so(repository: Repository) -> None:
    repository.write(a=GOOD)
    repository.commit()
    with pytest.raises(TrainergenError, match="git cannot find 'nowhere'"):
        find_revision("nowhere", Path())
    with pytest.raises(TrainergenError, match="git cannot find '--all'"):
        find_revision("--all", Path())


def test_paths_outside_of_the_repository_have_no_base(repository: Repository) -> None:
    repository.write(a=GOOD)
    repository.commit()
    with pytest.raises(TrainergenError, match="lies outside the repository"), checked_out("HEAD", ["../elsewhere"]):
        pass


def test_outside_of_any_repository_there_is_no_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(TrainergenError, match="find the git repository"):
        find_revision("HEAD", tmp_path)
