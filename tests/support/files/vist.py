"""Small files of the story competition, for tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jurydesk.core.tasks.vist.stories import HumanStory, PhotoSequence, StoryReferences

ONE = ("11", "12", "13", "14", "15")
TWO = ("21", "22", "23", "24", "25")
THREE = ("31", "32", "33", "34", "35")


def story(photos: Sequence[Any], text: Any = "a story .", album: Any = "7") -> dict[str, Any]:
    """Return an element of `output_stories`."""
    return {"album_id": album, "photo_sequence": list(photos), "story_text_normalized": text}


def submission(*stories: Any, **members: Any) -> dict[str, Any]:
    """Return the value of a submission file."""
    return {
        "team_name": "narrators",
        "evaluation_info": {"additional_description": "our best run"},
        "output_stories": list(stories),
        **members,
    }


def story_annotations(
    story_id: Any, photos: Sequence[str], sentences: Sequence[str], *, flat: bool = False
) -> list[Any]:
    """Return the annotations of one human story, in the order of its photos."""
    parts = [
        {
            "story_id": story_id,
            "album_id": "7",
            "photo_flickr_id": photo,
            "worker_arranged_photo_order": order,
            "text": sentence,
        }
        for order, (photo, sentence) in enumerate(zip(photos, sentences, strict=True))
    ]
    return parts if flat else [[part] for part in parts]


def write(path: Path, value: Any) -> Path:
    """Write a JSON value, one line for each element of its outer lists."""
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def references(*photos: Sequence[str]) -> StoryReferences:
    """Return reference data of one human story for each sequence."""
    stories = (HumanStory("1", "the family went to the beach ."),)
    return StoryReferences(
        tuple(PhotoSequence(tuple(ids), "7", stories) for ids in photos), "gold.json"
    )
