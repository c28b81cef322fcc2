"""Recognition of files of dense captioning by their first bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from jurydesk.core.competition.task import Sniff
from jurydesk.core.language import translatable
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.readers.text_file import UTF8_MARK, file_head, text_head
from jurydesk.core.tasks.densecap.densecap_options import SHAPE_PROGRAMS
from jurydesk.core.tasks.densecap.readers.ground_truth_reader import DETECTIONS, SIZES
from jurydesk.core.tasks.densecap.readers.json_shapes import BOXES, CAPTIONS, SCORES
from jurydesk.core.tasks.result_parts import arrange_parts

GROUND_TRUTH_FORMAT = translatable("captioned ground-truth boxes (JSON)")
DETECTIONS_FORMAT = translatable("a system's captioned boxes (JSON)")
SIZES_FORMAT = translatable("sizes of images (JSON)")
PARTS_FORMAT = translatable("captions and scores of given annotations (JSON)")
_MARKS = {
    "grit": re.compile(rb'"object_descriptions"'),
    "controlcap": re.compile(rb'"pred_result"'),
    "jivc": re.compile(rb'\A\{\s*"[^"]*"\s*:\s*\{\s*"(?:boxes|logprobs|captions)"'),
    "densecap-pytorch": re.compile(rb'"cap"'),
}
"""What a result file of each shape has; JIVC's an object for each picture from the start."""


def sniff(head: bytes) -> Sniff | None:
    """Recognize ground truth, detections or sizes of images by their members."""
    text = text_head(head).removeprefix(UTF8_MARK).lstrip()

    def has(*names: str) -> bool:
        return any(f'"{name}"'.encode() in text for name in names)

    is_list, captioned, scored = text.startswith(b"["), has(*CAPTIONS), has(*SCORES)
    if has("gt_boxes") or (has("regions") and has("phrase")):
        return Sniff("ground-truth", 0.9, GROUND_TRUTH_FORMAT)
    if has("logprobs") or (has("results") and has("img_name")):
        return _detections(text)
    if is_list and all(map(has, ("width", "height", "coco_id"))):
        return Sniff(SIZES, 0.9, SIZES_FORMAT)
    if captioned and has(*BOXES):
        return _detections(text) if scored else Sniff("ground-truth", 0.7, GROUND_TRUTH_FORMAT)
    if is_list and has("id") and has("caption") and scored and not has("image_id"):
        return Sniff(DETECTIONS, 0.6, PARTS_FORMAT, SHAPE_PROGRAMS["controlcap"])
    return None


def _detections(text: bytes) -> Sniff:
    shape = next((name for name, mark in _MARKS.items() if mark.search(text)), "")
    return Sniff(DETECTIONS, 0.9, DETECTIONS_FORMAT, SHAPE_PROGRAMS.get(shape, ()))


def arrange_annotation_parts(files: Sequence[InputFile]) -> Sequence[InputFile]:
    """Return the files with numbered ones of captions by annotation id as one system."""
    given = [one for one in files if one.role == DETECTIONS and one.path.is_file()]
    parts = [one for one in given if is_annotation_part(one.path)]
    if len(parts) < 2:
        return files
    whole = [one for one in files if one.role == DETECTIONS and one not in parts]
    others = [one for one in files if one.role != DETECTIONS]
    return [*whole, *arrange_parts([*others, *parts], DETECTIONS)]


def is_annotation_part(path: Path) -> bool:
    """Return whether a file has captions and scores of given annotations, by its first bytes."""
    guess = sniff(file_head(path))
    return guess is not None and guess.format == PARTS_FORMAT
