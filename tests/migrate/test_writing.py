"""What is written is what was migrated, comments or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainergen.engine.migrating import MigrateOptions, run_migrate
from trainergen.migrate import migrate
from trainergen.migrate.comments import Comments, carry
from trainergen.migrate.writing import yaml_text
from trainergen.source import read_documents

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.v1.yaml"))
REPOSITORY = ROOT / "examples" / "migrate"

TEXTS = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=9)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | TEXTS
    | st.sampled_from(["a\nb", "a\n  b\n", "y", "1e3"])
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner))


def reread(text: str) -> list[object]:
    result = read_documents(text.encode("utf-8", "surrogatepass"), file="x.yaml")
    assert not result.failures
    return [each.value for each in result.documents]


@given(value=st.dictionaries(TEXTS, VALUES, min_size=1))
def test_an_object_is_read_as_it_was_written(value: dict[str, Any]) -> None:
    assert reread(yaml_text(value)) == [value]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_with_a_comment_at_every_line_is_the_same_object(path: Path) -> None:
    lines = path.read_text().splitlines()
    folded = next((at for at, line in enumerate(lines) if line.rstrip().endswith(">-")), len(lines))
    commented = [f"{line}  # note {at}" if at < folded else line for at, line in enumerate(lines)]
    (document,) = read_documents("\n".join([*commented, ""]).encode(), file="x.yaml").documents
    migration = migrate(document.object)
    comments = carry(document, migration)
    texts = [yaml_text(each, comments[str(each["kind"])]) for each in migration.objects]
    assert [reread(text) for text in texts] == [[each] for each in migration.objects]
    whole = "".join(texts)
    assert [at for at in range(folded) if f"# note {at}\n" not in whole] == []


def test_a_comment_stands_above_or_beside_its_value() -> None:
    comments = Comments(above={("a", 0, "b"): ["# one"]}, beside={("a",): "# two"}, head=["# three"], tail=["# four"])
    text = yaml_text({"a": [{"b": 1, "c": 2}]}, comments)
    assert text == "# three\na:  # two\n  # one\n  - b: 1\n    c: 2\n# four\n"


def test_the_repository_of_the_documentation_is_what_migrating_it_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY / "before")
    report = run_migrate(MigrateOptions(paths=(".",), target="2.3"))
    after = REPOSITORY / "after"
    found = {path.relative_to(after).as_posix(): path.read_bytes() for path in after.rglob("*.yaml")}
    # What depends on the jobs is said with what to write, and written by hand.
    assert {one.file for one in report.findings} == {"access.yaml"}
    del found["access.yaml"]
    for file in report.files:
        assert file.new == found[file.name]
        del found[file.name]
    assert all((REPOSITORY / "before" / name).read_bytes() == text for name, text in found.items())


def test_the_migrated_repository_has_no_findings() -> None:
    import trainergen

    assert trainergen.check(REPOSITORY / "after", release="2.3").findings == ()
