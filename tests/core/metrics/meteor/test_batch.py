from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, count, islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.metrics.meteor import batch, profile
from jurydesk.core.metrics.meteor.batch import (
    BatchSlice,
    Pair,
    Sentences,
    _first_of_the_highest,
    split_into_slices,
)
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


def slices(pairs: Iterable[Pair], *first: int) -> Iterator[BatchSlice]:
    """Yield slices whose sentences are the texts themselves."""
    return split_into_slices(pairs, Sentences(str.encode), do_nothing, *first)


def pairs_of(part: BatchSlice) -> list[Pair]:
    texts = [sentence.decode() for sentence in part.sentences]
    found = []
    for number, (start, stop) in enumerate(pairwise(part.starts.tolist())):
        references = part.references[start:stop].tolist()
        hypothesis = references[0] - 1 if references else number + start
        assert part.hypotheses[start:stop].tolist() == [hypothesis] * len(references)
        found.append((texts[hypothesis], [texts[place] for place in references]))
    return found


@given(st.lists(st.tuples(st.text(max_size=3), st.lists(st.text(max_size=3), max_size=3))))
def test_the_slices_of_a_batch_are_its_pairs_in_order(written: list[Pair]) -> None:
    with pytest.MonkeyPatch.context() as change:
        change.setattr(batch, "BLOCK", 2)
        change.setattr(batch, "CHARACTERS", 9)
        assert [pair for part in slices(written, 3) for pair in pairs_of(part)] == written


def test_the_first_slice_is_small_and_the_others_are_large_whatever_the_texts() -> None:
    stories = (("x" * 300, ["x" * 300]) for _ in count())
    sizes = [sum(map(len, part.sentences)) for part in islice(slices(stories), 3)]
    assert sizes == pytest.approx([100_000, 700_000, 700_000], rel=0.2)
    empty = (("", [""]) for _ in count())
    assert len(next(slices(empty))) == pytest.approx(50_000, rel=0.01)


@pytest.mark.parametrize(("references", "hypotheses"), [(0, 1000), (1, 1000), (5, 200), (2000, 1)])
def test_a_chunk_has_as_many_hypotheses_as_a_thousand_pairs_need(
    references: int, hypotheses: int
) -> None:
    pairs = [("a dog", ["the dog"] * references)] * 2500
    request = meteor_request(pairs, profile("coco"), "")
    assert {len(chunk) for chunk in request.chunks[:-1]} == {hypotheses}
    assert sum(map(len, request.chunks)) == 2500
