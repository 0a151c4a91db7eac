"""Edits touch what they must: comments, quotes, anchors, other documents and line ends stay."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.upgrade.conftest import upgraded

HEAD = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: bert}\nspec:\n"


def test_other_documents_stay_byte_by_byte() -> None:
    first = "# a: comment\n{kind:   ConfigMap,  apiVersion: v1, metadata: {name: 'x'}}\n"
    last = "kind: Other  # with  spaces\nlist:\n - a\n -   'b'\n"
    middle = HEAD + "  labels: {a: b}\n"
    text = upgraded(f"{first}---\n{middle}---\n{last}").text
    assert text.startswith(f"{first}---\n{HEAD}  runtimePatches:\n")
    assert text.endswith(f"---\n{last}")


def test_line_ends_of_windows_stay() -> None:
    text = upgraded(
        (
            HEAD + "  podTemplateOverrides:\n    - targetJobs: [{name: node}]\n      spec:\n        tolerations:\n"
            "          - key: a\n            operator: Exists # c\n  suspend: true\n"
        ).replace("\n", "\r\n")
    ).text
    assert text.count("\r\n") == text.count("\n")
    assert "operator: Exists # c\r\n" in text


def test_json_stays_json() -> None:
    value = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "bert"},
        "spec": {
            "labels": {"a": "b"},
            "trainer": {"numProcPerNode": "auto", "numNodes": 1},
            "podTemplateOverrides": [{"targetJobs": [{"name": "node"}], "spec": {"nodeSelector": {"yes": "no"}}}],
        },
    }
    spec = json.loads(upgraded(json.dumps(value, indent=2) + "\n").text)["spec"]
    assert spec["trainer"] == {"numNodes": 1}
    template = spec["runtimePatches"][0]["trainingRuntimeSpec"]["template"]
    assert template["metadata"] == {"labels": {"a": "b"}}
    assert "Overrides" not in str(spec)


LIST = "apiVersion: v1\nkind: List\nitems:\n"
MEMBER = "- apiVersion: trainer.kubeflow.org/v1alpha1\n  kind: TrainJob\n  metadata: {name: bert}\n  spec:"


def test_members_of_a_list_are_edited_one_by_one() -> None:
    labels = "\n    labels: {a: b}\n"
    other = "- kind: ConfigMap # kept\n  apiVersion: v1\n"
    text = upgraded(f"{LIST}{MEMBER}{labels}{other}{MEMBER}{labels}").text
    assert text.startswith(f"{LIST}{MEMBER}\n    runtimePatches:\n      - manager: ")
    assert text.count("runtimePatches") == 2
    assert other in text


def test_an_anchor_used_twice_moves_with_its_text() -> None:
    text = upgraded(
        HEAD + "  podTemplateOverrides:\n    - targetJobs: [{name: node}]\n      spec:\n        tolerations: &t\n"
        "          - {key: a, operator: Exists}\n    - targetJobs: [{name: other}]\n      spec: {tolerations: *t}\n"
    ).text
    assert "tolerations: &t\n" in text
    assert "{tolerations: *t}" in text


def test_what_an_anchor_shares_is_left_with_the_text_to_write() -> None:
    before = f"{LIST}{MEMBER} &s\n    labels: {{a: b}}\n"
    found = upgraded(before)
    assert (found.text, found.rules) == (before, ["TG834"])
    assert "runtimePatches:" in found.losses[0].help


OVERRIDE = "  podTemplateOverrides:\n  - targetJobs: [{name: node}]\n"
ANNOTATIONS = OVERRIDE + "    metadata:\n      annotations:\n"
TRICKY = {
    "a literal with an empty line": ANNOTATIONS + "        a: |\n          one\n\n            two\n        b: c\n",
    "a literal that says how far in it is": ANNOTATIONS + "        a: |2\n            x\n",
    "a folded text": ANNOTATIONS + "        a: >-\n          folded\n          text\n",
    "quotes over two lines": ANNOTATIONS + '        a: "multi\n          line"\n',
    "kept line breaks at the end": ANNOTATIONS + "        a: |+\n          keep\n\n",
    "a literal with blanks in it": ANNOTATIONS + "        a: |\n          one\n             \n          two\n",
    "an alias of something outside": "  labels: *common\n",
    "an alias of what moves with it": "  labels: &l {a: b} # c\n  annotations: *l\n",
    "an anchor of what goes": "  annotations: &l {a: b}\n  labels: *l\n",
    "a merge key": "  annotations:\n    <<: {x: z}\n    k: v\n",
    "an entry that merges another": "  podTemplateOverrides:\n    - &base\n      targetJobs: [{name: node}]\n"
    "      spec: &s\n        serviceAccountName: sa # c\n    - <<: *base\n      targetJobs: [{name: launcher}]\n",
    "flow style with comments": "  podTemplateOverrides: [\n    # one\n    {targetJobs: [{name: node}], # two\n"
    "     spec: {nodeSelector: {a: b}, # three\n            serviceAccountName: sa}},\n  ]\n",
    "quoted keys": '  "podTemplateOverrides":\n    - "targetJobs": [{"name": "node"}]\n'
    '      "spec": {"nodeSelector": {1: "2"}}\n',
    "nothing": "  podTemplateOverrides:\n  labels: null # x\n  annotations: {}\n",
    "the only entry of its mapping": "  trainer:\n    numProcPerNode: auto # only\n",
    "other letters": "  labels: {größe: 'ü'} # ölig\n",
    "tabs": "  labels:\t{a: b}\t# tab\n",
}


@pytest.mark.parametrize("spec", TRICKY.values(), ids=TRICKY.keys())
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "with byte order mark"])
def test_tricky_texts_are_edited_in_place(spec: str, mark: str) -> None:
    head = mark + HEAD.replace("{name: bert}", "{name: bert, labels: &common {a: b}}")
    found = upgraded(f"{head}{spec}  suspend: true\n")
    assert found.rules == []
    assert "Overrides" not in found.text
    assert found.text.startswith(head)
    assert found.text.endswith("  suspend: true\n")
    assert upgraded(found.text).text == found.text
    comments = [f"#{part}" for line in spec.splitlines() for part in line.split(" #")[1:]]
    assert [one for one in comments if one not in found.text] == []
    if "             \n" not in spec:
        assert [line for line in found.text.splitlines() if line != line.rstrip()] == []


WORDS = st.from_regex(r"[a-z]{3,8}", fullmatch=True)
FIELDS = {
    "serviceAccountName": st.just("sa"),
    "nodeSelector": st.dictionaries(WORDS.map(lambda w: f"k{w}"), WORDS.map(lambda w: f"v{w}"), min_size=1, max_size=3),
    "tolerations": st.lists(
        st.fixed_dictionaries({"key": WORDS, "operator": st.just("Exists")}), min_size=1, max_size=2
    ),
    "schedulingGates": st.lists(st.fixed_dictionaries({"name": WORDS}), min_size=1, max_size=1),
}
ENTRY = st.fixed_dictionaries({}, optional=FIELDS)
JOBS = st.lists(st.sampled_from(["node", "dataset-initializer", "launcher"]), min_size=1, max_size=2, unique=True)


@given(
    entries=st.lists(st.tuples(JOBS, ENTRY), min_size=1, max_size=3),
    flow=st.booleans(),
    old=st.booleans(),
    indented=st.booleans(),
)
def test_comments_survive_and_a_second_upgrade_changes_nothing(
    entries: list[tuple[list[str], dict[str, object]]], flow: bool, old: bool, indented: bool
) -> None:
    text, comments = written(entries, flow=flow, old=old, indented=indented)
    found = upgraded(text)
    assert found.losses == []
    assert all(comment in found.text for comment in comments)
    assert upgraded(found.text).text == found.text
    assert found.text.startswith(HEAD)
    assert found.text.endswith("  suspend: true # last\n")


def written(
    entries: list[tuple[list[str], dict[str, object]]], *, flow: bool, old: bool, indented: bool
) -> tuple[str, list[str]]:
    """Overrides as text, with a numbered comment on and above every line where one can stand."""
    lines, comments = [f"  {'podSpecOverrides' if old else 'podTemplateOverrides'}:"], []
    margin = "    " if indented else "  "

    def comment() -> str:
        comments.append(f"# comment {len(comments)}.")
        return comments[-1]

    for jobs, fields in entries:
        names = ", ".join(f"{{name: {name}}}" for name in jobs)
        lines += [f"{margin}{comment()}", f"{margin}- targetJobs: [{names}] {comment()}"]
        inner = margin + "  "
        if not old:
            lines.append(f"{inner}spec: {'{}' if not fields else ''} {comment()}")
            inner += "  "
        for key, value in fields.items():
            lines.append(f"{inner}{comment()}")
            if flow or isinstance(value, str):
                lines.append(f"{inner}{key}: {json.dumps(value)} {comment()}")
            elif isinstance(value, dict):
                lines.append(f"{inner}{key}: {comment()}")
                lines += [f"{inner}  {name}: '{each}' {comment()}" for name, each in value.items()]
            elif isinstance(value, list):
                lines.append(f"{inner}{key}:")
                lines += [f"{inner}- {json.dumps(item)} {comment()}" for item in value]
    return HEAD + "\n".join(lines) + "\n  suspend: true # last\n", comments


@pytest.mark.parametrize("trailing", ["", "\n", "\n\n# the end\n"])
def test_the_end_of_a_file_stays(trailing: str) -> None:
    text = upgraded(HEAD + "  suspend: true\n  labels: {a: b}" + trailing).text
    assert text.endswith("labels: {a: b}" + trailing)
