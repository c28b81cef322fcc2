"""JSON encoding of dataclasses, shared by stamps, desks and exports.

An object has a member for each field; tuples, named or not, and arrays are lists. Numbers that are
undefined (NaN) or infinite are written as null, and null is read as NaN.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from jurydesk.core.language.message import decode_message, encode_message, is_message
from jurydesk.core.model.evaluation import Curve, Figure, FloatArray, Heatmap, Json

T = TypeVar("T")
Decoder = Callable[[str, Json], Any]
"""Function of a member's name, for messages, and its value."""


def to_json(value: Any, *, messages: bool = False) -> Json:
    """Return a value as JSON values; `messages` keeps the templates of messages."""
    if isinstance(value, float):
        return json_number(value)
    if value is None or type(value) in (int, bool):  # most values are numbers
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray):
        return json_numbers(value)
    if isinstance(value, Mapping):
        return {name: to_json(one, messages=messages) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [to_json(one, messages=messages) for one in value]
    if is_dataclass(value):
        return {
            field.name: to_json(getattr(value, field.name), messages=messages)
            for field in _members(value)
        }
    return encode_message(value) if messages and isinstance(value, str) else value


def from_json(kind: type[T], data: Json) -> T:
    """Decode a value that `to_json` encoded; members without a field are ignored.

    Raises:
        KeyError: If a member without a default is missing.
        TypeError: If a value is of another type.
        ValueError: If a value is none of the permitted ones.
    """
    return cast(T, _decoder(cast(Hashable, kind))("value", data))


def figure_json(figure: Figure, *, messages: bool = False) -> dict[str, Json]:
    """Return a figure as JSON values, without the curves of individual items."""
    kind = "curve" if isinstance(figure, Curve) else "heatmap"
    return {"kind": kind, **to_json(figure, messages=messages)}


def figure_from_json(data: dict[str, Json], members: FloatArray | None = None) -> Figure:
    """Return the figure of `figure_json`, with the curves (items, n) of the items if given."""
    if data["kind"] == "curve":
        return replace(from_json(Curve, data), members=members)
    return from_json(Heatmap, data)


def require_member(data: Json, name: str, kind: type[T]) -> T:
    """Return the member `name` of a JSON object.

    Raises:
        KeyError: If there is no such member.
        TypeError: If the data is not an object, or the value not of type `kind`.
    """
    return cast(T, _decoder(cast(Hashable, kind))(name, _require_object(name, data)[name]))


def json_number(value: float) -> float | None:
    """Return a float for JSON: None if it is undefined or infinite."""
    return value if math.isfinite(value) else None


def json_numbers(values: FloatArray) -> list[Any]:
    """Return an array of any shape as (nested) lists; undefined numbers become None."""
    finite = np.isfinite(values)
    encoded = values if finite.all() else np.where(finite, values, np.array(None, dtype=object))
    lists: list[Any] = encoded.tolist()
    return lists


def numbers_from_json(values: Sequence[Any]) -> FloatArray:
    """Return the array of `json_numbers`."""
    return np.array(values, dtype=np.float64)


def _members(kind: Any) -> list[Field[Any]]:
    return [field for field in fields(kind) if field.metadata.get("json", True)]


@cache
def _decoder(kind: Any) -> Decoder:
    """Return the decoder of a type, made once."""
    origin, arguments = get_origin(kind), get_args(kind)
    # NumPy's NDArray is an alias of its own kind (PEP 695) where Python is new enough for it.
    if (aliased := getattr(origin, "__value__", None)) is not None:
        return _decoder(aliased[arguments])
    if origin in (Union, types.UnionType):
        (some,) = (_decoder(one) for one in arguments if one is not types.NoneType)
        return lambda name, data: None if data is None else some(name, data)
    if origin is Literal:
        return lambda name, data: _check(name, data, data in arguments)
    if origin is tuple:
        return _tuple_decoder(arguments)
    if origin is np.ndarray:
        return lambda name, data: numbers_from_json(data)
    if origin is not None and issubclass(origin, Mapping):
        value = _decoder(arguments[1])
        return lambda name, data: {k: value(k, v) for k, v in _require_object(name, data).items()}
    if kind is Any:
        return lambda name, data: data
    if kind is float:
        return _number
    if hasattr(kind, "_fields"):
        parts = _tuple_decoder(tuple(get_type_hints(kind).values()))
        return lambda name, data: kind(*parts(name, data))
    if is_dataclass(kind):
        return _object_decoder(kind)
    if issubclass(kind, Enum):
        return lambda name, data: kind(data)
    if kind is str:
        return lambda name, data: decode_message(data) if is_message(data) else _text(name, data)
    return lambda name, data: _check(
        name, data, isinstance(data, kind) and (kind is bool or not isinstance(data, bool))
    )


def _text(name: str, data: Json) -> Json:
    return _check(name, data, isinstance(data, str))


def _tuple_decoder(arguments: tuple[Any, ...]) -> Decoder:
    if arguments[-1] is Ellipsis:
        one = _decoder(arguments[0])
        return lambda name, data: tuple(one(name, part) for part in _require_list(name, data))
    parts = [_decoder(argument) for argument in arguments]

    def decode(name: str, data: Json) -> Any:
        _check(name, data, len(_require_list(name, data)) == len(parts))
        return tuple(decode_part(name, one) for decode_part, one in zip(parts, data, strict=True))

    return decode


def _object_decoder(kind: Any) -> Decoder:
    types_by_name = get_type_hints(kind)
    decoders = {field.name: _decoder(types_by_name[field.name]) for field in _members(kind)}
    optional = {
        field.name
        for field in fields(kind)
        if field.default is not MISSING or field.default_factory is not MISSING
    }

    def decode(name: str, data: Json) -> Any:
        values = _require_object(next(iter(decoders)), data)
        return kind(
            **{
                name: decoder(name, values[name])
                for name, decoder in decoders.items()
                if name in values or name not in optional
            }
        )

    return decode


def _require_object(name: str, data: Json) -> dict[str, Json]:
    if not isinstance(data, dict):
        raise TypeError(f"expected an object with {name!r}, found {data!r}")
    return data


def _require_list(name: str, data: Json) -> list[Json]:
    _check(name, data, isinstance(data, list))
    return cast(list[Json], data)


def _number(name: str, data: Json) -> float:
    _check(name, data, data is None or type(data) in (int, float))
    try:
        return math.nan if data is None else float(data)
    except OverflowError:  # a whole number of hundreds of digits
        raise TypeError(f"{name!r} is beyond the range of numbers") from None


def _check(name: str, data: Json, is_valid: bool) -> Json:
    if not is_valid:
        raise TypeError(f"{name!r} is {data!r}")
    return data
