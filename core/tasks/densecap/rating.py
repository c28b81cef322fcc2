"""What a system says of an image, as people rate it: the captions of its surest regions."""

from __future__ import annotations

from collections.abc import Iterable

from core.model import ItemTable
from core.rating_design import Entry, PictureRef, RatedEntry, RatingDesign
from core.tasks.densecap.evidence import Scene

MOST_CAPTIONS = 10
"""More than a rater compares with an image; systems find up to a thousand regions."""


def rated_description(items: ItemTable, row: int) -> RatedEntry | None:
    """Return the distinct captions of an image's surest detections, one a line.

    Their boxes are not shown: what is judged is whether the captions fit the image.
    """
    shown = items.show(row)
    if not isinstance(shown, Scene):
        return None
    surest = sorted(shown.detections, key=lambda one: -one.score)
    human = _lines(one.captions[0] for one in shown.objects if one.captions)
    return RatedEntry(
        Entry(_lines(one.caption for one in surest)),
        pictures=(PictureRef(shown.image),),
        human=(human,) if human else (),
        item=shown.image,
    )


def _lines(captions: Iterable[str]) -> str:
    return "\n".join(list(dict.fromkeys(captions))[:MOST_CAPTIONS])


RATING = RatingDesign(
    item_noun=("image", "images"),
    entry_noun=("description", "descriptions"),
    entry=rated_description,
    has_human_entries=True,
)
