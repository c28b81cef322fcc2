"""The items of dense captioning as a table: captions, numbers, and each one's verdict in a word."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from jurydesk.app.style import numbers as format
from jurydesk.app.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.metrics.detection import error_analysis
from jurydesk.core.metrics.detection.average_precision import DetectionRecords, Profile
from jurydesk.core.metrics.detection.error_analysis import KINDS, LEFT_OUT, TRUE, Kind
from jurydesk.core.metrics.detection.threshold_what_if import Claims, Thresholds, claims_of
from jurydesk.core.model.evaluation import BoolArray, Evaluation, FloatArray, IntArray
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED, to_records
from jurydesk.core.tasks.densecap.missing_meteor import ItemCaptions

FIRST = Thresholds(0.5, 0.1)
"""The cell that a page begins with: neither the easiest nor the hardest."""
WORDS: dict[Kind, str] = {
    "misdescribed": "described wrong",
    "mislocated": "mislocated",
    "both": "both wrong",
    "duplicate": "duplicate",
    "background": "background",
    "missed": "missed",
}
MISSED = tuple(KINDS).index("missed")
Codes = npt.NDArray[np.int8]


def verdict_word(code: int) -> str:
    """A verdict in a word or two."""
    match code:
        case error_analysis.TRUE:
            return "true"
        case error_analysis.LEFT_OUT:
            return "left out"
        case _:
            return WORDS[tuple(KINDS)[code]]


def verdict_tone(code: int) -> str:
    """The name of the colour in which a verdict is written."""
    return "good" if code == TRUE else "faint" if code == LEFT_OUT else "bad"


def verdict_hint(code: int) -> str:
    """What a verdict means, in a sentence."""
    match code:
        case error_analysis.TRUE:
            return "It claims an object, overlaps it enough and describes it well enough."
        case error_analysis.LEFT_OUT:
            return "Its score is below the threshold."
        case _:
            return KINDS[tuple(KINDS)[code]]


@dataclass(frozen=True, eq=False)
class DenseItems:
    """An evaluation of dense captions, with what was found out about it since it was scored."""

    evaluation: Evaluation
    captions: ItemCaptions | None = None
    meteor: FloatArray | None = None

    @property
    def profile(self) -> Profile:
        """The profile in the words of the metric."""
        return "corrected" if self.evaluation.profile == "corrected" else "published"

    @cached_property
    def columns(self) -> dict[str, FloatArray]:
        """The columns of the items, with all METEOR that is known by now."""
        columns = dict(self.evaluation.items.columns)
        return columns if self.meteor is None else columns | {"meteor": self.meteor}

    @cached_property
    def found(self) -> IntArray:
        """The rows of detections among the items; the others are missed objects."""
        return np.flatnonzero(self.columns["detection"] != UNCLAIMED)

    @cached_property
    def records(self) -> DetectionRecords:
        return to_records(self.columns)

    @cached_property
    def claims(self) -> Claims:
        """The claims, in the order that was worked out when the system was scored."""
        rank = self.columns["rank"][self.found].astype(np.int64)
        order = np.empty_like(rank)
        order[rank - 1] = np.arange(len(rank))
        return claims_of(self.records, self.profile, order)

    @cached_property
    def image_names(self) -> dict[int, str]:
        """The id of every image that has items, by its number."""
        numbers, rows = np.unique(self.columns["image"].astype(np.int64), return_index=True)
        ids = self.evaluation.items.ids
        return {
            number: ids[row].rpartition(" · ")[0]
            for number, row in zip(numbers.tolist(), rows.tolist(), strict=True)
        }

    @property
    def is_complete(self) -> bool:
        """Whether METEOR is known wherever a kind of error depends on it."""
        return not np.isnan(self.claims.meteor).any()

    def verdicts(self, thresholds: Thresholds) -> Codes:
        """The verdict (items,) on every item."""
        codes = np.full(len(self.evaluation.items), MISSED, np.int8)
        codes[self.found] = error_analysis.error_kinds(self.records, self.claims, thresholds)
        return codes

    def of_objects(self, objects: IntArray) -> BoolArray:
        """The items (items,) that claim one of these objects (objects, 2), or miss it.

        An object is its image, and its number in it.
        """
        image = self.columns["image"].astype(np.int64)
        thing = self.columns["object"].astype(np.int64)
        mine = (self.columns["claims"] == 1) | (self.columns["detection"] == UNCLAIMED)
        width = 2 + int(max(thing.max(initial=0), objects[:, 1].max(initial=0)))
        wanted = objects[:, 0] * width + objects[:, 1]
        return np.asarray(mine & np.isin(image * width + thing, wanted))

    def with_captions(self, captions: ItemCaptions) -> DenseItems:
        """The same with all captions."""
        return replace(self, captions=captions)


@dataclass(frozen=True, slots=True)
class Verdicts(Sequence[str]):
    """The words of codes, looked up when they are shown."""

    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row):  # type: ignore[no-untyped-def]
        return verdict_word(int(self.codes[row]))


class VerdictColumn(TextColumn):
    """The verdicts; their codes may be replaced by others in place as thresholds move."""

    values: Verdicts

    @property
    def key(self) -> IntArray:
        """True ones first, then the kinds in their order."""
        return self.values.codes.astype(np.int64)

    @property
    def folded(self) -> list[str]:
        """The words, by their codes."""
        words = {code: verdict_word(code) for code in (LEFT_OUT, TRUE, *range(len(KINDS)))}
        return [words[code] for code in self.values.codes.tolist()]


def dense_columns(items: DenseItems, codes: Codes) -> tuple[Column, ...]:
    """The columns of the table; captions stay empty until they are read."""
    ids, numbers = items.evaluation.items.ids, items.columns
    texts = items.captions
    waiting = "" if texts else "The captions are being read."
    empty = [""] * len(ids)
    return (
        TextColumn("item", "Image", ids, "The image, and the detection's place in its file."),
        TextColumn("caption", "Caption", texts.captions if texts else empty, waiting),
        TextColumn("reference", "Best reference", texts.references if texts else empty, waiting),
        NumberColumn("overlap", "IoU", numbers["overlap"], 2, "Overlap with the nearest object."),
        NumberColumn(
            "meteor", "METEOR", numbers["meteor"], 2, "Against the object's best reference."
        ),
        NumberColumn("score", "Score", numbers["score"], 2, "The system's log-probability."),
        NumberColumn("rank", "Rank", numbers["rank"], 0, "Its place among all detections."),
        VerdictColumn(
            "verdict",
            "Verdict",
            Verdicts(codes),
            "At the chosen thresholds.",
            paint=lambda row: verdict_tone(int(codes[row])),
        ),
    )


SHOWN = frozenset({"overlap", "meteor", "score"})
"""The number columns that the table begins with."""


def thresholds_in_words(thresholds: Thresholds) -> str:
    """The thresholds as a heading says them: `IoU ≥ 0.5, METEOR > 0.10`."""
    words = f"IoU ≥ {thresholds.overlap:.2f}".removesuffix("0")
    if thresholds.meteor is not None:
        words += f", METEOR > {thresholds.meteor:.2f}"
    if thresholds.score > -math.inf:
        words += f", score ≥ {format.number(thresholds.score, 2)}"
    return words


def cell_sentence(items: DenseItems, thresholds: Thresholds) -> str:
    """What a cell holds: `IoU ≥ 0.5, METEOR > 0.10: 1,204 true, 3,880 false`."""
    true = len(items.claims.hits(thresholds))
    false = items.claims.kept(thresholds)[0] - true
    counts = f"{format.count(true)} true, {format.count(false)} false"
    return f"{thresholds_in_words(thresholds)}: {counts}"
