"""Places in templates."""

from __future__ import annotations

import pytest

from trainergen.built.templates import template_spot
from trainergen.finding import Finding, Layer, Path, Severity
from trainergen.rules.tree import TextFile

TEXT = """\
{{- if .Values.on }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: first
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: "TrainJob"
metadata: {name: a}
spec:
  trainer:
    env:
    - name: A
    resourcesPerNode: {{ toYaml .Values.resources | nindent 6 }}
---
kind: TrainJob
metadata:
  labels: {name: x}
  name: b
{{- end }}
"""


@pytest.mark.parametrize(
    ("path", "number", "of", "place"),
    {
        "a key of the first object": (("metadata", "name"), 0, 2, (9, 12)),
        "a key of the second object": (("metadata", "labels"), 1, 2, (18, 3)),
        "what a value brings is at the key above": (("spec", "trainer", "resourcesPerNode", "limits"), 0, 2, (14, 5)),
        "items of lists are passed over": (("spec", "trainer", "env", 0, "name"), 0, 2, (13, 7)),
        "a key that is not there leaves the last": (("metadata", "namespace"), 1, 2, (17, 1)),
        "the whole object is at its kind": ((), 1, 2, (16, 1)),
        "more objects than kinds are at the first": ((), 2, 3, (8, 1)),
    }.values(),
)
def test_a_path_is_at_its_last_key_that_is_written(path: Path, number: int, of: int, place: tuple[int, int]) -> None:
    spot = template_spot(TextFile("a.yaml", TEXT.encode()), {"kind": "TrainJob"}, path, number=number, of=of)
    finding = spot.where.document.place(Finding("TG000", "any", Severity.ERROR, Layer.LINT, ""))
    assert (finding.line, finding.column) == place


def test_an_object_whose_kind_is_not_written_is_at_the_first_line() -> None:
    spot = template_spot(TextFile("a.yaml", b"{{ include . }}"), {"kind": "TrainJob"}, (), number=0, of=1)
    finding = spot.where.document.place(Finding("TG000", "any", Severity.ERROR, Layer.LINT, ""))
    assert (finding.line, finding.column) == (1, 1)
