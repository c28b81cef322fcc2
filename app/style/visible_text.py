"""Display of untrusted text without hidden characters or reversed direction."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF

from jurydesk.app.style.distinct_names import (
    choose_cut,
    distinct_parts,
    fit_name,
    fit_names,
)
from jurydesk.core.language.text_direction import close_isolates, isolate_runs, replace_controls

JOINERS = "\u200c\u200d"
"""Invisible characters that scripts and emoji need between two letters."""
SHOWN_CHARACTERS = 64
CONTROL_PICTURES = 0x2400
_HTML = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;", "\n": "<br>"}
)
"""As `html.escape`, which takes long to import, and line ends."""


def display_text(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Return text with a sign for each invisible character, and shortened in the middle."""
    if len(text) > limit:
        text = f"{text[: limit // 2]}…{text[-(limit // 2) :]}"
    return text if text.isprintable() else "".join(map(_sign, text))


def elide(
    metrics: QFontMetrics | QFontMetricsF, text: str, mode: Qt.TextElideMode, width: float
) -> str:
    """Return a text shortened to a width in pixels, with every isolate in it closed."""
    whole = replace_controls(text)
    if isinstance(metrics, QFontMetricsF):
        return close_isolates(metrics.elidedText(whole, mode, width))
    return close_isolates(metrics.elidedText(whole, mode, int(width)))


def elide_pair(
    metrics: QFontMetrics | QFontMetricsF,
    sentence: Callable[[str, str], str],
    names: tuple[str, str],
    room: float,
) -> str:
    """Return a sentence about two names, each of which is shortened for itself if it must be.

    Shortened as a whole it would join the beginning of one name with the end of the other.
    """
    whole = sentence(*names)
    if metrics.horizontalAdvance(whole) <= room:
        return whole
    left = room - metrics.horizontalAdvance(sentence("", ""))
    widths = [metrics.horizontalAdvance(name) for name in names]
    rooms = (max(left / 2, left - other) for other in reversed(widths))
    first, second = (
        fit(metrics, name, names, width) for name, width in zip(names, rooms, strict=True)
    )
    return elide(metrics, sentence(first, second), Qt.TextElideMode.ElideRight, room)


def fit(
    metrics: QFontMetrics | QFontMetricsF, name: str, names: tuple[str, ...], room: float
) -> str:
    """Return one of several names with what tells it apart, and what has room beside that.

    A distinct part without room loses its end, unless two names would become equal.
    """
    parts, width_of = distinct_parts(names), metrics.horizontalAdvance
    fitting = fit_name(name, parts[name], width_of, room)
    if width_of(fitting) > room:
        fitting = fit_names(names, width_of, room)[name]
    return elide(metrics, fitting, Qt.TextElideMode.ElideRight, room)


@lru_cache(maxsize=32)
def fitted_names(names: tuple[str, ...], width: int, key: str) -> Mapping[str, str]:
    """Return names of which no two become equal within a width, in the font of that key.

    They are measured by their letters, so that their ends may have to be elided for their kerning.
    """
    from jurydesk.app.style.letter_widths import letter_widths

    return choose_cut(names, lambda shown, share: letter_widths(shown, key).cut(share, width))


def break_line(text: str, metrics: QFontMetrics, width: int) -> tuple[str, str]:
    """Break a text into two lines, with as many words on the first as fit into `width` pixels."""
    words = text.split()
    fitting = 0
    while fitting < len(words):
        if metrics.horizontalAdvance(" ".join(words[: fitting + 1])) > width:
            break
        fitting += 1
    # A first word too long for its line is elided there.
    fitting = max(fitting, 1)
    return " ".join(words[:fitting]), " ".join(words[fitting:])


def is_right_to_left(words: Iterable[str]) -> bool:
    """Return whether the first letter with a direction belongs to a right-to-left script."""
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
    """Return a tooltip of these lines, without the empty ones.

    Qt renders text that looks like HTML as HTML, images included; so the tooltip is HTML in which
    every line is escaped.
    """
    shown = [isolate_runs(line).translate(_HTML) for line in lines if line]
    return f"<div>{'<br>'.join(shown)}</div>" if shown else ""
