"""JSON layouts of captioned boxes: detection of the layout and extraction of the regions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from jurydesk.core.language import counted, fill, join_messages, name_list
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.tasks.densecap.densecap_options import SHAPE_PROGRAMS

Role = Literal["ground-truth", "detections"]
Field = Literal["box", "caption", "score", "image_id"]

FORMATS = ("xywh", "xcycwh", "xyxy")
IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png")
"""DenseCap's results have image files, whose stem is the image's id."""
MAX_SIDE = 2**31  # width or height of an image, in pixels
LISTS = ("detections", "ground_truth", "annotations", "regions", "records")
CAPTIONS = ("caption", "object_descriptions", "phrase", "cap", "captions", "description")
"""Names of captions: ours, then those of GRiT, CapDet, Visual Genome and others."""
SCORES = ("score", "confidence", "logprob", "log_prob", "scores")
BOXES = ("box", "bbox")
SIDES: Mapping[tuple[str, ...], str] = {
    ("x", "y", "w", "h"): "xywh",
    ("x", "y", "width", "height"): "xywh",
    ("x1", "y1", "x2", "y2"): "xyxy",
    ("xmin", "ymin", "xmax", "ymax"): "xyxy",
}
"""Members of regions that are the sides of a box, with its format.

Beside the first, `width` and `height` are those of the image.
"""
FIRST = 100
"""Number of regions whose members decide on the names."""
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
        has_fixed_format: True if the layout determines the box format.
        frame: Image size that the boxes refer to: "720" for a longer side of 720 pixels.
        programs: Profiles whose programs score files of this shape; empty for all.
        ids: Id of each region, if the file has them.
    """

    box_format: str
    images: list[str] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    boxes: list[Json] = field(default_factory=list)
    captions: list[Json] = field(default_factory=list)
    scores: list[Json] = field(default_factory=list)
    sizes: dict[str, tuple[float, float]] = field(default_factory=dict)
    path: Callable[[int, Field], str] = lambda region, name: f"[{region}].{name}"
    has_fixed_format: bool = False
    frame: str = ""
    programs: tuple[str, ...] = ()
    ids: list[Json] = field(default_factory=list)


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


def extract_regions(root: JsonCursor, role: Role) -> RawRegions:
    """Extract the regions of a role from a file's JSON, in any of the supported layouts."""
    data = root.value
    holder = data if isinstance(data, dict) else {}
    shape = next((key for key in ("images", "results") if isinstance(holder.get(key), list)), "")
    columns = COLUMNS.get((shape, role))
    box_format = holder.get("box_format", columns.box_format if columns else "xywh")
    if box_format not in FORMATS:
        found = fill('"box_format" is {box_format}.', repr(str(box_format)[:40]))
        root["box_format"].error(found, "xywh, xcycwh or xyxy is expected.")
        return RawRegions("xywh")
    entries = _regions_by_image(holder)
    if entries:
        root.note("The regions have another layout.", "They were read as a list of regions.")
        return _read_region_objects(root.at("", entries), role, holder.get("box_format", "xywh"))
    if role == "ground-truth" and _is_coco(holder):
        return _read_coco(root, holder.get("box_format", "xywh"))
    if columns:
        return _read_image_objects(root.at(shape, holder[shape]), columns, box_format)
    for key in LISTS:
        if isinstance(holder.get(key), list):
            return _read_region_objects(root.at(key, holder[key]), role, box_format)
    if isinstance(data, list):
        if data and isinstance(data[0], dict) and "regions" in data[0]:
            return _read_visual_genome(root, role)
        if _are_without_boxes(data) and not _sides(data):
            root[0].report_missing(BOXES[0], EXPECTED)
            return RawRegions("xywh")
        return _read_region_objects(root, role, box_format)
    root.error("The file contains no list of captioned boxes.", EXPECTED)
    return RawRegions("xywh")


def _read_image_objects(images: JsonCursor, columns: ParallelLists, box_format: str) -> RawRegions:
    layout, starts, prefixes = RawRegions(box_format, has_fixed_format=True), [0], []
    for number in range(len(images.value)):
        holder = image = images[number]
        if columns.container and isinstance(image.value, dict):
            holder = image[columns.container]
        elif columns.container:
            holder = image.at(f"{image.path}.{columns.container}", image.value)
        if add_image(layout, image.value, holder, columns):
            prefixes.append(holder.path)
            starts.append(len(layout.boxes))
    layout.path = layout_path(starts, prefixes, columns.names())
    return layout


def layout_path(
    starts: Sequence[int], prefixes: Sequence[str], names: Mapping[Field, str]
) -> Callable[[int, Field], str]:
    """Return the function of JSON paths in lists of images, which begin at these regions."""

    def json_path(region: int, key: Field) -> str:
        image = bisect_right(starts, region) - 1
        return f"{prefixes[image]}.{names[key]}[{region - starts[image]}]"

    return json_path


def add_image(layout: RawRegions, entry: Json, holder: JsonCursor, columns: ParallelLists) -> bool:
    """Add the regions of one image; report an error and return False if it is invalid."""
    names = columns.names()
    if not isinstance(holder.value, dict):
        members = ", ".join(f'"{name}"' for name in names.values())
        expected = fill("An object with {members} is expected.", members)
        holder.error("The value is not an object.", expected)
        return False
    lists = {key: holder.value.get(name) for key, name in names.items()}
    invalid = [names[key] for key, values in lists.items() if not isinstance(values, list)]
    if invalid:
        found = fill('"{invalid}" is not a list.', invalid[0])
        holder.error(found, "A list with an entry for each box is expected.")
        return False
    lengths = {names[key]: len(values) for key, values in lists.items() if values is not None}
    if len(set(lengths.values())) > 1:
        shown = (fill('{values:,} in "{name}"', n, name) for name, n in lengths.items())
        found = fill("The lists differ in length: {counted}.", join_messages(shown, ", "))
        holder.error(found, "Lists with an entry for each box are expected.")
        return False
    identity = entry.get(columns.image, entry.get("image_id", entry.get("id")))
    if identity is not None and not isinstance(identity, str | int):
        report_id(holder, identity)
        return False
    image = f"image {len(layout.images) + 1}" if identity is None else str(identity)
    if columns.image == "img_name" and image.lower().endswith(IMAGE_SUFFIXES):
        image = image.rpartition(".")[0]
    layout.images.append(image)
    layout.owners += [len(layout.images) - 1] * len(lists["box"] or ())
    layout.boxes += lists["box"] or ()
    layout.captions += lists["caption"] or ()
    layout.scores += lists.get("score") or ()
    add_size(layout, image, entry)
    return True


def report_id(place: JsonCursor, identity: Json) -> None:
    """Report a missing or invalid id of an image."""
    found = "The id of the image is missing."
    if identity is not None:
        found = fill("The id of the image is {type}.", describe_value(identity))
    place.error(found, IMAGE_ID)


def add_size(layout: RawRegions, image: str, entry: dict[str, Json]) -> None:
    """Add the size of an image, if its entry has one."""
    size = entry.get("width"), entry.get("height")
    if is_size(size):
        layout.sizes[image] = size  # type: ignore[assignment]


def is_size(sides: tuple[Json, Json]) -> bool:
    """Return True for a valid width and height of an image in pixels."""
    return all(type(side) in (int, float) and 0 < side < MAX_SIDE for side in sides)


def _regions_by_image(holder: dict[str, Json]) -> list[Json]:
    """Return regions with their image's id, from lists of regions by image; else nothing."""
    entries: list[Json] = []
    for image, regions in holder.items():
        if not isinstance(regions, list) or not all(map(_is_region, regions)):
            return []
        entries += [{"image_id": image, **region} for region in regions]
    return entries


def _are_without_boxes(entries: list[Json]) -> bool:
    """Return whether objects are no regions at all, as those of whole images or files."""
    are_objects = bool(entries) and all(isinstance(one, dict) for one in entries)
    return are_objects and not any(name in one for one in entries for name in BOXES)


def _is_region(value: Json) -> bool:
    return (
        isinstance(value, dict)
        and any(name in value for name in BOXES)
        and any(name in value for name in CAPTIONS)
        and "image_id" not in value
    )


def only_element(value: Json) -> Json:
    """Return the element of a list of one; anything else unchanged."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _chosen_name(root: JsonCursor, regions: list[dict[str, Json]], names: tuple[str, ...]) -> str:
    """Return the first name that regions have, with a note if it is not the usual one."""
    some = regions[:FIRST]
    name = next((name for name in names if any(name in one for one in some)), names[0])
    if name != names[0]:
        found = fill('"{name}" is read as "{usual}".', name, names[0])
        root.note(found)
    return name


def _read_region_objects(entries: JsonCursor, role: Role, box_format: str) -> RawRegions:
    """Read one object per region: `image_id`, `box`, `caption` and, for detections, `score`."""
    key = entries.path
    regions = [entry for entry in entries.value if isinstance(entry, dict)]
    indices: list[int] | range = range(len(regions))
    if len(regions) < len(entries.value):
        indices = _report_non_objects(entries)
    sides = _sides(regions)
    if sides:
        box_format = SIDES[sides]
        entries.note(fill("The boxes are read from {names}.", name_list(sides, len(sides))))
    caption = _chosen_name(entries, regions, CAPTIONS)
    frame = "720" if caption == "object_descriptions" else ""  # GRiT's writer scales them
    score = _chosen_name(entries, regions, SCORES) if role == "detections" else SCORES[0]
    names = {"caption": caption, "score": score}
    layout = RawRegions(
        box_format,
        path=lambda region, name: f"{key}[{indices[region]}].{names.get(name, name)}",
        frame=frame,
        programs=SHAPE_PROGRAMS["grit"] if frame else (),
    )
    identities = [entry.get("image_id") for entry in regions]
    for number, identity in enumerate(identities):
        if not isinstance(identity, str | int):
            report_id(entries.at(layout.path(number, "image_id")), identity)
    numbers: dict[str, int] = {}
    layout.owners = [numbers.setdefault(str(identity), len(numbers)) for identity in identities]
    layout.images = list(numbers)
    layout.ids = [entry.get("id") for entry in regions]
    layout.boxes = [entry.get("box", entry.get("bbox")) for entry in regions]
    if sides:
        layout.boxes = [[entry.get(side) for side in sides] for entry in regions]
    layout.captions = [_member(entry, caption, CAPTIONS) for entry in regions]
    if role == "detections":
        layout.scores = [_member(entry, score, SCORES) for entry in regions]
    return layout


def _sides(regions: list[dict[str, Json]]) -> tuple[str, ...]:
    """Return the members that are the sides of the boxes; none if regions have boxes."""
    some = regions[:FIRST]
    if not some or any(name in one for one in some for name in BOXES):
        return ()
    return next((names for names in SIDES if all(set(names) <= set(one) for one in some)), ())


def _member(entry: dict[str, Json], name: str, names: tuple[str, ...]) -> Json:
    value = entry.get(name)
    return value if name == names[0] else only_element(value)


def _report_non_objects(entries: JsonCursor) -> list[int]:
    """Report the elements that are no objects; return the indices of the others."""
    objects = []
    for number, entry in enumerate(entries.value):
        if isinstance(entry, dict):
            objects.append(number)
        else:
            entries[number].error("The element is not an object.", EXPECTED)
    return objects


def _is_coco(holder: dict[str, Json]) -> bool:
    """Return True if the boxes are in a list "annotations" beside the images."""
    images = holder.get("images")
    if not isinstance(holder.get("annotations"), list) or not isinstance(images, list):
        return False
    return not any("gt_boxes" in image for image in images if isinstance(image, dict))


def _read_coco(root: JsonCursor, box_format: str) -> RawRegions:
    """Read COCO annotations; an image without annotations has no ground truth."""
    annotations = root.at("annotations", root.value["annotations"])
    layout = _read_region_objects(annotations, "ground-truth", box_format)
    annotated = layout.images
    layout.images = coco_images(root, layout)
    _report_orphans(annotations, annotated, layout.images)
    layout.images = list(dict.fromkeys([*layout.images, *annotated]))
    numbers = {image: number for number, image in enumerate(layout.images)}
    layout.owners = [numbers[annotated[owner]] for owner in layout.owners]
    return layout


def coco_images(root: JsonCursor, layout: RawRegions) -> list[str]:
    """Return the ids of COCO's images, each once, and add their sizes to the layout."""
    found, images = dict[str, None](), root.value.get("images")
    for number, image in enumerate(images if isinstance(images, list) else ()):
        identity = image.get("id") if isinstance(image, dict) else None
        if not isinstance(identity, str | int):
            report_id(root.at(f"images[{number}].id"), identity)
            continue
        found[str(identity)] = None
        add_size(layout, str(identity), image)
    return list(found)


def _report_orphans(
    annotations: JsonCursor, annotated: Sequence[str], listed: Sequence[str]
) -> None:
    """Report annotations of images that the list of images, if it has any, does not hold."""
    known = set(listed)
    orphans = [image for image in annotated if image not in known]
    if orphans and known:
        found = fill(
            'Annotations name {images} outside "images": {orphans}; it lists {listed}.',
            counted(len(orphans), "image"),
            name_list(orphans),
            name_list(listed),
        )
        annotations.error(found, "An id of a listed image is expected in each annotation.")


def _read_visual_genome(root: JsonCursor, role: Role) -> RawRegions:
    """Read Visual Genome's region descriptions: an object per image with a list of regions."""
    layout, prefixes = RawRegions("xywh", has_fixed_format=True), []
    _report_non_objects(root)
    for number, entry in enumerate(root.value):
        regions = entry.get("regions") if isinstance(entry, dict) else None
        if not isinstance(regions, list) or not all(isinstance(region, dict) for region in regions):
            found = '"regions" is missing or not a list of objects.'
            root[number]["regions"].error(found, EXPECTED)
            continue
        first = regions[0].get("image_id") if regions else None
        identity = entry.get("id", entry.get("image_id", first))
        if not isinstance(identity, str | int):
            report_id(root[number]["id"], identity)
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
