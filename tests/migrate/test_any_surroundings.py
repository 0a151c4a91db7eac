"""Whatever stands around legacy jobs, looking for what depends on them answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.migrate.overlay_trees import BASE, migrated
from trainergen.migrate import Choices
from trainergen.migrate.dependents import dependents
from trainergen.migrate.embedded import Within
from trainergen.migrate.places import Place
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    import pytest

WORDS = st.sampled_from(
    [
        *(
            "kubeflow.org",
            "kubeflow.org/v1",
            "PyTorchJob",
            "TFJob",
            "pytorchjobs",
            "tfjobs/scale",
            "*",
            "get",
            "worker",
            "2",
        ),
        *(
            "training.kubeflow.org/job-name",
            "training.kubeflow.org/replica-type",
            "count/tfjobs.kubeflow.org",
            "In",
            "",
        ),
        *("training_operator_jobs_failed_total", "kubectl get tfjob/x", "mnist-worker-1", "kubeflow.org/pytorchjob"),
        *(
            "kind: PyTorchJob\napiVersion: kubeflow.org/v1\nspec: {pytorchReplicaSpecs: {{ x }}}",
            "kind={'tfReplicaSpecs'}",
        ),
        *("status.replicaStatuses.Worker.succeeded == 1", "{{", "a\nb"),
    ]
)
KEYS = st.sampled_from(
    [
        *(
            "kind",
            "apiVersion",
            "group",
            "metadata",
            "spec",
            "name",
            "rules",
            "apiGroups",
            "resources",
            "verbs",
            "kinds",
        ),
        *("matchLabels", "selector", "key", "operator", "values", "target", "patch", "scaleTargetRef", "hard", "data"),
        *(
            "training.kubeflow.org/job-name",
            "training.kubeflow.org/replica-type",
            "training.kubeflow.org/replica-index",
        ),
        *("replica-type", "job-role", "group-name", "count/tfjobs.kubeflow.org", "pytorchReplicaSpecs", "Worker"),
    ]
)
SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | WORDS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4))
KNOWN: dict[str, Any] = {"mnist": {"worker": Place("node", 1), "master": Place("node", 0)}, "": {}}


@given(value=st.dictionaries(KEYS, VALUES, min_size=1))
def test_any_object_is_looked_through(value: dict[str, Any]) -> None:
    (document,) = read_documents(json.dumps(value).encode(), file="x.json").documents
    within = list(Within(target="2.3", choices=Choices()).findings(document))
    skip = frozenset(one.at for one in within)
    for finding in [*within, *dependents(document, KNOWN, skip=skip)]:
        assert finding.file == "x.json"
        assert finding.line >= 1
        assert finding.help.rstrip() == finding.help


@given(words=st.lists(WORDS, max_size=4))
def test_any_template_is_looked_through(words: list[str]) -> None:
    text = "\n---\n".join(words)
    for line, found in Within(target="2.3", choices=Choices()).in_template(text):
        assert 1 <= line <= text.count("\n") + 1
        assert found.finding("a template").message


NAMES = st.sampled_from(["../base", "PyTorchJob", "ranker", "[", "- op: add", "c.yaml", "", "a-", ".*", "x: {"])
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | NAMES, inner, max_size=3),
)
TARGETS = st.just({"kind": "PyTorchJob"}) | JUNK
ENTRIES = st.fixed_dictionaries({}, optional={"target": TARGETS, "patch": NAMES | WORDS | JUNK, "path": NAMES | JUNK})
LISTS = {
    **dict.fromkeys(
        ["patches", "patchesJson6902", "patchesStrategicMerge"], st.lists(ENTRIES | NAMES | JUNK, max_size=3)
    ),
    **dict.fromkeys(
        ["images", "replicas", "namePrefix", "namespace", "components", "replacements", "vars", "openapi"], JUNK
    ),
    "configurations": st.just(["c.yaml"]) | JUNK,
}
FIELDS = st.fixed_dictionaries({}, optional={"kind": st.just("PyTorchJob") | JUNK, "path": JUNK, "fieldSpecs": JUNK})


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lists=st.fixed_dictionaries({}, optional=LISTS), specs=st.lists(FIELDS | JUNK, max_size=3))
def test_any_kustomization_is_followed(
    lists: dict[str, Any], specs: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("trainergen.engine.migrating_overlays.prove", lambda *_, **__: [])
    kustomization = json.dumps({"resources": ["../base"], **lists})
    report = migrated(
        {
            **BASE,
            "prod/kustomization.yaml": kustomization,
            "prod/c.yaml": json.dumps({"images": specs, "replicas": specs}),
        }
    )
    assert "base/job.yaml" in {file.name for file in report.files}
