"""Reader of captioned boxes in JSON that reports all defects of a file at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.language import counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, error, has_errors, warning
from jurydesk.core.model.evaluation import FloatArray, Json
from jurydesk.core.readers.json_file import JsonFile, read_json_file
from jurydesk.core.tasks.densecap.densecap_options import DenseCapOptions
from jurydesk.core.tasks.densecap.readers.json_shapes import (
    Field,
    RawRegions,
    Role,
    extract_regions,
)
from jurydesk.core.tasks.densecap.readers.regions import Regions, to_centered_boxes

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_CAPTION = 100_000  # characters; METEOR's time is quadratic in the number of words
NUMBERS = (int, float)
FLOAT32_MAX = float(np.finfo(np.float32).max)
MAX_COORDINATE = 2.0**126  # keeps corners finite in float32, in every box format
BOX = "Four finite numbers are expected, the last two not negative."


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
    path = file.path
    run.report(0, 0, fill("Checking {name}", path.name))
    layout = run.call(extract_regions, file.data, role, str(path))
    name = file.data.get("team_name", "") if isinstance(file.data, dict) else ""
    is_chosen = options.box_format != "auto" and not (
        layout.has_fixed_format and role == "ground-truth"
    )
    box_format = options.box_format if is_chosen else layout.box_format
    region_defects = run.call(_check_regions, layout, box_format, str(path), role)
    defects = (*file.defects, *layout.defects, *region_defects)
    if has_errors(defects):
        return Reading(None, defects)
    regions = _regions(layout, box_format, str(path), with_scores=role == "detections")
    return Reading(regions, defects, name=name if isinstance(name, str) else "")


def _check_regions(layout: RawRegions, box_format: str, path: str, role: Role) -> list[Defect]:
    defects = [*_box_errors(layout, box_format, path), *_caption_errors(layout, path)]
    if role == "detections":
        defects += _score_errors(layout, path)
    return [*defects, *_repeated_images(layout, path)]


def _all_of_type(values: list[Json], types: tuple[type, ...]) -> bool:
    """Return True if every value is of one of the types; a bool is not an int."""
    return set(map(type, values)).issubset(types)


def _box_errors(layout: RawRegions, box_format: str, path: str) -> Iterator[Defect]:
    boxes = _box_array(layout.boxes)
    sizes = None if boxes is None else _sizes(boxes, box_format)
    if sizes is None or (sizes < 0).any():
        yield from _value_errors(
            layout, "box", layout.boxes, path, lambda box: _check_box(box, box_format)
        )
        return
    flat = np.flatnonzero((sizes == 0).any(axis=1))
    if len(flat):
        place = Place(path, json_path=layout.path(int(flat[0]), "box"))
        found = fill("Zero width or height: {boxes}.", counted(len(flat), "box", "boxes"))
        yield warning(place, found, "They are scored unchanged.", count=len(flat))


def _box_array(boxes: list[Json]) -> FloatArray | None:
    """Return the boxes (n, 4); None if one is not a list of four numbers in range."""
    if not _all_of_type(boxes, (list,)) or not set(map(len, boxes)) <= {4}:
        return None
    sides = list(chain.from_iterable(boxes))
    if not _all_of_type(sides, NUMBERS):
        return None
    try:
        table = np.array(sides, np.float64).reshape(-1, 4)
    except OverflowError:  # an integer beyond float64
        return None
    return table if (np.abs(table) <= MAX_COORDINATE).all() else None


def _sizes(boxes: FloatArray, box_format: str) -> FloatArray:
    return to_centered_boxes(boxes, box_format)[:, 2:].astype(np.float64)


def _is_number(value: Json, largest: float = FLOAT32_MAX) -> bool:
    return type(value) in NUMBERS and abs(value) <= largest


def _check_box(box: Json, box_format: str) -> tuple[str, str] | None:
    if box is None:
        return "The box is missing.", BOX
    if (
        not isinstance(box, list)
        or len(box) != 4
        or not all(_is_number(x, MAX_COORDINATE) for x in box)
    ):
        return fill("The box is {box}.", str(box)[:60]), BOX
    if (_sizes(np.array([box], np.float64), box_format) < 0).any():
        return fill("The {box_format} box {box} has a negative size.", box_format, box), BOX
    return None


def _caption_errors(layout: RawRegions, path: str) -> Iterator[Defect]:
    if (
        not _all_of_type(layout.captions, (str,))
        or max(map(len, layout.captions), default=0) > MAX_CAPTION
    ):
        yield from _value_errors(layout, "caption", layout.captions, path, _check_caption)


def _check_caption(caption: Json) -> tuple[str, str] | None:
    if caption is None:
        return "The caption is missing.", 'Text is expected; "" for no caption.'
    if not isinstance(caption, str):
        return fill("The caption is {caption}.", str(caption)[:60]), "Text is expected."
    if len(caption) > MAX_CAPTION:
        found = fill("The caption has {caption:,} characters.", len(caption))
        return found, fill("At most {max_caption:,} are allowed.", MAX_CAPTION)
    return None


def _score_errors(layout: RawRegions, path: str) -> Iterator[Defect]:
    if not all(map(_is_number, layout.scores)):
        yield from _value_errors(layout, "score", layout.scores, path, _check_score)


def _check_score(score: Json) -> tuple[str, str] | None:
    if score is None:
        return "The score is missing.", "The log-probability of the detection is expected."
    if not _is_number(score):
        return fill("The score is {score}.", str(score)[:60]), "A finite number is expected."
    return None


def _value_errors(
    layout: RawRegions,
    key: Field,
    values: list[Json],
    path: str,
    check: Callable[[Any], tuple[str, str] | None],
) -> Iterator[Defect]:
    """Yield an error for every value for which `check` returns what is found and expected."""
    for region, value in enumerate(values):
        problem = check(value)
        if problem:
            yield error(Place(path, json_path=layout.path(region, key)), *problem)


def _repeated_images(layout: RawRegions, path: str) -> Iterator[Defect]:
    if len(set(layout.images)) == len(layout.images):
        return
    seen: set[str] = set()
    repeated = [image for image in layout.images if image in seen or seen.add(image)]  # type: ignore[func-returns-value]
    found = fill(
        "Repeated ids: {images} ({name_list}).",
        counted(len(repeated), "image"),
        name_list(repeated),
    )
    effect = "Each occurrence is scored as a separate image."
    yield warning(Place(path), found, effect, count=len(repeated))


def _regions(layout: RawRegions, box_format: str, path: str, *, with_scores: bool) -> Regions:
    owners = np.array(layout.owners, np.int64)
    order = np.argsort(owners, kind="stable")
    sides = chain.from_iterable(layout.boxes)
    boxes = np.fromiter(sides, np.float64, 4 * len(layout.boxes)).reshape(-1, 4)[order]
    counts = np.bincount(owners, minlength=len(layout.images))
    scores = np.array(layout.scores if with_scores else [], np.float64).astype(np.float32)
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
    )
