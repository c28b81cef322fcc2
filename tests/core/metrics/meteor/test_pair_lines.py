"""Lines of pairs and scores: parsed a batch at once, one by one as soon as one is invalid."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.meteor import pair_lines
from jurydesk.core.metrics.meteor.batch import Batch
from jurydesk.core.metrics.meteor.pair_lines import (
    interpreted_score_lines,
    read_pair_batches,
    read_valid_pairs,
    score_lines,
)

PAIR = {"hyp": "a cat sat", "refs": ["the cat", "a cat"]}


def read(*lines: bytes) -> tuple[list, list]:
    """Return the pairs and the lines with a defect."""
    stream = io.BytesIO(b"".join(lines))
    pairs, defects = [], []
    for some, found in read_pair_batches(stream, Path("pairs.jsonl")):
        pairs += some
        defects += [(one.place.line, one.found) for one in found]
    return pairs, defects


def as_line(data: object) -> bytes:
    return json.dumps(data).encode() + b"\n"


texts = st.text(max_size=20)


@given(st.lists(st.tuples(texts, st.lists(texts, max_size=3)), max_size=6))
def test_valid_lines_are_the_pairs_that_were_written(written):
    lines = [as_line({"hyp": hyp, "refs": refs}) for hyp, refs in written]
    assert read(*lines) == (written, [])


def test_the_number_of_a_bad_line_counts_all_batches(monkeypatch):
    monkeypatch.setattr(pair_lines, "BATCH_PAIRS", 2)
    lines = [as_line(PAIR)] * 4
    pairs, defects = read(*lines, b'{"hyp": 3, "refs": []}\n', as_line(PAIR))
    assert len(pairs) == 5
    assert defects == [(5, '"hyp" is missing or not a string.')]


@pytest.mark.parametrize(
    ("lines", "bad"),
    [
        ((b'{"hyp": "a", "refs": ["b"]}, {"hyp": "c", "refs": []}\n',), [1]),
        ((b'{"hyp": "a",\n', b'"refs": []}\n', b'{"hyp": "a", "refs": []}, 1\n'), [1, 2, 3]),
        ((b'{"x": [["a"\n', b'"b"]], "hyp": "h", "refs": []}\n', b"1], [2\n"), [1, 2, 3]),
        ((b'{"hyp": "a\n', b'b", "refs": []}\n', as_line(PAIR)), [1, 2]),
        ((b"\n", as_line(PAIR)), [1]),
        ((as_line(PAIR), b" \t\n"), [2]),
        ((as_line(PAIR), b"\xff\n"), [2]),
        ((as_line(PAIR), b"[" * 100_000 + b"\n"), [2]),
        ((as_line([PAIR]), as_line(PAIR)), [1]),
        ((as_line({"hyp": "a"}), as_line({"refs": []})), [1, 2]),
        ((as_line({"hyp": "a", "refs": [1]}),), [1]),
        ((as_line({"hyp": "a", "refs": "bc"}), as_line(PAIR)), [1]),
        ((as_line({"hyp": "a", "refs": {"b": "c"}}), as_line(PAIR)), [1]),
    ],
)  # fmt: skip
def test_every_line_must_be_a_pair_by_itself(lines, bad):
    pairs, defects = read(*lines)
    assert [number for number, _ in defects] == bad
    assert len(pairs) == len(lines) - len(bad)


def test_a_text_that_was_placed_between_lines_cannot_be_guessed(monkeypatch):
    """Two lines that are one value together, and one that is two, would deceive a known text."""
    monkeypatch.setattr(pair_lines.os, "urandom", lambda size: b"known")
    forged = (
        b'{"x": [1',
        b'2], "hyp": "h", "refs": []}',
        b'{"hyp": "h", "refs": []},"6b6e6f776e",{"hyp": "h", "refs": []}',
    )
    assert len(read_valid_pairs(forged)) == 3
    monkeypatch.undo()
    assert read_valid_pairs(forged) is None


def make_batch(scores: list[float], matches: list[list[int]], lengths: list[int]) -> Batch:
    number = len(scores)
    return Batch(
        np.arange(23.0 * number).reshape(number, 23) % 1000,
        np.array(scores, np.float64),
        np.zeros(number, np.int64),
        np.array(scores, np.float64),
        np.array(matches, np.int32).reshape(-1, 5),
        np.array(lengths, np.int32),
    )


def test_a_score_line_is_json_with_every_digit():
    batch = make_batch([1 / 3, 1e-7], [[0, 1, 0, 1, 0]], [1, 0])
    assert [json.loads(line) for line in score_lines(batch).splitlines()] == [
        {"score": 1 / 3, "stats": [*range(23)], "matches": [[0, 1, 0, 1, 0]]},
        {"score": 1e-7, "stats": [*range(23, 46)], "matches": []},
    ]


whole = st.integers(-(2**31), 2**31 - 1)
lines_of = st.lists(
    st.tuples(
        st.floats(allow_nan=False), st.lists(st.lists(whole, min_size=5, max_size=5), max_size=4)
    ),
    max_size=5,
)


@given(lines_of)
def test_compiled_and_interpreted_lines_are_equal(written):
    pytest.importorskip("jurydesk.core.metrics.meteor._score_lines")
    batch = make_batch(
        [score for score, _ in written],
        [match for _, matches in written for match in matches],
        [len(matches) for _, matches in written],
    )
    assert score_lines(batch) == interpreted_score_lines(batch)


def test_lines_of_narrow_numbers_are_those_of_wide_ones():
    wide = make_batch([0.5], [[3, 1, 65_535, 1, 2]], [1])
    narrow = make_batch([0.5], [[3, 1, 65_535, 1, 2]], [1])
    object.__setattr__(narrow, "matches", narrow.matches.astype(np.uint16))
    assert score_lines(narrow) == score_lines(wide)


def test_arrays_that_do_not_fit_each_other_are_refused():
    compiled = pytest.importorskip("jurydesk.core.metrics.meteor._score_lines")
    counts, matches = np.zeros((1, 23), np.int32), np.zeros((1, 5), np.int32)
    for lengths in ([2], [-1], [0, 1]):
        with pytest.raises(ValueError, match="do not fit each other"):
            compiled.score_lines(np.zeros(1), counts, matches, np.array(lengths, np.int32))
