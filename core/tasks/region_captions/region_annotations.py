"""Reader of regions with their captions: COCO's annotations, or those of ControlCap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import Inputs, Reading
from jurydesk.core.language import fill
from jurydesk.core.model.defects import error, has_errors
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.json_cursor import Attribute, JsonCursor, parse_text
from jurydesk.core.readers.json_file import read_json_file
from jurydesk.core.readers.reference_remarks import note_empty_references, note_unused_entries
from jurydesk.core.tasks.captions.annotation_reader import (
    ANNOTATIONS,
    CAPTION,
    IMAGE_ID,
    report_separators,
    surrogate_defects,
)
from jurydesk.core.tasks.captions.captions import CaptionReferences, Image, ImageId, image_id
from jurydesk.core.tasks.densecap.readers.segmentations import segmentation_box
from jurydesk.core.tasks.region_captions.region_captions_options import (
    CAPTION_OPTIONS,
    RESULTS,
    RegionCaptionOptions,
)
from jurydesk.core.tasks.result_parts import parts_of, unused_parts

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

EXPECTED = 'An object with "images" and "annotations" is expected, a caption in each annotation.'
ANNOTATION_ID: Attribute[ImageId] = Attribute("id", "A number or text is expected.", image_id)


@dataclass(frozen=True, eq=False)
class RegionReferences:
    """Items of the annotations with their captions.

    Attributes:
        items: Images, or regions, with their references.
        images: Image of each region, by the annotation's id.
        regions: Regions of each image.
        pictures: All images of the file.
        is_per_region: True if the regions are the items.
        parts: Further result files by that of their system.
    """

    items: CaptionReferences
    images: Mapping[ImageId, ImageId]
    regions: Mapping[ImageId, Sequence[ImageId]]
    pictures: Sequence[Image]
    is_per_region: bool = False
    parts: Mapping[Path, tuple[Path, ...]] = field(default_factory=dict)

    def image_of(self, item: ImageId) -> ImageId:
        """Return the image of an item, which may be the image itself."""
        return self.images[item] if self.is_per_region else item


@dataclass(frozen=True, slots=True)
class Region:
    """Region with its caption (None if unknown) and its box as text."""

    id: ImageId
    image: ImageId
    caption: str | None
    box: str

    @property
    def captions(self) -> tuple[str, ...]:
        """The caption, if there is one."""
        return () if self.caption is None else (self.caption,)


def read_region_annotations(
    inputs: Inputs, options: RegionCaptionOptions, run: Run
) -> Reading[RegionReferences]:
    """Read the regions with their captions, and the file's defects."""
    path = inputs["annotations"][0]
    file = run.call(read_json_file, path, damaged="replace", not_finite=True)
    defects = BoundedDefects(surrogate_defects(file.defects, CAPTION_OPTIONS))
    root = JsonCursor(file, defects, file.data)
    regions = list(_regions(root)) if file.is_readable else []
    names = _file_names(root, {one.image for one in regions}) if regions else {}
    bare = [str(one.id) for one in regions if not any(map(str.strip, one.captions))]
    root.defects.extend(note_empty_references(root.place, bare))
    reported = root.defects.to_tuple()
    if not regions and not has_errors(reported):
        reported = (*reported, error(root.place, "The file has no captioned region.", EXPECTED))
    if has_errors(reported):
        return Reading(None, reported)
    found = region_references(regions, names, path.name, is_per_region=options.is_per_region)
    parts = {one: parts_of(one, inputs, RESULTS) for one in inputs.get(RESULTS, ())}
    return Reading(replace(found, parts=parts), (*reported, *unused_parts(inputs, RESULTS)))


def region_references(
    regions: Sequence[Region],
    names: Mapping[ImageId, str],
    named_by: str,
    *,
    is_per_region: bool,
) -> RegionReferences:
    """Return the items of regions; `names` are the files of the images."""
    of_image = dict[ImageId, list[Region]]()
    for region in regions:
        of_image.setdefault(region.image, []).append(region)
    pictures = [
        Image(key, names.get(key, ""), tuple(text for one in several for text in one.captions))
        for key, several in of_image.items()
    ]
    items = pictures
    if is_per_region:
        items = [
            Image(one.id, names.get(one.image, ""), one.captions, _fields(one)) for one in regions
        ]
    return RegionReferences(
        CaptionReferences(tuple(items), named_by),
        {one.id: one.image for one in regions},
        {key: [one.id for one in several] for key, several in of_image.items()},
        pictures,
        is_per_region,
    )


def _fields(region: Region) -> tuple[tuple[str, str], ...]:
    box = (("box", region.box),) if region.box else ()
    return (("image", str(region.image)), *box)


def _regions(root: JsonCursor) -> Iterator[Region]:
    """Yield the valid annotations; report the others, and repeated ids."""
    annotations = root.top_list(ANNOTATIONS, EXPECTED)
    if annotations is None:
        return
    first = dict[ImageId, int]()
    for number, value in enumerate(annotations.value):
        place = annotations[number]
        image, caption = place.read(IMAGE_ID), None
        if image is not None:
            place.report_invalid(ANNOTATION_ID, CAPTION)
            caption = CAPTION.of(value)
        key = None if image is None else ANNOTATION_ID.of(value)
        if image is None or caption is None or key is None:
            continue
        if first.setdefault(key, number) != number:
            found = fill("The id {key} is also that of annotations[{first}].", key, first[key])
            place["id"].error(found, "An id for each region is expected.")
            continue
        if not caption.isprintable():
            whose_phrase = fill("The caption of region {key}", key)
            report_separators(place["caption"], whose_phrase, CAPTION_OPTIONS)
        yield Region(key, image, caption, _box_text(value))


def _box_text(annotation: Mapping[str, Json]) -> str:
    """Return x, y, width and height of a region in pixels; empty without a valid box."""
    corners = segmentation_box(annotation.get("segmentation"))
    bbox = annotation.get("bbox")
    if corners is not None:
        x1, y1, x2, y2 = corners
        bbox = [x1, y1, x2 - x1, y2 - y1]
    if not isinstance(bbox, list) or len(bbox) != 4:
        return ""
    if not all(type(side) in (int, float) and abs(side) < 1e9 for side in bbox):
        return ""
    return " ".join(f"{side:g}" for side in bbox)


def _file_names(root: JsonCursor, used: Set[ImageId]) -> dict[ImageId, str]:
    """Return the file names of the images that have one; report those that have no region."""
    found, images = dict[ImageId, str](), root.value.get("images")
    for number, image in enumerate(images if isinstance(images, list) else ()):
        key = image_id(image.get("id")) if isinstance(image, dict) else None
        if key in found:
            text = fill("Image {key} is also listed before.", key)
            root["images"][number].note(text, "The last one counts.")
        if key is not None:
            found[key] = parse_text(image.get("file_name")) or ""
    others = [str(key) for key in found if key not in used]
    root.defects.extend(note_unused_entries(root["images"].place, others, ANNOTATIONS.name))
    return found
