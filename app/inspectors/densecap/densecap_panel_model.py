"""Items of dense captioning as a table: captions, numbers, and a verdict on each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import translatable, translate
from jurydesk.core.metrics.detection import error_analysis
from jurydesk.core.metrics.detection.error_analysis import KINDS, LEFT_OUT, TRUE, Kind
from jurydesk.core.metrics.detection.threshold_what_if import Thresholds
from jurydesk.core.model.evaluation import BoolArray, IntArray
from jurydesk.core.tables import numbers as format
from jurydesk.core.tables.columns import CodedTexts, Column, NumberColumn, TextColumn
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED
from jurydesk.core.tasks.densecap.missing_meteor import ItemCaptions
from jurydesk.core.tasks.densecap.threshold_tables import RankedItems

INITIAL_THRESHOLDS = Thresholds(0.5, 0.1)
"""Initial thresholds: neither the easiest nor the hardest cell."""
KIND_NAMES: dict[Kind, str] = {
    "misdescribed": translatable("misdescribed"),
    "mislocated": translatable("mislocated"),
    "both": translatable("both wrong"),
    "duplicate": translatable("duplicate"),
    "background": translatable("background"),
    "missed": translatable("missed"),
}
MISSED = tuple(KINDS).index("missed")
Codes = npt.NDArray[np.int8]


VERDICTS = {
    TRUE: translatable("true"),
    LEFT_OUT: translatable("left out"),
    **dict(enumerate(map(KIND_NAMES.__getitem__, KINDS))),
}
"""Verdicts by code, in one or two words."""


def verdict_tone(code: int) -> str:
    """Return the colour name of a verdict."""
    return "good" if code == TRUE else "faint" if code == LEFT_OUT else "bad"


def verdict_hint(code: int) -> str:
    """Return a sentence that explains a verdict."""
    match code:
        case error_analysis.TRUE:
            return translatable(
                "The detection claims an object, and overlaps and describes it well enough."
            )
        case error_analysis.LEFT_OUT:
            return translatable("The detection's score is below the threshold.")
        case _:
            return KINDS[tuple(KINDS)[code]]


@dataclass(frozen=True, eq=False)
class DenseItems(RankedItems):
    """Evaluation of dense captions, with captions and METEOR computed after scoring."""

    captions: ItemCaptions | None = None

    @cached_property
    def image_names(self) -> dict[int, str]:
        """Ids of the images that have items, by number."""
        numbers, rows = np.unique(self.columns["image"].astype(np.int64), return_index=True)
        ids = self.evaluation.items.ids
        return {
            number: ids[row].rpartition(" · ")[0]
            for number, row in zip(numbers.tolist(), rows.tolist(), strict=True)
        }

    def verdicts(self, thresholds: Thresholds) -> Codes:
        """Return the verdict (items,) on every item."""
        codes = np.full(len(self.evaluation.items), MISSED, np.int8)
        codes[self.detection_rows] = error_analysis.error_kinds(
            self.records, self.claims, thresholds
        )
        return codes

    def of_objects(self, objects: IntArray) -> BoolArray:
        """Return the items (items,) that claim or miss one of these objects (objects, 2).

        An object is given by its image and its number in the image.
        """
        image = self.columns["image"].astype(np.int64)
        thing = self.columns["object"].astype(np.int64)
        relevant = (self.columns["claims"] == 1) | (self.columns["detection"] == UNCLAIMED)
        width = 2 + int(max(thing.max(initial=0), objects[:, 1].max(initial=0)))
        wanted = objects[:, 0] * width + objects[:, 1]
        return np.asarray(relevant & np.isin(image * width + thing, wanted))

    def with_captions(self, captions: ItemCaptions) -> DenseItems:
        """Return a copy with all captions."""
        return replace(self, captions=captions)


def dense_columns(items: DenseItems, codes: Codes) -> tuple[Column, ...]:
    """Return the table's columns; captions are empty until they are read."""
    ids, numbers = items.evaluation.items.ids, items.columns
    texts = items.captions
    waiting = "" if texts else translatable("The captions are being read.")
    empty = [""] * len(ids)
    return (
        TextColumn(
            "item",
            translatable("Image"),
            ids,
            tooltip=translatable("Image, and the detection's index in its file."),
        ),
        TextColumn(
            "caption", translatable("Caption"), texts.captions if texts else empty, tooltip=waiting
        ),
        TextColumn(
            "reference",
            translatable("Best reference"),
            texts.references if texts else empty,
            tooltip=waiting,
        ),
        NumberColumn(
            "iou",
            "IoU",
            numbers["overlap"],
            decimals=2,
            tooltip=translatable("IoU with the nearest object."),
        ),
        NumberColumn(
            "meteor",
            "METEOR",
            numbers["meteor"],
            decimals=2,
            tooltip=translatable("Against the object's best reference."),
        ),
        NumberColumn(
            "score",
            translatable("Score", "of a hit"),
            numbers["score"],
            decimals=2,
            tooltip=translatable("Log-probability of the system."),
        ),
        NumberColumn(
            "rank",
            translatable("Rank", "of a hit"),
            numbers["rank"],
            decimals=0,
            tooltip=translatable("Rank among all detections."),
        ),
        TextColumn(
            "verdict",
            translatable("Verdict"),
            CodedTexts(codes, VERDICTS),
            tooltip=translatable("At the chosen thresholds."),
            paint=lambda row: verdict_tone(int(codes[row])),
            is_prose=True,
        ),
    )


SHOWN = frozenset({"iou", "meteor", "score"})
"""Number columns that are visible initially."""


def thresholds_in_words(thresholds: Thresholds) -> str:
    """Return the thresholds as text: `IoU ≥ 0.5, METEOR > 0.10`."""
    words = f"IoU ≥ {format.number(thresholds.overlap, 2)}".removesuffix("0")
    if thresholds.meteor is not None:
        words += f", METEOR > {format.number(thresholds.meteor, 2)}"
    if thresholds.score > -math.inf:
        score = format.number(thresholds.score, 2)
        words = translate("{thresholds}, score ≥ {score}", thresholds=words, score=score)
    return words


def cell_sentence(items: DenseItems, thresholds: Thresholds) -> str:
    """Return the content of a cell: `IoU ≥ 0.5, METEOR > 0.10: 1,204 true, 3,880 false`."""
    true = len(items.claims.hits(thresholds))
    false = items.claims.count_above_score(thresholds)[0] - true
    counts = translate(
        "{count} true, {count2} false", count=format.count(true), count2=format.count(false)
    )
    return f"{thresholds_in_words(thresholds)}: {counts}"
