"""What a configuration may say, and how each fault in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trainergen.config import CheckSettings, OutputSetting, Settings, find_settings, load_settings
from trainergen.errors import TrainergenError

FULL_YAML = """\
release: 2.1
check:
  paths: [jobs, ../shared]
  exclude: [vendor/]
  runtimes:
  - platform/runtimes
  outputs:
  - format: sarif
    file: out/trainergen.sarif
  fail-on: warning
  layers: [schema, cel]
  select: [TG1]
  ignore: [TG105, unknown-field]
"""

FULL_TOML = """\
[project]
name = "x"

[tool.trainergen]
release = 2.1

[tool.trainergen.check]
paths = ["jobs", "../shared"]
exclude = ["vendor/"]
runtimes = ["platform/runtimes"]
fail-on = "warning"
layers = ["schema", "cel"]
select = ["TG1"]
ignore = ["TG105", "unknown-field"]

[[tool.trainergen.check.outputs]]
format = "sarif"
file = "out/trainergen.sarif"
"""

FULL = CheckSettings(
    paths=("jobs", "../shared"),
    exclude=("vendor/",),
    runtimes=("platform/runtimes",),
    outputs=(OutputSetting("sarif", "out/trainergen.sarif"),),
    fail_on=("warning",),
    layers=("schema", "cel"),
    select=("TG1",),
    ignore=("TG105", "unknown-field"),
)

# sentence: (file, text, message, part of the hint)
REFUSED = {
    "a misspelt key": (
        "trainergen.yaml",
        "relase: 2.3\n",
        "trainergen.yaml:1:1: unknown key 'relase' (did you mean 'release'?)",
        "Known keys here: build, check, release.",
    ),
    "a misspelt key of a section": (
        "trainergen.yaml",
        "release: 2.3\ncheck:\n  exclud: []\n",
        "trainergen.yaml:3:3: unknown key 'exclud' in 'check' (did you mean 'exclude'?)",
        "Known keys here: baseline, exclude, fail-on,",
    ),
    "a key in the spelling of Python": (
        "trainergen.yaml",
        "check: {fail_on: warning}\n",
        "trainergen.yaml:1:9: unknown key 'fail_on' in 'check' (did you mean 'fail-on'?)",
        "",
    ),
    "a misspelt key of an output": (
        "trainergen.yaml",
        "check:\n  outputs:\n  - format: json\n    file: a\n    fil: a\n",
        "trainergen.yaml:5:5: unknown key 'fil' in 'check.outputs[0]' (did you mean 'file'?)",
        "Known keys here: file, format.",
    ),
    "a missing key": (
        "trainergen.yaml",
        "check:\n  outputs:\n  - format: json\n",
        "trainergen.yaml:3:5: 'check.outputs[0]' has no 'file'",
        "Add file.",
    ),
    "a word instead of a list": (
        "trainergen.yaml",
        "check:\n  paths: jobs\n",
        "trainergen.yaml:2:10: 'check.paths' is 'jobs', but a list is expected",
        "Write it as a list: paths: [jobs].",
    ),
    "a list instead of a mapping": (
        "trainergen.yaml",
        "check: []\n",
        "trainergen.yaml:1:8: 'check' is a list, but a mapping is expected",
        "",
    ),
    "a list instead of everything": (
        "trainergen.yaml",
        "- release\n",
        "trainergen.yaml:1:1: the configuration is a list, but a mapping is expected",
        "",
    ),
    "a mapping instead of a word": (
        "trainergen.yaml",
        "check:\n  paths:\n  - jobs: all\n",
        "trainergen.yaml:3:5: 'check.paths[0]' is a mapping, but text is expected",
        "",
    ),
    "an empty word": (
        "trainergen.yaml",
        "check:\n  paths: ['']\n",
        "trainergen.yaml:2:11: 'check.paths[0]' is '', but some text is expected",
        "",
    ),
    "an unknown format": (
        "trainergen.yaml",
        "check:\n  outputs:\n  - {format: serif, file: a}\n",
        "trainergen.yaml:3:14: 'check.outputs[0].format' is 'serif' (did you mean 'sarif'?)",
        "Use one of text, json, sarif,",
    ),
    "an unknown layer": (
        "trainergen.yaml",
        "check: {layers: [shema]}\n",
        "trainergen.yaml:1:18: 'check.layers[0]' is 'shema' (did you mean 'schema'?)",
        "Use one of yaml, schema,",
    ),
    "an unknown reason to fail": (
        "trainergen.yaml",
        "check:\n  fail-on: warn\n",
        "trainergen.yaml:2:12: 'check.fail-on[0]' is 'warn' (did you mean 'warning'?)",
        "Use one of error, warning, not-evaluated.",
    ),
    "a word that is no check": (
        "trainergen.yaml",
        "check: {ignore: [TG1000]}\n",
        "trainergen.yaml:1:18: 'check.ignore[0]' is 'TG1000', but the id of a check (TG101)",
        "",
    ),
    "an unknown release": (
        "trainergen.yaml",
        "release: 1.9\n",
        "trainergen.yaml:1:10: unknown Trainer release '1.9'",
        "Known releases: 2.0,",
    ),
    "a release that a number would have rounded": (
        "trainergen.yaml",
        "release: 2.30\n",
        "trainergen.yaml:1:10: unknown Trainer release '2.30'",
        "",
    ),
    "two faults at once": (
        "trainergen.yaml",
        "relase: 2.3\ncheck: 3\n",
        (
            "trainergen.yaml:2:8: 'check' is '3', but a mapping is expected\n"
            "trainergen.yaml:1:1: unknown key 'relase' (did you mean 'release'?)"
        ),
        "",
    ),
    "a key set twice": (
        "trainergen.yaml",
        "release: 2.3\ncheck: {}\nrelease: 2.2\n",
        "trainergen.yaml:3:1: release is set twice, first in line 1",
        "Keep one of the two.",
    ),
    "broken YAML": (
        "trainergen.yaml",
        "check: [jobs\nrelease: 2.3\n",
        "trainergen.yaml:2:8: this is not YAML: ",
        "Correct the file at this place.",
    ),
    "two documents": (
        "trainergen.yaml",
        "release: 2.3\n---\nrelease: 2.2\n",
        "trainergen.yaml:2:1: this is not YAML: but found another document",
        "",
    ),
    "a key that is no text": (
        "trainergen.yaml",
        "[a]: b\n",
        "trainergen.yaml:1:1: a key is not text",
        "",
    ),
    "values nested very deep": (
        "trainergen.yaml",
        "[" * 500,
        "trainergen.yaml:1:31: values are nested more than 30 deep",
        "Check that this is the right file.",
    ),
    "values nested without end": ("trainergen.yaml", "[" * 100_000, "trainergen.yaml:1:", ""),
    "an alias inside itself": (
        "trainergen.yaml",
        "check: &a\n  paths: *a\n",
        "trainergen.yaml:1:8: aliases make this file far larger than it is",
        "Write the values out.",
    ),
    "a misspelt key in TOML": (
        "pyproject.toml",
        "[project]\nname = 'x'\n[tool.trainergen]\nrelase = '2.3'\n",
        "pyproject.toml:4:1: unknown key 'relase' (did you mean 'release'?)",
        "",
    ),
    "a wrong value in a list of tables in TOML": (
        "pyproject.toml",
        (
            "[[tool.trainergen.check.outputs]]\nformat = 'json'\nfile = 'a'\n"
            "[[tool.trainergen.check.outputs]]\n  format = 'serif'\nfile = 'b'\n"
        ),
        "pyproject.toml:5:3: 'check.outputs[1].format' is 'serif' (did you mean 'sarif'?)",
        "",
    ),
    "a truth value in TOML": (
        "pyproject.toml",
        "tool.trainergen.release = true\n",
        "pyproject.toml:1:1: 'release' is true, but text is expected",
        "",
    ),
    "broken TOML": (
        "pyproject.toml",
        "[tool.trainergen]\nrelease = \n",
        "pyproject.toml:2:11: this is not TOML: Invalid value",
        "Correct the file at this place.",
    ),
}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("name", "text"), [("trainergen.yaml", FULL_YAML), ("pyproject.toml", FULL_TOML)])
def test_all_that_may_be_set_is_read_alike_from_yaml_and_toml(name, text):
    Path(name).write_text(text)

    assert find_settings(Path()) == Settings("2.1", FULL, Path.cwd() / name)


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_configuration_is_refused_for(sentence):
    name, text, message, hint = REFUSED[sentence]
    Path(name).write_text(text)

    with pytest.raises(TrainergenError) as refused:
        find_settings(Path())

    assert refused.value.message.startswith(message)
    assert hint in refused.value.hint
    assert refused.value.hint.endswith(".")
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("text", ["", "# nothing\n", "check:\n", "check:\n  paths:\n", "---\n", "\ufeff"])
def test_a_file_that_sets_nothing_leaves_the_defaults(text):
    Path("trainergen.yaml").write_text(text, encoding="utf-8")

    assert find_settings(Path()) == Settings(file=Path.cwd() / "trainergen.yaml")


@pytest.mark.parametrize("release", ["2.3", "'2.3'", "v2.3.0", "2.3.1"])
def test_a_release_is_named_in_any_spelling(release):
    Path("trainergen.yaml").write_text(f"release: {release}\n")

    assert find_settings(Path()).release == "2.3"


def test_bytes_that_are_no_text_are_told_with_their_line():
    Path("trainergen.yaml").write_bytes(b"release: 2.3\ncheck: \xff\n")

    with pytest.raises(TrainergenError, match=r"trainergen\.yaml:2:1: the configuration is not UTF-8 text"):
        find_settings(Path())


def test_a_large_file_is_not_read():
    Path("trainergen.yaml").write_bytes(b"#" * (1 << 20) + b"#")

    with pytest.raises(TrainergenError, match="has 1048577 bytes, but at most 1048576 are read"):
        find_settings(Path())


def test_a_file_that_is_not_there_is_told():
    with pytest.raises(TrainergenError, match=r"no\.yaml: the configuration cannot be read: No such file"):
        load_settings(Path("no.yaml"))


def test_paths_are_seen_from_the_folder_of_the_file(monkeypatch):
    Path("trainergen.yaml").write_text(FULL_YAML)
    Path("deep").mkdir()
    root = Path.cwd()

    assert find_settings(Path("deep")).place("jobs") == Path("jobs")
    monkeypatch.chdir("deep")
    assert find_settings(Path()).place("jobs") == root / "jobs"
    assert find_settings(Path()).place("deep/x") == Path("x")


def test_a_fault_is_told_from_where_the_user_stands(monkeypatch):
    Path("trainergen.yaml").write_text("x: 1\n")
    Path("deep").mkdir()
    root = Path.cwd()
    monkeypatch.chdir("deep")

    with pytest.raises(TrainergenError) as refused:
        find_settings(Path())

    assert refused.value.message == f"{root}/trainergen.yaml:1:1: unknown key 'x'"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(["trainergen.yaml", "pyproject.toml"]),
    data=st.binary(max_size=200)
    | st.text(alphabet="releascheck:[]{}&*!|>'\"#-,= \n\t23.tooltrainergen", max_size=200).map(str.encode),
)
def test_any_bytes_are_settings_or_a_refusal(name, data):
    file = Path(name)
    file.write_bytes(data)
    try:
        read = load_settings(file)
    except TrainergenError as error:
        read = error

    assert isinstance(read, Settings) or read.message.startswith(name)
