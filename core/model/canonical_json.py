"""Canonical JSON: the one sequence of bytes of a value, which is hashed and signed.

Members are sorted by their names, there are no blanks, text is UTF-8 without escapes, and not
normalized. Numbers are whole: a score is a text, since programs write fractions differently.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from jurydesk.core.model.evaluation import Json

MOST = 2**53 - 1
"""Largest whole number that a browser reads exactly."""


class FloatSignedError(ValueError):
    """Value with a number that has no canonical form."""


def canonical_bytes(value: Json) -> bytes:
    """Return the canonical form of JSON values; raise ValueError if there is none.

    FloatSignedError says that it has a number other than a whole one that browsers read exactly.
    """
    if any(type(one) is float or (type(one) is int and abs(one) > MOST) for one in _leaves(value)):
        raise FloatSignedError
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def canonical_sha256(value: Json) -> str:
    """Return the SHA-256 of the canonical form."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    else:
        yield value
