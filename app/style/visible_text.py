"""Text of strangers made harmless for the eye: nothing hidden, nothing that turns round."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

JOINERS = "\u200c\u200d"
"""Invisible characters that scripts and emoji need between two letters."""
SHOWN_CHARACTERS = 64
CONTROL_PICTURES = 0x2400


def shown(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """The text as it is drawn: what is invisible has a sign, what is too long loses its middle."""
    if len(text) > limit:
        text = f"{text[: limit // 2]}…{text[-(limit // 2) :]}"
    return text if text.isprintable() else "".join(map(_sign, text))


def is_right_to_left(words: Iterable[str]) -> bool:
    """Whether the first letter with a direction is one of a script that runs to the left."""
    for word in words:
        for letter in word[:SHOWN_CHARACTERS]:
            direction = unicodedata.bidirectional(letter)
            if direction in ("R", "AL"):
                return True
            if direction == "L":
                return False
    return False


def _sign(letter: str) -> str:
    if letter.isprintable() or letter in JOINERS:
        return letter
    if unicodedata.category(letter) == "Zs":
        return " "
    return chr(CONTROL_PICTURES + ord(letter)) if ord(letter) < 32 else "\ufffd"


def tip(*lines: str) -> str:
    """A tooltip of these lines; empty ones are left out.

    Qt takes a text that looks like HTML for HTML, pictures included: so it gets HTML on purpose,
    in which every line is plain text.
    """
    from html import escape  # with its entities, which no first window waits for

    shown = [escape(line).replace("\n", "<br>") for line in lines if line]
    return f"<div>{'<br>'.join(shown)}</div>" if shown else ""
