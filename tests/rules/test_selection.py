"""Which rules a run has."""

from __future__ import annotations

import pytest

from trainergen.rules import settings
from trainergen.rules.declare import Rule
from trainergen.rules.selection import enabled
from trainergen.rules.settings import RuleSettings, names, setting_for


def made(identity: str, name: str, *, family: str = "resources", **more: object) -> Rule:
    return Rule(identity, name, "source", f"{family}.{name.replace('-', '_')}", name, "One.", **more)  # type: ignore[arg-type]


RULES = [
    made("TG301", "no-nodes", profile="minimal"),
    made("TG302", "idle-gpus"),
    made("TG601", "literal-token", family="security", profile="strict"),
    made("TG701", "wiped-list", family="gitops.kustomize", since="2.1", until="2.2"),
    made("TG801", "moved-field", family="upgrade", profile="production"),
]


def chosen(profile: str = "recommended", *, release: str = "2.2", **words: tuple[str, ...]) -> list[str]:
    return [rule.id for rule in enabled(RULES, RuleSettings(profile), release=release, **words)]


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ("minimal", ["TG301"]),
        ("recommended", ["TG301", "TG302", "TG701"]),
        ("strict", ["TG301", "TG302", "TG601", "TG701"]),
        ("production", ["TG301", "TG302", "TG601", "TG701", "TG801"]),
    ],
)
def test_a_profile_has_the_rules_of_those_before_it(profile: str, expected: list[str]) -> None:
    assert chosen(profile) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("TG301", ["TG301"]),
        ("TG3", ["TG301", "TG302"]),
        ("literal-token", ["TG601"]),
        ("security", ["TG601"]),
        ("gitops", ["TG701"]),
        ("kustomize", ["TG701"]),
        ("gitops.kustomize", ["TG701"]),
    ],
)
def test_a_selection_is_by_id_start_name_or_family_whatever_the_profile(word: str, expected: list[str]) -> None:
    assert chosen("minimal", select=(word,)) == expected


def test_what_is_ignored_is_off_even_when_selected() -> None:
    assert chosen(select=("TG3",), ignore=("idle-gpus",)) == ["TG301"]
    assert chosen("production", ignore=("gitops", "TG8", "TG3")) == ["TG601"]


@pytest.mark.parametrize(("release", "expected"), [("2.0", False), ("2.1", True), ("2.2", True), ("2.3", False)])
def test_a_rule_is_on_in_its_releases_only(release: str, expected: bool) -> None:
    assert ("TG701" in chosen("production", release=release)) is expected
    assert ("TG701" in chosen(release=release, select=("TG701",))) is expected


def test_rules_on_changes_need_a_base() -> None:
    change = made("TG240", "edited-runtime")._replace(view="change")
    assert enabled([change], RuleSettings(), release="2.3", with_base=False) == []
    assert enabled([change], RuleSettings(), release="2.3", with_base=True) == [change]


def test_former_names_keep_working(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.RENAMED, "zero-nodes", "no-nodes")
    assert chosen(select=("zero-nodes",)) == ["TG301"]
    assert setting_for({"zero-nodes": "info"}, "TG301", "no-nodes") == "info"


def test_a_word_names_a_check_of_admission_too() -> None:
    assert names("TG1", "TG101", "unknown-field")
    assert names("unknown-field", "TG101", "unknown-field")
    assert not names("security", "TG101", "unknown-field")
    assert not names("", "TG101", "unknown-field")
