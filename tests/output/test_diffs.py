"""The formats of a comparison."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.diff import Change, DiffReport, Impact, JobChanges, Kind, NotCompared, ObjectChanges, Side
from trainergen.diff.footprint import Footprint
from trainergen.finding import Finding, Key, Layer, ObjectRef, Severity
from trainergen.output.diffs import FORMATS, render
from trainergen.output.diffs.words import footprint_line, in_line

JOB = ObjectRef("trainer.kubeflow.org/v1alpha1", "TrainJob", "team-a", "bert")
JOBSET = ObjectRef("jobset.x-k8s.io/v1alpha2", "JobSet", "team-a", "bert")
POD = ("spec", "replicatedJobs", Key("node"), "template", "spec", "template", "spec")


def change(*path: str, kind: Kind = Kind.CHANGED, **more: object) -> Change:
    fields: dict[str, object] = {"impacts": (Impact.RESTART,), "reason": "because", "old": "a", "new": "b", **more}
    return Change(path, kind, **fields)  # type: ignore[arg-type]


def report(*changes: Change, **more: object) -> DiffReport:
    job = JobChanges(JOB, "jobs/bert.yaml", Kind.CHANGED, objects=(ObjectChanges(JOBSET, Kind.CHANGED, changes),))
    fields: dict[str, object] = {"jobs": (job,), "old": Side("2.1"), "new": Side("2.3"), **more}
    return DiffReport(**fields)  # type: ignore[arg-type]


def test_places_in_pods_are_short_for_people_and_whole_for_programs() -> None:
    made = report(change(*POD, "nodeSelector"))
    assert "~ job node, Pod: nodeSelector: a → b  [restart]" in render("text", made)
    (job,) = json.loads(render("json", made))["jobs"]
    path = "spec.replicatedJobs[node].template.spec.template.spec.nodeSelector"
    assert job["objects"][0]["changes"][0]["path"] == path


def test_a_reason_is_said_once_for_changes_in_a_row() -> None:
    made = report(change("a"), change("b"), change("c", reason="else"), change("d"))
    assert [line.strip() for line in render("text", made).splitlines() if line.startswith(" " * 10)] == [
        "because",
        "else",
        "because",
    ]


def test_texts_are_shown_by_the_lines_that_differ() -> None:
    made = report(change("data", "x.sh", old="one\ntwo\nthree\n", new="one\n2\nthree\n"))
    lines = [line.strip() for line in render("text", made).splitlines()]
    assert "-    two" in lines
    assert "+    2" in lines
    assert not any("three" in line for line in lines)


def test_long_texts_are_cut() -> None:
    old, new = ("".join(f"{word} {number}\n" for number in range(500)) for word in ("old", "new"))
    assert len(render("text", report(change("data", "x.sh", old=old, new=new))).splitlines()) < 80


def test_json_has_the_documented_keys() -> None:
    made = json.loads(render("json", report(change("a"))))
    assert list(made) == ["tool", "old", "new", "summary", "jobs", "runtimes", "not_compared", "findings"]
    assert made["summary"]["impacts"] == {
        "refused": 0,
        "processes": 0,
        "resources": 0,
        "restart": 1,
        "nothing": 0,
        "cosmetic": 0,
    }
    (found,) = made["jobs"][0]["objects"][0]["changes"]
    assert list(found) == [
        "path",
        "kind",
        "impact",
        "impacts",
        "reason",
        "refusal",
        "remedy",
        "old",
        "new",
        "origin",
        "origin_path",
    ]


def test_a_comment_begins_with_its_marker_and_says_when_nothing_differs() -> None:
    text = render("markdown", DiffReport(Side("2.3", "main"), Side("2.3"), unchanged=4))
    assert text.startswith("<!-- trainergen-diff -->\n### trainergen diff: nothing differs\n")
    assert "4 TrainJobs compared: 4 unchanged." in text


@pytest.mark.parametrize("count", [1, 40, 4000])
def test_a_comment_stays_below_the_limit(count: int) -> None:
    one = report(*(change(f"path-{number}", old="x" * 300) for number in range(200)))
    many = report(
        jobs=one.jobs * count,
        not_compared=(NotCompared(JOB, "jobs/odd.yaml", "no runtime"),) * count,
        findings=(Finding("TG007", "yaml-syntax", Severity.ERROR, Layer.YAML, "<broken>", file="a.yaml"),) * count,
    )
    text = render("markdown", many)
    assert len(text) < 65_536
    assert text.count("<details>") == text.count("</details>")
    assert ("not shown here" in text) == (count > 1)


def test_a_value_cannot_break_out_of_its_block() -> None:
    text = render("markdown", report(change("a", old="```\n</details>\n# mine", new="````")))
    (fence,) = set(re.findall("^(`+)(?:diff)?$", text, re.MULTILINE))
    assert len(fence) == 5


words = st.text(max_size=30)
values = st.none() | words | st.integers() | st.lists(words, max_size=3) | st.dictionaries(words, words, max_size=2)
changes = st.builds(
    Change,
    st.lists(words | st.integers(0, 3), max_size=4).map(tuple),
    st.sampled_from(Kind),
    st.lists(st.sampled_from(Impact), min_size=1, max_size=2).map(tuple),
    words,
    refusal=words,
    remedy=words,
    old=values,
    new=values,
    origin=words,
)
refs = st.builds(ObjectRef, words, words, words, words)
footprints = st.none() | st.builds(Footprint, st.integers(0, 9), st.dictionaries(words, words, max_size=2))
jobs = st.builds(
    JobChanges,
    refs,
    words,
    st.sampled_from(Kind),
    verdicts=st.lists(changes, max_size=2).map(tuple),
    objects=st.lists(
        st.builds(ObjectChanges, refs, st.sampled_from(Kind), st.lists(changes, min_size=1, max_size=3).map(tuple)),
        max_size=2,
    ).map(tuple),
    notes=st.lists(words, max_size=2).map(tuple),
    before=footprints,
    after=footprints,
)


@given(st.lists(jobs, max_size=3).map(tuple), words)
def test_anything_can_be_written_in_every_format(found: tuple[JobChanges, ...], revision: str) -> None:
    made = DiffReport(Side("2.1", revision), Side("2.3"), jobs=found)
    for name in FORMATS:
        text = render(name, made, colour=True) if name == "text" else render(name, made)
        assert text.endswith("\n")
        if name == "json":
            json.loads(text)
        else:
            plain = text.replace("\x1b[", "")
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", plain)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain text", "plain text"),
        ("4", '"4"'),
        ("", '""'),
        ("true", '"true"'),
        (" x", '" x"'),
        ("a\nb", '"a\\nb"'),
        (4, "4"),
        (None, "null"),
        (["a", "b"], "[a, b]"),
        ({"a": 1}, '{"a": 1}'),
    ],
)
def test_values_are_written_so_that_their_type_shows(value: object, expected: str) -> None:
    assert in_line(value) == expected  # type: ignore[arg-type]


def test_what_is_asked_of_the_cluster_is_summed_up() -> None:
    before, after = Footprint(2, {"cpu": "4", "gpu": "1"}), Footprint(4, {"cpu": "4", "memory": "1Gi"})
    assert footprint_line(before, after) == "Pods 2 → 4, gpu 1 → 0, memory 0 → 1Gi"
    assert footprint_line(None, Footprint(1, {})) == "Pods 0 → 1"
    assert footprint_line(after, after) == ""
