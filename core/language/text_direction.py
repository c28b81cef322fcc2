"""Isolation of right-to-left text in sentences that run from left to right.

Without it, the words and numbers beside an Arabic or Hebrew name would change their places, and a
control character in a name could turn the rest of its line around (Unicode Standard Annex 9).
`resources/web/language/language.js` does the same in pages.
"""

from __future__ import annotations

import re

ISOLATE, END = "\u2068", "\u2069"
SIGN = "\ufffd"
"""Shown instead of a control character."""
_CONTROLS = "\u202a-\u202e\u2066-\u2069"
_LETTERS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
# Compiled on first use: few texts need them, and none before the first window.
_DIRECTED = f"[{_LETTERS}{_CONTROLS}\u200e\u200f]"
_CONTROL = f"[{_CONTROLS}]"
_ISOLATED = f"{ISOLATE}[^{_CONTROLS}]*{END}"
_ISOLATED_OR_CONTROL = f"{_ISOLATED}|{_CONTROL}"
_TERMINAL_CONTROL = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"
"""Characters with which a name in a file could move the cursor or recolour the terminal."""
_RUN = f"[{_LETTERS}](?:[{_LETTERS} _.'’\"״׳-]*[{_LETTERS}])?"


def isolate(text: str) -> str:
    """Return a text of a user for a place in a sentence, whose order it then leaves unchanged.

    A text without right-to-left letters and controls, and one that is isolated already, is
    returned unchanged.
    """
    if not _is_directed(text):
        return text
    return f"{ISOLATE}{re.sub(_CONTROL, SIGN, text)}{END}"


def isolate_runs(text: str) -> str:
    """Return a finished sentence in which each right-to-left run of letters is isolated."""
    if not _is_directed(text):
        return text
    return re.sub(_RUN, rf"{ISOLATE}\g<0>{END}", re.sub(_CONTROL, SIGN, text))


def replace_controls(text: str) -> str:
    """Return a text with a sign for each control character that is not part of an isolate."""
    return text if text.isascii() else re.sub(_ISOLATED_OR_CONTROL, _replace_control, text)


def escape_control_characters(text: str) -> str:
    """Return a text for a terminal, with control characters as codes; line ends and tabs stay."""
    return re.sub(_TERMINAL_CONTROL, lambda match: f"\\x{ord(match[0]):02x}", text)


def _replace_control(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) > 1 else SIGN


def close_isolates(shortened: str) -> str:
    """Return a shortened text in which no isolate lacks its end or its beginning."""
    if ISOLATE not in shortened and END not in shortened:
        return shortened
    parts = re.split("(…)", shortened)
    return "".join(map(_close_part, parts))


def _close_part(part: str) -> str:
    missing = part.count(ISOLATE) - part.count(END)
    return part + END * missing if missing >= 0 else ISOLATE * -missing + part


def _is_directed(text: str) -> bool:
    if text.isascii() or not re.search(_DIRECTED, text):
        return False
    return bool(re.search(_DIRECTED, re.sub(_ISOLATED, "", text)))
