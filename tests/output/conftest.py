"""A report with every kind of thing in it, and the texts it speaks of."""

from __future__ import annotations

import pytest

from trainergen.finding import Check, Finding, Layer, ObjectRef, Severity
from trainergen.output import OutputOptions
from trainergen.report import LocatedNotEvaluated, Report

BERT = ObjectRef("trainer.kubeflow.org/v1alpha1", "TrainJob", "team-a", "bert")

SOURCES = {
    "jobs/bert.yaml": (
        "apiVersion: trainer.kubeflow.org/v1alpha1\n"
        "kind: TrainJob\n"
        "metadata:\n"
        "  name: bert\n"
        "\n"
        "spec:\n"
        "  trainer:\n"
        "    numNodez: 2\n"
        "    env:\n"
        "    - name: A\n"
        "      value: 1\n"
        "    - name: A\n"
        "      value: '2'\n"
        "\n"
    ),
    "jobs/with, odd: 100% name.yaml": (
        f"kind: TrainJob\nspec:\n\tlabel: 日本語 e\u0301 🚀 wrong\n  args: [{'a' * 200}, bad, {'b' * 200}]\n"
    ),
    "<stdin>": "kind: TrainJob\nspec: 3\n",
}

CHECKS = {
    "TG101": Check("TG101", "unknown-field", Layer.SCHEMA, "A field that the release does not have."),
    "TG102": Check("TG102", "wrong-type", Layer.SCHEMA, "A value of another type than the field takes."),
}


def _found(rule: str, message: str, file: str, place: tuple[int, int, int, int], **more: object) -> Finding:
    line, column, end_line, end_column = place
    fields: dict[str, object] = {
        "name": CHECKS[rule].name if rule in CHECKS else "odd-thing",
        "severity": Severity.ERROR,
        "layer": Layer.SCHEMA,
        "end_line": end_line,
        "end_column": end_column,
        **more,
    }
    return Finding(rule=rule, message=message, file=file, line=line, column=column, **fields)  # type: ignore[arg-type]


@pytest.fixture
def rich() -> Report:
    """Errors, warnings, information, undecided checks, odd names and texts, places of all shapes."""
    bert, odd = "jobs/bert.yaml", "jobs/with, odd: 100% name.yaml"
    findings = (
        _found("TG105", "two items have the key 'A'", bert, (9, 5, 14, 1), at=("spec", "trainer", "env"), object=BERT),
        _found(
            "TG101",
            "unknown field 'numNodez' in TrainJob of Trainer 2.3",
            bert,
            (8, 5, 8, 13),
            at=("spec", "trainer", "numNodez"),
            help="Did you mean numNodes?",
            object=BERT,
        ),
        _found("TG102", "value is 1, but text is expected", bert, (11, 14, 11, 15), at=("spec", "trainer", "env", 0)),
        _found(
            "TG102", "label is 'wrong', line 1\nline 2 | `x` <b> @user #1", odd, (3, 18, 3, 23), help="Quote, it: 5%."
        ),
        _found("TG310", "args hold 'bad'", odd, (4, 212, 4, 215), severity=Severity.WARNING, layer=Layer.LINT),
        _found(
            "TG311", "only for you to know \x1b[31m\x07", odd, (4, 3, 4, 7), severity=Severity.INFO, layer=Layer.LINT
        ),
        _found("TG001", "the file is no text", "jobs/binary.yaml", (0, 0, 0, 0), layer=Layer.YAML),
        _found("TG102", "spec is 3, but an object is expected", "<stdin>", (2, 7, 2, 8), at=("spec",), document=1),
        _found("TG102", "spec is 3, but an object is expected", "<stdin>", (2, 7, 2, 8), at=("spec",), document=2),
    )
    reason = "the runtime 'torch-custom' is not among the given files"
    undecided = (
        LocatedNotEvaluated("TG141", reason, Layer.WEBHOOK, bert, 6, 1, 0, BERT, "spec.runtimeRef.name"),
        LocatedNotEvaluated("TG140", reason, Layer.WEBHOOK, bert, 6, 1, 0, BERT, "spec.runtimeRef.name"),
        LocatedNotEvaluated("TG103", "the structure is broken", Layer.CEL, "<stdin>", 1, 1),
    )
    return Report(
        release="2.3",
        release_reason="pinned by charts/Chart.yaml:8",
        findings=findings,
        not_evaluated=undecided,
        files=5,
        documents=7,
        skipped={"other kind": 2, "helm template": 3},
        version="0.0.0",
        checked=("jobs/bert.yaml", "jobs/good.yaml", odd),
    )


@pytest.fixture
def clean() -> Report:
    """A run without findings."""
    return Report("2.2", "newest release", files=1, documents=2, version="0.0.0", checked=("job.yaml",))


@pytest.fixture
def empty() -> Report:
    """A run that found no file."""
    return Report("2.3", version="0.0.0")


@pytest.fixture
def options() -> OutputOptions:
    """Plain options with the texts and the known checks."""
    return OutputOptions(source=SOURCES.get, checks=CHECKS)
