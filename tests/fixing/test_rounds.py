"""Rounds of fixes, with reports that are made up from the bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from trainergen.finding import Finding, Layer, ObjectRef, Severity
from trainergen.fix import Edit, Fix
from trainergen.fixing.rounds import MOST_ROUNDS, fix_all
from trainergen.report import Report

Rule = Callable[[str, bytes], Iterator[Finding]]


class Memory:
    """Files in memory."""

    def __init__(self, files: dict[str, bytes], obstacles: dict[str, str] | None = None) -> None:
        self.files = files
        self._obstacles = obstacles or {}

    def identity(self, name: str) -> str:
        return name

    def read(self, identity: str) -> bytes:
        return self.files[identity]

    def obstacle(self, name: str) -> str:
        return self._obstacles.get(name, "")

    def judge_by(self, *rules: Rule) -> Callable[[Mapping[str, bytes]], Report]:
        def judge(texts: Mapping[str, bytes]) -> Report:
            now = {**self.files, **texts}
            return Report("2.3", findings=tuple(one for rule in rules for name in now for one in rule(name, now[name])))

        return judge


def rewrites(rule: str, pattern: bytes, replacement: bytes, *, grade: str = "safe") -> Rule:
    """A rule that finds a pattern and offers to write something else."""

    def find(file: str, data: bytes) -> Iterator[Finding]:
        for match in re.finditer(pattern, data):
            fix = Fix(f"write {replacement.decode()}", (Edit(*match.span(), replacement),))
            line = data.count(b"\n", 0, match.start()) + 1
            yield Finding(
                rule,
                "made-up",
                Severity.WARNING,
                Layer.LINT,
                "",
                file=file,
                line=line,
                at=(line,),
                fix=grade,
                remedy=fix,
            )

    return find


def refuses(pattern: bytes) -> Rule:
    """A cluster that says no to files with a pattern, object by object."""

    def find(file: str, data: bytes) -> Iterator[Finding]:
        for match in re.finditer(pattern, data):
            line = data.count(b"\n", 0, match.start())
            yield Finding(
                "TG101", "refused", Severity.ERROR, Layer.SCHEMA, "", file=file, object=ObjectRef(name=f"line {line}")
            )

    return find


def test_safe_fixes_are_applied_until_none_is_left() -> None:
    files = Memory({"a": b"one\n", "b": b"two\n", "c": b"three\n"})
    outcome = fix_all(files.judge_by(rewrites("TG301", b"one", b"two"), rewrites("TG302", b"two", b"2")), files)
    assert outcome.texts == {"a": b"2\n", "b": b"2\n"}
    assert outcome.count == 3
    assert not outcome.report.findings


def test_unsafe_fixes_are_applied_only_when_asked_for() -> None:
    files = Memory({"a": b"one\n"})
    judge = files.judge_by(rewrites("TG301", b"one", b"1", grade="unsafe"))
    assert fix_all(judge, files).texts == {}
    assert fix_all(judge, files, unsafe=True).texts == {"a": b"1\n"}


def test_a_fix_that_waits_for_another_is_applied_in_the_next_round() -> None:
    files = Memory({"a": b"xx\n"})
    outcome = fix_all(files.judge_by(rewrites("TG301", b"x", b"y")), files)
    assert outcome.texts == {"a": b"yy\n"}


def test_a_fix_that_the_cluster_would_refuse_is_left_out_and_the_others_are_applied() -> None:
    files = Memory({"a": b"good\nbad\ngood\n\ngood\n"})
    outcome = fix_all(
        files.judge_by(rewrites("TG301", b"good", b"fine"), rewrites("TG302", b"bad", b"no"), refuses(b"no")), files
    )
    assert outcome.texts == {"a": b"fine\nbad\nfine\n\nfine\n"}
    assert [(note.file, note.text) for note in outcome.notes] == [
        ("a", "'write no' (TG302) is left out: the cluster would refuse the result")
    ]


def test_what_the_cluster_refused_before_does_not_keep_a_file_from_being_fixed() -> None:
    files = Memory({"a": b"good\nno\n"})
    outcome = fix_all(files.judge_by(rewrites("TG301", b"good", b"fine"), refuses(b"no")), files)
    assert outcome.texts == {"a": b"fine\nno\n"}


def test_a_refusal_in_another_file_counts_too() -> None:
    files = Memory({"runtime": b"one\n", "job": b"uses\n"})

    def job_needs_one(texts: Mapping[str, bytes]) -> Report:
        report = files.judge_by(rewrites("TG301", b"one", b"two"))(texts)
        broken = [] if texts.get("runtime", b"one\n") == b"one\n" else [*refuses(b"uses")("job", b"uses\n")]
        return Report("2.3", findings=(*report.findings, *broken))

    assert fix_all(job_needs_one, files).texts == {}


def test_fixes_that_undo_each_other_leave_their_file_as_it_was_and_say_so() -> None:
    files = Memory({"a": b"one\n", "b": b"three\n"})
    rules = (rewrites("TG301", b"one", b"two"), rewrites("TG302", b"two", b"one"), rewrites("TG303", b"three", b"3"))
    outcome = fix_all(files.judge_by(*rules), files)
    assert outcome.texts == {"b": b"3\n"}
    assert [note.text for note in outcome.notes] == [
        "its fixes undo each other, so the file stays as it was (TG301, TG302)"
    ]


def test_a_fix_that_never_ends_leaves_its_file_as_it_was() -> None:
    files = Memory({"a": b"x\n", "b": b"one\n"})
    outcome = fix_all(files.judge_by(rewrites("TG301", b"x$", b"x\nx"), rewrites("TG302", b"one", b"1")), files)
    assert outcome.texts == {"b": b"1\n"}
    (note,) = outcome.notes
    assert note.text.startswith(f"there was still something to fix after {MOST_ROUNDS} rounds")
    assert [finding.rule for finding in outcome.report.findings] == ["TG301"]


def test_a_file_that_may_not_be_changed_is_named_once() -> None:
    files = Memory({"a": b"one\none\n", "b": b"one\n"}, {"a": "lies elsewhere"})
    outcome = fix_all(files.judge_by(rewrites("TG301", b"one", b"1")), files)
    assert outcome.texts == {"b": b"1\n"}
    assert [(note.file, note.text) for note in outcome.notes] == [("a", "lies elsewhere")]


def test_fixing_twice_is_fixing_once() -> None:
    files = Memory({"a": b"one two one\n"})
    judge = files.judge_by(rewrites("TG301", b"one", b"two"), rewrites("TG302", b"two", b"2"))
    once = fix_all(judge, files).texts
    files.files.update(once)
    assert fix_all(judge, files).texts == {}
