"""Scenes of the example story competition: a garden, a boat, a rainy day and a train."""

# ruff: noqa: D103 - the name of a scene says what it shows

from __future__ import annotations

from vist import canvas as paint
from vist.canvas import (
    BLUE,
    DARK,
    DAY,
    EVENING,
    FOAM,
    GRASS,
    GREEN,
    GREY,
    HEIGHT,
    RED,
    SAND,
    SEA,
    WHITE,
    WIDTH,
    WOOD,
    YELLOW,
    Canvas,
)

# A garden


def seeds(c: Canvas) -> None:
    paint.land(c, DAY, "#7a5230", 100)
    for y in range(120, 196, 24):
        c.box(0, y, WIDTH, y + 8, "#5f3f24")
        for x in range(20, 310, 26):
            c.disc(x, y + 3, 2.5, SAND)


def watering(c: Canvas) -> None:
    paint.land(c, DAY, "#7a5230", 130)
    c.box(150, 70, 210, 112, "#6c9a8b")
    c.line(6, "#6c9a8b", (150, 96), (112, 74))
    c.line(5, "#6c9a8b", (210, 80), (232, 92), (210, 106))
    for x in range(84, 112, 7):
        c.line(1.5, SEA, (x, 80), (x - 8, 130))
    for x in (70, 100, 130):
        c.line(3, GREEN, (x, 160), (x, 138))


def flowers(c: Canvas) -> None:
    paint.land(c, DAY, GRASS, 150)
    for x, colour in (
        (40, RED),
        (90, YELLOW),
        (140, "#9d4edd"),
        (190, RED),
        (240, WHITE),
        (288, YELLOW),
    ):
        c.line(4, GREEN, (x, 186), (x, 90))
        for dx, dy in ((-12, 0), (12, 0), (0, -12), (0, 12)):
            c.disc(x + dx, 80 + dy, 10, colour)
        c.disc(x, 80, 8, "#7f4f24")


def tomatoes(c: Canvas) -> None:
    c.box(0, 0, WIDTH, HEIGHT, "#b7d7a8")
    for x in (70, 160, 250):
        c.line(4, GREEN, (x, 200), (x, 20))
        for y, side in ((50, -1), (90, 1), (130, -1), (164, 1)):
            c.disc(x + 20 * side, y, 15, RED)
            c.disc(x + 20 * side, y - 13, 5, GREEN, 0.6)


def basket(c: Canvas) -> None:
    paint.room(c, "#f1e3c6", WOOD)
    for x, y, colour in (
        (110, 104, RED),
        (140, 92, GREEN),
        (172, 96, YELLOW),
        (204, 104, RED),
        (158, 110, RED),
    ):
        c.disc(x, y, 20, colour)
    c.shape("#a9743a", (84, 112), (236, 112), (214, 178), (106, 178))
    c.arc(160, 112, 70, 6, "#7f5427")


# A sailing trip


def harbor(c: Canvas) -> None:
    paint.sea(c)
    for x, size in ((60, 0.8), (160, 1), (260, 0.8)):
        paint.boat(c, x, 150, WHITE, size)
    c.box(0, 176, WIDTH, HEIGHT, WOOD)


def sailboat(c: Canvas) -> None:
    paint.sea(c)
    paint.sun(c, 270, 36)
    paint.boat(c, 160, 150, WHITE, 1.6)


def lighthouse(c: Canvas) -> None:
    paint.sea(c)
    c.shape("#6b705c", (170, 130), (320, 130), (320, 108), (220, 100))
    c.shape(WHITE, (232, 108), (268, 108), (262, 30), (238, 30))
    for y in (40, 66, 92):
        c.box(236, y, 264, y + 12, RED)
    c.box(240, 16, 260, 30, YELLOW)
    paint.boat(c, 80, 150, WHITE, 0.8)


def storm(c: Canvas) -> None:
    paint.sea(c, "#4a5568", "#2c4a63", 90)
    for x in (40, 130, 230):
        c.disc(x, 36, 50, "#384150", 0.5)
    c.line(4, "#ffe08a", (210, 50), (196, 80), (212, 80), (194, 116))
    paint.boat(c, 120, 140, "#d8dee6", 1.1)
    paint.rain(c)


def anchor(c: Canvas) -> None:
    paint.land(c, EVENING, "#5b7fa3", 100)
    paint.hills(c, "#6f5b53", 90)
    c.box(0, 100, WIDTH, HEIGHT, "#5b7fa3")
    paint.boat(c, 170, 150, "#f7e1d7", 1.2)
    c.line(1.5, DARK, (135, 158), (110, 192))


# A rainy weekend


def window(c: Canvas) -> None:
    paint.room(c, "#a89f91")
    c.box(90, 30, 230, 130, GREY)
    paint.dots(c, 60, "#cfe3f5", 128, 1.6)
    c.box(0, 0, 90, 150, "#a89f91")
    c.box(230, 0, WIDTH, 150, "#a89f91")
    c.box(90, 0, 230, 30, "#a89f91")
    c.line(5, WHITE, (90, 30), (230, 30), (230, 130), (90, 130), (90, 30))
    c.line(4, WHITE, (160, 30), (160, 130))


def cat(c: Canvas) -> None:
    paint.room(c, "#e3d5ca")
    c.box(80, 120, 240, 176, RED)
    c.disc(160, 112, 46, "#6b705c", 0.5)
    c.disc(204, 96, 19, "#6b705c")
    c.shape("#6b705c", (190, 86), (198, 68), (206, 82))
    c.shape("#6b705c", (206, 82), (218, 68), (220, 88))
    c.line(8, "#6b705c", (116, 112), (96, 96), (104, 80))


def puzzle(c: Canvas) -> None:
    c.box(0, 0, WIDTH, HEIGHT, WOOD)
    colours = (DAY, FOAM, GRASS, YELLOW, RED, WHITE)
    for row in range(4):
        for column in range(7):
            if (row, column) != (2, 5):
                x, y = 34 + 36 * column, 26 + 38 * row
                c.box(x, y, x + 34, y + 36, colours[(row * 5 + column * 3) % 6])


def soup(c: Canvas) -> None:
    paint.room(c, "#efe0c9")
    paint.tabletop(c)
    c.shape(BLUE, (104, 96), (216, 96), (194, 128), (126, 128))
    c.disc(160, 96, 56, "#d98e4a", 0.2)
    for x in (136, 160, 184):
        c.line(2, WHITE, (x, 84), (x + 6, 70), (x, 56))


def rainbow(c: Canvas) -> None:
    paint.land(c, "#b9d6e8", GRASS, 150)
    for ring, colour in enumerate((RED, "#f18f01", YELLOW, GREEN, SEA, "#6a4c93")):
        c.arc(160, 160, 130 - 9 * ring, 9, colour)
    for x, wall in ((40, "#c97b63"), (140, YELLOW), (230, "#7d98a1")):
        paint.house(c, x, 176, wall)


# A journey by train


def station(c: Canvas) -> None:
    paint.land(c, "#ddd5c7", "#8d8d92", 140)
    c.box(20, 60, 300, 140, "#b56b55")
    for x in (50, 110, 210, 260):
        c.box(x, 90, x + 24, 128, "#f6e7b4")
    c.disc(160, 84, 16, WHITE)
    c.line(2, DARK, (160, 84), (160, 72))
    c.line(2, DARK, (160, 84), (160, 95))
    paint.people(c, 178, (110, BLUE), (140, RED))


def train(c: Canvas) -> None:
    paint.land(c, DAY, GRASS, 130)
    for left in (10, 120, 230):
        c.box(left, 90, left + 100, 148, RED if left < 200 else "#9e2a2b")
        for x in (left + 12, left + 42, left + 72):
            c.box(x, 100, x + 18, 118, "#dcebf7")
        c.disc(left + 24, 150, 10, DARK)
        c.disc(left + 76, 150, 10, DARK)
    c.box(0, 160, WIDTH, 165, "#6c6c70")


def fields(c: Canvas) -> None:
    paint.land(c, DAY, YELLOW, 100)
    paint.hills(c, GRASS, 96)
    c.box(0, 104, WIDTH, HEIGHT, YELLOW)
    for x in range(0, 340, 24):
        c.line(2, "#c98b2b", (x, 200), (160 + (x - 160) / 4, 104))
    c.disc(250, 150, 14, WHITE, 0.6)
    c.disc(264, 144, 6, DARK)


def tunnel(c: Canvas) -> None:
    c.box(0, 0, WIDTH, HEIGHT, "#6f7d5c")
    c.disc(160, 150, 100, "#8d8d92")
    c.disc(160, 156, 84, "#17171c")
    c.box(0, 176, WIDTH, HEIGHT, "#55555a")
    for x in (130, 182):
        c.line(4, "#b0b0b5", (x, 200), (160 + (x - 160) / 3, 140))


def seaside(c: Canvas) -> None:
    paint.sea(c, horizon=90)
    c.line(14, "#4a4a52", (0, 7), (WIDTH, 7))
    for x in (4, 160, 316):
        c.line(9, "#4a4a52", (x, 0), (x, HEIGHT))
    paint.sun(c, 250, 40)
    paint.boat(c, 80, 120, WHITE, 0.7)
