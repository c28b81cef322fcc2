"""The quick readers give the same rows as the careful one, or nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from core.tasks.keyword_spotting.trec_fast import fast_judgements, fast_results
from core.tasks.keyword_spotting.trec_pieces import Piece
from core.tasks.keyword_spotting.trec_rows import (
    Blocks,
    JudgementRows,
    ResultRows,
    read_judgements,
    read_results,
)
from core.tasks.keyword_spotting.trec_small import small_judgements, small_results

QUERY = st.sampled_from(["q1", "q2", "q10", "é", "7"])
NAME = st.sampled_from(["a", "b", "ä", "x#y", '"quoted', "a,b", "long-" * 9, "\u2003"])
SCORE = st.one_of(
    st.floats(allow_nan=False).map(repr),
    st.integers(-999, 999).map(str),
    st.sampled_from(["1.", ".5", "+2", "1e5", "1E-3", "inf", "-Infinity", "-0", "1e400", "007"]),
)
ODD_SCORE = st.sampled_from(["nan", "abc", "1_0", "0x10", "1e", "٣", "-"])
RANK = st.integers(-5, 99).map(str)
SEPARATOR = st.sampled_from([" ", " ", " ", "\t", "  "])
LINE = st.tuples(QUERY, NAME, RANK, SCORE, SEPARATOR).map(
    lambda parts: parts[4].join([parts[0], "Q0", parts[1], parts[2], parts[3], "run"])
)
ODD_LINE = st.one_of(
    st.tuples(QUERY, NAME, RANK, ODD_SCORE).map(lambda p: f"{p[0]} Q0 {p[1]} {p[2]} {p[3]} run"),
    st.sampled_from(
        [
            "",
            "# comment",
            "q1 Q0 \x1d 1 1 run",
            "q1 Q0 a 1",
            "q1 Q0 a 1 1 run more",
            " #",
            "q1 Q0 a x 1 r",
        ]
    ),
)
END = st.sampled_from(["\n", "\n", "\r\n"])


def text_of(lines: list[str], end: str) -> bytes:
    return end.join([*lines, ""]).encode()


def assert_same_blocks(ours: Blocks, expected: Blocks) -> None:
    assert ours.queries == expected.queries
    assert_array_equal(ours.starts, expected.starts)
    rows = range(int(expected.starts[-1]))
    assert [ours.line(row) for row in rows] == [expected.line(row) for row in rows]


def assert_same(ours: ResultRows | JudgementRows, expected: ResultRows | JudgementRows) -> None:
    assert not expected.defects
    assert_same_blocks(ours.blocks, expected.blocks)
    every = np.arange(len(expected.names))
    assert ours.names.texts(every) == expected.names.texts(every)
    if isinstance(ours, JudgementRows) and isinstance(expected, JudgementRows):
        assert_array_equal(ours.relevance, expected.relevance)
    if isinstance(ours, ResultRows) and isinstance(expected, ResultRows):
        assert_array_equal(ours.sims, expected.sims)
        assert_array_equal(ours.ranks, expected.ranks)
        assert ours.run_name == expected.run_name


@given(st.lists(LINE, min_size=1, max_size=12), END)
def test_regular_results_are_read_alike(lines: list[str], end: str) -> None:
    piece = Piece(text_of(lines, end), 0, 5)
    expected = read_results(piece, "run.txt")
    fast = fast_results(piece)
    assert fast is not None
    assert_same(fast, expected)
    small = small_results(piece)
    if small is not None:
        assert_same(small, expected)


@given(st.lists(st.one_of(LINE, ODD_LINE), min_size=1, max_size=8), END)
def test_whatever_is_read_quickly_is_right(lines: list[str], end: str) -> None:
    piece = Piece(text_of(lines, end), 0, 1)
    expected = read_results(piece, "run.txt")
    for ours in (fast_results(piece), small_results(piece)):
        if ours is not None:
            assert_same(ours, expected)


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
    fast, small = fast_judgements(piece), small_judgements(piece)
    assert (fast is None) == bool(expected.defects)
    for ours in (fast, small):
        if ours is not None:
            assert_same(ours, expected)


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
    monkeypatch.setattr("core.tasks.keyword_spotting.trec_fast._WINDOW", 5)
    regular = b"q Q0 a 1 1.5 run\nq Q0 b 2 0.5 run\n"
    assert fast_results(Piece(regular, 0, 1)) is not None
    assert fast_results(Piece(regular.replace(b"run\n", b"run\n\n", 1), 0, 1)) is None
    assert fast_results(Piece(regular.replace(b"\nq", b"\n#", 1), 0, 1)) is None
