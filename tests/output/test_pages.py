"""The parts of pages: texts shown as they are, patches told apart line by line."""

from __future__ import annotations

import pytest

from tests.output.page import Page
from trainergen.finding import Finding, Layer, Severity
from trainergen.output.pages.blocks import bullets, findings, patch, place, signed, table, text
from trainergen.output.pages.document import document

PATCH = "--- a/job.yaml\n+++ b/job.yaml\n@@ -1,3 +1,2 @@\n kind: TrainJob\n--- old\n+new\n"


def finding(**more: str) -> Finding:
    return Finding("TG101", "unknown-field", Severity.ERROR, Layer.SCHEMA, "it is <unknown>", file="a/b.yaml", **more)  # type: ignore[arg-type]


def test_text_is_shown_as_it_is_with_controls_written_out() -> None:
    assert text("<b>&\"'\x1b[31m") == "&lt;b&gt;&amp;&quot;&#x27;\\x1b[31m"


def test_a_place_may_be_broken_after_its_steps_only() -> None:
    assert place("jobs/a.yaml:3") == "jobs/<wbr>a.<wbr>yaml:3"
    assert place("spec.containers[0].env") == "spec.<wbr>containers[0].<wbr>env"
    assert place("<a>.b") == "&lt;a&gt;.<wbr>b"


def test_lines_of_a_patch_are_told_apart_and_its_head_is_none_of_them() -> None:
    kinds = [part.split('"')[0] for part in patch(PATCH).split('<span class="')[1:]]
    assert kinds == ["name", "name", "hunk", "same", "del", "add"]


def test_lines_with_signs_keep_them() -> None:
    assert signed([("-", "a: 1"), ("+", "a: 2"), (" ", "…")]) == (
        '<pre><span class="del">- a: 1</span><span class="add">+ a: 2</span><span class="same">  …</span></pre>'
    )


def test_a_finding_shows_its_remedy_and_the_text_to_write_apart() -> None:
    page = Page(findings([finding(help="Write:\nspec:\n  a: 1"), finding()]))
    assert page.open == []
    assert page.text.count("it is <unknown>") == 2
    assert "Write:spec:  a: 1" in page.text
    assert findings([finding()]).count("remedy") == 0


def test_cells_of_a_narrow_table_have_the_names_of_their_columns_if_asked() -> None:
    widths = {"place": "50%", "reason": "auto"}
    assert '<td data-head="reason">x</td>' in table(widths, [("a", "x")])
    assert "data-head" not in table(widths, [("a", "x")], labelled=False)
    with pytest.raises(ValueError, match="shorter"):
        table(widths, [("a",)])


def test_an_empty_list_is_none() -> None:
    assert bullets([]) == ""


def test_a_page_has_its_contents_and_needs_nothing_else() -> None:
    html = document("A & B", ['<h2 id="plan">Plan</h2>'], contents={"plan": "Plan, in order"})
    page = Page(html)
    assert (page.open, page.elsewhere, page.dangling) == ([], [], [])
    assert "<title>A &amp; B</title>" in html
    assert "<nav>" not in document("A", [])
    assert "url(" not in html
    assert "@import" not in html
