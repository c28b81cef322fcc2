"""JSON layouts of captioned boxes: detection of the layout and extraction of the regions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from jurydesk.core.model.defects import Defect, Place, error
from jurydesk.core.model.evaluation import Json

Role = Literal["ground-truth", "detections"]
Field = Literal["box", "caption", "score", "image_id"]

FORMATS = ("xywh", "xcycwh", "xyxy")
PICTURES = (".jpg", ".jpeg", ".png")
"""DenseCap's own results name the file of a picture, whose stem is its id."""
LARGEST_SIDE = 2**31  # of a picture that is believed, in pixels
LISTS = ("detections", "ground_truth", "annotations", "regions", "records")
NO_ID = '"id" is missing or neither text nor a number.'
IMAGE_ID = "The id of the region's image is expected."
EXPECTED = (
    'A list of {"image_id", "box", "caption"} is expected, or an object with "images" or "results".'
)


@dataclass(slots=True, eq=False)
class RawRegions:
    """The unvalidated regions of a file.

    `boxes`, `captions` and `scores` (empty for ground truth) have one entry a region, `owners`
    the index of its image in `images`. `path` names the place of a region's field. `fixed` says
    that the shape itself tells how boxes are written.
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
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class ParallelLists:
    """A JSON layout with one object per image that holds parallel lists.

    `inside` names the object that holds the lists, where it is not the image's own.
    """

    key: str
    image: str
    box_format: str
    box: str
    caption: str
    score: str = ""
    inside: str = ""

    def names(self) -> dict[Field, str]:
        """Return the members that hold the lists, by what they hold."""
        names: dict[Field, str] = {"box": self.box, "caption": self.caption, "score": self.score}
        return {what: name for what, name in names.items() if name}


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
    """Return the regions of `role` in the JSON `data` of the file at `path`, with its errors."""
    holder = data if isinstance(data, dict) else {}
    shape = next((key for key in ("images", "results") if isinstance(holder.get(key), list)), "")
    columns = COLUMNS.get((shape, role))
    box_format = holder.get("box_format", columns.box_format if columns else "xywh")
    if box_format not in FORMATS:
        found = f'"box_format" is {str(box_format)[:40]!r}.'
        fault = error(
            Place(path, json_path="box_format"), found, "xywh, xcycwh or xyxy is expected."
        )
        return RawRegions("xywh", defects=[fault])
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
    fault = error(Place(path), "The file holds no list of captioned boxes.", EXPECTED)
    return RawRegions("xywh", defects=[fault])


def _read_image_objects(
    images: list[Json], columns: ParallelLists, path: str, box_format: str
) -> RawRegions:
    layout, starts, blocks = RawRegions(box_format, fixed=True), [0], []
    for number, entry in enumerate(images):
        block = f"{columns.key}[{number}]"
        holder = entry.get(columns.inside) if columns.inside and isinstance(entry, dict) else entry
        if columns.inside:
            block += f".{columns.inside}"
        fault = _add_image(layout, entry, holder, columns, block)
        if fault:
            layout.defects.append(error(Place(path, json_path=block), *fault))
        else:
            blocks.append(block)
            starts.append(len(layout.boxes))
    names = columns.names()

    def place(region: int, what: Field) -> str:
        image = bisect_right(starts, region) - 1
        return f"{blocks[image]}.{names[what]}[{region - starts[image]}]"

    layout.path = place
    return layout


def _add_image(
    layout: RawRegions, entry: Json, holder: Json, columns: ParallelLists, block: str
) -> tuple[str, str] | None:
    """Add the regions of one image, or say what was found and what was expected."""
    names = columns.names()
    if not isinstance(holder, dict):
        wanted = ", ".join(f'"{name}"' for name in names.values())
        return "There is no object here.", f"An object with {wanted} is expected."
    lists = {what: holder.get(name) for what, name in names.items()}
    absent = [names[what] for what, values in lists.items() if not isinstance(values, list)]
    if absent:
        return f'"{absent[0]}" is no list.', "One list entry for every box is expected."
    lengths = {names[what]: len(values) for what, values in lists.items() if values is not None}
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f'{n:,} in "{name}"' for name, n in lengths.items())
        return f"The lists differ in length: {counted}.", "They must go together, box by box."
    identity = entry.get(columns.image, entry.get("image_id", entry.get("id")))
    if identity is not None and not isinstance(identity, str | int):
        return "The id of the image is neither text nor a whole number.", IMAGE_ID
    image = f"image {len(layout.images) + 1}" if identity is None else str(identity)
    if columns.image == "img_name" and image.lower().endswith(PICTURES):
        image = image.rpartition(".")[0]
    layout.images.append(image)
    layout.owners += [len(layout.images) - 1] * len(lists["box"] or ())
    layout.boxes += lists["box"] or ()
    layout.captions += lists["caption"] or ()
    layout.scores += lists.get("score") or ()
    _remember_size(layout, image, entry)
    return None


def _remember_size(layout: RawRegions, image: str, entry: dict[str, Json]) -> None:
    size = entry.get("width"), entry.get("height")
    if is_size(size):
        layout.sizes[image] = size  # type: ignore[assignment]


def is_size(sides: tuple[Json, Json]) -> bool:
    """Return whether these can be the width and the height of a picture."""
    return all(type(side) in (int, float) and 0 < side < LARGEST_SIDE for side in sides)


def _read_region_objects(
    entries: list[Json], role: Role, path: str, key: str, box_format: str
) -> RawRegions:
    """Read one object per region: `image_id`, `box`, `caption` and, for detections, `score`."""
    layout = RawRegions(box_format, path=lambda region, what: f"{key}[{region}].{what}")
    if not all(isinstance(entry, dict) for entry in entries):
        _refuse_non_objects(layout, entries, path, key)
        places = [number for number, entry in enumerate(entries) if isinstance(entry, dict)]
        layout.path = lambda region, what: f"{key}[{places[region]}].{what}"
    regions = [entry for entry in entries if isinstance(entry, dict)]
    _find_owners(layout, [entry.get("image_id") for entry in regions], path)
    layout.boxes = [entry.get("box", entry.get("bbox")) for entry in regions]
    layout.captions = [entry.get("caption") for entry in regions]
    if role == "detections":
        layout.scores = [entry.get("score") for entry in regions]
    return layout


def _refuse_non_objects(layout: RawRegions, entries: list[Json], path: str, key: str) -> None:
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict):
            place = Place(path, json_path=f"{key}[{number}]")
            layout.defects.append(error(place, "This is no object.", EXPECTED))


def _is_coco(holder: dict[str, Json]) -> bool:
    """Return whether images only name themselves, and their boxes stand in a list beside them."""
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
        _remember_size(layout, str(identity), image)
    layout.images = list(dict.fromkeys([*layout.images, *annotated]))
    numbers = {image: number for number, image in enumerate(layout.images)}
    layout.owners = [numbers[annotated[owner]] for owner in layout.owners]
    return layout


def _find_owners(layout: RawRegions, identities: list[Json], path: str) -> None:
    """Assign each region its image, numbered by first appearance; a wrong id is an error."""
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
    layout, places = RawRegions("xywh", fixed=True), []
    _refuse_non_objects(layout, images, path, "")
    for number, entry in enumerate(images):
        regions = entry.get("regions") if isinstance(entry, dict) else None
        if not isinstance(regions, list) or not all(isinstance(region, dict) for region in regions):
            place = Place(path, json_path=f"[{number}].regions")
            layout.defects.append(error(place, "There is no list of regions.", EXPECTED))
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
        places += [f"[{number}].regions[{i}]" for i in range(len(regions))]
    fields = {"box": "x", "caption": "phrase", "score": "score"}
    layout.path = lambda region, what: f"{places[region]}.{fields[what]}"
    return layout
