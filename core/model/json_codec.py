"""JSON encoding of scores, sources and figures, shared by stamps, desks and exports.

Numbers that are undefined (NaN) or infinite are written as null, and null is read as NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any, TypeVar

import numpy as np

from jurydesk.core.model.evaluation import (
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

T = TypeVar("T")
INTERVAL = {entry.name for entry in fields(Interval)}


def require_member(data: Json, name: str, kind: type[T]) -> T:
    """Return the member `name` of a JSON object.

    Raises:
        KeyError: If there is no such member.
        TypeError: If the data is not an object, or the value not of type `kind`.
    """
    if not isinstance(data, dict):
        raise TypeError(f"expected an object with {name!r}, found {data!r}")
    value = data[name]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError(f"{name!r} is {value!r}")
    return value


def json_number(value: float) -> float | None:
    """Return a float for JSON: None if it is undefined or infinite."""
    return value if math.isfinite(value) else None


def number_from_json(value: float | None) -> float:
    """Return the float of a `json_number`."""
    return math.nan if value is None else float(value)


def json_numbers(values: FloatArray) -> list[Any]:
    """Return an array of any shape as (nested) lists; undefined numbers become None."""
    finite = np.isfinite(values)
    encoded = values if finite.all() else np.where(finite, values, np.array(None, dtype=object))
    lists: list[Any] = encoded.tolist()
    return lists


def numbers_from_json(values: Sequence[Any]) -> FloatArray:
    """Return the array of `json_numbers`."""
    return np.array(values, dtype=np.float64)


def score_json(score: Score) -> dict[str, Json]:
    """Return a score as JSON values, with its interval if it has one."""
    interval = None if score.interval is None else asdict(score.interval)
    return {
        "metric": score.metric,
        "value": json_number(score.value),
        "n": score.n,
        "std": json_number(score.std),
        "interval": interval,
    }


def score_from_json(data: dict[str, Json]) -> Score:
    """Return the score of `score_json`."""
    interval = None if data["interval"] is None else _interval(data["interval"])
    value, std = _require_number(data, "value"), _require_number(data, "std")
    return Score(
        require_member(data, "metric", str), value, require_member(data, "n", int), std, interval
    )


def _interval(data: Json) -> Interval:
    if not isinstance(data, dict) or data.keys() != INTERVAL:
        raise TypeError(f"'interval' is {data!r}")
    low, high, level = (_require_number(data, name) for name in ("low", "high", "level"))
    return Interval(low, high, level, require_member(data, "method", str))


def _require_number(data: Json, name: str) -> float:
    value = data[name]
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise TypeError(f"{name!r} is {value!r}")
    return number_from_json(value)


def source_json(source: Source) -> dict[str, Json]:
    """Return an input file as JSON values."""
    return asdict(source)


def source_from_json(data: dict[str, Json]) -> Source:
    """Return the input file of `source_json`."""
    return Source(
        require_member(data, "role", str),
        require_member(data, "path", str),
        require_member(data, "size", int),
        require_member(data, "sha256", str),
    )


def figure_json(figure: Figure) -> dict[str, Json]:
    """Return a figure as JSON values, without the curves of individual items."""
    if isinstance(figure, Curve):
        return {
            "kind": "curve",
            "name": figure.name,
            "title": figure.title,
            "x_axis": asdict(figure.x_axis),
            "y_axis": asdict(figure.y_axis),
            "x": json_numbers(figure.x),
            "mean": json_numbers(figure.mean),
            "low": _optional_numbers(figure.low),
            "high": _optional_numbers(figure.high),
            "band": figure.band,
            "value": figure.value,
        }
    return {
        "kind": "heatmap",
        "name": figure.name,
        "title": figure.title,
        "x_axis": asdict(figure.x_axis),
        "y_axis": asdict(figure.y_axis),
        "values": json_numbers(figure.values),
        "lead": _optional_numbers(figure.lead),
        "lead_label": figure.lead_label,
        "decimals": figure.decimals,
    }


def figure_from_json(data: dict[str, Json], members: FloatArray | None = None) -> Figure:
    """Return the figure of `figure_json`, with the curves (items, n) of the items if given."""
    x_axis, y_axis = _axis(data["x_axis"]), _axis(data["y_axis"])
    if data["kind"] == "curve":
        return Curve(
            data["name"],
            data["title"],
            x_axis,
            y_axis,
            numbers_from_json(data["x"]),
            numbers_from_json(data["mean"]),
            _optional_array(data["low"]),
            _optional_array(data["high"]),
            data["band"],
            members,
            data["value"],
        )
    return Heatmap(
        data["name"],
        data["title"],
        x_axis,
        y_axis,
        numbers_from_json(data["values"]),
        _optional_array(data["lead"]),
        data["lead_label"],
        data["decimals"],
    )


def _optional_numbers(values: FloatArray | None) -> list[Any] | None:
    return None if values is None else json_numbers(values)


def _optional_array(values: Sequence[Any] | None) -> FloatArray | None:
    return None if values is None else numbers_from_json(values)


def _axis(data: dict[str, Json]) -> Axis:
    limits = data["limits"]
    return Axis(
        data["title"],
        data["unit"],
        tuple(data["ticks"]),
        tuple(data["labels"]),
        None if limits is None else (limits[0], limits[1]),
    )
