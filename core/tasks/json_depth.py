"""How deeply JSON is nested: one limit for every reader, whatever Python or browser reads it."""

from __future__ import annotations

import re

import numpy as np

DEEPEST = 100
"""Levels that are read. Python's own limit depends on its version, and on who calls."""

_STEPS = np.zeros(256, np.int8)
_STEPS[list(b"[{")], _STEPS[list(b"]}")] = 1, -1
_ELSE = bytes(set(range(256)) - set(b'[]{}"'))
_TEXT = re.compile(rb'"[^"]*(?:"|$)')


def is_too_deep(text: str) -> bool:
    """Whether lists and objects of valid JSON, or of its valid beginning, are nested too deeply."""
    raw = text.encode("utf-8", "replace")
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = _TEXT.sub(b"", raw.translate(None, _ELSE).replace(b'""', b""))
    if len(brackets) <= DEEPEST:
        return False
    steps = _STEPS[np.frombuffer(brackets, np.uint8)]
    return int(np.cumsum(steps, dtype=np.int32).max()) > DEEPEST
