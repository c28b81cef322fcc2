"""Division of files into parts: whole lines, whole queries, nothing lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.tasks.keyword_spotting.trec import pieces as trec_pieces
from jurydesk.core.tasks.keyword_spotting.trec.pieces import last_query, split_pieces

LINES = st.sampled_from(["{} Q0 a 1 1 x", "\t{}  Q0 b", "{}"])
FILLERS = st.lists(st.sampled_from(["", "# q1 comment", "  "]), max_size=2)
BLOCK = st.lists(st.tuples(LINES, FILLERS), min_size=1, max_size=6)


def text_of(blocks: list[list[tuple[str, list[str]]]]) -> bytes:
    """Return a file with one block of lines for each query."""
    lines = [
        text
        for number, block in enumerate(blocks)
        for line, fillers in block
        for text in (line.format(f"q{number}"), *fillers)
    ]
    return "\n".join([*lines, ""]).encode()


def queries(data: bytes) -> set[bytes]:
    fields = [line.split() for line in data.split(b"\n")]
    return {words[0] for words in fields if words and not words[0].startswith(b"#")}


def in_blocks(data: bytes, size: int = 7) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)]


@given(st.lists(BLOCK, min_size=1, max_size=6), st.integers(10, 60))
def test_parts_add_up_to_the_file_and_share_no_query(
    blocks: list[list[tuple[str, list[str]]]], size: int
) -> None:
    data = text_of(blocks)
    found = list(split_pieces(in_blocks(data), size))
    assert b"".join(piece.data for piece in found) == data
    seen: set[bytes] = set()
    line, offset = 1, 0
    for piece in found:
        assert (piece.first_line, piece.offset) == (line, offset)
        assert not seen & queries(piece.data)
        seen |= queries(piece.data)
        line += piece.data.count(b"\n")
        offset += len(piece.data)


@given(st.lists(BLOCK, min_size=2, max_size=6))
def test_the_last_query_begins_where_its_lines_do(
    blocks: list[list[tuple[str, list[str]]]],
) -> None:
    data = text_of(blocks)
    cut = last_query(data)
    assert data[cut - 1 : cut] == b"\n"
    assert queries(data[cut:]) == {f"q{len(blocks) - 1}".encode()}


def test_a_single_query_is_never_divided() -> None:
    data = b"q Q0 a 1 1 x\n" * 50
    assert last_query(data) == 0
    assert [piece.data for piece in split_pieces(in_blocks(data), 20)] == [data]


@pytest.mark.parametrize("filler", [b"\n", b"# more\n\n"])
def test_a_long_run_of_lines_without_content_is_not_searched(filler: bytes) -> None:
    data = b"q1 a\n" + filler * trec_pieces.PATIENCE + b"q2 a\n" * 2
    cut = last_query(data)
    assert (queries(data[:cut]), queries(data[cut:])) == ({b"q1"}, {b"q2"})
    assert last_query(data[: -len(b"q2 a\n" * 2)]) == 0


def test_the_byte_order_mark_is_left_out() -> None:
    (piece,) = split_pieces([b"\xef\xbb\xbfq Q0 a 1 1 x\n"])
    assert piece.data == b"q Q0 a 1 1 x\n"
    assert piece.offset == 0


def test_an_empty_file_has_no_part() -> None:
    assert list(split_pieces([])) == []
