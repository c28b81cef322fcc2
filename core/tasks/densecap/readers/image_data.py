"""Reader of Visual Genome's `image_data.json`: the sizes of images."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Place
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.reference_remarks import note_unused_entries
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
    found = list(map(_size, entries))
    sizes = dict(filter(None, found))
    if sizes and None in found:
        bare = found.index(None)
        text = fill("{rows} without an id and sizes.", counted(found.count(None), "row"))
        root[bare].warning(text, EXPECTED, count=found.count(None))
    if repeated := len(found) - found.count(None) - len(sizes):
        text = fill("{rows} of an image that has one.", counted(repeated, "row"))
        root.note(text, "The last one counts.", count=repeated)
    if not sizes:
        held = fill("The file holds {type}, without sizes of images.", describe_value(root.value))
        root.error(held, EXPECTED)
        return Reading(None, root.defects.to_tuple())
    images = set(regions.images)
    known = {image: size for image, size in sizes.items() if image in images}
    if not known:
        root.warning("The file has no size of an image of the ground truth.", EXPECTED)
    given = regions.sizes
    if double := sum(given.get(image, size) != size for image, size in known.items()):
        text = fill("{images} with another size in the ground truth.", counted(double, "image"))
        root.note(text, "That of the ground truth counts.", count=double)
    lacking = [image for image in regions.images if image not in known and image not in given]
    if known and lacking:
        # Visual Genome's file has all images; others matter if they are those that lack a size.
        unused = [image for image in sizes if image not in images]
        root.defects.extend(note_unused_entries(root.place, unused, Place(regions.path).name))
        text = fill(
            "{images} without a size: {names}.", counted(len(lacking), "image"), name_list(lacking)
        )
        root.note(text, count=len(lacking))
    return Reading(replace(regions, sizes={**known, **given}), root.defects.to_tuple())


def _size(entry: Json) -> tuple[str, tuple[float, float]] | None:
    """Return the id and size of an image; None for an entry without them."""
    if not isinstance(entry, dict):
        return None
    image, width, height = (entry.get("image_id", entry.get("id")), *map(entry.get, SIDES))
    if not isinstance(image, str | int) or not is_size((width, height)):
        return None
    return str(image), (float(width), float(height))  # type: ignore[arg-type]
