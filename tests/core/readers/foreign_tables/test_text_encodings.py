"""Texts in the encodings of spreadsheets are read as they were written, or refused by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.readers.foreign_tables import text_encodings
from jurydesk.core.readers.foreign_tables.text_encodings import read_any_text


@pytest.mark.parametrize(
    ("encoding", "letters"),
    [
        ("utf-8", "aé\n;яЁ"),
        ("utf-8-sig", "aé\n;яЁ"),
        ("utf-16", "aé\n;яЁ"),
        ("utf-16-le", "ab,;1"),
        ("utf-16-be", "ab,;1"),
    ],
)
@given(data=st.data())
def test_what_was_written_is_read_without_a_word(tmp_path_factory, encoding, letters, data):
    text = data.draw(st.text(letters, min_size=4, max_size=30).filter(str.strip))
    path = tmp_path_factory.getbasetemp() / "encoded.txt"
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    path.write_bytes(mark + text.encode(encoding))
    reading = read_any_text(path)
    assert (reading.data, reading.defects) == (text, ())


def read(tmp_path, content):
    path = tmp_path / "some.txt"
    path.write_bytes(content)
    reading = read_any_text(path)
    return reading.data, [(one.place.line, one.found) for one in reading.defects]


@pytest.mark.parametrize(
    ("text", "page", "line"),
    [("слово;1\n", "cp1251", 1), ("a\nb\nété\n", "cp1252", 3), ("a\nслово", "cp1251", 2)],
)
def test_a_code_page_is_guessed_and_named_with_the_first_line_that_needs_it(
    tmp_path, text, page, line
):
    found = f"The text is not UTF-8; it was read as Windows-{page[2:]}."
    assert read(tmp_path, text.encode(page)) == (text, [(line, found)])


def test_a_text_of_the_largest_size_is_read_and_one_byte_more_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(text_encodings, "MAX_BYTES", 4)
    assert read(tmp_path, b"abcd") == ("abcd", [])
    data, defects = read(tmp_path, b"abcde")
    assert data is None
    assert [found.startswith("The file holds more than") for _, found in defects] == [True]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "The file is empty."),
        (b" \0\t\r\n", "The file is empty."),
        (b"\0\1\2\0\1\0\0", "The file is not text: it has bytes of zero."),
        (b"\xff\xfea\0\x00\xd8", "The text is not valid UTF-16-LE."),
        (b"\xef\xbb\xbf\xff", "The text is not valid UTF-8."),
    ],
)
def test_what_is_not_a_text_is_refused_by_name(tmp_path, content, found):
    assert read(tmp_path, content) == (None, [(None, found)])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    ("text", "is_read"),
    [("aяb", True), ("aяbю", False), ("aяbюc", True), ("a" * 3000, True), ("яa" * 3000, False)],
)
def test_without_a_mark_more_than_half_of_the_letters_must_be_latin(
    tmp_path, encoding, text, is_read
):
    not_text = [(None, "The file is not text: it has bytes of zero.")]
    expected = (text, []) if is_read else (None, not_text)
    assert read(tmp_path, text.encode(encoding)) == expected


def test_zeros_are_looked_for_in_the_beginning_alone(tmp_path):
    text = "a" * 4096 + "\0"
    assert read(tmp_path, text.encode()) == (text, [])
    assert read(tmp_path, text[1:].encode())[0] is None
