"""Make the example story competition: `python packaging/examples/make.py vist`.

Everything in it is our own: the stories are in `stories.txt`, the pictures are drawn
by rule. Running it again gives the same files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from vist import away, outdoors, town
from vist.canvas import Canvas

HERE = Path(__file__).parent
STORIES = HERE / "stories.txt"
TITLE = "Twelve days"
ABOUT = "Twelve sequences of five drawn pictures, each with three human stories, and four systems."

SCENES = (away, outdoors, town)

Json = Any


@dataclass(frozen=True, slots=True)
class Outing:
    """Photo sequence: its scenes, human stories, and a good system's story, by sentences."""

    number: int
    scenes: tuple[str, ...]
    human: tuple[tuple[str, ...], ...]
    good: tuple[str, ...]

    @property
    def album(self) -> str:
        """Id of the album."""
        return str(7000 + self.number)

    @property
    def photos(self) -> tuple[str, ...]:
        """Ids of the photos."""
        return tuple(str(500_000 + 100 * self.number + i) for i in range(1, len(self.scenes) + 1))


def outings() -> tuple[Outing, ...]:
    """Return the sequences of the stories file."""
    blocks = STORIES.read_text(encoding="utf-8").split("\n\n")[1:]
    return tuple(_outing(number, block) for number, block in enumerate(blocks, start=1))


def _outing(number: int, block: str) -> Outing:
    parts: dict[str, list[tuple[str, ...]]] = {}
    for line in block.strip().split("\n"):
        kind, _, text = line.partition(": ")
        parts.setdefault(kind, []).append(tuple(text.split(" / ")))
    return Outing(number, parts["scenes"][0], tuple(parts["human"]), parts["good"][0])


def annotations_of(outing: Outing) -> list[list[Json]]:
    """Return the human stories in VIST's layout of stories in sequence."""
    return [
        [
            {
                "story_id": str(100 * outing.number + story),
                "album_id": outing.album,
                "photo_flickr_id": photo,
                "worker_arranged_photo_order": order,
                "text": sentence,
            }
        ]
        for story, sentences in enumerate(outing.human, start=1)
        for order, (photo, sentence) in enumerate(zip(outing.photos, sentences, strict=True))
    ]


def submission(team: str, about: str, stories: Iterable[tuple[Outing, str]]) -> Json:
    """Return a submission in the challenge's layout."""
    return {
        "team_name": team,
        "evaluation_info": {"additional_description": about},
        "output_stories": [
            {
                "album_id": outing.album,
                "photo_sequence": list(outing.photos),
                "story_text_normalized": text,
            }
            for outing, text in stories
        ],
    }


def labels(outing: Outing) -> str:
    """Return the story of a system that only lists what it detects."""
    first, *others = outing.scenes
    sentences = [f"this is a picture of the {first} ."]
    return " ".join([*sentences, *(f"there was a {scene} ." for scene in others)])


def defective(all_outings: tuple[Outing, ...]) -> Json:
    """Return the good system's file with one example of each typical error."""
    value = submission("careless", "An early export.", ((o, " ".join(o.good)) for o in all_outings))
    stories = value["output_stories"]
    stories[2]["story_text"] = stories[2].pop("story_text_normalized")
    stories[4]["story_text_normalized"] = ""
    stories[6]["album_id"] = None
    stories[8]["photo_sequence"] = stories[7]["photo_sequence"]
    stories[10]["photo_sequence"] = ["1", "2", "3", "4"]
    return value


def files(all_outings: tuple[Outing, ...]) -> dict[str, Json]:
    """Return the JSON files by name."""
    good = ((outing, " ".join(outing.good)) for outing in all_outings)
    named = ((outing, labels(outing)) for outing in all_outings)
    happy = " ".join(["everyone is happy ."] * 5)
    return {
        "example.json": {
            "title": TITLE,
            "task": "vist",
            "inputs": {
                "references": ["human-stories.json"],
                "template": ["template.json"],
                "submission": ["storyteller.json", "labels.json", "happy.json", "careless.json"],
                "images": ["images"],
            },
            "about": ABOUT,
        },
        "human-stories.json": {
            "type": "story-in-sequence",
            "annotations": [part for outing in all_outings for part in annotations_of(outing)],
        },
        "template.json": submission(
            "your team", "What you want to say.", ((outing, "") for outing in all_outings)
        ),
        "storyteller.json": submission("storyteller", "Tells what happened.", good),
        "labels.json": submission("labels", "Names what it sees in each picture.", named),
        "happy.json": submission(
            "everyone-happy",
            "The same five sentences.",
            ((outing, happy) for outing in all_outings),
        ),
        "careless.json": defective(all_outings),
    }


def draw(scene: str) -> Image.Image:
    """Draw a scene with the function of its name."""
    canvas = Canvas(scene)
    paint = next(getattr(module, scene) for module in SCENES if hasattr(module, scene))
    paint(canvas)
    return canvas.picture()


def make(folder: Path) -> None:
    """Write the whole competition into a folder."""
    all_outings = outings()
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    for name, value in files(all_outings).items():
        text = json.dumps(value, indent=1, ensure_ascii=False)
        (folder / name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    for outing in all_outings:
        for photo, scene in zip(outing.photos, outing.scenes, strict=True):
            draw(scene).save(images / f"{photo}.png", optimize=True)
