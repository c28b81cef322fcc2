"""Scenes of the example story competition: beach, mountain, snow and tent."""

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
    NIGHT,
    RED,
    SAND,
    SKIN,
    SNOW,
    WHITE,
    WIDTH,
    WOOD,
    YELLOW,
    Canvas,
)

# A day at the beach


def beach(c: Canvas) -> None:
    paint.shore(c)
    paint.sun(c, 260, 40)
    c.shape(RED, (56, 132), (114, 132), (85, 106))
    c.line(3, WOOD, (85, 120), (85, 178))
    paint.people(c, 186, (140, YELLOW), (170, BLUE), (196, RED))


def castle(c: Canvas) -> None:
    paint.shore(c)
    for x, top in ((110, 120), (150, 96), (190, 116)):
        c.box(x, top, x + 26, 182, "#c9a45c")
        c.line(1.5, WOOD, (x + 13, top), (x + 13, top - 24))
        c.shape(RED, (x + 13, top - 24), (x + 13, top - 12), (x + 28, top - 18))
    c.box(100, 150, 226, 184, "#d4b26a")
    c.disc(163, 184, 12, "#8a6d33")


def swimmer(c: Canvas) -> None:
    paint.sea(c, horizon=60)
    paint.waves(c, 140, FOAM)
    c.disc(160, 116, 11, SKIN)
    c.line(6, SKIN, (170, 122), (196, 104), (208, 118))
    c.shape("#6b705c", (260, 64), (320, 36), (320, 70))


def kite(c: Canvas) -> None:
    paint.shore(c)
    c.shape(RED, (200, 20), (230, 50), (206, 92), (178, 54))
    c.line(1.5, DARK, (206, 92), (150, 130), (92, 146))
    paint.person(c, 86, 190, GREEN)


def sunset(c: Canvas) -> None:
    paint.shore(c, EVENING)
    paint.sun(c, 160, 84, "#ffe08a", 30)
    c.box(0, 90, WIDTH, 150, "#355c7d")
    paint.waves(c, 100, EVENING)
    paint.people(c, 188, (100, DARK), (124, DARK), (214, DARK))


# A hike


def trail(c: Canvas) -> None:
    paint.land(c, DAY, GRASS)
    paint.mountains(c)
    c.shape(SAND, (140, 200), (210, 200), (176, 140), (170, 140))
    paint.people(c, 188, (120, RED), (232, BLUE))


def forest(c: Canvas) -> None:
    paint.land(c, "#cfe8cf", "#4f7942", 110)
    for x, y, size in ((20, 150, 1.6), (70, 136, 1.2), (120, 170, 2), (185, 140, 1.3),
                       (235, 176, 2.1), (295, 150, 1.6)):  # fmt: skip
        paint.tree(c, x, y, size, "#24613d")


def bridge(c: Canvas) -> None:
    paint.wood(c)
    c.box(0, 150, WIDTH, HEIGHT, FOAM)
    c.line(5, WOOD, (20, 128), (110, 142), (210, 142), (300, 128))
    for x in range(30, 300, 18):
        c.line(2, WOOD, (x, 104), (x, 138))
    c.line(2, WOOD, (20, 104), (160, 116), (300, 104))
    paint.person(c, 160, 140, RED, 0.8)


def summit(c: Canvas) -> None:
    paint.land(c, "#c5e3f6", "#8aa3b8", 130)
    paint.mountains(c)
    c.shape("#5f6f82", (40, 200), (160, 96), (290, 200))
    c.line(4, WOOD, (160, 96), (160, 50))
    c.line(4, WOOD, (146, 62), (174, 62))
    paint.people(c, 130, (130, RED), (190, BLUE), size=0.7)


def hut(c: Canvas) -> None:
    paint.land(c, "#44557a", "#4f6f52", 120)
    paint.house(c, 120, 170, WOOD, 80)
    c.box(150, 120, 170, 140, YELLOW)
    paint.tree(c, 60, 176, 1.5, "#1f4a35")
    paint.tree(c, 260, 172, 1.4, "#1f4a35")


# A day in the snow


def snowfall(c: Canvas) -> None:
    paint.land(c, GREY, SNOW)
    for x, wall in ((30, "#c97b63"), (110, YELLOW), (200, "#7d98a1")):
        paint.house(c, x, 150, wall, 60)
        c.shape(SNOW, (x - 6, 114), (x + 66, 114), (x + 30, 92))
    paint.dots(c, 160, WHITE, HEIGHT, 1.8)


def snowman(c: Canvas) -> None:
    paint.land(c, DAY, SNOW, 130)
    for y, radius in ((160, 32), (114, 24), (78, 17)):
        c.disc(160, y, radius, "#d6e2ee")
        c.disc(159, y - 1, radius - 2, WHITE)
    c.shape("#f18f01", (160, 76), (160, 82), (182, 81))
    c.disc(153, 73, 2.5, DARK)
    c.disc(166, 73, 2.5, DARK)
    c.box(144, 56, 176, 62, DARK)
    c.box(150, 38, 170, 58, DARK)


def sled(c: Canvas) -> None:
    c.box(0, 0, WIDTH, HEIGHT, DAY)
    c.shape(SNOW, (0, 70), (320, 180), (320, 200), (0, 200))
    c.line(4, WOOD, (136, 132), (206, 156))
    c.line(3, RED, (130, 140), (200, 166), (214, 160))
    paint.person(c, 164, 146, RED, 0.8)
    paint.tree(c, 40, 90, 1.1)


def skating(c: Canvas) -> None:
    paint.land(c, "#dbe9f4", SNOW, 100)
    c.disc(160, 160, 130, "#bcd9ea", 0.3)
    for x, points in ((90, 150), (180, 168)):
        c.line(1, WHITE, (x, points), (x + 40, points + 8), (x + 70, points - 4))
    paint.people(c, 162, (130, RED), (200, GREEN))


def cocoa(c: Canvas) -> None:
    paint.room(c, "#7d5a50")
    paint.tabletop(c)
    for x, cup in ((110, RED), (190, BLUE)):
        c.box(x, 90, x + 36, 128, cup)
        c.disc(x + 18, 90, 18, "#5b3a29", 0.25)
        c.line(2, WHITE, (x + 10, 78), (x + 16, 66), (x + 10, 54))


# Camping


def tent(c: Canvas) -> None:
    paint.wood(c)
    c.shape("#e07a5f", (100, 176), (220, 176), (160, 96))
    c.shape("#5d3a2e", (144, 176), (176, 176), (160, 112))


def lake(c: Canvas) -> None:
    paint.land(c, DAY, FOAM, 100)
    paint.hills(c, GREEN, 90)
    c.box(0, 100, WIDTH, HEIGHT, FOAM)
    for x in (60, 140, 230):
        c.disc(x, 130 + x / 10, 40, "#8cc4e6", 0.08)


def fire(c: Canvas) -> None:
    paint.land(c, NIGHT, "#233524", 120)
    paint.people(c, 180, (70, RED), (250, BLUE))
    c.line(7, WOOD, (130, 178), (190, 164))
    c.line(7, WOOD, (130, 164), (190, 178))
    c.shape("#f18f01", (136, 166), (160, 96), (186, 166))
    c.shape("#ffd166", (146, 166), (160, 122), (174, 166))


def stars(c: Canvas) -> None:
    paint.land(c, NIGHT, "#141c2e", 160)
    paint.dots(c, 130, WHITE, 156)
    paint.tree(c, 40, 170, 1.3, "#0f2b20")
    paint.tree(c, 280, 172, 1.5, "#0f2b20")


def breakfast(c: Canvas) -> None:
    paint.wood(c)
    c.shape(RED, (70, 150), (260, 150), (290, 194), (40, 194))
    c.disc(120, 168, 18, WHITE, 0.4)
    c.disc(120, 164, 12, "#c98b4b", 0.5)
    c.box(180, 148, 202, 172, BLUE)
    c.disc(240, 176, 12, YELLOW, 0.7)
