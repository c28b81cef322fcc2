"""Reader of Visual Genome's `image_data.json`: the sizes of images."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import Reading
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import JsonCursor
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.tasks.densecap.readers.json_shapes import is_size
from jurydesk.core.tasks.densecap.readers.regions import Regions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

SIDES = ("width", "height")
EXPECTED = 'A list of {"image_id", "width", "height"} is expected, as in image_data.json.'


def with_image_sizes(regions: Regions, path: Path, run: Run) -> Reading[Regions]:
    """Return regions with the sizes of their images that the file has, and the file's defects."""
    file = run.call(read_json_file, path)
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    entries = root.value if isinstance(root.value, list) else []
    sizes = dict(filter(None, map(_size, entries)))
    if not sizes:
        root.error("The file has no sizes of images.", EXPECTED)
        return Reading(None, root.defects.to_tuple())
    images = set(regions.images)
    known = {image: size for image, size in sizes.items() if image in images}
    if not known:
        root.warning("The file has no size of an image of the ground truth.", EXPECTED)
    return Reading(replace(regions, sizes={**known, **regions.sizes}), root.defects.to_tuple())


def _size(entry: Json) -> tuple[str, tuple[float, float]] | None:
    """Return the id and size of an image; None for an entry without them."""
    if not isinstance(entry, dict):
        return None
    image, width, height = (entry.get("image_id", entry.get("id")), *map(entry.get, SIDES))
    if not isinstance(image, str | int) or not is_size((width, height)):
        return None
    return str(image), (float(width), float(height))  # type: ignore[arg-type]
