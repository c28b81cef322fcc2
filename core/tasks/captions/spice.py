"""Reading scores of SPICE that were computed elsewhere: its parser's models cannot be had here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.defects import error, has_errors
from core.model import Json
from core.task import Reading
from core.tasks.captions.captions import ImageId, SpiceFile, image_id
from core.tasks.json_attributes import kind_of
from core.tasks.json_file import read_json
from core.tasks.vist.defect_list import DefectList

EXPECTED = (
    'A list of objects with "image_id" and "scores" or "SPICE", as pycocoevalcap has it, or an '
    'object {image: {"All": {"f": ...}}} is expected.'
)


def read_spice(path: Path) -> Reading[SpiceFile]:
    """Return the F scores of SPICE by image, and everything wrong with the file."""
    file = read_json(path, damaged="replace", not_finite=True)
    if not file.sound:
        return Reading(None, file.defects)
    defects = DefectList(file.defects)
    scores: dict[ImageId, float] = {}
    if not isinstance(file.data, list | dict) or not file.data:
        found = f"The file holds {kind_of(file.data)}."
        defects.append(error(file.place(), found, EXPECTED))
    else:
        for place, key, value in _entries(file.data):
            score = _score(value)
            if key is None or score is None:
                found = "No image with a score of SPICE between 0 and 1."
                defects.append(error(file.place(place), found, EXPECTED))
            else:
                scores[key] = score
    told = defects.told()
    return Reading(None if has_errors(told) else SpiceFile(str(path), scores), told)


def _entries(data: Json) -> Iterator[tuple[str, ImageId | None, Json]]:
    """Yield the place, the image and the scores of each entry."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield name, int(name) if name.isdecimal() and len(name) < 19 else name, value
        return
    for index, value in enumerate(data):
        place = f"[{index}]"
        if not isinstance(value, dict):
            yield place, None, None
            continue
        yield place, image_id(value.get("image_id")), value.get("scores", value.get("SPICE"))


def _score(value: Json) -> float | None:
    """Return the F score of `{"All": {"f": ...}}` or of a number; NaN counts as 0, as there."""
    if isinstance(value, dict):
        inner = value.get("All")
        value = inner.get("f") if isinstance(inner, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value)
    if number != number:
        return 0.0
    return number if 0 <= number <= 1 else None
