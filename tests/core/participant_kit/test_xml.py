"""Unusual XML: the page reports what the organiser's reader reports."""

from __future__ import annotations

from xml.parsers import expat

import pytest

from support.files.odd_xml import CONTENTS, declared
from support.kits.ranked_lists import UNREAD, WORD, XML, Pair, is_unread, small_blocks


def test_unusual_xml_is_reported_alike(pairs: dict[str, Pair]) -> None:
    reported = set()
    for content in CONTENTS:
        wanted, found = pairs["xml"].defects_of(content)
        assert found == wanted, content[:400]
        reported |= {one["found"] for one in wanted}
    assert len(reported) > 80


@pytest.mark.parametrize("cut", range(0, len(XML.encode()), 3))
def test_truncated_xml_is_reported_alike(cut: int, pairs: dict[str, Pair]) -> None:
    wanted, found = pairs["xml"].defects_of(XML.encode()[:cut])
    assert found == wanted


ENCODED = [
    *((name, "utf-16") for name in ("utf-16", "UTF-16")),
    *(("utf-16le", "utf-16-le"), ("utf-16be", "utf-16-be"), ("utf-16be", "utf-16-le")),
    *(
        ("utf-8", "utf-16"),
        ("iso-8859-1", "latin-1"),
        ("Latin1", "latin-1"),
        ("US-ASCII", "latin-1"),
    ),
    *(("windows-1252", "cp1252"), ("cp1252", "cp1252"), ("utf8", "utf-8"), ("ISO-8859-1", "utf-8")),
]


@pytest.mark.parametrize(("name", "encoding"), ENCODED)
def test_other_encodings_are_reported_alike(
    name: str, encoding: str, pairs: dict[str, Pair]
) -> None:
    declaration = f"<?xml version='1.0'\n encoding='{name}'?>"
    long = XML.replace("</Rel>", "\u00e9" * 9000 + "\n</Rel>", 1)
    for text in (
        XML,
        long,
        XML.replace("<Rel ", "<R\u00e9l ", 1),
        XML[:-40],
        XML.replace(WORD, "&"),
    ):
        content = (declaration + text.partition("?>")[2]).encode(encoding)
        for changed in (
            content,
            content[:-1],
            content + b"\xd8\0\xdc",
            content[:200] + b"\x81\xdc",
        ):
            wanted, found = pairs["xml"].defects_of(changed)
            assert found == wanted, changed[:300]


@pytest.mark.parametrize(
    "name", ["koi8-r", "cp037", "gb2312", "nonsense", "rot13", "unicode_escape"]
)
def test_an_encoding_that_the_page_cannot_read_is_reported(
    name: str, pairs: dict[str, Pair]
) -> None:
    _, found = pairs["xml"].defects_of(declared(f"<?xml version='1.0' encoding='{name}'?>"))
    assert found == f"Its first line names the encoding {name}, {UNREAD}"


def test_a_large_file_that_is_not_utf_8_is_reported_as_unread(small: dict[str, Pair]) -> None:
    _, found = small["xml"].defects_of(XML.encode("utf-16"))
    assert found == f"It is a large file that is not in UTF-8, {UNREAD}"


def test_block_boundaries_do_not_matter(small: dict[str, Pair]) -> None:
    with small_blocks():
        for content in CONTENTS:
            for before in (b"", b" " * 7, b"\n" * 31, b"<!--" + b"x" * 50 + b"-->"):
                wanted, found = small["xml"].defects_of(before + content)
                assert found == wanted or is_unread(found, before + content), before + content[:300]


def test_names_accept_the_characters_that_expat_accepts(pairs: dict[str, Pair]) -> None:
    engine = pairs["xml"].engine
    kinds = engine.run("Array.from({ length: 65536 }, (_, code) => XmlChars.kindOf(code))")
    edges = {
        place
        for code in range(1, 0x10000)
        if kinds[code] != kinds[code - 1]
        for place in (code - 1, code)
    }
    assert len(edges) > 500
    for code in (*edges, *range(0x80, 0x10000, 97)):
        if code >= 0x80 and not 0xD800 <= code < 0xE000:
            assert kinds[code] == _kind(chr(code)), hex(code)


def _kind(letter: str) -> int:
    """Return 1 if a name can begin with the letter, 2 if the letter can only follow, else 0."""
    for kind, name in ((1, letter), (2, f"a{letter}")):
        try:
            expat.ParserCreate().Parse(f"<{name}/>".encode(), True)
        except expat.ExpatError:
            continue
        return kind
    return 0
