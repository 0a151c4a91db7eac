"""The upgrade guide hop by hop: a repository before and after, and what the report has to say."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from trainergen.engine.upgrading import UpgradeOptions, run_upgrade

HEAD = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {{name: {name}, namespace: team}}
spec:
  runtimeRef: {{name: {runtime}}} # {name}
"""
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: own}
spec:
  mlPolicy:
    %s
  template:
    spec:
      replicatedJobs:
        - name: model-initializer
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: model-initializer}}
            spec:
              template:
                spec:
                  containers:
                    - name: model-initializer
                      image: example.org/init:1
%s                  volumes: [{name: initializer, emptyDir: {}}]
        - name: node
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
            spec: {template: {spec: {containers: [{name: node, image: example.org/torch:1}]}}}
"""
MOUNT = "                      volumeMounts: [{name: initializer, mountPath: /workspace}]\n"
MOUNTED = """\
                      volumeMounts:
                        - name: initializer
                          mountPath: /workspace
"""
KUSTOMIZATION = "resources: [https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=%s]\n"


def job(spec: str, *, name: str = "a", runtime: str = "torch-distributed") -> str:
    return HEAD.format(name=name, runtime=runtime) + spec


class Hop(NamedTuple):
    """``rules`` with file and line; ``reasons`` and ``steps`` are words of what the report says."""

    start: str
    to: str
    before: dict[str, str]
    after: dict[str, str]
    rules: list[tuple[str, str, int]]
    reasons: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


def patch(jobs: str) -> str:
    head = "  runtimePatches:\n    - manager: trainergen.io/upgrade\n      trainingRuntimeSpec:\n        template:\n"
    return head + jobs


HOPS = {
    "2.0 to 2.1": Hop(
        "2.0",
        "2.1",
        {
            "job.yaml": job(
                "  podSpecOverrides:\n    - targetJobs: [{name: node}]\n      nodeSelector: {pool: a} # big\n"
            ),
            "mpi.yaml": job("", name="m", runtime="mpi-distributed"),
            "kustomization.yaml": KUSTOMIZATION % "v2.0.1",
        },
        {
            "job.yaml": job(
                "  podTemplateOverrides:\n    - targetJobs: [{name: node}]\n      spec:\n"
                "        nodeSelector: {pool: a} # big\n"
            ),
        },
        [("TG830", "mpi.yaml", 5)],
        ("it comes from the ClusterTrainingRuntime torch-distributed",),
        ("JobSet 0.10", "delete and recreate those whose update is refused"),
    ),
    "2.1 to 2.2": Hop(
        "2.1",
        "2.2",
        {
            "job.yaml": job(
                "  trainer: {numProcPerNode: auto, numNodes: 2}\n  labels: {team: ml}\n  podTemplateOverrides:\n"
                "    - targetJobs: [{name: node}]\n      metadata: {labels: {cost: x}, name: ignored}\n"
                "      spec: {serviceAccountName: sa}\n"
            ),
            "own.yaml": job("  trainer: {numNodes: 1}\n", runtime="own", name="b"),
            "runtime.yaml": RUNTIME % ("torch: {numProcPerNode: 2, elasticPolicy: {maxRestarts: 3}}", MOUNT),
            "kustomization.yaml": KUSTOMIZATION % "v2.1.0",
        },
        {
            "job.yaml": job(
                "  trainer: {numNodes: 2}\n"
                + patch(
                    "          metadata:\n            labels: {team: ml}\n"
                    "          spec:\n            replicatedJobs:\n"
                    "              - name: node\n                template:\n                  spec:\n"
                    "                    template:\n                      metadata:\n"
                    "                        labels: {cost: x}\n                      spec: {serviceAccountName: sa}\n"
                )
            ),
            "own.yaml": job("  trainer: {numNodes: 1, numProcPerNode: 2}\n", runtime="own", name="b"),
            "runtime.yaml": RUNTIME % ("torch: {}\n    numNodes: 1", MOUNT),
        },
        [("TG833", "job.yaml", 10), ("TG832", "runtime.yaml", 6), ("TG842", "runtime.yaml", 6)],
        (),
        ("convert suspended ones first", "cannot decode them", "mutating webhook", "Kueue 0.17", "--server-side"),
    ),
    "2.2 to 2.3": Hop(
        "2.2",
        "2.3",
        {
            "job.yaml": job(
                "  initializer:\n    model: {storageUri: org/model}\n"
                "  trainer:\n    resourcesPerNode: {requests: {cpu: 2}}\n",
                runtime="own",
            ),
            "mpi.yaml": job("  trainer: {numNodes: 2}\n", name="m", runtime="deepspeed-distributed"),
            "runtime.yaml": RUNTIME % ("torch: {}", ""),
            "kustomization.yaml": KUSTOMIZATION % "v2.2.1",
            "overlay/kustomization.yaml": "resources: [../]\npatches:\n"
            "  - target: {kind: ClusterTrainingRuntime, name: mlx-.*}\n"
            "    patch: '[{op: add, path: /spec/template/spec/replicatedJobs/0/groupName, value: x}]'\n",
        },
        {"runtime.yaml": RUNTIME % ("torch: {}", MOUNTED)},
        [("TG839", "job.yaml", 7), ("TG844", "overlay/kustomization.yaml", 3)],
        ("the runtime is kept in a ConfigMap at the first reconcile", "the SSH keys get file modes"),
        ("Stop at 2.3", "--take-ownership", "disableTakeOwnership", "crds.enabled", "JobSet 0.12", "hook Job"),
    ),
    "2.0 to 2.3 at once": Hop(
        "2.0",
        "2.3",
        {
            "job.yaml": job(
                "  podSpecOverrides:\n    - targetJobs: [{name: node}]\n      nodeSelector: {pool: a} # big\n"
            )
        },
        {
            "job.yaml": job(
                patch(
                    "          spec:\n            replicatedJobs:\n"
                    "              - name: node\n                template:\n"
                    "                  spec:\n                    template:\n                      spec:\n"
                    "                        nodeSelector: {pool: a} # big\n"
                )
            )
        },
        [],
        ("the runtime is kept in a ConfigMap at the first reconcile",),
        ("Stop at 2.3",),
    ),
}


@pytest.mark.parametrize("hop", HOPS.values(), ids=HOPS.keys())
def test_a_repository_takes_a_hop(hop: Hop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name, text in hop.before.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    report = run_upgrade(UpgradeOptions((".",), hop.start, hop.to))
    assert {file.name: file.new.decode() for file in report.to_write} == hop.after
    assert [(finding.rule, finding.file, finding.line) for finding in report.findings] == hop.rules
    assert set(hop.reasons) <= set(report.reasons)
    assert report.audit is not None
    plan = "\n".join(report.audit.steps)
    assert [words for words in hop.steps if words not in plan] == []
    assert [pin.write for pin in report.audit.pins] == [pin_of(hop.to)] * ("kustomization.yaml" in hop.before)
    for file in report.to_write:
        Path(file.name).write_bytes(file.new)
    again = run_upgrade(UpgradeOptions((".",), hop.start, hop.to))
    assert again.files == ()


def pin_of(release: str) -> str:
    return {"2.1": "v2.1.0", "2.2": "v2.2.1", "2.3": "v2.3.0"}[release]
