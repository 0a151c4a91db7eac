"""Whatever stands around legacy jobs, looking for what depends on them answers."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trainergen.migrate import Choices
from trainergen.migrate.dependents import dependents
from trainergen.migrate.embedded import Within
from trainergen.migrate.places import Place
from trainergen.source.reader import read_documents

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
