from __future__ import annotations

import hashlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.language import fill
from jurydesk.core.neural.feature_cache import LONGEST, FeatureShard, RowCache, split_into_shards
from support.tiny_models import Kept


def hashes(numbers):
    return [hashlib.sha256(str(number).encode()).hexdigest() for number in numbers]


@given(st.lists(st.integers(0, 300), max_size=300))
def test_every_item_is_in_one_shard(numbers):
    cut = split_into_shards(hashes(numbers))
    assert sorted(place for shard in cut for place in shard.places) == list(range(len(numbers)))
    assert all(len(shard.places) <= LONGEST for shard in cut)


@given(st.permutations(range(60)))
def test_the_order_of_the_items_does_not_matter(numbers):
    before = {shard.hashes for shard in split_into_shards(hashes(range(60)))}
    assert {shard.hashes for shard in split_into_shards(hashes(numbers))} == before


def test_one_more_item_changes_at_most_two_shards():
    before = {shard.hashes for shard in split_into_shards(hashes(range(2000)))}
    after = {shard.hashes for shard in split_into_shards(hashes(range(2001)))}
    assert len(before) > 40
    assert len(before - after) <= 2


def test_rows_are_found_only_with_the_same_model_and_items():
    kept, shard = Kept(), FeatureShard((4, 2), tuple(hashes([4, 2])))
    rows = np.array([[1.5, 2.0, -3.0], [0.0, 1e-9, 7.0]], dtype=np.float32)
    remarks = [[fill("is {n} wide", 3)], *([] for _ in shard.places[1:])]
    RowCache(kept, ("a network",)).put(shard, rows, remarks)
    again, told = RowCache(kept, ("a network",)).get(shard)
    assert np.array_equal(again, rows)
    assert told == remarks
    assert RowCache(kept, ("another",)).get(shard) is None
    assert RowCache(kept, ("a network",)).get(FeatureShard((0,), tuple(hashes([4])))) is None
