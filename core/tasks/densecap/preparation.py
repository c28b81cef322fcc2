"""Visual Genome's regions as the programs prepare them: boxes and captions of ground truth.

Boxes are (x, y, width, height) in pixels of images of (width, height). Sources: preprocess.py of
DenseCap and of densecap-pytorch; ControlCap's processor.
"""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from jurydesk.core.model.evaluation import FloatArray, IntArray
from jurydesk.core.tasks.densecap.readers.regions import TO_CORNERS, Regions

LUA_SIDE = 720.0  # pixels of the longer side
MAX_WORDS, MAX_JIVC_WORDS = 15, 10
FEWEST_OCCURRENCES = 15  # a word seen less often is unknown
REPLACED_CHARACTERS = {
    "½": "half",
    "—": "-",
    "™": "",
    "¢": "cent",
    "ç": "c",
    "û": "u",
    "é": "e",
    "°": " degree",
    "è": "e",
    "…": "",
}
"""Replacements of DenseCap's preprocess.py, before lower case."""
_DELETED = str.maketrans("", "", string.punctuation)


def round_half_away(values: FloatArray) -> FloatArray:
    """Round to whole numbers, halves away from zero, as Python 2 does."""
    rounded: FloatArray = np.copysign(np.floor(np.abs(values) + 0.5), values)
    return rounded


def lua_boxes(boxes: FloatArray, sides: FloatArray) -> FloatArray:
    """Return xc, yc, w, h (n, 4), 1-based, in images of 720 pixels on the longer side."""
    scale = LUA_SIDE / sides.max(axis=1, keepdims=True)
    low = np.clip(round_half_away(scale * (boxes[:, :2] - 1) + 1), 1, LUA_SIDE - 1)
    size = round_half_away(scale * boxes[:, 2:])
    size = np.where(low + size > LUA_SIDE, LUA_SIDE - low, size)
    return np.column_stack([low + np.floor(size / 2), size])


def densecap_pytorch_boxes(boxes: FloatArray, sides: FloatArray) -> FloatArray:
    """Return x1, y1, x2, y2 (n, 4), moved into the image where something exceeds it."""
    low = np.maximum(boxes[:, :2], 0)
    size = boxes[:, 2:]
    high = low + size
    exceeds = ((low > sides) | (high > sides)).any(axis=1, keepdims=True)
    low = np.where(exceeds & (low > sides), sides - 1 - size, low)
    high = np.where(exceeds & (high > sides), sides - 1, high)
    return np.asarray(np.trunc(np.column_stack([low, high])))


def controlcap_boxes(boxes: FloatArray, sides: FloatArray) -> FloatArray:
    """Return x1, y1, x2, y2 (n, 4), with the first corner inside the image."""
    low = np.clip(boxes[:, :2], 1, sides - 1)
    high = np.minimum(boxes[:, :2] + boxes[:, 2:], sides)
    return np.column_stack([low, high])


def prepared_words(phrase: str) -> list[str]:
    """Return a phrase's words: special characters replaced, lower case, no punctuation."""
    for old, new in REPLACED_CHARACTERS.items():
        phrase = phrase.replace(old, new)
    return phrase.lower().translate(_DELETED).split()


def jivc_boxes(boxes: FloatArray, sides: FloatArray) -> FloatArray:
    """Return x1, y1, x2, y2 (n, 4); NaN for boxes that reach beyond the image or have no area."""
    low, size = boxes[:, :2], boxes[:, 2:]
    kept = ((low >= 0) & (size > 0) & (low + size < sides)).all(axis=1, keepdims=True)
    return np.where(kept, np.column_stack([low, low + size]), np.nan)


def jivc_words(phrase: str) -> list[str]:
    """Return the words of a phrase in lower case, with ASCII characters only."""
    return phrase.strip().encode("ascii", "ignore").decode("ascii").lower().split()


@dataclass(frozen=True, slots=True)
class PreparationRule:
    """Rule of one program.

    Attributes:
        boxes: Function of boxes and sides (n, 2); NaN for boxes that are dropped.
        box_format: Format of its boxes.
        rare: Token of rare words; "" for none.
        words: Function that returns a phrase's words.
        longest: Number of words of the longest caption.
        keeps_empty: An empty phrase is kept.
    """

    boxes: Callable[[FloatArray, FloatArray], FloatArray]
    box_format: str
    rare: str = ""
    words: Callable[[str], list[str]] = prepared_words
    longest: int = MAX_WORDS
    keeps_empty: bool = True


PREPARATIONS: Mapping[str, PreparationRule] = {
    "lua-720": PreparationRule(lua_boxes, "xcycwh", "<UNK>"),
    "densecap-pytorch": PreparationRule(densecap_pytorch_boxes, "xyxy", "<unk>"),
    "controlcap": PreparationRule(controlcap_boxes, "xyxy"),
    "jivc": PreparationRule(
        jivc_boxes, "xyxy", words=jivc_words, longest=MAX_JIVC_WORDS, keeps_empty=False
    ),
}
"""Rules by the choice of `convert densecap --prepare`."""


def prepared_captions(phrases: Sequence[str], rule: PreparationRule) -> tuple[IntArray, list[str]]:
    """Return the rows that are kept, and their captions; long phrases are dropped.

    Words are rare by their occurrences in the kept phrases.
    """
    words = [rule.words(phrase) for phrase in phrases]
    kept = [
        row
        for row, one in enumerate(words)
        if len(one) <= rule.longest and (one or rule.keeps_empty)
    ]
    counts = Counter(word for row in kept for word in words[row])

    def shown(word: str) -> str:
        return rule.rare if rule.rare and counts[word] < FEWEST_OCCURRENCES else word

    captions = [" ".join(map(shown, words[row])) for row in kept]
    return np.array(kept, np.int64), captions


class PreparedImage(TypedDict):
    """Prepared boxes and captions of an image, as JSON."""

    image_id: str
    box_format: str
    boxes: list[list[float]]
    captions: list[str]


def prepare_regions(regions: Regions, rule: PreparationRule) -> list[PreparedImage]:
    """Return the regions of every image, prepared; the sizes of images with boxes are known."""
    rows, captions = prepared_captions(regions.captions, rule)
    image = np.repeat(np.arange(len(regions.images)), np.diff(regions.starts))[rows]
    known = [regions.sizes.get(name, (math.nan, math.nan)) for name in regions.images]
    sides = np.array(known, np.float64).reshape(-1, 2)[image]
    corners = TO_CORNERS[regions.box_format](regions.source_boxes)[rows]
    sizes = corners[:, 2:] - corners[:, :2]
    boxes = rule.boxes(np.column_stack([corners[:, :2], sizes]), sides)
    kept = np.flatnonzero(~np.isnan(boxes).any(axis=1)).tolist()
    found: list[PreparedImage] = [
        {"image_id": name, "box_format": rule.box_format, "boxes": [], "captions": []}
        for name in regions.images
    ]
    for place in kept:
        found[image[place]]["boxes"].append(boxes[place].tolist())
        found[image[place]]["captions"].append(captions[place])
    return found
