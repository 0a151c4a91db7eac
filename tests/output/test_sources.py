"""The texts that frames quote."""

from __future__ import annotations

from trainergen.output import SourceReader


def test_known_bytes_come_before_files(tmp_path):
    (tmp_path / "a.yaml").write_bytes(b"file")
    (tmp_path / "b.yaml").write_bytes(b"\xef\xbb\xbfmarked")
    read = SourceReader(tmp_path, {"a.yaml": b"known", "<stdin>": b"in\xff"})

    assert read("a.yaml") == "known"
    assert read("b.yaml") == "marked"
    assert read("<stdin>") == "in\ufffd"


def test_a_file_that_is_gone_has_no_text(tmp_path):
    read = SourceReader(tmp_path)

    assert read("gone.yaml") is None
    assert read("nul\0byte") is None


def test_utf_16_is_read_by_its_mark(tmp_path):
    (tmp_path / "a.yaml").write_bytes("a: ü".encode("utf-16"))

    assert SourceReader(tmp_path)("a.yaml") == "a: ü"
