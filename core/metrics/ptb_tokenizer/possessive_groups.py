"""Possessive repetitions of groups on Pythons before 3.11.5, which can match them wrongly.

There `re` returns to a wrong place where a repetition of the group fails in its middle: for
`(?:-ab?c)*+`, for example. An atomic group matches the same and has no such fault.
"""

from __future__ import annotations

import re
import sys

IS_FAULTY = sys.version_info < (3, 11, 5)

_PART = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]|[^\\\[()]", re.DOTALL)
_POSSESSIVE = re.compile(r"(\*|\+|\?|\{[0-9,]+\})\+")


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern so that its possessive groups match correctly."""
    return re.compile(replace_possessive_groups(pattern) if IS_FAULTY else pattern)


def replace_possessive_groups(pattern: str) -> str:
    """Return a pattern in which `(?:a)*+` and the like are `(?>(?:a)*)`."""
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    while found := _PART.match(pattern, at):
        at = found.end()
        parts.append(found[0])
        if found[0] == "(":
            starts.append(len(parts) - 1)
        elif found[0] == ")":
            start = starts.pop()
            if repeated := _POSSESSIVE.match(pattern, at):
                at = repeated.end()
                parts[start] = f"(?>{parts[start]}"
                parts.append(f"{repeated[1]})")
    return "".join(parts)
