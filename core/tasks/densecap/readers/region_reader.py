"""Reader of captioned boxes in JSON that reports all defects of a file at once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import has_errors
from jurydesk.core.model.evaluation import FloatArray, Json
from jurydesk.core.readers.json_cursor import JsonCursor, describe_value
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions, metric_profile
from jurydesk.core.tasks.densecap.readers.json_shapes import (
    Field,
    RawRegions,
    Role,
    extract_regions,
)
from jurydesk.core.tasks.densecap.readers.program_files import read_program_file
from jurydesk.core.tasks.densecap.readers.regions import Regions, to_centered_boxes

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_CAPTION = 100_000  # characters; METEOR's time is quadratic in the number of words
NUMBERS = (int, float)
FLOAT32_MAX = float(np.finfo(np.float32).max)
MAX_COORDINATE = 2.0**126  # keeps corners finite in float32, in every box format
BOX = "Four finite numbers are expected, the last two not negative."
CORNERS = "Two corners are expected, the left upper one first."
OTHER_FORMAT = "If its last two are width and height, set the box format to xywh."


def read_regions(path: Path, role: Role, options: DenseCapOptions, run: Run) -> Reading[Regions]:
    """Read the regions of a file, with all its defects."""
    return parse_regions(parse_regions_json(path, run), role, options, run)


def parse_regions_json(path: Path, run: Run) -> JsonFile:
    """Parse the JSON of a file, once for a file in both roles."""
    run.report(0, 0, fill("Reading {name}", path.name))
    return run.call(read_json_file, path, not_finite=True)


def parse_regions(
    file: JsonFile, role: Role, options: DenseCapOptions, run: Run
) -> Reading[Regions]:
    """Read the regions of a role from a parsed file, with all its defects."""
    if not file.is_readable:
        return Reading(None, file.defects)
    root = JsonCursor.of(file)
    run.report(0, 0, fill("Checking {name}", file.path.name))
    profile = metric_profile(options)
    layout = run.call(read_program_file, root, role, profile) or run.call(
        extract_regions, root, role
    )
    name = file.data.get("team_name", "") if isinstance(file.data, dict) else ""
    is_chosen = options.box_format != "auto" and not (
        layout.has_fixed_format and role == "ground-truth"
    )
    box_format = options.box_format if is_chosen else layout.box_format
    run.call(_check_regions, root, layout, box_format, role)
    defects = root.defects.to_tuple()
    if has_errors(defects):
        return Reading(None, defects)
    regions = _regions(layout, box_format, str(file.path), with_scores=role == "detections")
    return Reading(regions, defects, name=name if isinstance(name, str) else "")


def _check_regions(root: JsonCursor, layout: RawRegions, box_format: str, role: Role) -> None:
    """Report invalid boxes, captions, scores and ids; each one only if not all are valid."""

    def check(key: Field, values: list[Json], check_value: Callable[[JsonCursor], object]) -> None:
        for region, value in enumerate(values):
            check_value(root.at(layout.path(region, key), value))

    sizes = _box_sizes(layout.boxes, box_format)
    if sizes is None or (sizes < 0).any():
        check("box", layout.boxes, lambda box: _check_box(box, box_format))
    elif len(flat := np.flatnonzero((sizes == 0).any(axis=1))):
        found = fill("Zero width or height: {boxes}.", counted(len(flat), "box", "boxes"))
        place = root.at(layout.path(int(flat[0]), "box"))
        place.warning(found, "They are scored unchanged.", count=len(flat))
    is_text = _all_of_type(layout.captions, (str,))
    if not is_text or max(map(len, layout.captions), default=0) > MAX_CAPTION:
        check("caption", layout.captions, check_caption)
    if role == "detections" and not all(map(_is_number, layout.scores)):
        check("score", layout.scores, check_score)
    _report_repeated(root, layout.images)


def _all_of_type(values: list[Json], types: tuple[type, ...]) -> bool:
    """Return True if every value is of one of the types; a bool is not an int."""
    return set(map(type, values)).issubset(types)


def _box_sizes(boxes: list[Json], box_format: str) -> FloatArray | None:
    """Return widths and heights (n, 2); None if a box is not four numbers in range."""
    if not _all_of_type(boxes, (list,)) or not set(map(len, boxes)) <= {4}:
        return None
    sides = list(chain.from_iterable(boxes))
    if not _all_of_type(sides, NUMBERS):
        return None
    try:
        table = np.array(sides, np.float64).reshape(-1, 4)
    except OverflowError:  # an integer beyond float64
        return None
    return _sizes(table, box_format) if (np.abs(table) <= MAX_COORDINATE).all() else None


def _sizes(boxes: FloatArray, box_format: str) -> FloatArray:
    return to_centered_boxes(boxes, box_format)[:, 2:].astype(np.float64)


def _is_number(value: Json, largest: float = FLOAT32_MAX) -> bool:
    return type(value) in NUMBERS and abs(value) <= largest


def _check_box(box: JsonCursor, box_format: str) -> None:
    value = box.value
    if value is None:
        box.error("The box is missing.", BOX)
    elif not isinstance(value, list):
        box.error(fill("The box is {box}.", describe_value(value)), BOX)
    elif len(value) != 4 or not all(_is_number(side, MAX_COORDINATE) for side in value):
        box.error(fill("The box is {box}.", str(value)[:60]), BOX)
    elif (_sizes(np.array([value], np.float64), box_format) < 0).any():
        found = fill("The {box_format} box {box} has a negative size.", box_format, value)
        expected, hint = (CORNERS, OTHER_FORMAT) if box_format == "xyxy" else (BOX, "")
        box.error(found, expected, hint)


def check_caption(caption: JsonCursor) -> bool:
    """Return whether a caption is sound; report one that is missing, no text, or too long."""
    value = caption.value
    if value is None:
        caption.error("The caption is missing.", 'Text is expected; "" for no caption.')
    elif not isinstance(value, str):
        caption.error(fill("The caption is {type}.", describe_value(value)), "Text is expected.")
    elif len(value) > MAX_CAPTION:
        found = fill("The caption has {caption:,} characters.", len(value))
        caption.error(found, fill("At most {max_caption:,} are allowed.", MAX_CAPTION))
    return isinstance(value, str) and len(value) <= MAX_CAPTION


def check_score(score: JsonCursor) -> bool:
    """Return whether a score is a finite number; report one that is missing or is not."""
    if score.value is None:
        score.error("The score is missing.", "The log-probability of the detection is expected.")
    elif not _is_number(score.value):
        found = fill("The score is {score}.", describe_value(score.value, *NUMBERS))
        score.error(found, "A finite number is expected.")
    return _is_number(score.value)


def _report_repeated(root: JsonCursor, images: list[str]) -> None:
    if len(set(images)) == len(images):
        return
    seen: set[str] = set()
    repeated = [image for image in images if image in seen or seen.add(image)]  # type: ignore[func-returns-value]
    found = fill(
        "Repeated ids: {images} ({name_list}).",
        counted(len(repeated), "image"),
        name_list(repeated),
    )
    effect = "Each occurrence is scored as a separate image."
    root.warning(found, effect, count=len(repeated))


def _regions(layout: RawRegions, box_format: str, path: str, *, with_scores: bool) -> Regions:
    owners = np.array(layout.owners, np.int64)
    order = np.argsort(owners, kind="stable")
    sides = chain.from_iterable(layout.boxes)
    boxes = np.fromiter(sides, np.float64, 4 * len(layout.boxes)).reshape(-1, 4)[order]
    counts = np.bincount(owners, minlength=len(layout.images))
    scores = np.array(layout.scores if with_scores else [], np.float64)
    return Regions(
        images=tuple(layout.images),
        starts=np.concatenate([[0], np.cumsum(counts)]),
        boxes=to_centered_boxes(boxes, box_format),
        captions=tuple(layout.captions[i] for i in order.tolist()),
        scores=scores[order] if with_scores else scores,
        source_boxes=boxes,
        box_format=box_format,
        sizes=layout.sizes,
        path=path,
        frame=layout.frame,
        programs=layout.programs,
        ids=tuple(_id_text(layout.ids[i]) for i in order.tolist()) if layout.ids else (),
    )


def _id_text(value: Json) -> str:
    """Return the id of a region as text; empty for none."""
    return str(value) if type(value) in (int, str) else ""
