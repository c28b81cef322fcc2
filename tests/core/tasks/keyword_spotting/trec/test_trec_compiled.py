"""Compiled reader: it gives the rows of the Python reader, or nothing for an invalid line."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jurydesk.core.tasks.keyword_spotting.trec.document_names import ListedNames
from jurydesk.core.tasks.keyword_spotting.trec.fast_lines import (
    AVAILABLE,
    ByteNames,
    compiled_judgements,
    compiled_results,
)
from jurydesk.core.tasks.keyword_spotting.trec.lines import read_judgement_rows, read_result_rows
from jurydesk.core.tasks.keyword_spotting.trec.pieces import Piece
from support.files.trec_lines import END, LINE, NAME, ODD_LINE, QUERY, assert_same, text_of
from support.suite.samples import sample_size

pytestmark = pytest.mark.skipif(
    not AVAILABLE, reason="no compiler was at hand when the program was installed"
)

NAMES = st.lists(st.text("ab\u00e9\U0001f600", min_size=1, max_size=12), max_size=12)


def assert_read_alike(text: bytes) -> None:
    piece = Piece(text, 0, 5)
    expected = read_result_rows(piece, "run.txt")
    ours = compiled_results(piece)
    assert (ours is None) == bool(expected.defects or not len(expected.names))
    if ours is not None:
        assert_same(ours, expected)


@settings(max_examples=sample_size(150, of=400))
@given(st.lists(st.one_of(LINE, ODD_LINE), min_size=1, max_size=8), END)
def test_results_are_read_the_same(lines: list[str], end: str) -> None:
    assert_read_alike(text_of(lines, end))


@settings(max_examples=sample_size(150, of=400))
@given(st.lists(LINE, min_size=1, max_size=3), st.data())
def test_damaged_results_are_read_the_same(lines: list[str], data: st.DataObject) -> None:
    text = bytearray(text_of(lines, "\n"))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.sampled_from(b"\0\t\n\v\f\r\x1c #+-.019eE_anif") | st.just(0xC3))
    try:
        text.decode()
    except UnicodeDecodeError:
        assert compiled_results(Piece(bytes(text), 0, 1)) is None
    else:
        assert_read_alike(bytes(text))


@given(
    st.lists(
        st.tuples(QUERY, NAME, st.sampled_from(["0", "1", "-1", "0.5", "2", "1e0", "2.5", "x"])),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(["", "\n", " ", "# more", "q 0 a 1 9\n", "q 0 a\n", "q 0 a\0 1\n"]),
)
def test_judgements_are_read_the_same(rows: list[tuple[str, str, str]], last: str) -> None:
    lines = [f"{query} 0 {name} {relevance}\n" for query, name, relevance in rows]
    piece = Piece("".join([*lines, last]).encode(), 0, 1)
    expected = read_judgement_rows(piece, "qrels.txt")
    ours = compiled_judgements(piece)
    assert (ours is None) == bool(expected.defects)
    if ours is not None:
        assert_same(ours, expected)


def number_of(text: str) -> float | None:
    rows = compiled_results(Piece(f"q Q0 a 1 {text} run".encode(), 0, 1))
    return None if rows is None else float(rows.sims[0])


@settings(max_examples=sample_size(500, of=2000))
@given(
    st.one_of(
        st.floats(allow_nan=False).map(repr),
        st.floats(-1000, 1000).map(repr),
        st.floats(-1000, 1000).map("{:.17e}".format),
        st.from_regex(r"[-+]?[0-9]{0,20}\.?[0-9]{1,20}([eE][-+]?[0-9]{1,3})?", fullmatch=True),
        st.from_regex(r"0\.[0-9]{16,17}", fullmatch=True),
    )
)
@example("9007199254740993")
@example("900719925474099.3")
@example("0.500000000000000166")
@example("0.50000000000000005551")
@example("999999999999999999")
@example("1e22")
@example("1e-400")
@example("-0.0")
def test_a_number_is_rounded_as_in_python(text: str) -> None:
    ours = number_of(text)
    assert ours == float(text)
    assert ours is not None
    assert math.copysign(1, ours) == math.copysign(1, float(text))


@pytest.mark.parametrize(
    "text", ["", "+", ".", "e5", "1e", "1e+", "1_0", "0x1", "1,5", "nan", "1d"]
)
def test_an_invalid_number_is_left_to_the_python_reader(text: str) -> None:
    assert number_of(text) is None


def test_lines_can_have_different_numbers_of_fields() -> None:
    assert_read_alike(b"q Q0 a 1 1 x 7 y\nq Q0 b 2 0 x\n\n# end\nq Q0 c 3 0 x 9\n")


@given(NAMES, st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_names_are_sorted_and_compared_as_in_a_list(names: list[str], groups: list[int]) -> None:
    ours, listed = ByteNames.of(names), ListedNames(names)
    rows = np.arange(len(names))[::-1]
    group = np.array(groups[: len(names)], dtype=np.int64)
    order = ours.texts(ours.descending(rows, group))
    assert order == listed.texts(listed.descending(rows, group))
    assert ours.differ(rows, ours, rows[::-1]).tolist() == [
        names[one] != names[other] for one, other in zip(rows, rows[::-1], strict=True)
    ]
    assert len(set(ours.keys.tolist())) == len(set(names))
