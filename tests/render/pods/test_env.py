"""The environment of containers: order, sources, what took whose place, and references between variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.render.builders import container, patch, pod_patch, rendered, runtime, trainer_job
from trainergen.render.pods.env import expand_text
from trainergen.render.pods.readable import variable_source

if TYPE_CHECKING:
    from trainergen.render import Rendered
    from trainergen.render.pods import ContainerView, EnvVar


def node(result: Rendered) -> ContainerView:
    return result.pods().kinds[0].containers[0]


def env(result: Rendered) -> dict[str, EnvVar]:
    return {variable.name: variable for variable in node(result).env}


def with_env(*entries: dict[str, Any], trainer: dict[str, Any] | None = None, policy: Any = None) -> Rendered:
    return rendered(trainer, runtime(trainer_job(container(env=[*entries])), policy=policy))


def test_the_order_is_that_of_the_container_and_the_job_controller_comes_last() -> None:
    result = with_env({"name": "A", "value": "1"}, trainer={"env": [{"name": "B", "value": "2"}]}, policy={"torch": {}})
    assert list(env(result)) == [
        "A", "B", "PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT",
        "JOB_COMPLETION_INDEX",
    ]  # fmt: skip


def test_a_completion_index_of_ones_own_is_left_alone() -> None:
    found = env(with_env({"name": "JOB_COMPLETION_INDEX", "value": "7"}))
    assert found["JOB_COMPLETION_INDEX"].value == "7"


def test_a_variable_of_the_trainjob_takes_the_place_of_the_runtimes() -> None:
    found = env(with_env({"name": "A", "value": "rt"}, trainer={"env": [{"name": "A", "value": "tj"}]}))["A"]
    assert (found.value, found.origin.kind) == ("tj", "trainjob")
    assert [(former.value, former.origin.kind) for former in found.replaced] == [("rt", "runtime")]


def test_a_variable_of_the_trainjob_beats_the_plugin_that_beat_the_runtime() -> None:
    found = env(
        with_env(
            {"name": "JAX_PROCESS_ID", "value": "9"},
            trainer={"env": [{"name": "JAX_PROCESS_ID", "value": "3"}]},
            policy={"jax": {}},
        )
    )["JAX_PROCESS_ID"]
    assert [(former.value, former.origin.kind) for former in found.replaced] == [
        ("9", "runtime"),
        ("<completion index of the Pod>", "plugin"),
    ]


def test_a_patched_variable_remembers_the_runtimes() -> None:
    side = container("side", env=[{"name": "A", "value": "rt"}])
    patched = patch(pod_patch("node", containers=[{"name": "side", "env": [{"name": "A", "value": "new"}]}]))
    result = rendered(None, runtime(trainer_job(container(), side)), runtimePatches=[patched])
    found = result.pods().kinds[0].containers[1].env[0]
    assert (found.value, found.origin.kind, found.origin.detail) == ("new", "patch", "example.com/one")
    assert [(former.value, former.origin.kind) for former in found.replaced] == [("rt", "runtime")]


def test_what_was_not_replaced_has_no_past() -> None:
    found = env(with_env({"name": "A", "value": "rt"}, trainer={"env": [{"name": "B", "value": "tj"}]}))
    assert [variable.replaced for variable in found.values()] == [(), (), ()]


def test_image_command_and_args_remember_what_they_replaced() -> None:
    inner = container(command=["python"], args=["old.py"])
    found = node(rendered({"image": "new:1", "command": ["torchrun"]}, runtime(trainer_job(inner))))
    assert (found.image.words, [one.value for one in found.image.replaced]) == (("new:1",), ["runtime:1"])
    assert (found.command.words, [one.value for one in found.command.replaced]) == (("torchrun",), ["python"])
    assert (found.args.words, found.args.replaced, found.args.origin.kind) == (("old.py",), (), "runtime")


def test_of_a_variable_that_comes_twice_the_first_has_no_effect() -> None:
    found = node(with_env({"name": "A", "value": "1"}, {"name": "A", "value": "2"})).env
    assert [(variable.name, variable.repeated) for variable in found][:2] == [("A", True), ("A", False)]


def test_references_see_the_variables_before_them() -> None:
    found = env(with_env({"name": "B", "value": "$(A)"}, {"name": "A", "value": "1"}, {"name": "C", "value": "$(A)/x"}))
    assert (found["B"].expanded, found["C"].expanded) == (None, "1/x")


def test_references_in_args_see_all_variables() -> None:
    inner = container(args=["--nodes=$(PET_NNODES)", "$(NOBODY)", "$$(PET_NNODES)"])
    found = node(rendered({"numNodes": 4}, runtime(trainer_job(inner), policy={"torch": {}})))
    assert found.args.expanded == ("--nodes=4", "$(NOBODY)", "$(PET_NNODES)")


def test_secrets_and_config_maps_as_a_whole_are_named() -> None:
    sources = [{"secretRef": {"name": "s"}}, {"configMapRef": {"name": "c"}, "prefix": "P_"}]
    found = node(rendered(None, runtime(trainer_job(container(envFrom=sources))))).env_from
    assert [one.source for one in found] == ["all keys of Secret s", "all keys of ConfigMap c, each after P_"]


def test_fields_of_the_pod_that_are_known_are_filled_in() -> None:
    label = {"fieldRef": {"fieldPath": "metadata.labels['jobset.sigs.k8s.io/jobset-name']"}}
    found = env(
        with_env(
            {"name": "A", "valueFrom": label},
            {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}},
            {"name": "C", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
        )
    )
    assert [found[name].source for name in "ABC"] == [
        "metadata.labels['jobset.sigs.k8s.io/jobset-name'] of the Pod: tj",
        "namespace of the Pod: ml",
        "IP address of the Pod",
    ]


SOURCES: dict[str, Any] = {
    "completion index of the Pod": {
        "fieldRef": {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}
    },
    "name of the Pod": {"fieldRef": {"fieldPath": "metadata.name"}},
    "metadata.labels['x'] of the Pod": {"fieldRef": {"fieldPath": "metadata.labels['x']"}},
    "limits.cpu of this container": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "0"}},
    "limits.memory of container node in units of 1Mi": {
        "resourceFieldRef": {"resource": "limits.memory", "containerName": "node", "divisor": "1Mi"}
    },
    "key k of ConfigMap c if there is one": {"configMapKeyRef": {"name": "c", "key": "k", "optional": True}},
    "key k of Secret s": {"secretKeyRef": {"name": "s", "key": "k"}},
    "nothing, for the controller drops this kind of source": {},
}


@pytest.mark.parametrize(("words", "source"), SOURCES.items())
def test_sources_are_readable(words: str, source: Any) -> None:
    assert variable_source(source) == words


EXPANSIONS = {
    "$(A)": "1",
    "a$(A)b$(A)": "a1b1",
    "$(B)": "$(B)",
    "$$(A)": "$(A)",
    "$$$(A)": "$1",
    "$A": "$A",
    "$": "$",
    "$(A": "$(A",
    "$()": "$()",
    "x$": "x$",
    "$(A)$": "1$",
}


@pytest.mark.parametrize(("text", "filled"), EXPANSIONS.items())
def test_references_are_filled_in_as_the_kubelet_does(text: str, filled: str) -> None:
    assert expand_text(text, {"A": "1"}) == filled


@given(st.text(alphabet="$()AB", max_size=30))
def test_text_without_known_names_only_loses_doubled_dollars(text: str) -> None:
    assert len(expand_text(text, {})) + text.count("$$") >= len(text)
    if "$$" not in text:
        assert expand_text(text, {}) == text
