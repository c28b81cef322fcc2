"""A prediction as people rate it: a text or a generated picture, after what was asked."""

from __future__ import annotations

from collections.abc import Iterable

from core.model import ItemTable
from core.rating_design import Entry, PictureRef, RatedEntry, RatingDesign
from core.tasks.fusionbrain.evidence import ItemEvidence, Picture
from core.tasks.fusionbrain.subtasks import GENERATION


def rated_prediction(items: ItemTable, row: int) -> RatedEntry | None:
    """Return a system's prediction for a key; the accepted answers are not shown."""
    shown = items.show(row)
    if not isinstance(shown, ItemEvidence):
        return None
    context = (("Question", shown.question),) if shown.question else ()
    if shown.subtask == GENERATION:  # the first picture is the system's, the next the real one
        return RatedEntry(Entry("", _refs(shown.pictures[:1])), context)
    human = tuple(one.text for one in shown.accepted)
    return RatedEntry(Entry(shown.prediction or ""), context, _refs(shown.pictures), human)


def _refs(pictures: Iterable[Picture]) -> tuple[PictureRef, ...]:
    return tuple(PictureRef(one.found or one.name) for one in pictures)


RATING = RatingDesign(
    entry_noun=("answer", "answers"), entry=rated_prediction, has_human_entries=True
)
