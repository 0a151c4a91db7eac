"""Baselines: what is known stays known when other things change, and what is new is new."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.errors import TrainergenError
from trainergen.finding import Finding, Layer, ObjectRef, Severity
from trainergen.suppress.baseline import Compared, made_of, read, text_of
from trainergen.suppress.fingerprint import fingerprint, normal_message

FILE = "baseline.json"
JOB = ObjectRef("trainer.kubeflow.org/v1alpha1", "TrainJob", "team-a", "mnist")
ONE = Finding(
    "TG601",
    "literal-secret",
    Severity.WARNING,
    Layer.LINT,
    "env 'TOKEN' in line 12 is a literal",
    at=("spec", "trainer", "env", 2, "value"),
    file="jobs/a.yaml",
    line=12,
    column=9,
    object=JOB,
)
OTHER = replace(ONE, message="env 'KEY1' in line 13 is a literal", line=13)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "a.yaml").touch()


def compare(known: list[Finding], now: list[Finding], *, judged: bool = True) -> Compared:
    Path(FILE).write_text(text_of(made_of(known, FILE)))
    return read(FILE).compare(now, is_judged=lambda file, check: judged)


SAME = {
    "lines moved": replace(ONE, line=99, column=1),
    "an item was put before it": replace(ONE, at=("spec", "trainer", "env", 7, "value")),
    "a number in its message is another": replace(ONE, message="env 'TOKEN' in line 99  is a literal"),
    "its severity is another": replace(ONE, severity=Severity.ERROR),
    "the version of the API is another": replace(ONE, object=JOB._replace(api_version="trainer.kubeflow.org/v2")),
}


@pytest.mark.parametrize("now", SAME.values(), ids=SAME)
def test_a_finding_is_known_when(now: Finding) -> None:
    compared = compare([ONE, OTHER], [OTHER, now])
    assert (compared.findings, compared.hidden.baseline, compared.stale) == ([], 2, [])


NEW = {
    "a quoted value is another": replace(ONE, message="env 'TOKEN2' in line 12 is a literal"),
    "the rule is another": replace(ONE, rule="TG602"),
    "the object is another": replace(ONE, object=JOB._replace(name="other")),
    "the place is another": replace(ONE, at=("spec", "trainer", "args", 2)),
    "the file is another": replace(ONE, file="jobs/b.yaml"),
}


@pytest.mark.parametrize("now", NEW.values(), ids=NEW)
def test_a_finding_is_new_when(now: Finding) -> None:
    compared = compare([ONE], [ONE, now])
    assert compared.findings == [now]


def test_equal_findings_are_counted() -> None:
    compared = compare([ONE, replace(ONE, line=20)], [ONE, ONE, replace(ONE, line=30)])
    assert (len(compared.findings), compared.hidden.baseline) == (1, 2)


def test_refusals_are_counted_apart() -> None:
    refused = replace(ONE, severity=Severity.ERROR, layer=Layer.SCHEMA)
    hidden = compare([ONE, replace(refused, rule="TG101")], [ONE, replace(refused, rule="TG101")]).hidden
    assert (hidden.baseline, hidden.refused) == (2, 1)


def test_a_renamed_file_keeps_what_is_known() -> None:
    moved = replace(ONE, file="jobs/b.yaml")
    assert compare([ONE], [moved]).findings == [moved], "the old file is still there, so this is a copy"
    Path("jobs/a.yaml").rename("jobs/b.yaml")
    compared = compare([ONE], [moved])
    assert (compared.findings, compared.stale) == ([], [])


def test_what_is_gone_is_stale_if_anybody_looked() -> None:
    compared = compare([ONE, ONE, OTHER], [ONE])
    assert [(entry.rule, entry.times) for entry in compared.stale] == [("TG601", 1), ("TG601", 1)]
    assert compare([ONE], [], judged=False).stale == []
    Path("jobs/a.yaml").unlink()
    assert len(compare([ONE], [], judged=False).stale) == 1, "a file that is gone needs no looking"


def test_files_are_relative_to_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compare([ONE], [])
    assert json.loads(Path(FILE).read_text())["findings"][0]["file"] == "jobs/a.yaml"
    monkeypatch.chdir(tmp_path / "jobs")
    here = replace(ONE, file="a.yaml")
    assert read(f"../{FILE}").compare([here], is_judged=lambda file, check: file == "a.yaml").findings == []


def test_the_text_is_sorted_and_does_not_depend_on_the_order() -> None:
    findings = [OTHER, ONE, replace(ONE, file="jobs/0.yaml")]
    text = text_of(made_of(findings, FILE))
    assert text == text_of(made_of(findings[::-1], FILE))
    files = [entry["file"] for entry in json.loads(text)["findings"]]
    assert files == sorted(files)
    assert text_of(made_of([], FILE)) == '{\n  "tool": "trainergen",\n  "version": 1,\n  "findings": []\n}\n'


ENTRY = {"file": "a", "fingerprint": "f", "times": 1, "rule": "TG1", "object": "", "path": "", "message": ""}


def baseline_text(**entry: object) -> str:
    return json.dumps({"tool": "trainergen", "version": 1, "findings": [{**ENTRY, **entry}]})


GARBLED = {
    "no JSON": ("{", "is no JSON"),
    "something else": ("[]", "is no baseline of trainergen"),
    "a version to come": ('{"tool": "trainergen", "version": 2}', "has version 2, but this trainergen reads version 1"),
    "no findings": ('{"tool": "trainergen", "version": 1}', "has no list of findings"),
    "a finding that is none": ('{"tool": "trainergen", "version": 1, "findings": [3]}', "finding 1 in the baseline"),
    "a number of times that is none": (baseline_text(times=0), "is garbled"),
    "a fingerprint that is none": (baseline_text(fingerprint=[1]), "is garbled"),
    "bytes that are no text": ("\x00", "is no JSON"),
}


@pytest.mark.parametrize(("text", "message"), GARBLED.values(), ids=GARBLED)
def test_a_file_is_refused_with_a_way_out_when_it_is(text: str, message: str) -> None:
    Path(FILE).write_text(text)
    with pytest.raises(TrainergenError) as refused:
        read(FILE)
    assert message in refused.value.message
    assert "trainergen baseline" in refused.value.hint


def test_a_missing_file_says_how_to_make_it() -> None:
    with pytest.raises(TrainergenError, match="cannot be read: no such file") as refused:
        read("none.json")
    assert refused.value.hint == "Make it with 'trainergen baseline -o none.json'."


findings = st.builds(
    lambda rule, name, index, message, line: replace(
        ONE, rule=rule, object=JOB._replace(name=name), at=("spec", index), message=message, line=line
    ),
    st.sampled_from(["TG301", "TG302"]),
    st.sampled_from(["a", "b"]),
    st.integers(0, 3),
    st.text(max_size=8),
    st.integers(1, 99),
)


@given(st.lists(findings, max_size=8), st.randoms())
def test_everything_is_known_after_it_was_recorded(found: list[Finding], random: object) -> None:
    baseline = made_of(found, FILE)
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    compared = baseline.compare(shuffled, is_judged=lambda file, check: True)
    assert (compared.findings, compared.hidden.baseline, compared.stale) == ([], len(found), [])


def test_messages_are_compared_without_numbers_but_for_quoted_ones() -> None:
    assert normal_message("numNodes is 12,  'v1' has 3") == "numNodes is #, 'v1' has #"
    assert fingerprint(ONE) == fingerprint(replace(ONE, file="other"))
    assert len(fingerprint(ONE)) == 32
