"""Make the example captioning competition: `python packaging/examples/make.py captions`.

Everything in it is our own: the pictures are drawn from `scenes.txt`, which also
contains what people and a good system say of them. Running it again gives the same files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from densecap.things import SCALE, Scenery, Thing, draw_scene, read_scenes, read_thing
from vist.canvas import HEIGHT, WIDTH

HERE = Path(__file__).parent
SCENES = HERE / "scenes.txt"
TITLE = "Ten pictures"
ABOUT = "Ten drawn pictures, each with five captions by people, and four systems."
SYSTEMS = ["describer", "lister", "short", "careless"]

Json = Any


@dataclass(frozen=True, slots=True)
class Picture:
    """Picture with its number, place, things and captions."""

    number: int
    place: str
    things: tuple[Thing, ...]
    human: tuple[str, ...]
    good: str

    @property
    def id(self) -> int:
        """Id in the annotations."""
        return 4000 + 17 * self.number

    @property
    def file_name(self) -> str:
        """Name of the picture's file."""
        return f"{self.id}.png"

    def draw(self) -> Scenery:
        """Draw the picture."""
        return draw_scene(f"captions {self.number}", self.place, self.things)


def pictures() -> tuple[Picture, ...]:
    """Return the pictures of the scenes file."""
    return tuple(_picture(number, *lines) for number, lines in enumerate(read_scenes(SCENES), 1))


def _picture(number: int, place: str, *lines: str) -> Picture:
    said: dict[str, list[str]] = {"human": [], "good": []}
    things = []
    for line in lines:
        kind, colon, text = line.partition(": ")
        if colon:
            said[kind].append(text)
        else:
            things.append(read_thing(line))
    return Picture(number, place, tuple(things), tuple(said["human"]), said["good"][0])


def annotations_of(all_pictures: Sequence[Picture]) -> Json:
    """Return the human captions in COCO's layout."""
    return {
        "info": {"description": ABOUT},
        "images": [
            {
                "id": picture.id,
                "file_name": picture.file_name,
                "width": WIDTH * SCALE,
                "height": HEIGHT * SCALE,
            }
            for picture in all_pictures
        ],
        "annotations": [
            {"id": 100 * picture.number + index, "image_id": picture.id, "caption": caption}
            for picture in all_pictures
            for index, caption in enumerate(picture.human)
        ],
    }


def lister(picture: Picture) -> str:
    """Return the caption of a system that lists the things it detects."""
    things = [f"a {thing.tone} {thing.word}" for thing in picture.things]
    return f"There is {', '.join(things[:-1])} and {things[-1]}."


def short(picture: Picture) -> str:
    """Return a very short caption."""
    return f"a {picture.things[-1].word}"


def results(all_pictures: Sequence[Picture], say: Callable[[Picture], str]) -> list[Json]:
    """Return a system's captions in the layout of COCO's results."""
    return [{"image_id": picture.id, "caption": say(picture)} for picture in all_pictures]


def careless(all_pictures: Sequence[Picture]) -> list[Json]:
    """Return the good system's file with several typical errors."""
    captions = results(all_pictures, lambda picture: picture.good)
    captions[1]["image_id"] = str(captions[1]["image_id"])
    captions[3]["caption"] = None
    captions[4]["image_id"] = captions[5]["image_id"]
    captions[6]["text"] = captions[6].pop("caption")
    captions[8]["caption"] = "A brown dog\u2028standing in front of a house."
    return captions


def files(all_pictures: Sequence[Picture]) -> dict[str, Json]:
    """Return the JSON files by their names."""
    return {
        "example.json": {
            "title": TITLE,
            "task": "captions",
            "inputs": {
                "references": ["annotations.json"],
                "results": [f"{name}.json" for name in SYSTEMS],
                "photos": ["photos"],
            },
            "about": ABOUT,
        },
        "annotations.json": annotations_of(all_pictures),
        "describer.json": results(all_pictures, lambda picture: picture.good),
        "lister.json": results(all_pictures, lister),
        "short.json": results(all_pictures, short),
        "careless.json": careless(all_pictures),
    }


def make(folder: Path) -> None:
    """Write the whole competition into a folder."""
    all_pictures = pictures()
    photos = folder / "photos"
    photos.mkdir(parents=True, exist_ok=True)
    for name, value in files(all_pictures).items():
        text = json.dumps(value, indent=1, ensure_ascii=False)
        (folder / name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    for picture in all_pictures:
        picture.draw().large().save(photos / picture.file_name, optimize=True)
