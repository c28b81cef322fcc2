from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tracemalloc
from pathlib import Path

import pytest

from jurydesk.core.competition.task import HEAD_BYTES, TAIL_BYTES
from jurydesk.core.readers.text_file import file_head, line_and_column, read_text, text_head


def test_plain_text_is_read_as_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("naïve\n".encode())
    assert read_text(path).data == "naïve\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_reading_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    assert [str(defect) for defect in read_text(tmp_path / "a.txt").defects] == [
        "error  a.txt: This is a pipe or a device, not a file.\n"
        "       Save the data to a file first."
    ]


def test_gzip_is_detected_by_content_and_not_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(gzip.compress(b"{}", mtime=0))
    assert read_text(path).data == "{}"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "error  a.txt: The file is empty.\n       Give the complete file."),
        (b" \n", "error  a.txt: The file is empty.\n       Give the complete file."),
        (
            "hello".encode("utf-16"),
            "error  a.txt: The text is UTF-16.\n       UTF-8 is expected. Save it as UTF-8.",
        ),
        (
            b"one\ntwo caf\xe9 ",
            "error  a.txt, line 2, column 8: The byte 0xE9 is not UTF-8.\n"
            "       UTF-8 is expected. Save the file as UTF-8.",
        ),
        (
            b"one\ntwo caf\xc3",
            "error  a.txt, line 2, column 8: The byte 0xC3 is not UTF-8.\n"
            "       UTF-8 is expected. Save the file as UTF-8; if it is cut off, give the complete "
            "file.",
        ),
        (
            gzip.compress(b"x" * 99, mtime=0)[:-9],
            "error  a.txt: The gzip data is damaged (it ends too early).\n"
            "       Compress it again.",
        ),
        (
            gzip.compress(b"x", mtime=0) + b"more",
            "error  a.txt: The gzip data is damaged (followed by other data).\n"
            "       Compress it again.",
        ),
        (
            b"x" * (2 * 2**20 + 1),
            "error  a.txt: The file holds more than 2 MiB of text.\n"
            "       Check that it is the right file.",
        ),
        (
            gzip.compress(b"x" * (2 * 2**20 + 1)),
            "error  a.txt: The file holds more than 2 MiB of text.\n"
            "       Check that it is the right file.",
        ),
    ],
)
def test_unreadable_files_are_reported(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    reading = read_text(path, limit=2 * 2**20)
    assert reading.data is None
    assert [str(defect) for defect in reading.defects] == [sentence]


def test_a_missing_file_and_a_folder_are_reported(tmp_path: Path) -> None:
    absent = read_text(tmp_path / "none.txt")
    assert [defect.found for defect in absent.defects] == ["The file does not exist."]
    folder = read_text(tmp_path)
    assert [defect.found for defect in folder.defects] == ["This is a folder, not a file."]


def test_damaged_bytes_are_read_as_replacements_on_request(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"caf\xe9 cr\xe8me")
    reading = read_text(path, damaged="replace")
    assert reading.data == "caf\ufffd cr\ufffdme"
    (reported,) = reading.defects
    assert reported.severity == "warning"
    assert reported.count == 2
    assert reported.expected == "It was read as the replacement character U+FFFD (2 in all)."


def test_replacement_characters_in_the_text_itself_are_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufffd and \ufffd: ".encode() + b"caf\xe9")
    reading = read_text(path, damaged="replace")
    assert reading.data == "\ufffd and \ufffd: caf\ufffd"
    (reported,) = reading.defects
    assert reported.count == 1
    assert reported.expected == "It was read as the replacement character U+FFFD (1 in all)."


def test_a_byte_order_mark_is_skipped_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfhello")
    reading = read_text(path)
    assert reading.data == "hello"
    assert [defect.found for defect in reading.defects] == [
        "The byte order mark at the start was skipped."
    ]


def test_the_head_of_a_gzip_file_is_that_of_its_text() -> None:
    assert text_head(gzip.compress(b"hello", mtime=0)[:-8]) == b"hello"
    assert text_head(b"plain") == b"plain"
    assert text_head(b"\x1f\x8bdamaged") == b""


def test_lines_and_columns_count_from_one() -> None:
    assert line_and_column("ab\ncd", 0) == (1, 1)
    assert line_and_column("ab\ncd", 4) == (2, 2)


def test_no_more_is_unpacked_than_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "zeros.gz"
    path.write_bytes(gzip.compress(bytes(32 << 20), 1))
    tracemalloc.start()
    try:
        assert read_text(path, limit=1 << 20).data is None
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("length", "tail"), [(HEAD_BYTES, 0), (HEAD_BYTES + 9, 9), (10**6, 4096)])
def test_the_end_of_a_long_object_follows_its_head(tmp_path: Path, length: int, tail: int) -> None:
    path = tmp_path / "a.json"
    content = b'{"a": "' + bytes(range(97, 107)) * (length // 10)
    path.write_bytes(content[: length - 2] + b'"}')
    content = path.read_bytes()
    assert len(content) == length
    wanted = content[:HEAD_BYTES] + (b"\n" + content[-tail:] if tail else b"")
    assert file_head(path) == wanted


def test_of_a_long_list_or_table_there_is_no_more_than_the_head(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"[" + b"1," * HEAD_BYTES)
    assert file_head(path) == path.read_bytes()[:HEAD_BYTES]


def test_a_text_of_the_limit_is_read_and_none_above(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("abcd")
    assert read_text(tmp_path / "a.txt", limit=4).data == "abcd"
    assert read_text(tmp_path / "a.txt", limit=3).data is None


@pytest.mark.parametrize(
    ("limit", "size"),
    [(2**20 - 1, "1,024 KiB"), (2**20, "1 MiB"), (1, "0 KiB"), (3 << 20, "3 MiB")],
)
def test_the_limit_is_named_in_its_unit(tmp_path: Path, limit: int, size: str) -> None:
    (tmp_path / "a.txt").write_bytes(b"x" * (limit + 1))
    (defect,) = read_text(tmp_path / "a.txt", limit=limit).defects
    assert defect.found == f"The file holds more than {size} of text."


@pytest.mark.parametrize("ending", [bz2.compress, lzma.compress])
def test_the_head_of_other_compressions_is_that_of_their_text(tmp_path: Path, ending) -> None:
    path, text = tmp_path / "a.txt", b"0123456789" * HEAD_BYTES
    path.write_bytes(ending(text))
    assert file_head(path) == text[:HEAD_BYTES]
    cut = path.read_bytes()[:20]
    path.write_bytes(cut)
    assert file_head(path) == cut


def test_the_head_of_gzip_is_unpacked_to_its_limit_alone() -> None:
    text = b"0123456789" * HEAD_BYTES
    assert text_head(gzip.compress(text)) == text[:HEAD_BYTES]


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b" \n"])
def test_an_object_after_a_mark_or_blanks_has_its_end_in_the_head(
    tmp_path: Path, before: bytes
) -> None:
    path = tmp_path / "a.json"
    content = before + b'{"a": "' + b"x" * 2 * HEAD_BYTES + b'", "b": 1}'
    path.write_bytes(content)
    tail = min(TAIL_BYTES, len(content) - HEAD_BYTES)
    assert file_head(path) == content[:HEAD_BYTES] + b"\n" + content[-tail:]


def test_what_has_no_head_has_an_empty_one(tmp_path: Path) -> None:
    assert [file_head(tmp_path / "none"), file_head(tmp_path)] == [b"", b""]


def test_damage_of_each_compression_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for content, found in (
        (bz2.compress(b"x" * 99)[:-3], "The compressed data is damaged (it ends too early)."),
        (lzma.compress(b"x" * 99)[:-3], "The compressed data is damaged (it ends too early)."),
        (b"BZh9" + b"x" * 40, "The compressed data is damaged (invalid data stream)."),
        (b"\x1f\x8b\x08" + b"\0" * 7 + b"\xff" * 20, "The gzip data is damaged"),
    ):
        path.write_bytes(content)
        (defect,) = read_text(path).defects
        assert defect.found.startswith(found)
