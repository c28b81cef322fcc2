"""Widths of many names by their letters, so that a thousand of them are cut at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QFont, QFontMetrics

from jurydesk.app.style.distinct_names import DOTS, keep_letters
from jurydesk.core.model.evaluation import FloatArray


class LetterWidths:
    """Widths of names in a font, whose letters are measured once.

    Qt would shape each name anew for each width that it is tried at. Kerning may make a name a
    pixel wider than its letters.
    """

    def __init__(self, names: Sequence[str], font: QFont) -> None:
        self._names = names
        measure = QFontMetrics(font).horizontalAdvance
        widths = {letter: measure(letter) for letter in {letter for one in names for letter in one}}
        self._dots = measure(DOTS)
        self._lengths = np.array([len(name) for name in names])
        letters = np.zeros((len(names), int(self._lengths.max(initial=0)) + 1))
        for row, name in enumerate(names):
            letters[row, 1 : len(name) + 1] = [widths[letter] for letter in name]
        self._starts: FloatArray = letters.cumsum(axis=1)
        """Widths of the first letters of each name (names, letters + 1)."""

    def cut(self, share: float, room: float) -> list[str]:
        """Return as much of each name as there is room for, that share of it before the cut."""
        starts, lengths = self._starts, self._lengths[:, None]
        kept = np.arange(starts.shape[1] - 1)
        before = np.rint(share * kept).astype(int)
        ends = np.maximum(lengths - (kept - before), 0)
        whole = starts[:, -1:]
        widths = starts[:, before] + self._dots + whole - np.take_along_axis(starts, ends, axis=1)
        fitting = ((widths <= room) & (kept < lengths)).sum(axis=1)
        fits = whole[:, 0] <= room
        return [
            name if is_whole else keep_letters(name, max(0, count - 1), share)
            for name, is_whole, count in zip(
                self._names, fits.tolist(), fitting.tolist(), strict=True
            )
        ]


@lru_cache(maxsize=8)
def letter_widths(names: tuple[str, ...], key: str) -> LetterWidths:
    """Return the widths of names in the font of a key."""
    font = QFont()
    font.fromString(key)
    return LetterWidths(names, font)
