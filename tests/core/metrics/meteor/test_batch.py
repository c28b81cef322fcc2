from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.meteor import batch, profile
from jurydesk.core.metrics.meteor.batch import Sentences, _first_of_the_highest
from jurydesk.core.metrics.meteor.meteor_chunks import meteor_request

SCORES = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])


@given(st.lists(st.lists(SCORES, max_size=4), max_size=6))
def test_the_first_of_the_highest_scores_of_every_group_is_chosen(
    groups: list[list[float]],
) -> None:
    values = [value for group in groups for value in group]
    starts = list(accumulate(map(len, groups), initial=0))
    chosen = _first_of_the_highest(np.array(values, np.float64), np.array(starts, np.int64))
    assert chosen.tolist() == [
        start + values[start:stop].index(max(values[start:stop])) if stop > start else len(values)
        for start, stop in pairwise(starts)
    ]


def do_nothing() -> None:
    return


def test_word_numbers_are_dropped_when_too_many_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batch, "KEPT_BYTES", 10)
    prepared: list[str] = []

    def prepare(text: str) -> bytes:
        prepared.append(text)
        return bytes(4)

    sentences = Sentences(prepare)
    assert sentences.numbers(["one", "two", "one"], do_nothing) == [bytes(4)] * 3
    assert prepared == ["one", "two"]
    sentences.numbers(["three", "three", "one"], do_nothing)
    assert prepared == ["one", "two", "three"]
    sentences.numbers(["one"], do_nothing)
    assert prepared == ["one", "two", "three", "one"]


@pytest.mark.parametrize(("references", "hypotheses"), [(0, 1000), (1, 1000), (5, 200), (2000, 1)])
def test_a_chunk_has_as_many_hypotheses_as_a_thousand_pairs_need(
    references: int, hypotheses: int
) -> None:
    pairs = [("a dog", ["the dog"] * references)] * 2500
    request = meteor_request(pairs, profile("coco"), "")
    assert {len(chunk) for chunk in request.chunks[:-1]} == {hypotheses}
    assert sum(map(len, request.chunks)) == 2500
