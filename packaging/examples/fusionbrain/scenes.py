"""The pictures of the example FusionBrain competition, each drawn from one short line.

A line is a colour, a thing and a place: `red house river`. A sign has its word instead.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image
from vist.canvas import HEIGHT, WIDTH, Canvas, house, land, person, sun, tree, waves

SIZE = (112, 70)
SIGN = ("КАФЕ", "ХЛЕБ", "МОЛОКО", "АПТЕКА")
COLOURS = {
    "red": "#c8443c",
    "blue": "#30638e",
    "green": "#3c7a57",
    "yellow": "#edc04a",
    "white": "#f3efe6",
    "grey": "#8d99a6",
}
LINES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "А": (((0, 1), (0.5, 0), (1, 1)), ((0.22, 0.62), (0.78, 0.62))),
    "Б": (((0.95, 0), (0, 0), (0, 1), (0.9, 1), (0.9, 0.45), (0, 0.45)),),
    "Е": (((1, 0), (0, 0), (0, 1), (1, 1)), ((0, 0.5), (0.8, 0.5))),
    "К": (((0, 0), (0, 1)), ((1, 0), (0, 0.5), (1, 1))),
    "Л": (((0, 1), (0.45, 0), (1, 0), (1, 1)),),
    "М": (((0, 1), (0, 0), (0.5, 0.6), (1, 0), (1, 1)),),
    "О": (((0.3, 0), (0.7, 0), (1, 0.3), (1, 0.7), (0.7, 1), (0.3, 1), (0, 0.7), (0, 0.3),
           (0.3, 0)),),
    "П": (((0, 1), (0, 0), (1, 0), (1, 1)),),
    "Т": (((0, 0), (1, 0)), ((0.5, 0), (0.5, 1))),
    "Ф": (((0.2, 0.15), (0.8, 0.15), (1, 0.4), (0.8, 0.65), (0.2, 0.65), (0, 0.4), (0.2, 0.15)),
          ((0.5, 0), (0.5, 1))),
    "Х": (((0, 0), (1, 1)), ((1, 0), (0, 1))),
}  # fmt: skip
"""The strokes of letters in a square."""


def draw(scene: str, seed: str, *, is_sign: bool = False) -> Image.Image:
    """Return the small picture of a description, in few colours."""
    canvas = Canvas(seed)
    if is_sign:
        sign(canvas, scene)
    else:
        tone, thing, place = scene.split(" ")
        PLACES[place](canvas)
        THINGS[thing](canvas, COLOURS[tone])
    whole = canvas.picture().convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    return whole.quantize(32, dither=Image.Dither.NONE)


def sign(canvas: Canvas, word: str) -> None:
    """Draw a board with a word on a wall."""
    canvas.box(0, 0, WIDTH, HEIGHT, "#cdb79e")
    canvas.box(18, 55, WIDTH - 18, 145, "#22405c")
    step = (WIDTH - 60) / len(word)
    for place, letter in enumerate(word):
        left = 34 + place * step
        for stroke in LINES[letter]:
            points = [(left + x * step * 0.62, 72 + y * 56) for x, y in stroke]
            canvas.line(6, "#f6e7b4", *points)


def river(canvas: Canvas) -> None:
    """Draw a meadow with a river."""
    land(canvas, "#a8d8f0", "#7fb069")
    canvas.shape("#2a7fb8", (0, 150), (WIDTH, 135), (WIDTH, 165), (0, 185))


def sea(canvas: Canvas) -> None:
    """Draw the sea by day."""
    land(canvas, "#bfe3f5", "#2a7fb8", 110)
    sun(canvas, 270, 40)
    waves(canvas, 125, "#5fa8d3")


def night(canvas: Canvas) -> None:
    """Draw the sea by night."""
    land(canvas, "#1d2a4d", "#16355c", 110)
    sun(canvas, 60, 40, "#f4f1d0", 14)


def room(canvas: Canvas) -> None:
    """Draw a room with a table."""
    land(canvas, "#ead7bd", "#b08968", 150)
    canvas.box(60, 118, 260, 128, "#6b4f3a")
    canvas.box(74, 128, 84, 180, "#6b4f3a")
    canvas.box(236, 128, 246, 180, "#6b4f3a")


def meadow(canvas: Canvas) -> None:
    """Draw grass and a tree."""
    land(canvas, "#a8d8f0", "#7fb069")
    tree(canvas, 270, 140, 1.2)


def cat(canvas: Canvas, tone: str) -> None:
    """Draw a cat at the height of the table."""
    canvas.disc(160, 98, 22, tone, 0.9)
    canvas.disc(160, 68, 15, tone)
    canvas.shape(tone, (147, 62), (150, 44), (160, 56))
    canvas.shape(tone, (173, 62), (170, 44), (160, 56))
    canvas.line(5, tone, (180, 108), (204, 100), (208, 84))
    for x in (154, 166):
        canvas.disc(x, 66, 2, "#2f2f3a")


def boat(canvas: Canvas, tone: str) -> None:
    """Draw a sailing boat."""
    canvas.shape(tone, (100, 125), (220, 125), (198, 150), (122, 150))
    canvas.line(3, "#4a3728", (160, 125), (160, 50))
    canvas.shape("#f3efe6", (163, 52), (163, 116), (208, 116))


def ball(canvas: Canvas, tone: str) -> None:
    """Draw a ball on the ground."""
    canvas.disc(150, 142, 26, tone)
    canvas.disc(142, 133, 6, "#ffffff")


def child(canvas: Canvas, tone: str) -> None:
    """Draw a child."""
    person(canvas, 130, 172, tone, 1.3)


def home(canvas: Canvas, tone: str) -> None:
    """Draw a house."""
    house(canvas, 105, 140, tone, 80)


THINGS: dict[str, Callable[[Canvas, str], None]] = {
    "ball": ball,
    "boat": boat,
    "cat": cat,
    "child": child,
    "house": home,
}
PLACES: dict[str, Callable[[Canvas], None]] = {
    "meadow": meadow,
    "night": night,
    "river": river,
    "room": room,
    "sea": sea,
}
