"""A ranked list as people rate it: the images of its first words."""

from __future__ import annotations

from core.model import ItemTable
from core.rating_design import Entry, PictureRef, RatedEntry, RatingDesign
from core.tasks.keyword_spotting.evidence import RankedList

SHOWN = 10


def rated_list(items: ItemTable, row: int) -> RatedEntry | None:
    """Return the first words of a list as they stand on their pages.

    None for lists of documents (trec_eval), which hold neither texts nor pictures.
    """
    shown = items.show(row)
    if not isinstance(shown, RankedList):
        return None
    words = [one for one in shown.items if one.box is not None and 0 < one.rank <= SHOWN]
    if not words and shown.items:
        return None
    pictures = tuple(PictureRef(one.name, one.box) for one in words)
    return RatedEntry(Entry("", pictures), (("Query", shown.query),))


RATING = RatingDesign(
    entry_noun=("ranked list", "ranked lists"), questionnaire="ranked", entry=rated_list
)
