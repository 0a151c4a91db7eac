"""The policies in overlays/policies: what each lets through and what it refuses, through both engines."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.policies.asking import JOB, ask, policies_of
from trainergen.policies.checks import DENIED

FOLDER = Path(__file__).parents[2] / "overlays" / "policies"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/policy.yaml"))

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata:
  name: torch-distributed
  namespace: team-a
spec:
  mlPolicy:
    numNodes: 4
    torch: {}
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            metadata:
              labels:
                trainer.kubeflow.org/trainjob-ancestor-step: trainer
            spec:
              template:
                spec:
                  containers:
                    - name: node
                      image: registry.example.org/torch:2.9
"""
USES_IT = JOB.replace("    name: torch", "    kind: TrainingRuntime\n    name: torch")
GPUS = JOB + "    resourcesPerNode:\n      limits:\n        nvidia.com/gpu: {}\n"
NODES = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: trainer-limits
  namespace: team-a
data:
  maxNodes: "{}"
"""
NAMESPACE = """\
apiVersion: v1
kind: Namespace
metadata:
  name: team-a
  labels: {}
"""
DATASET = "  initializer:\n    dataset:\n      storageUri: hf://a/b\n      env:\n        - name: {}\n          {}\n"


def with_image(image: str) -> str:
    return JOB + f"    image: {image}\n"


def with_env(name: str, entry: str) -> str:
    return JOB + f"    env:\n      - name: {name}\n        {entry}\n"


def with_label(manifest: str, label: str) -> str:
    return manifest.replace("  namespace: team-a\n", f"  namespace: team-a\n  labels:\n    {label}\n", 1)


def runtime_with(old: str, new: str) -> str:
    assert old in RUNTIME
    return RUNTIME.replace(old, new)


def cluster_wide(name: str) -> str:
    text = RUNTIME.replace("kind: TrainingRuntime", "kind: ClusterTrainingRuntime").replace("  namespace: team-a\n", "")
    return text.replace(
        "  name: torch-distributed", f"  name: {name}\n  labels:\n    trainer.kubeflow.org/webhook-validation: disabled"
    )


POD = " " * 18
HOST = runtime_with(f"{POD}containers:", f"{POD}hostNetwork: true\n{POD}containers:")
HOST_PATH = RUNTIME + f"{POD}volumes:\n{POD}  - name: all\n{POD}    hostPath: {{path: /}}\n"
LATEST = runtime_with("torch:2.9", "torch:latest")
SECRET_ENV = RUNTIME + f"{POD}    env: [{{name: WANDB_API_KEY, value: abc}}]\n"
SKIP = "metadata.labels.trainer.kubeflow.org/webhook-validation"
DIGEST = f"registry.example.org/torch@sha256:{'a' * 64}"

ACCEPTED: dict[str, dict[str, tuple[str, ...]]] = {
    "trainer-deadline-required": {"a day": (JOB + "  activeDeadlineSeconds: 86400\n",)},
    "trainer-gpu-cap": {
        "no GPUs": (JOB,),
        "two nodes with eight": (GPUS.format(8),),
        "the cap itself": (GPUS.format(32),),
    },
    "trainer-image-registries": {
        "the image of the runtime": (JOB,),
        "one of ours": (with_image("registry.example.org/team/torch:1"),),
        "a runtime": (RUNTIME,),
    },
    "trainer-images-pinned": {
        "no image": (JOB,),
        "a tag": (with_image("registry.example.org:5000/torch:2.9.1"),),
        "a digest": (with_image(DIGEST),),
        "a runtime": (RUNTIME,),
    },
    "trainer-no-host-access": {"an ordinary runtime": (USES_IT, RUNTIME)},
    "trainer-no-literal-secrets": {
        "no env": (JOB,),
        "an ordinary variable": (with_env("TOKENIZERS_PARALLELISM", "value: 'false'"),),
        "from a Secret": (with_env("HF_TOKEN", "valueFrom: {secretKeyRef: {name: hf, key: token}}"),),
        "a runtime": (RUNTIME,),
    },
    "trainer-no-webhook-skip": {"a runtime": (RUNTIME,), "one that is shipped": (cluster_wide("torch-distributed"),)},
    "trainer-node-cap": {
        "as many as may be": (JOB, NODES.format(2)),
        "not a number of its own": (JOB.replace("    numNodes: 2\n", "    numProcPerNode: 2\n"), NODES.format(1)),
    },
    "trainer-queue-required": {"with a queue": (with_label(JOB, "kueue.x-k8s.io/queue-name: training"),)},
    "trainer-runtime-allow-list": {
        "one that is listed": (
            JOB,
            NAMESPACE.format("{training.example.org/runtimes: torch-distributed_jax-distributed}"),
        ),
        "a namespace without a list": (JOB, NAMESPACE.format("{}")),
    },
}
REFUSED: dict[str, dict[str, tuple[tuple[str, ...], str, str]]] = {
    "trainer-deadline-required": {
        "none": ((JOB,), "metadata.name", "activeDeadlineSeconds is required"),
        "a month": ((JOB + "  activeDeadlineSeconds: 2592000\n",), "spec.activeDeadlineSeconds", "604800 is the most"),
    },
    "trainer-gpu-cap": {
        "two nodes with 33": ((GPUS.format(33),), "metadata.name", "it takes 66 GPUs, but 64 is the most"),
        "the nodes of the runtime": (
            (USES_IT.replace("    numNodes: 2\n", "    resourcesPerNode: {limits: {nvidia.com/gpu: 17}}\n"), RUNTIME),
            "metadata.name",
            "it takes 68 GPUs",
        ),
    },
    "trainer-image-registries": {
        "another registry": ((with_image("docker.io/torch:1"),), "spec.trainer.image", "docker.io/torch:1 is of no"),
        "a name that begins alike": (
            (with_image("registry.example.org.io/t:1"),),
            "spec.trainer.image",
            "no allowed",
        ),
        "a runtime's": (
            (runtime_with("registry.example.org/torch:2.9", "torch:2.9"),),
            "spec.template.spec.replicatedJobs",
            "an image of the runtime",
        ),
    },
    "trainer-images-pinned": {
        "latest": ((with_image("torch:latest"),), "spec.trainer.image", "torch:latest is not pinned"),
        "no tag": ((with_image("registry.example.org:5000/torch"),), "spec.trainer.image", "is not pinned"),
        "a runtime's": ((LATEST,), "spec.template.spec.replicatedJobs", "an image of the runtime"),
    },
    "trainer-no-host-access": {
        "the host's network": ((USES_IT, HOST), "metadata.name", "hostNetwork is not allowed"),
        "its files": ((USES_IT, HOST_PATH), "metadata.name", "volumes of hostPath are not allowed: all"),
    },
    "trainer-no-literal-secrets": {
        "a token": ((with_env("HF_TOKEN", "value: hf_abc"),), "spec.trainer.env", "the value of HF_TOKEN must"),
        "of an initializer": (
            (JOB + DATASET.format("AWS_SECRET_ACCESS_KEY", "value: abc"),),
            "spec.initializer",
            "AWS_SECRET_ACCESS_KEY",
        ),
        "in a runtime": ((SECRET_ENV,), "spec.template.spec.replicatedJobs", "in the env of a runtime"),
    },
    "trainer-no-webhook-skip": {
        "somebody's": (
            (with_label(RUNTIME, "trainer.kubeflow.org/webhook-validation: disabled"),),
            SKIP,
            "switches the checks",
        ),
        "cluster-wide": ((cluster_wide("mine"),), SKIP, "switches the checks"),
    },
    "trainer-node-cap": {
        "one too many": ((JOB, NODES.format(1)), "spec.trainer.numNodes", "numNodes is 2, but 1 is the most")
    },
    "trainer-queue-required": {
        "no label": ((JOB,), "metadata.name", "must name a queue"),
        "an empty one": (
            (with_label(JOB, "kueue.x-k8s.io/queue-name: ''"),),
            "metadata.labels.kueue.x-k8s.io/queue-name",
            "must name a queue",
        ),
    },
    "trainer-runtime-allow-list": {
        "another one": (
            (JOB, NAMESPACE.format("{training.example.org/runtimes: jax-distributed}")),
            "spec.runtimeRef.name",
            "is not one of this namespace: jax-distributed",
        ),
    },
}


def shipped(name: str) -> str:
    return (FOLDER / name / "policy.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_policy_has_cases_of_both_kinds_and_no_faults(name: str) -> None:
    assert ACCEPTED[name]
    assert REFUSED[name]
    policies = policies_of(shipped(name))
    assert policies.findings == ()
    assert [(policy.name, binding.actions) for policy, binding in policies.in_force] == [(name, ("Deny",))]


def test_there_are_ten() -> None:
    assert len(NAMES) == 10
    listed = yaml.safe_load((FOLDER / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    assert listed == NAMES
    for name in NAMES:
        own = yaml.safe_load((FOLDER / name / "kustomization.yaml").read_text(encoding="utf-8"))
        assert own["resources"] == ["policy.yaml"]
        assert f"`{name}`" in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "case"), [(name, case) for name in NAMES for case in ACCEPTED[name]])
def test_accepts(engine: str, name: str, case: str) -> None:
    manifest, *others = ACCEPTED[name][case]
    review = ask(manifest, shipped(name), *others, runtimes=others)
    assert review.findings == []
    assert review.not_evaluated == []


@pytest.mark.parametrize(("name", "case"), [(name, case) for name in NAMES for case in REFUSED[name]])
def test_refuses(engine: str, name: str, case: str) -> None:
    (manifest, *others), path, message = REFUSED[name][case]
    review = ask(manifest, shipped(name), *others, runtimes=others)
    assert review.not_evaluated == []
    [finding] = review.findings
    assert finding.rule == DENIED.id
    assert finding.refuses
    assert message in finding.message
    assert f"policy '{name}'" in finding.message
    assert finding.path == path
