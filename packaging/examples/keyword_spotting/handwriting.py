"""Synthetic handwriting: letters are strokes with a small random offset for each writer."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image, ImageDraw

# Each letter is a few strokes, each stroke its points: a digit for x, a digit for y. The base line
# is at y = 3, small letters reach 6, tall ones 9, and tails 0.
LETTERS = {
    "a": "36 16 04 13 24 36 33 43",
    "b": "09 03 13 34 35 16 05",
    "c": "35 26 16 04 13 23 34",
    "d": "36 16 04 13 24 36|39 33 43",
    "e": "04 24 35 26 16 04 13 34",
    "f": "38 29 18 11|06 36",
    "g": "36 16 04 13 24 36|36 31 20 10 01",
    "h": "09 03|05 16 26 35 33",
    "i": "06 03 13|08 09",
    "j": "16 11 00|18 19",
    "k": "09 03|36 04 33",
    "l": "09 04 13",
    "m": "06 03|05 16 25 23|25 36 45 43",
    "n": "06 03|05 16 26 35 33",
    "o": "26 16 04 13 23 35 26",
    "p": "06 00|05 16 26 35 23 13 04",
    "q": "36 16 04 13 24 36|36 30 41",
    "r": "06 03|04 16 26",
    "s": "36 16 05 34 23 03",
    "t": "18 14 13 23|06 36",
    "u": "06 04 13 23 36|36 33 43",
    "v": "06 13 36",
    "w": "06 13 25 33 46",
    "x": "06 33|36 03",
    "y": "06 04 13 24 36|36 31 10 01",
    "z": "06 36 03 33",
}
BASE, TOP = 3, 9
UNIT = 4
"""Pixels between two places of a letter's grid."""
SHARP = 3
"""The page is drawn so many times larger and then made smaller, which softens its lines."""
SLANT = 0.22
SHAKE = 0.16
PAPER, RULE, INK = 240, 208, 48
GREYS = 16

Box = tuple[int, int, int, int]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Written:
    """Word on a page: its text, and x, y, width and height in pixels."""

    text: str
    box: Box


class Page:
    """Sheet of ruled paper to which words are added."""

    def __init__(self, width: int, height: int, rng: random.Random) -> None:
        self._rng = rng
        self._image = Image.new("L", (width * SHARP, height * SHARP), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def rule(self, y: int) -> None:
        """Draw a faint line across the page."""
        self._line([(0, y), (self._image.width / SHARP, y)], RULE, 1)

    def write(self, text: str, x: float, y: float) -> Written:
        """Write a word from a position on the base line; return its box."""
        points = []
        for letter in text:
            strokes = [self._points(stroke, x, y) for stroke in LETTERS[letter].split("|")]
            for stroke in strokes:
                self._line(_smooth(stroke), INK, 2)
            points += [point for stroke in strokes for point in stroke]
            widest = max(int(point[0]) for point in LETTERS[letter].replace("|", " ").split())
            x += (widest + 1.1) * UNIT
        return Written(text, _box(points))

    def picture(self) -> Image.Image:
        """Return the page in its final size, in a few shades of grey."""
        size = (self._image.width // SHARP, self._image.height // SHARP)
        soft = self._image.resize(size, Image.Resampling.BOX)
        return soft.point([round(level / 255 * (GREYS - 1)) * 17 for level in range(256)])

    def _points(self, stroke: str, x: float, y: float) -> list[Point]:
        shake = [(self._rng.gauss(0, SHAKE), self._rng.gauss(0, SHAKE)) for _ in stroke.split()]
        places = [(int(place[0]), int(place[1]) - BASE) for place in stroke.split()]
        return [
            (x + (right + SLANT * up + dx) * UNIT, y - (up + dy) * UNIT)
            for (right, up), (dx, dy) in zip(places, shake, strict=True)
        ]

    def _line(self, points: list[Point], grey: int, width: int) -> None:
        scaled = [(round(x * SHARP), round(y * SHARP)) for x, y in points]
        self._draw.line(scaled, grey, width * SHARP, joint="curve")


def _smooth(points: list[Point]) -> list[Point]:
    """Cut the corners twice (Chaikin), which turns a few points into a curve."""
    for _ in range(2):
        if len(points) < 3:
            return points
        inner = [
            (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
            for a, b in pairwise(points)
            for share in (0.25, 0.75)
        ]
        points = [points[0], *inner[1:-1], points[-1]]
    return points


def _box(points: list[Point]) -> Box:
    margin = 2
    left, top = (int(min(point[axis] for point in points)) - margin for axis in (0, 1))
    right, bottom = (int(max(point[axis] for point in points)) + margin + 1 for axis in (0, 1))
    return left, top, right - left, bottom - top
