"""The fast reader accepts nothing that the strict one refuses, and gives the same words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurydesk.core.tasks.keyword_spotting.icfhr import fast_reader
from jurydesk.core.tasks.keyword_spotting.icfhr import fast_reader as xml_rows
from jurydesk.core.tasks.keyword_spotting.icfhr.byte_values import (
    MAX_DOCUMENTS,
    MAX_NAME_BYTES,
    UnusualError,
)
from jurydesk.core.tasks.keyword_spotting.icfhr.fast_reader import read_fast
from jurydesk.core.tasks.keyword_spotting.icfhr.strict_reader import StrictReader
from jurydesk.core.tasks.keyword_spotting.icfhr.words import WordsByQuery
from support.files.icfhr import results_text, word
from support.suite.samples import sample_size

PLAIN = results_text(
    {
        "q1": [word(0), word(-7), word(123456, document="page_2"), word(0)],
        "é2": [word(90, document="Größe_019_seite_0044_links"), word(0)],
        "q3": [word(4), word(0, document="p"), word(8)],
    }
).encode()


def in_blocks(content: bytes, size: int) -> Iterator[bytes]:
    return (content[start : start + size] for start in range(0, len(content), size))


def quickly(content: bytes, size: int = 2**20) -> WordsByQuery | None:
    try:
        return read_fast(in_blocks(content, size))
    except UnusualError:
        return None


def strictly(content: bytes) -> WordsByQuery | None:
    return StrictReader("res.xml", judged=False).read([content])


def values(blocks: WordsByQuery | None) -> Any:
    assert blocks is not None
    words = blocks.words
    names = words.names()
    starts, lines = blocks.starts.tolist(), words.lines.tolist()
    return blocks.queries, blocks.lines, starts, names, words.boxes.tolist(), lines


pytestmark = pytest.mark.skipif(
    not fast_reader.AVAILABLE, reason="no compiler was at hand when the program was installed"
)


class TestPlainFiles:
    @pytest.mark.parametrize("size", [1, 150, 151, 300, 2**20])
    def test_plain_files_are_read_whatever_the_size_of_the_blocks(self, size: int) -> None:
        if size == 1:
            assert quickly(PLAIN, size) is None
        else:
            assert values(quickly(PLAIN, size)) == values(strictly(PLAIN))

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"),
            lambda text: text.rstrip(b"\n"),
            lambda text: text.replace(b"    <word", b"\t<word"),
            lambda text: text.replace(b"/>\n", b"/>\n\n"),
            lambda text: text.replace(b' y="0"', b"").replace(b"<word", b'<word y="0"'),
            lambda text: text.replace(b" />", b"/>"),
            lambda text: text.replace(b"?>\n<R", b"?><R"),
            lambda text: text.replace(b"<?xml version=", b"<?xml\tversion="),
            lambda text: text.replace(b' encoding="utf-8"', b""),
            lambda text: text[text.index(b"<R") :],
            lambda text: b"\n" + text[text.index(b"<R") :],
            lambda text: text.replace(b"Listings>", b'Listings xmlns:a="b" xmlns:c="d">', 1),
            lambda text: text.replace(b'"0"', b'"00000000"'),
        ],
    )
    def test_plain_files_are_read_in_the_styles_that_programs_write(self, change: Any) -> None:
        changed = change(PLAIN)
        assert values(quickly(changed)) == values(strictly(changed))

    @pytest.mark.parametrize("size", [2**12, 2**15])
    def test_plain_files_are_read_with_thousands_of_lines(self, size: int) -> None:
        words = [word(n * 7919 % 100_000, document=f"p{n % 50}") for n in range(5000)]
        content = results_text({"a": words, "b": words[::-1]}).encode()
        assert values(quickly(content, size)) == values(strictly(content))

    def test_plain_files_are_read_with_names_and_numbers_of_every_length(self) -> None:
        names = [("0123456_" * 8)[:length] for length in range(1, MAX_NAME_BYTES + 1)]
        numbers = [int("12345678"[:length]) for length in range(1, 9)]
        words = [word(x, document=name) for name in names for x in (*numbers, -numbers[-1])]
        content = results_text({"a": words}).encode()
        assert values(quickly(content)) == values(strictly(content))
        longer = content.replace(names[-1].encode(), b"5" + names[-1].encode())
        assert quickly(longer) is None

    def test_plain_files_are_read_with_less_memory_reserved(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(xml_rows, "ROOM", 2)
        assert values(quickly(PLAIN)) == values(strictly(PLAIN))


class TestUnusualFiles:
    @pytest.mark.parametrize(
        "change",
        [
            lambda text: text.replace(b'"page_2"', b"'page_2'"),
            lambda text: text.replace(b"page_2", b"page&amp;2"),
            lambda text: text.replace(b"page_2", b"page\x002"),
            lambda text: text.replace(b'"p1"', b'"p1\x00"', 1),
            lambda text: text.replace(b"page_2", b"page_\xff"),
            lambda text: text.replace(b"page_2", b"page_\xef\xbf\xbf"),
            lambda text: text.replace(b"page_2", b"page\t2"),
            lambda text: text.replace(b"page_2", b"page<2"),
            lambda text: text.replace(b"page_2", b""),
            lambda text: text.replace(b'"123456"', b'"12345x"'),
            lambda text: text.replace(b'"123456"', b'"123456789"'),
            lambda text: text.replace(b'"123456"', b'"+123456"'),
            lambda text: text.replace(b'"123456"', b'"1234 56"'),
            lambda text: text.replace(b'"123456"', b'""'),
            lambda text: text.replace(b'"-7"', b'"-"'),
            lambda text: text.replace(b'"-7"', b'"--7"'),
            lambda text: text.replace(b'height="10"', b'height="0"', 1),
            lambda text: text.replace(b'height="10"', b'height="-10"', 1),
            lambda text: text.replace(b"  </Rel>", b"  </Rle>", 1),
            lambda text: text.replace(b"  </Rel>\n", b"", 1),
            lambda text: text.replace(b'"q3"', b'"q1"'),
            lambda text: text.replace(b'"q3"', b'""'),
            lambda text: text.replace(b'"q3"', b'"&q3;"'),
            lambda text: text.replace(b"</RelevanceListings>", b""),
            lambda text: text.replace(b"</RelevanceListings>", b"</RelevanceListings>x"),
            lambda text: text + text,
            lambda text: text + PLAIN.splitlines()[4],
            lambda text: b"\n" + text,
            lambda text: b"\n" + text.replace(b"?>\n", b"?>"),
            lambda text: text.replace(b"\n", b"\r"),
            lambda text: text.replace(b"/>\n", b"/>\r\r\n", 1),
            lambda text: text.replace(b"<Rel q", b"<!-- a -->\n<Rel q", 1),
            lambda text: text.replace(b"?>", b"?><!DOCTYPE r>", 1),
            lambda text: text.replace(b"utf-8", b"latin-1"),
            lambda text: text.replace(b"Listings>", b'Listings a="b" a="d">', 1),
            lambda text: b"",
            lambda text: b"\n" * 5000,
            lambda text: results_text({}).encode(),
        ],
    )
    def test_an_unusual_file_is_left_to_the_strict_reader(self, change: Any) -> None:
        changed = change(PLAIN)
        assert changed != PLAIN
        assert quickly(changed) is None

    def test_a_file_with_very_many_documents_is_left_to_the_strict_reader(self) -> None:
        words = [word(0, document=f"page{n}") for n in range(MAX_DOCUMENTS + 1)]
        assert quickly(results_text({"a": words[:-1]}).encode()) is not None
        assert quickly(results_text({"a": words}).encode()) is None

    def test_a_file_of_mostly_unusual_lines_is_left_to_the_strict_reader(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fast_reader, "MANY_OTHERS", 2)
        content = results_text({name: [word(0)] for name in "abcdef"}).encode()
        assert quickly(content) is None


PARTS = [
    b'"', b"'", b"<", b">", b"/", b"=", b" ", b"\n", b"\r", b"\t", b"-", b"0", b"9", b"x", b"&",
    b"\x00", b"\xc3", b"\xa9", b"\xff", b"word", b" />", b"</Rel>\n", b'<Rel queryid="n">\n',
    b'  <word document="p1" x="1" y="2" width="3" height="4" />\n', b"<?xml?>", b"]]>",
    b"<!--", b"-->", b' x="1"', b"\xef\xbb\xbf", b"&#49;", b"\xe2\x80\xa8", b"document", b"queryid",
]  # fmt: skip


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """Return a plain file in which a few places were deleted, overwritten or repeated."""
    content = bytearray(PLAIN)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        length = draw(st.sampled_from([0, 0, 1, 2, 5, 30]))
        part = draw(st.one_of(st.sampled_from(PARTS), st.binary(max_size=3)))
        if draw(st.booleans()):
            part = bytes(content[start : start + length]) + part
        content[start : start + length] = part
    return bytes(content)


@settings(max_examples=sample_size(300, of=1000))
@given(damaged_files(), st.sampled_from([200, 2**20]))
def test_a_damaged_file_is_refused_or_read_the_same(content: bytes, size: int) -> None:
    found = quickly(content, size)
    if found is not None:
        assert values(found) == values(strictly(content))


@settings(max_examples=sample_size(150, of=300))
@given(st.integers(0, len(PLAIN) - 1), st.integers(0, 255))
def test_no_changed_byte_is_overlooked(place: int, byte: int) -> None:
    content = PLAIN[:place] + bytes([byte]) + PLAIN[place + 1 :]
    found = quickly(content, 2**20)
    if found is not None:
        assert values(found) == values(strictly(content))


def test_without_the_compiled_module_the_strict_reader_reads_every_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fast_reader, "AVAILABLE", False)
    assert quickly(PLAIN) is None
