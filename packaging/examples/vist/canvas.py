"""Canvas and shapes for the scenes of the example story competition."""

from __future__ import annotations

from random import Random

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 320, 200
FINER = 3
COLOURS = 48

DAY, EVENING, NIGHT, GREY = "#a8d8f0", "#f2a65a", "#1d2a4d", "#8d99a6"
GRASS, SAND, SEA, SNOW, WOOD = "#7fb069", "#ecd9a5", "#2a7fb8", "#eef4fa", "#8d6748"
RED, BLUE, GREEN, YELLOW = "#d1495b", "#30638e", "#3c7a57", "#edae49"
WHITE, DARK, SKIN, FOAM = "#ffffff", "#2f2f3a", "#e0ac84", "#5fa8d3"

Colour = str
Point = tuple[float, float]


class Canvas:
    """Picture in units of its final pixels, drawn larger and scaled down at the end."""

    def __init__(self, seed: str) -> None:
        self._image = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER))
        self._draw = ImageDraw.Draw(self._image)
        self.random = Random(seed)  # noqa: S311 - decoration

    def box(self, left: float, top: float, right: float, bottom: float, fill: Colour) -> None:
        """Draw a rectangle."""
        self._draw.rectangle([left * FINER, top * FINER, right * FINER, bottom * FINER], fill)

    def disc(self, x: float, y: float, radius: float, fill: Colour, flat: float = 1) -> None:
        """Draw a disc, or with `flat` a flattened ellipse."""
        high = radius * flat
        corners = [(x - radius) * FINER, (y - high) * FINER, (x + radius) * FINER]
        self._draw.ellipse([*corners, (y + high) * FINER], fill)

    def shape(self, fill: Colour, *points: Point) -> None:
        """Draw a polygon."""
        self._draw.polygon([(x * FINER, y * FINER) for x, y in points], fill)

    def line(self, width: float, fill: Colour, *points: Point) -> None:
        """Draw a line through points."""
        stroke = [(x * FINER, y * FINER) for x, y in points]
        self._draw.line(stroke, fill, round(width * FINER), "curve")

    def arc(self, x: float, y: float, radius: float, width: float, fill: Colour) -> None:
        """Draw the upper half of a ring."""
        box = [(x - radius) * FINER, (y - radius) * FINER]
        box += [(x + radius) * FINER, (y + radius) * FINER]
        self._draw.arc(box, 180, 360, fill, round(width * FINER))

    def picture(self) -> Image.Image:
        """Return the picture at its final size, in few colours."""
        return self._image.reduce(FINER).quantize(COLOURS, dither=Image.Dither.NONE)


def land(canvas: Canvas, sky: Colour, ground: Colour, horizon: float = 120) -> None:
    """Draw sky and ground."""
    canvas.box(0, 0, WIDTH, horizon, sky)
    canvas.box(0, horizon, WIDTH, HEIGHT, ground)


def room(canvas: Canvas, wall: Colour, floor: Colour = "#b08968") -> None:
    """Draw a room with a wall and a floor."""
    land(canvas, wall, floor, 150)


def person(canvas: Canvas, x: float, y: float, shirt: Colour, size: float = 1) -> None:
    """Draw a standing person; `y` is the position of the feet."""
    canvas.line(4 * size, "#3d405b", (x - 4 * size, y), (x, y - 18 * size))
    canvas.line(4 * size, "#3d405b", (x + 4 * size, y), (x, y - 18 * size))
    canvas.shape(shirt, (x - 8 * size, y - 18 * size), (x + 8 * size, y - 18 * size),
                 (x + 6 * size, y - 42 * size), (x - 6 * size, y - 42 * size))  # fmt: skip
    canvas.disc(x, y - 50 * size, 8 * size, "#e0ac84")


def tree(canvas: Canvas, x: float, y: float, size: float = 1, leaf: Colour = "#2a7f4f") -> None:
    """Draw a fir."""
    canvas.box(x - 3 * size, y - 12 * size, x + 3 * size, y, "#6b4f3a")
    for step in range(3):
        top, half = y - (70 - 18 * step) * size, (14 + 6 * step) * size
        canvas.shape(leaf, (x, top), (x - half, top + 28 * size), (x + half, top + 28 * size))


def house(canvas: Canvas, x: float, y: float, wall: Colour, width: float = 44) -> None:
    """Draw a house with a roof, a door and a window."""
    canvas.box(x, y - 36, x + width, y, wall)
    canvas.shape("#8d3b2f", (x - 6, y - 36), (x + width + 6, y - 36), (x + width / 2, y - 62))
    canvas.box(x + 6, y - 20, x + 16, y, "#4a3728")
    canvas.box(x + width - 18, y - 28, x + width - 6, y - 16, "#f6e7b4")


def hills(canvas: Canvas, colour: Colour, y: float) -> None:
    """Draw round hills on the horizon."""
    for x, radius in ((40, 80), (150, 60), (270, 95)):
        canvas.disc(x, y + radius * 0.45, radius, colour, 0.6)


def mountains(canvas: Canvas) -> None:
    """Draw three peaks with snow."""
    for x, top, half in ((70, 50, 80), (175, 24, 100), (275, 58, 75)):
        canvas.shape("#7a8ba3", (x - half, 140), (x, top), (x + half, 140))
        canvas.shape("#f4f7fb", (x - half * 0.24, top + 28), (x, top), (x + half * 0.24, top + 28))


def rain(canvas: Canvas, drops: int = 90) -> None:
    """Draw slanting rain."""
    for _ in range(drops):
        x, y = canvas.random.randrange(WIDTH), canvas.random.randrange(HEIGHT)
        canvas.line(1, "#cfe3f5", (x, y), (x - 3, y + 10))


def dots(canvas: Canvas, number: int, colour: Colour, bottom: float, radius: float = 1.2) -> None:
    """Draw stars, snow flakes or lights."""
    for _ in range(number):
        x, y = canvas.random.randrange(WIDTH), canvas.random.randrange(int(bottom))
        canvas.disc(x, y, radius, colour)


def sun(canvas: Canvas, x: float, y: float, colour: Colour = "#ffd166", radius: float = 20) -> None:
    """Draw the sun, or another disc in the sky."""
    canvas.disc(x, y, radius, colour)


def waves(canvas: Canvas, top: float, colour: Colour) -> None:
    """Draw rows of small waves."""
    for row in range(4):
        for x in range(-10, WIDTH, 40):
            y = top + 14 * row
            points = [(x + 14 * (row % 2) + 5 * k, y + (3 if k % 2 else 0)) for k in range(5)]
            canvas.line(2, colour, *points)


def boat(canvas: Canvas, x: float, y: float, sail: Colour = "#ffffff", size: float = 1) -> None:
    """Draw a sailing boat."""
    canvas.shape("#7f4f24", (x - 34 * size, y), (x + 34 * size, y),
                 (x + 24 * size, y + 14 * size), (x - 24 * size, y + 14 * size))  # fmt: skip
    canvas.line(2.5 * size, "#4a3728", (x, y), (x, y - 70 * size))
    canvas.shape(sail, (x + 3, y - 66 * size), (x + 3, y - 8 * size), (x + 32 * size, y - 8 * size))
    canvas.shape(sail, (x - 3, y - 58 * size), (x - 3, y - 8 * size), (x - 24 * size, y - 8 * size))


def balloons(canvas: Canvas) -> None:
    """Draw balloons on strings."""
    for x, y, colour in ((60, 60, "#e63946"), (110, 45, "#457b9d"), (165, 64, "#f4a261"),
                         (215, 48, "#2a9d8f"), (265, 66, "#e9c46a")):  # fmt: skip
        canvas.line(1, "#6b705c", (x, y + 22), (160, 170))
        canvas.disc(x, y, 20, colour, 1.2)


def tabletop(canvas: Canvas, colour: Colour = "#8d6748") -> None:
    """Draw a table with two legs."""
    canvas.box(50, 128, 270, 140, colour)
    canvas.box(64, 140, 74, 190, colour)
    canvas.box(246, 140, 256, 190, colour)


def city(canvas: Canvas, colour: Colour, light: Colour) -> None:
    """Draw a row of tall buildings with windows."""
    for x, top in ((6, 70), (48, 40), (92, 84), (134, 24), (180, 62), (222, 46), (268, 78)):
        canvas.box(x, top, x + 36, 150, colour)
        for wx in range(x + 6, x + 32, 10):
            for wy in range(top + 8, 144, 14):
                canvas.box(wx, wy, wx + 4, wy + 6, light)


def shore(c: Canvas, sky: str = DAY) -> None:
    """Draw sky, sea and sand."""
    land(c, sky, SEA, 90)
    waves(c, 98, FOAM)
    c.box(0, 150, WIDTH, HEIGHT, SAND)


def sea(c: Canvas, sky: str = DAY, water: str = SEA, horizon: float = 110) -> None:
    """Draw sky and water with waves."""
    land(c, sky, water, horizon)
    waves(c, horizon + 20, FOAM)


def people(c: Canvas, y: float, *places: tuple[float, str], size: float = 1) -> None:
    """Draw several persons side by side."""
    for x, shirt in places:
        person(c, x, y, shirt, size)


def wood(c: Canvas) -> None:
    """Draw a meadow with firs."""
    land(c, DAY, GRASS, 120)
    for x, y, size in ((30, 160, 1.5), (80, 140, 1.1), (250, 150, 1.3), (300, 170, 1.6)):
        tree(c, x, y, size)


def pitch(c: Canvas, sky: str = DAY, grass: str = GRASS) -> None:
    """Draw a football field with its lines."""
    land(c, sky, grass, 80)
    c.box(0, 56, WIDTH, 80, "#7d8597")
    c.line(2, WHITE, (0, 96), (WIDTH, 96))
    c.line(2, WHITE, (160, 96), (160, HEIGHT))
