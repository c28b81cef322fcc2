"""JSON layouts of captioned boxes: detection of the layout and extraction of the regions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from jurydesk.core.language import fill
from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import Json

Role = Literal["ground-truth", "detections"]
Field = Literal["box", "caption", "score", "image_id"]

FORMATS = ("xywh", "xcycwh", "xyxy")
IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png")
"""DenseCap's results have image files, whose stem is the image's id."""
MAX_SIDE = 2**31  # width or height of an image, in pixels
LISTS = ("detections", "ground_truth", "annotations", "regions", "records")
NO_ID = '"id" is missing or neither text nor a number.'
IMAGE_ID = "An image id is expected, text or an integer."
EXPECTED = (
    'A list of {"image_id", "box", "caption"} is expected, or an object with "images" or "results".'
)


@dataclass(slots=True, eq=False)
class RawRegions:
    """Regions of a file before validation.

    Attributes:
        box_format: Format of the boxes.
        images: Ids of the images.
        owners: Index in `images` of each region's image.
        boxes, captions, scores: One entry per region; no scores for ground truth.
        sizes: Width and height by image, in pixels.
        path: Function that returns the JSON path of a region's field.
        defects: Errors of the layout.
        has_fixed_format: True if the layout determines the box format.
    """

    box_format: str
    images: list[str] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    boxes: list[Json] = field(default_factory=list)
    captions: list[Json] = field(default_factory=list)
    scores: list[Json] = field(default_factory=list)
    sizes: dict[str, tuple[float, float]] = field(default_factory=dict)
    path: Callable[[int, Field], str] = lambda region, name: f"[{region}].{name}"
    defects: list[Defect] = field(default_factory=list)
    has_fixed_format: bool = False


@dataclass(frozen=True, slots=True)
class ParallelLists:
    """JSON layout of one object per image with parallel lists, in its member `container` if any."""

    key: str
    image: str
    box_format: str
    box: str
    caption: str
    score: str = ""
    container: str = ""

    def names(self) -> dict[Field, str]:
        """Return the names of the lists by field."""
        names: dict[Field, str] = {"box": self.box, "caption": self.caption, "score": self.score}
        return {key: name for key, name in names.items() if name}


COLUMNS: dict[tuple[str, Role], ParallelLists] = {
    ("images", "ground-truth"): ParallelLists(
        "images", "image_id", "xcycwh", "gt_boxes", "gt_captions"
    ),
    ("images", "detections"): ParallelLists(
        "images", "image_id", "xcycwh", "boxes", "captions", "logprobs", "detections"
    ),
    ("results", "ground-truth"): ParallelLists("results", "img_name", "xywh", "boxes", "captions"),
    ("results", "detections"): ParallelLists(
        "results", "img_name", "xywh", "boxes", "captions", "scores"
    ),
}


def extract_regions(data: Json, role: Role, path: str) -> RawRegions:
    """Extract the regions of a role from a file's JSON, in any of the supported layouts."""
    holder = data if isinstance(data, dict) else {}
    shape = next((key for key in ("images", "results") if isinstance(holder.get(key), list)), "")
    columns = COLUMNS.get((shape, role))
    box_format = holder.get("box_format", columns.box_format if columns else "xywh")
    if box_format not in FORMATS:
        found = fill('"box_format" is {box_format}.', repr(str(box_format)[:40]))
        expected = "xywh, xcycwh or xyxy is expected."
        defect = error(Place(path, json_path="box_format"), found, expected)
        return RawRegions("xywh", defects=[defect])
    if role == "ground-truth" and _is_coco(holder):
        return _read_coco(holder, path, holder.get("box_format", "xywh"))
    if columns:
        return _read_image_objects(holder[shape], columns, path, box_format)
    for key in LISTS:
        if isinstance(holder.get(key), list):
            return _read_region_objects(holder[key], role, path, key, box_format)
    if isinstance(data, list):
        if data and isinstance(data[0], dict) and "regions" in data[0]:
            return _read_visual_genome(data, role, path)
        return _read_region_objects(data, role, path, "", box_format)
    defect = error(Place(path), "The file contains no list of captioned boxes.", EXPECTED)
    return RawRegions("xywh", defects=[defect])


def _read_image_objects(
    images: list[Json], columns: ParallelLists, path: str, box_format: str
) -> RawRegions:
    layout, starts, prefixes = RawRegions(box_format, has_fixed_format=True), [0], []
    for number, entry in enumerate(images):
        prefix, holder = f"{columns.key}[{number}]", entry
        if columns.container:
            prefix += f".{columns.container}"
            holder = entry.get(columns.container) if isinstance(entry, dict) else entry
        problem = _add_image(layout, entry, holder, columns)
        if problem:
            layout.defects.append(error(Place(path, json_path=prefix), *problem))
        else:
            prefixes.append(prefix)
            starts.append(len(layout.boxes))
    names = columns.names()

    def json_path(region: int, key: Field) -> str:
        image = bisect_right(starts, region) - 1
        return f"{prefixes[image]}.{names[key]}[{region - starts[image]}]"

    layout.path = json_path
    return layout


def _add_image(
    layout: RawRegions, entry: Json, holder: Json, columns: ParallelLists
) -> tuple[str, str] | None:
    """Add the regions of one image; if invalid, return what was found and what is expected."""
    names = columns.names()
    if not isinstance(holder, dict):
        members = ", ".join(f'"{name}"' for name in names.values())
        return "The value is not an object.", fill("An object with {members} is expected.", members)
    lists = {key: holder.get(name) for key, name in names.items()}
    invalid = [names[key] for key, values in lists.items() if not isinstance(values, list)]
    if invalid:
        return fill(
            '"{invalid}" is not a list.', invalid[0]
        ), "A list with an entry for each box is expected."
    lengths = {names[key]: len(values) for key, values in lists.items() if values is not None}
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f'{n:,} in "{name}"' for name, n in lengths.items())
        found = fill("The lists differ in length: {counted}.", counted)
        return found, "Lists with an entry for each box are expected."
    identity = entry.get(columns.image, entry.get("image_id", entry.get("id")))
    if identity is not None and not isinstance(identity, str | int):
        return "The id of the image is neither text nor an integer.", IMAGE_ID
    image = f"image {len(layout.images) + 1}" if identity is None else str(identity)
    if columns.image == "img_name" and image.lower().endswith(IMAGE_SUFFIXES):
        image = image.rpartition(".")[0]
    layout.images.append(image)
    layout.owners += [len(layout.images) - 1] * len(lists["box"] or ())
    layout.boxes += lists["box"] or ()
    layout.captions += lists["caption"] or ()
    layout.scores += lists.get("score") or ()
    _add_size(layout, image, entry)
    return None


def _add_size(layout: RawRegions, image: str, entry: dict[str, Json]) -> None:
    size = entry.get("width"), entry.get("height")
    if is_size(size):
        layout.sizes[image] = size  # type: ignore[assignment]


def is_size(sides: tuple[Json, Json]) -> bool:
    """Return True for a valid width and height of an image in pixels."""
    return all(type(side) in (int, float) and 0 < side < MAX_SIDE for side in sides)


def _read_region_objects(
    entries: list[Json], role: Role, path: str, key: str, box_format: str
) -> RawRegions:
    """Read one object per region: `image_id`, `box`, `caption` and, for detections, `score`."""
    layout = RawRegions(box_format, path=lambda region, name: f"{key}[{region}].{name}")
    if not all(isinstance(entry, dict) for entry in entries):
        _report_non_objects(layout, entries, path, key)
        indices = [index for index, entry in enumerate(entries) if isinstance(entry, dict)]
        layout.path = lambda region, name: f"{key}[{indices[region]}].{name}"
    regions = [entry for entry in entries if isinstance(entry, dict)]
    _assign_images(layout, [entry.get("image_id") for entry in regions], path)
    layout.boxes = [entry.get("box", entry.get("bbox")) for entry in regions]
    layout.captions = [entry.get("caption") for entry in regions]
    if role == "detections":
        layout.scores = [entry.get("score") for entry in regions]
    return layout


def _report_non_objects(layout: RawRegions, entries: list[Json], path: str, key: str) -> None:
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict):
            place = Place(path, json_path=f"{key}[{number}]")
            layout.defects.append(error(place, "The element is not an object.", EXPECTED))


def _is_coco(holder: dict[str, Json]) -> bool:
    """Return True if the boxes are in a list "annotations" beside the images."""
    images = holder.get("images")
    if not isinstance(holder.get("annotations"), list) or not isinstance(images, list):
        return False
    return not any("gt_boxes" in image for image in images if isinstance(image, dict))


def _read_coco(holder: dict[str, Json], path: str, box_format: str) -> RawRegions:
    """Read COCO annotations; an image without annotations has no ground truth."""
    layout = _read_region_objects(
        holder["annotations"], "ground-truth", path, "annotations", box_format
    )
    annotated = layout.images
    layout.images = []
    for number, image in enumerate(holder["images"]):
        identity = image.get("id") if isinstance(image, dict) else None
        if not isinstance(identity, str | int):
            place = Place(path, json_path=f"images[{number}].id")
            layout.defects.append(error(place, NO_ID, IMAGE_ID))
            continue
        layout.images.append(str(identity))
        _add_size(layout, str(identity), image)
    layout.images = list(dict.fromkeys([*layout.images, *annotated]))
    numbers = {image: number for number, image in enumerate(layout.images)}
    layout.owners = [numbers[annotated[owner]] for owner in layout.owners]
    return layout


def _assign_images(layout: RawRegions, identities: list[Json], path: str) -> None:
    """Assign each region its image, numbered by first appearance."""
    for number, identity in enumerate(identities):
        if not isinstance(identity, str | int):
            place = Place(path, json_path=layout.path(number, "image_id"))
            found = '"image_id" is missing or neither text nor a number.'
            layout.defects.append(error(place, found, IMAGE_ID))
    numbers: dict[str, int] = {}
    layout.owners = [numbers.setdefault(str(identity), len(numbers)) for identity in identities]
    layout.images = list(numbers)


def _read_visual_genome(images: list[Json], role: Role, path: str) -> RawRegions:
    """Read Visual Genome's region descriptions: an object per image with a list of regions."""
    layout, prefixes = RawRegions("xywh", has_fixed_format=True), []
    _report_non_objects(layout, images, path, "")
    for number, entry in enumerate(images):
        regions = entry.get("regions") if isinstance(entry, dict) else None
        if not isinstance(regions, list) or not all(isinstance(region, dict) for region in regions):
            place = Place(path, json_path=f"[{number}].regions")
            found = '"regions" is missing or not a list of objects.'
            layout.defects.append(error(place, found, EXPECTED))
            continue
        first = regions[0].get("image_id") if regions else None
        identity = entry.get("id", entry.get("image_id", first))
        if not isinstance(identity, str | int):
            place = Place(path, json_path=f"[{number}].id")
            layout.defects.append(error(place, NO_ID, IMAGE_ID))
        layout.images.append(str(identity))
        layout.owners += [len(layout.images) - 1] * len(regions)
        for region in regions:
            layout.boxes.append([region.get(side) for side in ("x", "y", "width", "height")])
        layout.captions += [region.get("phrase") for region in regions]
        if role == "detections":
            layout.scores += [region.get("score") for region in regions]
        prefixes += [f"[{number}].regions[{i}]" for i in range(len(regions))]
    names = {"box": "x", "caption": "phrase", "score": "score"}
    layout.path = lambda region, key: f"{prefixes[region]}.{names[key]}"
    return layout
