from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from jurydesk.core.model import json_codec
from jurydesk.core.model.evaluation import (
    NO_JSON,
    Axis,
    Curve,
    Figure,
    FloatArray,
    Heatmap,
    Interval,
    Json,
    Score,
    Source,
)

FLOATS = st.floats(allow_infinity=False)
AXIS = Axis("recall", "%", (0.0, 0.5), ("none", "half"), (0.0, 1.0))
CURVE = Curve(
    "pr",
    "Precision and recall",
    AXIS,
    Axis("precision"),
    np.array([0.0, 0.5, 1.0]),
    np.array([1.0, np.nan, 0.2]),
    low=np.array([0.5, np.nan, 0.1]),
    band="95 %",
    value="ap",
)
HEATMAP = Heatmap(
    "map", "mAP", AXIS, AXIS, np.array([[1.0, np.nan], [0.5, 0.0]]), np.array([1.0, 2.0])
)


def through_json(value: object) -> object:
    return json.loads(json.dumps(value, allow_nan=False))


@given(FLOATS, FLOATS, st.integers(0, 10**9), st.booleans())
def test_scores_are_read_back_exactly(value: float, std: float, n: int, has_interval: bool) -> None:
    interval = Interval(0.1, 0.30000000000000004) if has_interval else None
    score = Score("ap", value, n, std, interval)
    back = json_codec.from_json(Score, through_json(json_codec.to_json(score)))
    assert repr(back) == repr(score)


@given(arrays.arrays(np.float64, arrays.array_shapes(min_dims=1, max_dims=2), elements=FLOATS))
def test_arrays_are_read_back_exactly(values: FloatArray) -> None:
    back = json_codec.numbers_from_json(through_json(json_codec.json_numbers(values)))
    np.testing.assert_array_equal(back, values)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_cannot_express_are_null(value: float) -> None:
    assert json_codec.json_number(value) is None
    assert json_codec.json_numbers(np.array([1.0, value])) == [1.0, None]


@pytest.mark.parametrize("figure", [CURVE, HEATMAP])
def test_figures_are_read_back(figure: Figure) -> None:
    back = json_codec.figure_from_json(through_json(json_codec.figure_json(figure)))
    assert repr(back) == repr(figure)


def test_the_items_own_curves_are_written_separately() -> None:
    members = np.ones((4, 3))
    assert "members" not in json_codec.figure_json(CURVE)
    back = json_codec.figure_from_json(json_codec.figure_json(CURVE), members)
    assert isinstance(back, Curve)
    assert back.members is members


def test_sources_are_read_back() -> None:
    source = Source("relevance", "/data/gt.xml", 12, "ab" * 32)
    assert json_codec.from_json(Source, through_json(json_codec.to_json(source))) == source


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"role": 5}, "'role' is 5"),
        ([], r"expected an object with 'role', found \[\]"),
        ({"role": "r", "path": "p", "size": True, "sha256": ""}, "'size' is True"),
    ],
)
def test_a_source_of_another_shape_is_a_type_error(data: object, sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        json_codec.from_json(Source, data)


class Kind(StrEnum):
    ONE = "one"


class Pair(NamedTuple):
    first: int
    second: int


@dataclass(frozen=True)
class Everything:
    """A field of every type that the codec knows."""

    kind: Kind
    side: Literal["left", "right"]
    pair: Pair
    ends: tuple[float, float]
    words: tuple[str, ...]
    numbers: Mapping[str, int]
    is_set: bool
    source: Source | None = None
    anything: Json = None
    left_out: int = field(default=7, metadata=NO_JSON)


WHOLE = Everything(Kind.ONE, "left", Pair(1, 2), (0.5, 1.0), ("a",), {"n": 3}, True)


def test_every_type_of_field_is_read_back() -> None:
    source = Source("relevance", "/data/gt.xml", 12, "ab" * 32)
    for one in (WHOLE, replace(WHOLE, source=source, anything=[None, "x"])):
        assert json_codec.from_json(Everything, through_json(json_codec.to_json(one))) == one


def test_a_field_that_is_left_out_gets_its_default() -> None:
    data = json_codec.to_json(replace(WHOLE, left_out=8))
    assert "left_out" not in data
    assert json_codec.from_json(Everything, {**data, "left_out": 9}).left_out == 7


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "two"),
        ("side", "top"),
        ("pair", [1]),
        ("pair", [1, "2"]),
        ("ends", [0.5, 1, 2]),
        ("ends", [0.5, True]),
        ("words", "a"),
        ("words", [1]),
        ("numbers", {"n": "3"}),
        ("numbers", [3]),
        ("is_set", 1),
        ("source", []),
        ("source", {"role": "r", "path": "p", "size": 1}),
    ],
)
def test_a_value_of_another_type_is_refused(name: str, value: object) -> None:
    with pytest.raises((TypeError, ValueError, KeyError)):
        json_codec.from_json(Everything, {**json_codec.to_json(WHOLE), name: value})


def test_a_member_without_a_default_must_exist() -> None:
    data = json_codec.to_json(WHOLE)
    del data["words"]
    with pytest.raises(KeyError, match="words"):
        json_codec.from_json(Everything, data)


def test_a_whole_number_beyond_every_float_is_of_a_wrong_type():
    given = {"metric": "ap", "value": 10**400, "n": 3}
    with pytest.raises(TypeError, match="'value' is beyond the range of numbers"):
        json_codec.from_json(Score, given)
    assert json_codec.from_json(Score, given | {"value": 10**300}).value == 1e300
