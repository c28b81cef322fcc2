"""Tests of the captions nearest to a generated picture, and of the rank of its caption."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.tasks.fusionbrain.clip import nearest_captions as nearest
from jurydesk.core.tasks.fusionbrain.clip.nearest_captions import nearest_captions
from jurydesk.core.tasks.fusionbrain.fusionbrain_evidence import ItemEvidence

NORTH, EAST, BETWEEN = (0.0, 1.0), (1.0, 0.0), (0.6, 0.8)


def of(pictures, captions, texts):
    return nearest_captions(np.array(pictures, "f4"), np.array(captions, "f4"), texts)


def test_captions_are_sorted_by_cosine_and_the_picture_s_caption_is_ranked():
    first, second = of([BETWEEN, EAST], [EAST, NORTH], ["east", "north"])
    assert first.captions == (("north", pytest.approx(0.8)), ("east", pytest.approx(0.6)))
    assert (first.rank, first.among) == (2, 2)
    assert second.captions[0] == ("east", 1.0)
    assert second.rank == 2


def test_equal_captions_count_once():
    (_, second) = of([EAST, EAST], [EAST, EAST], ["east", "east"])
    assert second.captions == (("east", 1.0),)
    assert (second.rank, second.among) == (1, 1)


@given(st.integers(0, 1000), st.integers(1, 30))
def test_the_rank_counts_the_nearer_captions(seed, n):
    random = np.random.RandomState(seed)
    pictures, captions = random.randn(2, n, 4).astype("f4")
    texts = [str(number % 7) for number in range(n)]
    captions = captions[[int(text) % n for text in texts]]
    found = nearest_captions(pictures, captions, texts)
    for place, one in enumerate(found):
        near = {text: pictures[place] @ captions[i] for i, text in enumerate(texts)}
        own = near[texts[place]]
        assert one.rank == pytest.approx(
            1 + sum(value > own + 1e-6 for value in near.values()), abs=1
        )
        assert len(one.captions) == min(nearest.MAX_CAPTIONS, len(near))


def test_many_pictures_are_compared_in_parts(monkeypatch):
    pictures, captions = np.random.RandomState(0).randn(2, 9, 4).astype("f4")
    texts = list("abcdefghi")
    whole = nearest_captions(pictures, captions, texts)
    monkeypatch.setattr(nearest, "BATCH", 2)
    parts = nearest_captions(pictures, captions, texts)
    assert [one.rank for one in parts] == [one.rank for one in whole]


def test_nearest_captions_are_stored_with_the_item_and_older_desks_can_be_read():
    evidence = ItemEvidence(
        "generation",
        "1",
        "",
        "east",
        "",
        (),
        -1,
        0.5,
        (),
        nearest=(("east", 0.5),),
        rank=1,
        among=2,
    )
    assert ItemEvidence.from_json(evidence.to_json()) == evidence
    older = {name: value for name, value in evidence.to_json().items() if name not in NEW}
    assert ItemEvidence.from_json(older).nearest == ()


NEW = ("nearest", "rank", "among")
