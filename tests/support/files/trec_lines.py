"""Lines of trec_eval files for property tests, and equality of two readings."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from jurydesk.core.tasks.keyword_spotting.trec.lines import JudgementRows, ResultRows, RowsByQuery

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


def assert_same_blocks(ours: RowsByQuery, expected: RowsByQuery) -> None:
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
