"""What polars reads are the rows of the careful reader, or nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trec_lines import END, LINE, NAME, ODD_LINE, QUERY, assert_same, text_of

from core.tasks.keyword_spotting.trec_pieces import Piece
from core.tasks.keyword_spotting.trec_quick import fast_judgements, fast_results
from core.tasks.keyword_spotting.trec_rows import read_judgements, read_results


@given(st.lists(LINE, min_size=1, max_size=12), END)
def test_regular_results_are_read_alike(lines: list[str], end: str) -> None:
    piece = Piece(text_of(lines, end), 0, 5)
    expected = read_results(piece, "run.txt")
    fast = fast_results(piece)
    assert fast is not None
    assert_same(fast, expected)


@given(st.lists(st.one_of(LINE, ODD_LINE), min_size=1, max_size=8), END)
def test_whatever_is_read_quickly_is_right(lines: list[str], end: str) -> None:
    piece = Piece(text_of(lines, end), 0, 1)
    expected = read_results(piece, "run.txt")
    fast = fast_results(piece)
    if fast is not None:
        assert_same(fast, expected)


@given(
    st.lists(
        st.tuples(QUERY, NAME, st.sampled_from(["0", "1", "-1", "0.5", "2", "1e0", "2.5", "x"])),
        min_size=1,
        max_size=12,
    ),
    END,
)
def test_judgements_are_read_alike(rows: list[tuple[str, str, str]], end: str) -> None:
    piece = Piece(text_of([f"{q} 0 {name} {rel}" for q, name, rel in rows], end), 0, 1)
    expected = read_judgements(piece, "qrels.txt")
    fast = fast_judgements(piece)
    assert (fast is None) == bool(expected.defects)
    if fast is not None:
        assert_same(fast, expected)


@pytest.mark.parametrize(
    "text",
    [
        b"q Q0 a 1 1 x\n\nq Q0 b 1 1 x\n",
        b"# comment\nq Q0 a 1 1 x\n",
        b"q Q0 a 1 1 x\n#q Q0 a 1 1 x\n",
        b"q Q0 a 1 1 x y\nq Q0 b 1 1 x\n",
        b"q Q0 a 1 1 x\nq Q0 b 1 1 x y\n",
        b"q Q0 a 1 1\nq Q0 b 1 1 x y\n",
        b"q Q0 a 1 nan x\n",
        b"q Q0 a one 1 x\n",
        b"q Q0 a\x01 1 1 x\n",
        b"q Q0 \xe9 1 1 x\n",
    ],
)
def test_unusual_lines_are_left_to_the_careful_reader(text: bytes) -> None:
    assert fast_results(Piece(text, 0, 1)) is None


def test_every_line_may_have_the_same_fields_too_many() -> None:
    piece = Piece(b"q Q0 a 1 1 x 7 y\nq Q0 b 2 0 x 8 z\n", 0, 1)
    fast = fast_results(piece)
    assert fast is not None
    assert_same(fast, read_results(piece, "run.txt"))


def test_a_line_across_two_windows_is_seen_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.tasks.keyword_spotting.trec_quick._WINDOW", 5)
    regular = b"q Q0 a 1 1.5 run\nq Q0 b 2 0.5 run\n"
    assert fast_results(Piece(regular, 0, 1)) is not None
    assert fast_results(Piece(regular.replace(b"run\n", b"run\n\n", 1), 0, 1)) is None
    assert fast_results(Piece(regular.replace(b"\nq", b"\n#", 1), 0, 1)) is None
