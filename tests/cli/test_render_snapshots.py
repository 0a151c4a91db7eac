"""What `render --pods` shows of every runtime that the newest release ships, and `render --explain` of the examples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.cli.conftest import Ran
from trainergen.releases import NEWEST

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

Run = Callable[..., Ran]

ROOT = Path(__file__).parents[2]
RUNTIMES = sorted(path.stem for path in (ROOT / "runtimes" / NEWEST.name).glob("*.yaml"))
EXAMPLES = sorted(path.name for path in (ROOT / "examples" / "valid").glob("*.yaml"))


def test_the_newest_release_has_ten_runtimes() -> None:
    assert len(RUNTIMES) == 10


@pytest.mark.parametrize("name", RUNTIMES)
def test_the_pods_of_each_runtime(trainergen: Run, name: str, snapshot: SnapshotAssertion) -> None:
    runtime = ROOT / "runtimes" / NEWEST.name / f"{name}.yaml"
    job = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "demo", "namespace": "ml"},
        "spec": {"runtimeRef": {"name": name}, "trainer": {"numNodes": 3, "env": [{"name": "DEBUG", "value": "1"}]}},
    }
    Path("job.yaml").write_text(yaml.safe_dump(job, sort_keys=False))
    Path("runtimes").mkdir()
    (Path("runtimes") / runtime.name).write_bytes(runtime.read_bytes())
    ran = trainergen("render", "job.yaml", "--runtimes", "runtimes", "--release", NEWEST.name, "--pods")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_origin_of_every_line_of_each_example(
    trainergen: Run, name: str, snapshot_as: Callable[[str], SnapshotAssertion]
) -> None:
    Path(name).write_bytes((ROOT / "examples" / "valid" / name).read_bytes())
    ran = trainergen("render", name, "--release", NEWEST.name, "--explain")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == snapshot_as("yaml")


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [(("fashion-mnist.yaml", "--pods"), slice(None)), (("llm-finetune.yaml", "--explain"), slice(-20, None))],
    ids=["pods", "explain"],
)
def test_the_readme_shows_real_output(
    trainergen: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], shown: slice
) -> None:
    monkeypatch.chdir(ROOT)
    name, option = arguments
    ran = trainergen("render", f"examples/valid/{name}", "--release", NEWEST.name, option)
    excerpt = "\n".join(ran.out.splitlines()[shown])
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"$ trainergen render examples/valid/{name} --release {NEWEST.name} {option}\n" in readme
    assert f"\n{excerpt}\n```" in readme
