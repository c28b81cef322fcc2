"""Make the example dense-captioning competition: `python packaging/examples/make.py densecap`.

Everything in it is our own: the pictures are drawn from `scenes.txt`, and people
and systems speak of them by rule. Running it again gives the same files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from densecap.things import (
    PLACES,
    SCALE,
    SHAPES,
    Box,
    Scenery,
    Thing,
    draw_scene,
    read_scenes,
    read_thing,
)
from vist.canvas import HEIGHT, WIDTH

HERE = Path(__file__).parent
SCENES = HERE / "scenes.txt"
TITLE = "Twelve places"
ABOUT = "Twelve drawn pictures with captioned boxes by several people, and four systems."

ALIKE, APART = 0.03, 0.22
"""By how much of its sides people's boxes, and the worst of a middling system, are off."""

Json = Any


@dataclass(frozen=True, slots=True)
class Region:
    """Captioned box with the system's confidence."""

    box: Box
    caption: str
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Picture:
    """Picture with its number, place and things."""

    number: int
    place: str
    things: tuple[Thing, ...]

    @property
    def name(self) -> str:
        """Id, and name of the file."""
        return f"{self.number:02d}-{self.place}"

    def draw(self) -> Scenery:
        """Draw the picture."""
        return draw_scene(self.name, self.place, self.things)


def pictures() -> tuple[Picture, ...]:
    """Return the pictures of the scenes file."""
    return tuple(
        Picture(number, place, tuple(map(read_thing, lines)))
        for number, (place, *lines) in enumerate(read_scenes(SCENES), 1)
    )


def dice(seed: str) -> Random:
    """Return the random generator of a seed."""
    return Random(seed)  # noqa: S311 - nothing to be kept secret


def an(name: str) -> str:
    """Return a word with its article."""
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


# What people say


def caption(rng: Random, picture: Picture, thing: Thing) -> str:
    """Return a person's caption of a thing."""
    name = rng.choice(SHAPES[thing.word].names)
    other = rng.choice([one for one in picture.things if one is not thing])
    where = "in the" if thing.y < 75 else "on the"
    what = PLACES[picture.place].sky if thing.y < 75 else PLACES[picture.place].ground
    return rng.choice(
        [
            f"a {thing.tone} {name}",
            f"a {thing.tone} {name} {where} {what}",
            f"the {name} is {thing.tone}",
            f"{an(name)} {where} {what}",
            f"a {thing.tone} {name} near {an(other.word)}",
        ]
    )


def people(picture: Picture) -> list[Region]:
    """Return the ground truth: each thing marked by one to three people, and the background."""
    rng = dice(f"people {picture.name}")
    marked = [
        Region(moved(rng, thing.box, ALIKE), caption(rng, picture, thing))
        for thing in picture.things
        for _ in range(rng.randint(1, 3))
    ]
    ground = (0.0, 130.0, float(WIDTH), float(HEIGHT))
    marked.append(Region(moved(rng, ground, ALIKE), f"the {PLACES[picture.place].ground}"))
    rng.shuffle(marked)
    return marked


# What systems say


def careful(picture: Picture) -> Iterator[Region]:
    """Return a good system: accurate boxes, mostly correct words, some duplicates."""
    rng = dice(f"careful {picture.name}")
    for thing in picture.things:
        if rng.random() < 0.9:
            yield seen(rng, picture, thing, rng.uniform(ALIKE, APART), mistaken=0.15)
        if rng.random() < 0.3:
            yield seen(rng, picture, thing, APART, mistaken=0.3)
    yield Region((0, 128, WIDTH, HEIGHT), f"the {PLACES[picture.place].ground}", sure(rng, 0.5))
    yield anywhere(rng, picture)


def tagger(picture: Picture) -> Iterator[Region]:
    """Return a system with accurate boxes and one-word captions."""
    rng = dice(f"tagger {picture.name}")
    for thing in picture.things:
        box = moved(rng, thing.box, rng.uniform(ALIKE, APART / 2))
        says = rng.choice([thing.word, an(thing.word), "something in the picture"])
        yield Region(box, says, sure(rng, 0.7))
    for _ in range(3):
        yield anywhere(rng, picture)


def grid(picture: Picture) -> Iterator[Region]:
    """Return a system that recognizes things but not their places: one thing per cell of a grid."""
    rng = dice(f"grid {picture.name}")
    for thing in picture.things:
        left, top, right, bottom = thing.box
        x, y = (left + right) / 2 // 64 * 64, (top + bottom) / 2 // 50 * 50
        yield Region((x, y, x + 64, y + 50), caption(rng, picture, thing), sure(rng, 0.6))
        yield seen(rng, picture, thing, 1.4 * APART, mistaken=0.4)


def seen(rng: Random, picture: Picture, thing: Thing, off: float, mistaken: float) -> Region:
    """Return the recognized thing, which with this probability is another one of the picture."""
    is_wrong = rng.random() < mistaken
    named = rng.choice(picture.things) if is_wrong else thing
    certainty = sure(rng, 0.5 if is_wrong else 0.8)
    return Region(moved(rng, thing.box, off), caption(rng, picture, named), certainty)


def anywhere(rng: Random, picture: Picture) -> Region:
    """Return a random box."""
    x, y = rng.uniform(0, 240), rng.uniform(0, 140)
    words = caption(rng, picture, rng.choice(picture.things))
    return Region((x, y, x + rng.uniform(30, 80), y + rng.uniform(20, 60)), words, sure(rng, 0.3))


def sure(rng: Random, most: float) -> float:
    """Return a log-probability below zero; larger values mean more confidence."""
    return round(-rng.uniform(0.05, 1.5) / most, 3)


def moved(rng: Random, box: Box, off: float) -> Box:
    """Return the box with each edge moved by up to this share of its sides, inside the picture."""
    left, top, right, bottom = box
    across, down = off * (right - left), off * (bottom - top)
    return (
        max(0.0, left + rng.uniform(-across, across)),
        max(0.0, top + rng.uniform(-down, down)),
        min(float(WIDTH), right + rng.uniform(-across, across)),
        min(float(HEIGHT), bottom + rng.uniform(-down, down)),
    )


# Files


def xywh(box: Box) -> list[float]:
    """Return left, top, width and height in pixels of the picture."""
    left, top, right, bottom = (side * SCALE for side in box)
    return [round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)]


def xcycwh(box: Box) -> list[float]:
    """Return centre, width and height."""
    x, y, width, height = xywh(box)
    return [round(x + width / 2, 1), round(y + height / 2, 1), width, height]


def ground_truth(all_pictures: Sequence[Picture]) -> Json:
    """Return the human regions, one object per image."""
    return {
        "images": [
            {
                "image_id": picture.name,
                "width": WIDTH * SCALE,
                "height": HEIGHT * SCALE,
                "gt_boxes": [xcycwh(region.box) for region in people(picture)],
                "gt_captions": [region.caption for region in people(picture)],
            }
            for picture in all_pictures
        ]
    }


def results(name: str, found: Sequence[tuple[Picture, list[Region]]]) -> Json:
    """Return a system in DenseCap's own layout."""
    return {
        "team_name": name,
        "results": [
            {
                "img_name": f"{picture.name}.png",
                "boxes": [xywh(region.box) for region in regions],
                "scores": [region.score for region in regions],
                "captions": [region.caption for region in regions],
            }
            for picture, regions in found
        ],
    }


def two_corners(box: Box) -> list[float]:
    """Return left, top, right and bottom."""
    return [round(side * SCALE, 1) for side in box]


def listed(
    name: str,
    found: Sequence[tuple[Picture, list[Region]]],
    written: Callable[[Box], list[float]] = xywh,
) -> Json:
    """Return a system with one object per region."""
    return {
        "team_name": name,
        "detections": [
            {
                "image_id": picture.name,
                "box": written(region.box),
                "caption": region.caption,
                "score": region.score,
            }
            for picture, regions in found
            for region in regions
        ],
    }


def files(all_pictures: Sequence[Picture]) -> dict[str, Json]:
    """Return the JSON files by name."""
    by_care, by_tag, by_grid = (
        [(picture, list(system(picture))) for picture in all_pictures]
        for system in (careful, tagger, grid)
    )
    return {
        "example.json": {
            "title": TITLE,
            "task": "densecap",
            "inputs": {
                "ground-truth": ["people.json"],
                "detections": ["region-net.json", "tagger.json", "grid.json", "wrong-boxes.json"],
                "images": ["images"],
            },
            "about": ABOUT,
        },
        "people.json": ground_truth(all_pictures),
        "region-net.json": results("region-net", by_care),
        "tagger.json": listed("tagger", by_tag),
        "grid.json": listed("grid", by_grid),
        "wrong-boxes.json": listed("wrong-boxes", by_care, two_corners),
    }


def make(folder: Path) -> None:
    """Write the whole competition into a folder."""
    all_pictures = pictures()
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    for name, value in files(all_pictures).items():
        text = json.dumps(value, indent=1)
        (folder / name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    for picture in all_pictures:
        picture.draw().large().save(images / f"{picture.name}.png", optimize=True)
