"""``trainergen upgrade --live`` as people and pipelines use it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import Ran
from tests.manifests import GOOD
from tests.output.page import Page
from tests.upgrade.live.cluster import (
    OVERRIDES,
    TRAINER_IMAGE,
    InMemoryCluster,
    deployment,
    healthy,
    helm_secret,
    job,
    runtime,
    webhooks,
)
from trainergen.upgrade.live.reader import CLUSTER_RUNTIMES, DEPLOYMENTS, LEGACY, MUTATING, SECRETS, TRAIN_JOBS

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

Run = Callable[..., Ran]
HOPS = ("--from", "2.1", "--to", "2.3")


def troubled() -> InMemoryCluster:
    """A cluster with something to say in every part."""
    found = healthy()
    found.add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:v2.1.0", "--enable-http2", name="second", helm="trainer"))
    found.add(DEPLOYMENTS, deployment("registry.k8s.io/kueue/kueue:v0.17.0", name="kueue", namespace="kueue-system"))
    found.add(SECRETS, helm_secret("trainer", 3, "failed")).add(MUTATING, webhooks("kueue-mutating", ca=""))
    own = runtime("torch-distributed", "2.1", name="ours", finalizers=["trainer.kubeflow.org/resource-in-use"])
    own["spec"]["mlPolicy"]["torch"] = {"numProcPerNode": 4}
    found.add(CLUSTER_RUNTIMES, own)
    uses = {"runtimeRef": {"name": "ours"}, "trainer": {"numNodes": 2}}
    text: dict[str, Any] = {"trainer": {"numProcPerNode": "auto"}}
    found.add(TRAIN_JOBS, job("running", OVERRIDES), job("waiting", {**uses, **OVERRIDES}, phase="Suspended"))
    found.add(TRAIN_JOBS, job("done", text, phase="Complete"), job("lost", {"runtimeRef": {"name": "nowhere"}}))
    found.add(LEGACY[0], {"metadata": {"name": "old", "namespace": "team-b"}})
    found.forbidden = {"validatingwebhookconfigurations"}
    return found


@pytest.fixture
def connected(trainergen: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[InMemoryCluster], Run]:
    """The command line beside a cluster in memory, in a tree with one TrainJob."""
    (tmp_path / "job.yaml").write_text(GOOD)

    def beside(cluster: InMemoryCluster) -> Run:
        monkeypatch.setattr("trainergen.live.connect", lambda context: cluster)
        return trainergen

    return beside


@pytest.mark.parametrize(("format_", "suffix"), [("text", "txt"), ("json", "json"), ("markdown", "md")])
def test_the_cluster_is_part_of_every_report(
    connected: Callable[[InMemoryCluster], Run],
    format_: str,
    suffix: str,
    snapshot_as: Callable[[str], SnapshotAssertion],
) -> None:
    ran = connected(troubled())("upgrade", ".", *HOPS, "--live", "own", "--format", format_)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == snapshot_as(suffix)


def test_the_page_has_a_chapter_on_the_cluster(connected: Callable[[InMemoryCluster], Run]) -> None:
    page = Page(connected(troubled())("upgrade", ".", *HOPS, "--live", "own", "--format", "html").out)
    assert (page.open, page.elsewhere, page.dangling) == ([], [], [])
    assert "The cluster own" in page.text
    assert "the TrainJob is Suspended and has to become another one for Trainer 2.3" in page.text


def test_a_report_in_a_file_has_the_cluster_too(connected: Callable[[InMemoryCluster], Run], tmp_path: Path) -> None:
    connected(healthy())("upgrade", ".", *HOPS, "--live", "own", "--report", "plan.json")
    assert json.loads((tmp_path / "plan.json").read_text())["cluster"]["context"] == "own"


CODES: dict[str, tuple[InMemoryCluster, str, int]] = {
    "errors by default": (troubled(), "error", 1),
    "warnings do not count by default": (healthy(), "error", 0),
    "warnings count when asked for": (healthy(), "warning", 1),
    "nothing counts when asked for": (troubled(), "never", 0),
}


@pytest.mark.parametrize("name", CODES)
def test_what_the_cluster_says_decides_the_exit_code(connected: Callable[[InMemoryCluster], Run], name: str) -> None:
    cluster, fail_on, code = CODES[name]
    assert connected(cluster)("upgrade", ".", *HOPS, "--live", "own", "--fail-on", fail_on).code == code


def test_a_cluster_is_not_looked_at_while_files_are_written(trainergen: Run) -> None:
    ran = trainergen("upgrade", ".", *HOPS, "--live", "own", "--write")
    assert (ran.code, ran.out) == (2, "")
    assert "--live and --write exclude each other" in ran.err


def test_a_kubeconfig_without_the_context_is_told(trainergen: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("config").write_text("apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\n")
    monkeypatch.setenv("KUBECONFIG", "config")
    ran = trainergen("upgrade", ".", *HOPS, "--live", "own")
    assert (ran.code, ran.out) == (2, "")
    assert "kubeconfig" in ran.err


def test_a_missing_package_is_told_with_the_extra(trainergen: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "trainergen.live", raising=False)
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    monkeypatch.setitem(sys.modules, "kubernetes.client", None)
    ran = trainergen("upgrade", ".", *HOPS, "--live", "own")
    assert (ran.code, ran.out) == (2, "")
    assert "--live needs the package kubernetes" in ran.err
    assert "pip install 'trainergen[controller]'" in ran.err


def test_without_the_option_nothing_of_a_client_is_loaded(trainergen: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    monkeypatch.delitem(sys.modules, "trainergen.live", raising=False)
    assert trainergen("upgrade", ".", *HOPS).code == 0
    assert "trainergen.live" not in sys.modules
