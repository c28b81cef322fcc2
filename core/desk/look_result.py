"""Result of a look in the ledger of entries, whose members a stranger's desk must have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_codec import from_json


@dataclass(frozen=True, slots=True)
class _ToldScore:
    metric: str
    value: str
    step: str
    low: str = ""
    high: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class _ToldRank:
    place: str
    of: int
    nearest: str
    compared: str


@dataclass(frozen=True, slots=True)
class _Told:
    scores: tuple[_ToldScore, ...]
    rank: _ToldRank
    stamp: str
    profile: str


@dataclass(frozen=True, slots=True)
class _Exact:
    metric: str
    value: str
    error: str
    better: str


@dataclass(frozen=True, slots=True)
class _Policy:
    total: int


@dataclass(frozen=True, slots=True)
class _LookResult:
    look: int
    policy: _Policy
    statement: str
    competition: str
    made: str
    exact: _Exact
    counts: bool
    best: int
    told: _Told


def require_look_result(stored: Json) -> None:
    """Raise KeyError, TypeError or ValueError unless this is the result of a look."""
    found = from_json(_LookResult, stored)
    float(found.exact.value), float(found.exact.error)


def require_row_values(chained: Mapping[str, Any]) -> None:
    """Raise TypeError unless the number of a row is whole, and all else are texts."""
    for name, value in chained.items():
        if not isinstance(value, int if name == "number" else str) or isinstance(value, bool):
            raise TypeError(f"{name} is a {type(value).__name__}")
