"""Outcome of one check of the self-test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Outcome = Literal["ok", "differs", "absent"]


@dataclass(frozen=True, slots=True)
class Check:
    """Outcome of one check, with a sentence; `"absent"` (not installed) is not a failure."""

    part: str
    name: str
    outcome: Outcome
    text: str
