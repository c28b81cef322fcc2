"""Decoding of JSON texts that strangers wrote: one kind of error, whatever is wrong with them."""

from __future__ import annotations

import json
import re
from typing import NoReturn

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import Json

DEEPEST = 100
"""Maximum depth of nesting. Python's own limit depends on its version and on the caller."""

_STEPS = np.zeros(256, np.int8)
_STEPS[list(b"[{")], _STEPS[list(b"]}")] = 1, -1
_ELSE = bytes(set(range(256)) - set(b'[]{}"'))
_TEXT = re.compile(rb'"[^"]*(?:"|$)')


def is_too_deep(text: str | bytes) -> bool:
    """Return whether valid JSON, or a valid prefix of JSON, is nested too deeply."""
    raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = _TEXT.sub(b"", raw.translate(None, _ELSE).replace(b'""', b""))
    if len(brackets) <= DEEPEST:
        return False
    steps = _STEPS[np.frombuffer(brackets, np.uint8)]
    return int(np.cumsum(steps, dtype=np.int32).max()) > DEEPEST


def parse_json(text: str | bytes, *, unique: bool = False, not_finite: bool = False) -> Json:
    """Return the value of a JSON text.

    Raises ValueError for anything that is not JSON in UTF-8, for NaN and Infinity unless
    `not_finite`, which this program's own files may have, for nesting of more than `DEEPEST`
    levels, for whole numbers of thousands of digits, and with `unique` for an object that has a
    member twice.
    """
    try:
        hook = _unique_object if unique else None
        constant = None if not_finite else _refuse_constant
        value = json.loads(text, parse_constant=constant, object_pairs_hook=hook)
    except RecursionError:
        raise ValueError("The JSON is nested too deeply to be read.") from None
    if is_too_deep(text):
        raise ValueError("The JSON is nested too deeply to be read.")
    return value


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(fill("The JSON is invalid: {match} is not a JSON value.", word))


def _unique_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(fill("An object has the member {name} twice.", repr(name)))
        members[name] = value
    return members
