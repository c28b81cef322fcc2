"""The places and things of the example dense-captioning competition: drawn, and named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from vist import canvas as paint
from vist.canvas import (
    DARK,
    DAY,
    GRASS,
    GREY,
    HEIGHT,
    NIGHT,
    SAND,
    SEA,
    SNOW,
    WIDTH,
    Canvas,
)

SCALE = 2
"""Pixels of a finished picture for each unit of the canvas."""
TONES = {
    "red": "#d1495b",
    "blue": "#30638e",
    "green": "#3c7a57",
    "yellow": "#edae49",
    "white": "#ffffff",
    "grey": "#8d99a6",
    "brown": "#8d6748",
}
Box = tuple[float, float, float, float]
"""Left, top, right and lower edge."""


class Scenery(Canvas):
    """Canvas of pictures large enough for details."""

    def large(self) -> Image.Image:
        """Return the picture in few colours, `SCALE` times the units of the canvas."""
        size = (WIDTH * SCALE, HEIGHT * SCALE)
        finished = self._image.resize(size, Image.Resampling.BOX)
        return finished.quantize(paint.COLOURS, dither=Image.Dither.NONE)


@dataclass(frozen=True, slots=True)
class Thing:
    """Thing in a picture: colour, word, position and size."""

    tone: str
    word: str
    x: float
    y: float
    size: float

    def draw(self, canvas: Canvas) -> None:
        """Draw the thing."""
        SHAPES[self.word].paint(canvas, self.x, self.y, TONES[self.tone], self.size)

    @property
    def box(self) -> Box:
        """Bounding box in units of the canvas."""
        left, top, right, bottom = (self.size * side for side in SHAPES[self.word].reach)
        return self.x + left, self.y + top, self.x + right, self.y + bottom


Paint = Callable[[Canvas, float, float, str, float], None]


@dataclass(frozen=True, slots=True)
class Shape:
    """Kind of thing: how it is drawn, its extent, and its name."""

    paint: Paint
    reach: Box
    names: tuple[str, ...]


def _sun(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    c.disc(x, y, 20 * size, tone)


def _tree(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    paint.tree(c, x, y, size, tone)


def _cloud(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    for across, down, radius in ((-20, 4, 12), (-2, -3, 16), (18, 4, 13)):
        c.disc(x + across * size, y + down * size, radius * size, tone)
    c.box(x - 20 * size, y + 2 * size, x + 18 * size, y + 16 * size, tone)


def _bird(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    points = [(-13, -5), (-6, -8), (0, 0), (6, -8), (13, -5)]
    c.line(3 * size, tone, *((x + a * size, y + b * size) for a, b in points))


def _boat(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    paint.boat(c, x, y, tone, size)


def _umbrella(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    c.line(3 * size, TONES["brown"], (x, y), (x, y - 62 * size))
    c.shape(
        tone, (x - 30 * size, y - 44 * size), (x, y - 68 * size), (x + 30 * size, y - 44 * size)
    )


def _house(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    paint.house(c, x, y, tone, 56 * size)


def _kite(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    c.line(
        1, DARK, (x, y + 20 * size), (x + 6 * size, y + 34 * size), (x - 2 * size, y + 46 * size)
    )
    c.shape(tone, (x, y - 22 * size), (x + 15 * size, y), (x, y + 22 * size), (x - 15 * size, y))
    c.line(1.5, "#ffffff", (x, y - 20 * size), (x, y + 20 * size))


def _dog(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    for leg in (-12, -5, 7, 13):
        c.line(3 * size, tone, (x + leg * size, y), (x + leg * size, y - 10 * size))
    c.box(x - 14 * size, y - 18 * size, x + 14 * size, y - 8 * size, tone)
    c.line(3 * size, tone, (x - 13 * size, y - 16 * size), (x - 20 * size, y - 24 * size))
    c.disc(x + 17 * size, y - 21 * size, 7 * size, tone)


def _ball(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    c.disc(x, y - 11 * size, 11 * size, tone)
    c.disc(x - 3 * size, y - 14 * size, 4 * size, "#ffffff")


def _car(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    c.box(x - 34 * size, y - 20 * size, x + 34 * size, y - 6 * size, tone)
    roof = ((-20, -20), (-12, -34), (14, -34), (22, -20))
    c.shape(tone, *((x + a * size, y + b * size) for a, b in roof))
    c.box(x - 9 * size, y - 31 * size, x + 12 * size, y - 21 * size, "#dceaf2")
    for wheel in (-18, 18):
        c.disc(x + wheel * size, y - 6 * size, 7 * size, DARK)


def _bench(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    for down in (-26, -14):
        c.box(x - 32 * size, y + down * size, x + 32 * size, y + (down + 7) * size, tone)
    for leg in (-26, 26):
        c.line(4 * size, DARK, (x + leg * size, y), (x + leg * size, y - 14 * size))


def _lamp(c: Canvas, x: float, y: float, tone: str, size: float) -> None:
    c.line(4 * size, DARK, (x, y), (x, y - 78 * size))
    c.disc(x, y - 82 * size, 8 * size, tone)


SHAPES = {
    "sun": Shape(_sun, (-20, -20, 20, 20), ("sun", "disc")),
    "cloud": Shape(_cloud, (-32, -19, 31, 17), ("cloud", "fluffy cloud")),
    "bird": Shape(_bird, (-15, -10, 15, 3), ("bird", "gull")),
    "boat": Shape(_boat, (-34, -70, 34, 14), ("boat", "sailboat", "ship")),
    "umbrella": Shape(_umbrella, (-30, -68, 30, 0), ("umbrella", "parasol")),
    "person": Shape(paint.person, (-9, -58, 9, 0), ("person", "man", "woman")),
    "tree": Shape(_tree, (-26, -70, 26, 0), ("tree", "fir tree", "pine")),
    "house": Shape(_house, (-6, -62, 62, 0), ("house", "building", "home")),
    "kite": Shape(_kite, (-15, -22, 15, 46), ("kite", "toy kite")),
    "dog": Shape(_dog, (-21, -28, 24, 0), ("dog", "small dog")),
    "ball": Shape(_ball, (-11, -22, 11, 0), ("ball", "round ball")),
    "car": Shape(_car, (-34, -34, 34, 1), ("car", "parked car")),
    "bench": Shape(_bench, (-32, -26, 32, 0), ("bench", "wooden bench")),
    "lamp": Shape(_lamp, (-8, -90, 8, 0), ("lamp", "street lamp")),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Scene of a picture: its background, and names of its areas."""

    ground: str
    paint: Callable[[Canvas], None]
    sky: str = "sky"


def _open(sky: str, ground: str, horizon: float = 112) -> Callable[[Canvas], None]:
    return lambda canvas: paint.land(canvas, sky, ground, horizon)


def _hill(canvas: Canvas) -> None:
    paint.land(canvas, DAY, GRASS, 130)
    canvas.disc(160, 196, 150, "#8fbc6f", 0.55)


def _winter(canvas: Canvas) -> None:
    paint.land(canvas, "#cfdbe6", SNOW, 120)
    paint.dots(canvas, 60, "#ffffff", 118)


def _night(canvas: Canvas) -> None:
    paint.land(canvas, NIGHT, "#3a4a3f", 130)
    paint.dots(canvas, 40, "#f4f1de", 90, 0.8)


PLACES = {
    "beach": Place("sand", paint.shore),
    "harbour": Place("water", lambda canvas: paint.sea(canvas, horizon=80)),
    "meadow": Place("grass", _open(DAY, GRASS)),
    "village": Place("meadow", _open(DAY, "#93b874", 104)),
    "park": Place("lawn", _open("#bfe0ee", "#86b56f", 110)),
    "street": Place("street", _open("#d6dde3", GREY, 128)),
    "playground": Place("sand", _open(DAY, SAND, 116)),
    "winter": Place("snow", _winter),
    "lake": Place("grass", lambda canvas: _lake(canvas)),
    "night": Place("lawn", _night, "dark sky"),
    "market": Place("square", _open("#cfe6f2", "#c9b79c", 108)),
    "hill": Place("hill", _hill),
}


def _lake(canvas: Canvas) -> None:
    paint.sea(canvas, DAY, SEA, 96)
    canvas.box(0, 152, WIDTH, HEIGHT, GRASS)


def draw_scene(seed: str, place: str, things: Sequence[Thing]) -> Scenery:
    """Draw things at a place."""
    canvas = Scenery(seed)
    PLACES[place].paint(canvas)
    for thing in things:
        thing.draw(canvas)
    return canvas


def read_scenes(path: Path) -> list[list[str]]:
    """Return the lines of each scene in a file, without the explanation at its head."""
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [block.split("\n") for block in blocks[1:]]


def read_thing(line: str) -> Thing:
    """Return the thing of a line: colour, word, position and size."""
    tone, word, x, y, size = line.split(" ")
    return Thing(tone, word, float(x), float(y), float(size))
