"""Writing manifests in Python."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any

import pydantic
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import trainergen.api
from trainergen.api import (
    ClusterTrainingRuntime,
    EnvVar,
    EnvVarSource,
    JobSetSpec,
    JobSetTemplateSpec,
    MLPolicy,
    MPIPolicy,
    Network,
    ObjectMeta,
    ReplicatedJob,
    ResourceRequirements,
    RuntimePatch,
    RuntimeRef,
    SecretKeySelector,
    Toleration,
    TorchPolicy,
    Trainer,
    TrainingRuntimeSpec,
    TrainJob,
    TrainJobSpec,
)
from trainergen.errors import TrainergenError

MNIST = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: mnist
  labels:
    debug: "yes"
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    env:
    - name: VERBOSE
      value: "1"
    - name: TOKEN
      valueFrom:
        secretKeyRef:
          name: hub
          key: token
    numNodes: 2
    resourcesPerNode:
      limits:
        cpu: 4
        memory: 16Gi
"""


def mnist() -> TrainJob:
    """The job of ``MNIST``."""
    token = EnvVarSource(secret_key_ref=SecretKeySelector(name="hub", key="token"))
    return TrainJob(
        metadata=ObjectMeta(name="mnist", labels={"debug": "yes"}),
        spec=TrainJobSpec(
            runtime_ref=RuntimeRef(name="torch-distributed"),
            trainer=Trainer(
                num_nodes=2,
                env=[EnvVar(name="VERBOSE", value="1"), EnvVar(name="TOKEN", value_from=token)],
                resources_per_node=ResourceRequirements(limits={"cpu": 4, "memory": "16Gi"}),
            ),
        ),
    )


def test_a_job_is_written_in_the_usual_order_with_wire_names_and_quotes_where_needed() -> None:
    assert mnist().to_yaml() == MNIST


def test_a_job_is_read_back_as_it_was_written() -> None:
    assert TrainJob.from_yaml(MNIST) == mnist()


def test_absent_fields_stay_absent_and_empty_objects_stay() -> None:
    runtime = ClusterTrainingRuntime(
        metadata=ObjectMeta(name="torch"), spec=TrainingRuntimeSpec(ml_policy=MLPolicy(torch=TorchPolicy()))
    )
    assert runtime.to_dict() == {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "torch"},
        "spec": {"mlPolicy": {"torch": {}}},
    }


def test_kubernetes_types_without_a_class_are_written_as_plain_mappings() -> None:
    pod = {"containers": [{"name": "node", "image": "x", "tty": None}]}
    node = ReplicatedJob(name="node", template={"spec": {"template": {"spec": pod}}})
    spec = JobSetSpec(replicated_jobs=[node], network=Network(enable_dns_hostnames=True))
    assert JobSetTemplateSpec(spec=spec).to_dict()["spec"] == {
        "replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"spec": pod}}}}],
        "network": {"enableDNSHostnames": True},
    }


def test_nulls_are_dropped_as_the_api_server_drops_them() -> None:
    job = TrainJob.from_yaml(MNIST.replace("  trainer:", "  initializer: null\n  trainer:"))
    assert job == mnist()


REFUSED_IN_PYTHON: dict[str, Any] = {
    "an unknown field": lambda: Trainer(nodes=2),  # type: ignore[call-arg]
    "a number in quotes": lambda: Trainer(num_nodes="2"),  # type: ignore[arg-type]
    "a boolean for a number": lambda: Trainer(num_nodes=True),
    "a number for a boolean": lambda: MPIPolicy(run_launcher_as_node=1),  # type: ignore[arg-type]
    "a number for a string": lambda: EnvVar(name="A", value=1),  # type: ignore[arg-type]
    "a label that is no string": lambda: ObjectMeta(name="x", labels={"a": 1}),  # type: ignore[dict-item]
    "a missing name": RuntimeRef,
    "a value that no release accepts": lambda: MPIPolicy(mpi_implementation="Intel"),  # type: ignore[arg-type]
    "a fraction as quantity": lambda: ResourceRequirements(limits={"cpu": 0.5}),  # type: ignore[dict-item]
    "a bad assignment": lambda: setattr(mnist().spec, "suspend", "yes"),
}


@pytest.mark.parametrize("build", REFUSED_IN_PYTHON.values(), ids=REFUSED_IN_PYTHON)
def test_refused_when_constructed(build: Any) -> None:
    with pytest.raises(pydantic.ValidationError):
        build()


REFUSED_IN_YAML = {
    "Python names": MNIST.replace("runtimeRef", "runtime_ref"),
    "another kind": MNIST.replace("TrainJob", "TrainingRuntime"),
    "another version": MNIST.replace("v1alpha1", "v2"),
    "a string that reads as a boolean": MNIST.replace('"yes"', "yes"),
    "a number that reads as a string": MNIST.replace("numNodes: 2", 'numNodes: "2"'),
    "no object": "[1, 2]",
}


@pytest.mark.parametrize("text", REFUSED_IN_YAML.values(), ids=REFUSED_IN_YAML)
def test_refused_when_read(text: str) -> None:
    with pytest.raises(pydantic.ValidationError):
        TrainJob.from_yaml(text)


UNREADABLE = {
    "no YAML": ("a: [", r"line 1, column 5: .+"),
    "a key twice": (MNIST + "kind: TrainJob\n", r"line \d+, column 1: .+kind.+"),
    "several documents": (f"{MNIST}---\n{MNIST}", "the text holds 2 objects, but one is expected"),
    "nothing": ("# nothing\n", "the text holds 0 objects, but one is expected"),
}


@pytest.mark.parametrize(("text", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_text_is_an_error_with_its_place(text: str, message: str) -> None:
    with pytest.raises(TrainergenError, match=message):
        TrainJob.from_yaml(text)


SAFE_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TRICKY_TEXT = st.sampled_from(
    ["", "y", "No", "ON", "~", "null", "1", "-1", "+1", "1e3", ".5", "0x1F", "0o17", "017", "1_000", "12:30:45", "=",
     "<<", "2026-11-29", ".inf", "a: b", "# x", "- x", " x", "x ", "a\nb", "a\nb\n", "\n", "a\r\nb", "*x", "&x", "!x",
     "%x", "@x", "`x`", "|", ">", "{}", "[]", "'", '"', "---", "...", "\t", "\u2028", "\x00", "\x85", "\ufeff"]
)  # fmt: skip
TEXT = SAFE_TEXT | TRICKY_TEXT
LABELS = st.dictionaries(TEXT, TEXT, max_size=3)
OPTIONAL_INT = st.none() | st.integers(-(2**31), 2**31 - 1)
JOBS = st.builds(
    TrainJob,
    metadata=st.builds(ObjectMeta, name=TEXT, labels=st.none() | LABELS),
    spec=st.builds(
        TrainJobSpec,
        runtime_ref=st.builds(RuntimeRef, name=TEXT, kind=st.none() | TEXT),
        suspend=st.none() | st.booleans(),
        trainer=st.none()
        | st.builds(
            Trainer,
            command=st.none() | st.lists(TEXT, max_size=3),
            env=st.none() | st.lists(st.builds(EnvVar, name=TEXT, value=st.none() | TEXT), max_size=3),
            num_nodes=OPTIONAL_INT,
            num_proc_per_node=OPTIONAL_INT | TEXT,
        ),
        runtime_patches=st.none() | st.lists(st.builds(RuntimePatch, manager=TEXT, time=st.none() | TEXT), max_size=2),
    ),
)


@settings(max_examples=150, deadline=None)
@given(JOBS)
def test_any_job_survives_being_written_and_read(job: TrainJob) -> None:
    assert TrainJob.from_yaml(job.to_yaml()) == job


@settings(max_examples=150, deadline=None)
@given(JOBS)
def test_yaml_1_1_readers_see_the_same_values(job: TrainJob) -> None:
    assert yaml.safe_load(job.to_yaml()) == job.to_dict()


def test_signatures_show_python_names() -> None:
    assert list(signature(RuntimeRef).parameters) == ["name", "api_group", "kind"]
    assert signature(RuntimeRef).parameters["name"].default is Parameter.empty
    assert signature(RuntimeRef).parameters["kind"].default is None


def test_the_package_offers_the_classes_and_nothing_made_up() -> None:
    assert trainergen.api.Toleration is Toleration
    assert "TrainJob" in dir(trainergen.api)
    with pytest.raises(AttributeError, match="no attribute 'TrainJobb'"):
        trainergen.api.TrainJobb  # noqa: B018
