"""A generated answer as people rate it: after the dialogue before it and the question."""

from __future__ import annotations

from core.model import ItemTable
from core.rating_design import Entry, PictureRef, RatedEntry, RatingDesign
from core.tasks.visdial.dialogs import question_id
from core.tasks.visdial.evidence import DialogEvidence


def rated_answer(items: ItemTable, row: int) -> RatedEntry | None:
    """Return a system's first answer to a question."""
    shown = items.show(row)
    if not isinstance(shown, DialogEvidence):
        return None
    dialogue = "\n".join(_earlier_rounds(items, row, shown))
    context = [("Dialogue so far", dialogue), ("Question", shown.question)]
    return RatedEntry(
        Entry(shown.answers[0].written if shown.answers else ""),
        tuple((title, text) for title, text in context if text),
        (PictureRef(str(shown.image)),),
        (shown.truth,) if shown.truth else shown.references,
    )


def _earlier_rounds(items: ItemTable, row: int, shown: DialogEvidence) -> list[str]:
    """Return the questions before and their true answers, as far as they are in the data."""
    earlier = {question_id((shown.image, number)) for number in range(shown.round)}
    lines: list[str] = []
    for place in range(max(row - shown.round, 0), row):  # in the order of image and round
        before = items.show(place) if items.ids[place] in earlier else None
        if isinstance(before, DialogEvidence) and before.question:
            lines += [before.question, f"– {before.truth}"] if before.truth else [before.question]
    return lines


RATING = RatingDesign(
    entry_noun=("answer", "answers"),
    entry=rated_answer,
    has_human_entries=True,
    folder_optional=True,
)
