"""Scenes of the example story competition: a birthday, a city, a market and a match."""

# ruff: noqa: D103 - the name of a scene says what it shows

from __future__ import annotations

from vist import canvas as paint
from vist.canvas import (
    BLUE,
    DARK,
    DAY,
    FOAM,
    GRASS,
    GREEN,
    GREY,
    HEIGHT,
    NIGHT,
    RED,
    WHITE,
    WIDTH,
    WOOD,
    YELLOW,
    Canvas,
)

# A birthday


def table(c: Canvas) -> None:
    paint.room(c, "#f4e4c9")
    paint.people(c, 140, (90, RED), (160, BLUE), (230, YELLOW))
    paint.tabletop(c)
    for x in (90, 160, 230):
        c.disc(x, 127, 18, WHITE, 0.25)


def cake(c: Canvas) -> None:
    paint.room(c, "#e8d5e0")
    paint.tabletop(c)
    c.box(110, 88, 210, 128, "#6f4e37")
    c.box(110, 82, 210, 94, "#f7e1d7")
    for x in range(122, 206, 14):
        c.box(x, 64, x + 3, 82, BLUE)
        c.disc(x + 1.5, 60, 3.5, YELLOW, 1.5)


def balloons(c: Canvas) -> None:
    paint.room(c, "#dfe7ef")
    paint.balloons(c)
    paint.person(c, 160, 192, RED, 0.8)


def gifts(c: Canvas) -> None:
    paint.room(c, "#e6ead8")
    for x, top, right, colour in (
        (60, 120, 130, RED),
        (120, 96, 180, BLUE),
        (176, 130, 260, GREEN),
    ):
        c.box(x, top, right, 184, colour)
        middle = (x + right) / 2
        c.box(middle - 4, top, middle + 4, 184, YELLOW)
        c.disc(middle - 9, top - 4, 8, YELLOW, 0.6)
        c.disc(middle + 9, top - 4, 8, YELLOW, 0.6)


def dance(c: Canvas) -> None:
    paint.room(c, "#3a2e4f", "#5c4a72")
    paint.dots(c, 60, YELLOW, 110, 2)
    paint.people(c, 186, (80, RED), (130, GREEN), (190, YELLOW), (240, BLUE), size=1.2)


# A city


def skyline(c: Canvas) -> None:
    paint.land(c, DAY, "#9aa5b1", 150)
    paint.city(c, "#5f7f9f", "#dcebf7")


def tower(c: Canvas) -> None:
    paint.land(c, "#cfe6f5", GRASS, 160)
    c.shape("#a5765a", (138, 170), (182, 170), (176, 40), (144, 40))
    c.shape(RED, (136, 40), (184, 40), (160, 8))
    c.disc(160, 60, 9, WHITE)
    for y in (86, 112, 138):
        c.box(156, y, 164, y + 12, DARK)


def museum(c: Canvas) -> None:
    paint.room(c, "#ece4d8", "#b9a78f")
    for x, pot in ((60, "#b5651d"), (160, BLUE), (260, GREEN)):
        c.box(x - 22, 130, x + 22, 190, WHITE)
        c.disc(x, 112, 18, pot)
        c.box(x - 7, 82, x + 7, 100, pot)


def river(c: Canvas) -> None:
    paint.land(c, DAY, FOAM, 130)
    paint.city(c, "#7189a5", "#e6eef5")
    c.box(0, 130, WIDTH, HEIGHT, FOAM)
    c.shape(WHITE, (90, 160), (230, 160), (214, 182), (106, 182))
    c.box(120, 142, 200, 160, RED)


def lights(c: Canvas) -> None:
    paint.land(c, NIGHT, "#101830", 150)
    paint.city(c, "#26365f", "#ffd166")
    c.disc(280, 30, 12, "#f4f1de")


# A market


def stall(c: Canvas) -> None:
    paint.land(c, DAY, "#b8b0a2", 140)
    for left in (20, 180):
        c.box(left, 110, left + 120, 172, WOOD)
        for stripe in range(6):
            colour = RED if stripe % 2 else WHITE
            c.box(left + 20 * stripe, 60, left + 20 * (stripe + 1), 84, colour)
    paint.people(c, 190, (150, BLUE), (172, YELLOW))


def fruit(c: Canvas) -> None:
    c.box(0, 0, WIDTH, HEIGHT, "#d9c7a3")
    for row, colour in enumerate((RED, YELLOW, GREEN, "#f18f01")):
        for x in range(24 + 12 * (row % 2), 310, 30):
            c.disc(x, 40 + 42 * row, 17, colour)
            c.disc(x - 5, 34 + 42 * row, 4, "#f7e9d7")


def cheese(c: Canvas) -> None:
    paint.room(c, "#e9e1d4")
    paint.tabletop(c)
    c.shape(YELLOW, (90, 128), (210, 128), (210, 84))
    c.shape("#f6d06f", (90, 128), (210, 84), (150, 78))
    for x, y in ((180, 116), (196, 100), (150, 120)):
        c.disc(x, y, 6, "#d19a2a")
    c.disc(244, 112, 18, "#f1d9a0", 0.9)


def musician(c: Canvas) -> None:
    paint.land(c, "#d9e4ea", "#c2b8a8", 130)
    c.disc(240, 160, 56, "#9aa5b1", 0.35)
    c.disc(240, 152, 46, FOAM, 0.3)
    paint.person(c, 110, 186, GREEN, 1.6)
    c.disc(132, 124, 13, "#8b4513", 0.7)
    c.line(3, "#8b4513", (140, 122), (166, 112))


def bags(c: Canvas) -> None:
    paint.land(c, DAY, "#b8b0a2", 130)
    paint.person(c, 160, 190, RED, 1.7)
    for x in (104, 190):
        c.box(x, 140, x + 30, 184, "#c98b4b")
        c.disc(x + 10, 138, 9, GREEN)
        c.disc(x + 22, 138, 8, RED)


# A football match


def field(c: Canvas) -> None:
    paint.pitch(c)
    for i, x in enumerate(range(8, 318, 12)):
        c.disc(x, 62 + (i % 3) * 5, 4, (RED, YELLOW, BLUE)[i % 3])


def kickoff(c: Canvas) -> None:
    paint.pitch(c)
    paint.people(c, 180, (90, RED), (130, RED), (200, BLUE), (250, BLUE))
    c.disc(162, 176, 8, WHITE)


def goal(c: Canvas) -> None:
    paint.pitch(c)
    for x in range(190, 301, 11):
        c.line(1, "#dfe7ef", (x, 90), (x, 160))
    c.line(4, WHITE, (190, 160), (190, 90), (300, 90), (300, 160))
    c.disc(240, 120, 8, WHITE)
    paint.person(c, 100, 190, RED, 1.2)


def rain(c: Canvas) -> None:
    paint.pitch(c, GREY, "#5f7a52")
    paint.people(c, 184, (110, RED), (200, BLUE))
    c.disc(150, 182, 8, WHITE)
    paint.rain(c, 140)


def trophy(c: Canvas) -> None:
    paint.pitch(c)
    paint.people(c, 196, (90, RED), (230, RED), size=1.2)
    c.shape(YELLOW, (132, 60), (188, 60), (172, 114), (148, 114))
    c.box(156, 114, 164, 134, YELLOW)
    c.box(140, 134, 180, 144, WOOD)
