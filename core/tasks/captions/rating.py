"""A caption as people rate it: beside its image."""

from __future__ import annotations

from core.model import ItemTable
from core.rating_design import Entry, PictureRef, RatedEntry, RatingDesign
from core.tasks.captions.evidence import CaptionEvidence


def rated_caption(items: ItemTable, row: int) -> RatedEntry | None:
    """Return a system's caption of an image."""
    shown = items.show(row)
    if not isinstance(shown, CaptionEvidence):
        return None
    human = tuple(one.text for one in shown.references)
    picture = PictureRef(shown.file_name or shown.image)
    return RatedEntry(Entry(shown.text), pictures=(picture,), human=human)


RATING = RatingDesign(
    entry_noun=("caption", "captions"), entry=rated_caption, has_human_entries=True
)
