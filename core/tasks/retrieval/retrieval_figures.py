"""Figures of image-text retrieval: recall by place, folds, hubs, and the margin of decisions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Figure,
    FloatArray,
    IntArray,
    ItemTable,
    Scatter,
)
from jurydesk.core.tasks.class_figures import class_bars
from jurydesk.core.tasks.retrieval.direction import Direction

MOST_PLACES = 1000
"""Last place of the curves of recall."""
TITLES = {
    ("i2t", "recall"): translatable("Recall of captions by place"),
    ("t2i", "recall"): translatable("Recall of images by place"),
    ("i2t", "folds"): translatable("Image to text by fold"),
    ("t2i", "folds"): translatable("Text to image by fold"),
    ("i2t", "hubs"): translatable("Hubs among captions"),
    ("t2i", "hubs"): translatable("Hubs among images"),
}
MARGIN = Scatter(
    "margin",
    translatable("Correct against best other candidate"),
    Axis(translatable("Similarity of the best other candidate")),
    Axis(translatable("Similarity of the best correct candidate")),
    "foreign",
    "similarity",
)
RANK_CLASSES = ((1, "1"), (5, "2-5"), (10, "6-10"), (math.inf, "over 10"))
"""Last rank of each class; a correct caption at 2 to 5 may stand below others that fit."""


def query_figures(
    both: tuple[Direction, Direction], hubs: tuple[IntArray, IntArray]
) -> Iterator[Figure]:
    """Yield the figures of both directions; `hubs` say how often each candidate is first."""
    others = (len(hubs[1]), len(hubs[0]))
    for direction, candidates in zip(both, others, strict=True):
        yield _recall_curve(direction, candidates)
    if both[0].fold.any():
        yield from filter(None, map(_fold_bars, both))
    for direction, counts in zip(both, (hubs[1], hubs[0]), strict=True):
        yield _hub_curve(direction.name, counts)


def _logarithmic(count: int) -> tuple[FloatArray, Axis]:
    """Return whole numbers up to `count` at logarithmic distances, and their axis."""
    numbers = np.unique(np.geomspace(1, max(count, 1), 60).round())
    ticks = tuple(float(power) for power in range(int(math.log10(max(count, 1))) + 1))
    labels = tuple(f"{10 ** int(tick):,}" for tick in ticks)
    limits = (0.0, max(math.log10(max(count, 1)), 1e-9))
    return numbers, Axis("Places k (logarithmic)", ticks=ticks, labels=labels, limits=limits)


def _recall_curve(direction: Direction, candidates: int) -> Curve:
    places, axis = _logarithmic(min(MOST_PLACES, candidates))
    ordered = np.sort(direction.ranks.rank)
    found = np.searchsorted(ordered, places, side="left") / max(len(ordered), 1)
    low = np.searchsorted(np.sort(direction.ranks.worst), places, side="left") / len(ordered)
    high = np.searchsorted(np.sort(direction.ranks.greater), places, side="left") / len(ordered)
    return Curve(
        f"{direction.name}_recall",
        TITLES[direction.name, "recall"],
        axis,
        Axis("Recall", limits=(0.0, 1.0)),
        np.log10(places),
        found,
        low,
        high,
        translatable("range over the orders of equal similarities"),
    )


def _fold_bars(direction: Direction) -> Curve | None:
    """Return R@1 of every fold."""
    found = direction.ranks.recall(1, direction.options.order)
    folds = np.unique(direction.fold).tolist()
    classes = {
        fill("Fold {number}", one + 1): np.flatnonzero(direction.fold == one) for one in folds
    }
    axis = Axis("R@1", limits=(0.0, 1.0))
    name, images = direction.name, direction.image.astype(np.float64)
    return class_bars(f"{name}_folds", TITLES[name, "folds"], axis, classes, found, images)


def _hub_curve(name: str, counts: IntArray) -> Curve:
    """Return how often the candidates are ranked first, the most frequent ones first."""
    places, axis = _logarithmic(len(counts))
    ordered = np.sort(counts)[::-1].astype(np.float64)
    return Curve(
        f"{name}_hubs",
        TITLES[name, "hubs"],
        Axis(
            "Candidates, the most frequent first (logarithmic)",
            ticks=axis.ticks,
            labels=axis.labels,
            limits=axis.limits,
        ),
        Axis("Times ranked first", limits=(0.0, float(max(ordered[0], 1.0)))),
        np.log10(places),
        ordered[places.astype(np.int64) - 1],
    )


def query_attributes(items: ItemTable) -> Mapping[str, Callable[[], list[str]]]:
    """Return the direction and the class of the rank of every query."""

    def directions() -> list[str]:
        is_image = ~np.isnan(items.columns["i2t_r1"])
        return ["image to text" if one else "text to image" for one in is_image.tolist()]

    def ranks() -> list[str]:
        found = items.columns["rank"].tolist()
        return [next(name for last, name in RANK_CLASSES if rank <= last) for rank in found]

    return {"direction": directions, "place": ranks}
