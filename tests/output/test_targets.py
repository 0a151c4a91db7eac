"""Where reports go: the form of ``--output``, whole files, encodings of streams."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from trainergen.errors import TrainergenError
from trainergen.output import OutputTarget, emit, parse_target, render, write_target

REFUSED = {
    "a format alone": ("sarif", "not of the form FORMAT=FILE", "as in sarif=FILE"),
    "a file alone": ("out.sarif", "not of the form FORMAT=FILE", "Did you mean sarif=out.sarif?"),
    "a misspelt format alone": ("markdwn", "not of the form FORMAT=FILE", "Did you mean markdown=FILE?"),
    "something else alone": ("zzz", "not of the form FORMAT=FILE", "Write for example sarif=zzz.sarif."),
    "a misspelt format": ("sariff=a", "unknown output format 'sariff' (did you mean 'sarif'?)", "Known formats: text,"),
    "the file first": ("out.sarif=sarif", "names the file first", "sarif=out.sarif."),
    "no file": ("json=", "names no file", "use --format json"),
    "standard output": ("json=-", "names no file", "use --format json"),
    "a folder": ("json=folder", "output 'folder' is a folder", "Name a file in it"),
    "a folder that does not exist": ("json=no/such/a.json", "the folder 'no/such' of output", "Create it first"),
}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()


@pytest.mark.parametrize("sentence", REFUSED)
def test_an_output_is_refused_for(sentence):
    argument, message, hint = REFUSED[sentence]

    with pytest.raises(TrainergenError) as refused:
        parse_target(argument)

    assert message in refused.value.message
    assert hint in refused.value.hint
    assert refused.value.exit_code == 2


def test_a_file_name_may_hold_an_equals_sign():
    assert parse_target("sarif=a=b.sarif") == OutputTarget("sarif", Path("a=b.sarif"))


def test_a_file_is_written_whole_and_leaves_nothing_beside_it(rich, options):
    target = parse_target("json=folder/out.json")
    target.file.write_text("old")

    write_target(target, rich, options)

    assert target.file.read_bytes() == render("json", rich, options).encode()
    assert [path.name for path in target.file.parent.iterdir()] == ["out.json"]


def test_a_write_that_fails_keeps_the_old_file_and_says_why(rich, options, monkeypatch):
    target = parse_target("json=folder/out.json")
    target.file.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(TrainergenError, match=r"output 'folder/out\.json' cannot be written: No space left on device"):
        write_target(target, rich, options)

    assert target.file.read_text() == "old"
    assert [path.name for path in target.file.parent.iterdir()] == ["out.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links and devices of Unix")
def test_links_stay_links_and_devices_stay_devices(rich, options):
    Path("real.json").write_text("old")
    Path("link.json").symlink_to("real.json")

    write_target(parse_target("json=link.json"), rich, options)
    write_target(parse_target(f"json={os.devnull}"), rich, options)

    assert Path("link.json").is_symlink()
    assert Path("real.json").read_text() == render("json", rich, options)
    assert not Path(os.devnull).is_file()


def test_machine_formats_are_utf_8_on_any_stream():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")

    emit(stream, '"日本"\n', format_name="json")

    assert stream.buffer.getvalue() == '"日本"\n'.encode()


def test_text_keeps_to_the_encoding_of_the_stream():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")

    emit(stream, "ü 日\n")

    assert stream.buffer.getvalue() == b"\xfc \\u65e5\n"


def test_a_stream_without_bytes_takes_text():
    stream = io.StringIO()

    emit(stream, "a \udcff\n", format_name="json")

    assert stream.getvalue() == "a \\udcff\n"
