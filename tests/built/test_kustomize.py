"""Kustomizations, built with the real kustomize."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.built.conftest import Check, Write, said
from tests.built.manifests import GUARDED, JOB, LOST, ORDERED, RUNTIME
from trainergen.datafiles import data_dir

if TYPE_CHECKING:
    from trainergen.report import Report

pytestmark = pytest.mark.usefixtures("kustomize")

WITH_PATCH = "resources: [../../base]\npatches:\n- path: patch.yaml\n"
WITH_SCHEMA = WITH_PATCH + "openapi: {path: schema.json}\n"
JSON_PATCH = """\
patches:
- target: {kind: TrainJob}
  patch: |-
    - op: add
      path: /spec/trainer
      value: {numNodes: "4"}
"""
INLINE_PATCH = """\
patches:
- patch: |-
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata: {name: mnist, namespace: team-a}
    spec:
      trainer:
        numNodes: "4"
"""
BASE = {"base/kustomization.yaml": "resources: [runtime.yaml]\n", "base/runtime.yaml": RUNTIME}
LOADED = {"base/kustomization.yaml": "resources: [job.yaml]\n", "base/job.yaml": JOB}


def schema() -> str:
    return (data_dir("schemas") / "2.3" / "kustomize-openapi.json").read_text()


def reasons(report: Report) -> list[tuple[str, int, str]]:
    return [(item.file, item.line, item.reason) for item in report.not_evaluated]


def test_a_runtime_that_a_patch_wipes_is_found_at_the_patch(write: Write, check: Check) -> None:
    write({**BASE, "overlays/prod/kustomization.yaml": WITH_PATCH, "overlays/prod/patch.yaml": LOST})
    found = check("overlays/prod", ignore=("TG7",)).findings
    assert [(one.file, one.rule) for one in found] == [("overlays/prod/patch.yaml", "TG202")]
    assert found[0].message.endswith(", after the build of overlays/prod")
    assert found[0].line == 10, "at the job in the patch that took the place of the others"


def test_a_patch_that_puts_jobs_in_another_order_is_found(write: Write, check: Check) -> None:
    write(
        {
            **BASE,
            "overlays/prod/kustomization.yaml": WITH_SCHEMA,
            "overlays/prod/patch.yaml": LOST,
            "overlays/prod/schema.json": schema(),
        }
    )
    report = check("overlays/prod", select=("TG705",))
    assert said(report) == [("overlays/prod/patch.yaml", 9, "TG705")]
    assert report.findings[0].message == (
        "the job 'node' depends on 'dataset-initializer', which is listed after it, after the build of overlays/prod"
    )


@pytest.mark.parametrize(
    "overlay",
    {
        "with the earlier jobs named": {
            "overlays/prod/kustomization.yaml": WITH_SCHEMA,
            "overlays/prod/patch.yaml": ORDERED,
        },
        "with a guarded JSON patch": {"overlays/prod/kustomization.yaml": GUARDED},
    }.items(),
    ids=lambda case: case[0],
)
def test_a_patch_that_keeps_all_is_clean(write: Write, check: Check, overlay: tuple[str, dict[str, str]]) -> None:
    write({**BASE, **overlay[1], "overlays/prod/schema.json": schema()})
    report = check("overlays/prod")
    assert (report.findings, report.not_evaluated, report.documents) == ((), (), 1)


def test_an_unchanged_value_is_found_in_the_base_once_for_all_overlays(write: Write, check: Check) -> None:
    bad = JOB.replace("numNodes: 2", 'numNodes: "2"')
    overlay = "resources: [../base]\nnamespace: {}\n"
    write({**LOADED, "base/job.yaml": bad})
    write({f"{name}/kustomization.yaml": overlay.format(name) for name in ("dev", "prod")})
    report = check()
    assert said(report) == [("base/job.yaml", 10, "TG102")]
    assert "build" not in report.findings[0].message
    assert (report.documents, report.checked) == (2, ("base/job.yaml",))


def test_overlays_that_change_an_object_alike_are_named_together(write: Write, check: Check) -> None:
    bad = JOB.replace("numNodes: 2", 'numNodes: "2"')
    write({**LOADED, "base/job.yaml": bad})
    write({f"{name}/kustomization.yaml": "resources: [../base]\nnameSuffix: -one\n" for name in ("dev", "prod")})
    report = check()
    assert said(report) == [("base/job.yaml", 10, "TG102")]
    assert report.findings[0].message.endswith(", after the build of dev, prod")


def test_a_base_that_is_incomplete_by_itself_is_not_reported(write: Write, check: Check) -> None:
    incomplete = JOB.replace("  runtimeRef:\n    name: torch-distributed\n", "")
    patch = "- {op: add, path: /spec/runtimeRef, value: {name: torch-distributed}}"
    overlay = f"resources: [../base]\npatches:\n- target: {{kind: TrainJob}}\n  patch: '{patch}'\n"
    write({**LOADED, "base/job.yaml": incomplete, "prod/kustomization.yaml": overlay})
    assert said(check()) == []
    assert check().skipped["input of a build"] == 1


def test_what_reading_finds_in_an_input_is_reported(write: Write, check: Check) -> None:
    write({**LOADED, "base/job.yaml": JOB.replace("  trainer:", "  trainer: {}\n  trainer:")})
    report = check()
    assert ("base/job.yaml", 10, "TG008") in said(report)


@pytest.mark.parametrize(
    ("field", "value", "place"),
    {
        "a JSON patch": (
            JSON_PATCH,
            "TG102",
            ("prod/kustomization.yaml", 7),
        ),
        "a strategic merge patch in the kustomization": (
            INLINE_PATCH,
            "TG102",
            ("prod/kustomization.yaml", 9),
        ),
        "the namespace": ("namespace: Team_B\n", "TG113", ("prod/kustomization.yaml", 2)),
        "a prefix": ("namePrefix: '-'\n", "TG113", ("prod/kustomization.yaml", 2)),
        "a label": (
            "labels:\n- pairs:\n    team: 'no label'\n",
            "TG114",
            ("prod/kustomization.yaml", 4),
        ),
    }.values(),
)
def test_a_value_is_found_at_what_sets_it(
    write: Write, check: Check, field: str, value: str, place: tuple[str, int]
) -> None:
    write({**LOADED, "prod/kustomization.yaml": "resources: [../base]\n" + field})
    found = [one for one in check().findings if one.layer != "lint"]
    assert (found[0].rule, (found[0].file, found[0].line)) == (value, place)
    assert found[0].message.endswith(", after the build of prod")


def test_what_would_be_fetched_is_not_evaluated_and_the_rest_is_built(write: Write, check: Check) -> None:
    remote = "https://github.com/kubeflow/trainer/manifests/overlays/runtimes?ref=v2.3.0"
    write({**LOADED, "prod/kustomization.yaml": f"resources:\n- ../base\n- {remote}\n"})
    report = check()
    assert reasons(report) == [
        (
            "prod/kustomization.yaml",
            3,
            f"'{remote}' would be fetched, which a build here never does: its objects are missing",
        )
    ]
    assert (said(report), report.documents) == ([], 1)
    assert report.fails(("not-evaluated",))


def test_what_a_patch_wants_of_what_is_not_fetched_is_no_fault(write: Write, check: Check) -> None:
    write(
        {
            "prod/kustomization.yaml": "resources: ['git@example.org:a/b.git']\npatches: [{path: patch.yaml}]\n",
            "prod/patch.yaml": LOST,
        }
    )
    report = check(ignore=("TG7",))
    assert said(report) == []
    assert [reason.startswith("it cannot be built without what is missing") for *_, reason in reasons(report)] == [
        True,
        False,
    ]


def test_a_fetched_component_leaves_the_whole_build_unevaluated(write: Write, check: Check) -> None:
    write({**LOADED, "prod/kustomization.yaml": "resources: [../base]\ncomponents: ['https://example.org/c?ref=v1']\n"})
    report = check("prod")
    assert [(file, line) for file, line, _ in reasons(report)] == [("prod/kustomization.yaml", 2)]
    assert report.documents == 0


@pytest.mark.parametrize(
    ("overlay", "line", "words"),
    {
        "a file that is not there": (
            "resources:\n- ../base\n- none.yaml\n",
            3,
            "there is no file or folder 'none.yaml'",
        ),
        "an unknown field": ("resources: [../base]\nresourcez: []\n", 1, 'unknown field "resourcez"'),
        "a file outside": ("resources: [../base]\npatches: [{path: ../p.yaml}]\n", 2, "not in or below"),
        "a patch of nothing": ("resources: [../base]\npatches: [{path: lost.yaml}]\n", 1, "no matches for Id"),
    }.values(),
)
def test_a_failure_is_a_finding_in_the_words_of_kustomize(
    write: Write, check: Check, overlay: str, line: int, words: str
) -> None:
    write({**LOADED, "prod/kustomization.yaml": overlay, "p.yaml": LOST, "prod/lost.yaml": LOST})
    found = [one for one in check("prod").findings if one.rule == "TG025"]
    assert [(one.file, one.line) for one in found] == [("prod/kustomization.yaml", line)]
    assert words in found[0].message
    assert "trainergen-" not in found[0].message, "the sandbox is nobody's business"


@pytest.mark.parametrize("name", ["kustomization.yaml", "Kustomization"])
def test_a_kustomization_that_is_no_yaml_is_a_finding(write: Write, check: Check, name: str) -> None:
    write({**LOADED, "prod/patch.yaml": LOST, f"prod/{name}": "resources: [../base\n"})
    found = check("prod").findings
    assert [one.file for one in found if one.rule == "TG007"] == [f"prod/{name}"]


def test_a_template_of_a_kustomization_is_no_broken_one(write: Write, check: Check) -> None:
    write({"prod/kustomization.yaml": "resources:\n{{ range .bases }}\n- {{ . }}\n{{ end }}\n"})
    assert not check("prod").findings


def test_the_tree_is_not_written(write: Write, check: Check) -> None:
    write({**LOADED, "prod/kustomization.yaml": "resources: [../base]\nnamePrefix: p-\n"})
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    check()
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_links_are_followed_as_kustomize_does(write: Write, check: Check) -> None:
    write(
        {
            "shared/job.yaml": JOB.replace("numNodes: 2", 'numNodes: "2"'),
            "prod/kustomization.yaml": "resources: [job.yaml]\n",
        }
    )
    Path("prod/job.yaml").symlink_to("../shared/job.yaml")
    Path("linked").symlink_to("prod")
    report = check("linked")
    assert [one.rule for one in report.findings] == ["TG025"], "a link out of the folder is refused by kustomize itself"
    assert "not in or below" in report.findings[0].message


def test_a_folder_behind_a_link_is_built(write: Write, check: Check) -> None:
    write({**LOADED, "base/job.yaml": JOB.replace("numNodes: 2", 'numNodes: "2"')})
    Path("linked").symlink_to("base")
    assert [(one.rule, one.line) for one in check("linked").findings] == [("TG102", 10)]


def test_generated_objects_lead_to_their_generator(write: Write, check: Check) -> None:
    generator = "secretGenerator:\n- name: token\n  literals: [a=b]\n  options:\n    annotations: {a: b}\n"
    write({"prod/kustomization.yaml": generator + "namespace: a\n"})
    report = check()
    assert said(report) == []
    assert report.skipped["other Kubernetes object"] + report.skipped["does not mention Trainer"] > 0


def test_origins_asked_for_by_the_user_stay(write: Write, check: Check) -> None:
    write({**LOADED, "prod/kustomization.yaml": "resources: [../base]\nbuildMetadata: [originAnnotations]\n"})
    assert said(check()) == []


def test_a_suppression_in_the_base_counts(write: Write, check: Check) -> None:
    bad = JOB.replace("numNodes: 2", "numNodes: 0  # trainergen: ignore[TG301] -- a test")
    write({**LOADED, "base/job.yaml": bad, "prod/kustomization.yaml": "resources: [../base]\n"})
    report = check()
    assert (said(report), report.hidden.suppressed) == ([], 1)


def test_kustomizations_that_refer_to_each_other_are_reported(write: Write, check: Check) -> None:
    write({"a/kustomization.yaml": "resources: [../b]\n", "b/kustomization.yaml": "resources: [../a]\n"})
    found = check().findings
    assert [(one.rule, "cycle" in one.message) for one in found] == [("TG025", True)]
