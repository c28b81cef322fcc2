from __future__ import annotations

import math
import tracemalloc
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from jurydesk.core.desk import codec
from jurydesk.core.desk.codec import DamagedContentError, _last_cut
from jurydesk.core.model.evaluation import FloatArray

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(arrays.arrays(np.float64, arrays.array_shapes(min_dims=1, max_dims=2, min_side=0)))
def test_numbers_are_read_back_exactly(values: FloatArray) -> None:
    back = codec.unpack_numbers(*codec.pack_numbers(values), values.shape)
    assert back.tobytes() == values.tobytes()
    assert back.flags.writeable


def test_packed_content_that_is_too_large_is_refused_before_it_takes_memory() -> None:
    content = zlib.compress(bytes(1 << 24))
    tracemalloc.start()
    try:
        with pytest.raises(DamagedContentError, match=r"larger than 1,000 bytes"):
            codec.inflate(content, 1000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20


def test_columns_of_few_values_are_packed_and_measured_ones_are_not() -> None:
    dice = np.random.default_rng(0)
    assert codec.pack_numbers(dice.integers(0, 2, 10_000).astype(np.float64))[0]
    assert not codec.pack_numbers(dice.random(10_000))[0]


@pytest.mark.parametrize(
    ("values", "way", "size"),
    [
        ([0.0, 255.0], 2, 2),
        ([0.0, 256.0], 3, 4),
        ([-1.0, 40_000.0], 4, 8),
        ([0.0, float(2**31)], 0, 16),
        ([-0.0, 1.0], 0, 16),
        ([0.5, 1.0], 0, 16),
        ([math.nan, 1.0], 0, 16),
        ([math.inf, 1.0], 0, 16),
    ],
)
def test_whole_numbers_are_kept_in_the_narrowest_type(
    values: list[float], way: int, size: int
) -> None:
    packed, content = codec.pack_numbers(np.array(values))
    assert packed == way
    assert len(zlib.decompress(content) if packed else content) == size
    assert repr(codec.unpack_numbers(packed, content, (2,)).tolist()) == repr(values)


def test_numbers_are_little_endian_float64() -> None:
    assert codec.pack_numbers(np.array([1.0, math.pi])) == (
        False,
        bytes.fromhex("000000000000f03f182d4454fb210940"),
    )


def test_big_endian_and_strided_arrays_are_stored_as_well() -> None:
    values = np.arange(10.0).astype(">f8")[::2]
    back = codec.unpack_numbers(*codec.pack_numbers(values), (5,))
    assert back.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]


@given(JSON)
def test_json_is_read_back_unchanged(value: object) -> None:
    assert codec.unpack_json(codec.pack_json([value, value])) == [value, value]


def test_half_a_surrogate_pair_is_stored() -> None:
    assert codec.unpack_json(codec.pack_json(["\ud800"])) == ["\ud800"]


@pytest.mark.parametrize("count", [0, 1, codec.STRING_BATCH, codec.STRING_BATCH + 1])
def test_many_strings_are_stored_as_one_list(count: int) -> None:
    strings = [f"item {number}" for number in range(count)]
    assert codec.pack_strings(strings) == codec.pack_json(strings)
    assert codec.unpack_json(codec.pack_strings(strings)) == strings


class TestDamage:
    def test_a_column_of_another_length_is_damage(self) -> None:
        with pytest.raises(DamagedContentError, match="a column has 8 bytes instead of 16"):
            codec.unpack_numbers(False, bytes(8), (2,))

    @pytest.mark.parametrize("content", [b"", b"no zlib", zlib.compress(bytes(64))[:-8]])
    def test_content_that_cannot_be_unpacked_is_damage(self, content: bytes) -> None:
        with pytest.raises(DamagedContentError):
            codec.unpack_numbers(True, content, (8,))
        with pytest.raises(DamagedContentError):
            codec.unpack_json(content)

    @pytest.mark.parametrize("shape", [(0,), (2,)])
    def test_a_compression_bomb_is_not_unpacked(self, shape: tuple[int, ...]) -> None:
        bomb = zlib.compress(bytes(1 << 20))
        with pytest.raises(DamagedContentError, match="packed content is larger than"):
            codec.unpack_numbers(True, bomb, shape)

    def test_a_text_that_is_not_json_is_damage(self) -> None:
        with pytest.raises(DamagedContentError, match="a text is not valid JSON"):
            codec.parse_stored("{")

    def test_any_error_while_decoding_is_damage(self) -> None:
        with pytest.raises(DamagedContentError, match=r"\(KeyError: 'metric'\)"), codec.damage_at():
            {}["metric"]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (rb'["x","a\","', 5),  # the id a", ends with an escaped quote and a comma
        (rb'["x\\","b', 7),  # the id ends with a backslash
        (rb'["x","b', 5),
        (rb'["x', 0),
    ],
)
def test_ids_are_cut_between_two_of_them(text, start):
    assert _last_cut(text) == start


def test_columns_that_are_read_at_once_have_at_most_half_a_gigabyte() -> None:
    largest = 2**29 // 8
    assert codec.count_numbers((1 << 13, largest >> 13)) == largest
    with pytest.raises(DamagedContentError, match="the array shape"):
        codec.count_numbers((largest + 1,))


def test_row_numbers_are_as_many_as_they_should_be() -> None:
    places = np.arange(5)
    content = codec.pack_places(places)
    assert codec.unpack_places(content, 5).tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(DamagedContentError, match=r"^row numbers have 40 bytes instead of 48$"):
        codec.unpack_places(content, 6)
    with pytest.raises(DamagedContentError, match=r"^packed content is larger than 32 bytes$"):
        codec.unpack_places(content, 4)
    for count in (-1, True):
        with pytest.raises(DamagedContentError, match="is invalid"):
            codec.unpack_places(content, count)
