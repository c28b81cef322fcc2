from __future__ import annotations

from jurydesk.core.competition.rating_design import PictureRef, RatedEntry, SystemOutput
from jurydesk.core.human_evaluation.design.item_pool import _item


def test_an_item_has_the_pictures_and_the_context_of_its_first_entry() -> None:
    entries = [
        RatedEntry(SystemOutput(name), ((name, "text"),), (PictureRef(name),)) for name in "ab"
    ]
    found = _item("1", entries, None)
    assert [one.text for one in found.entries] == ["a", "b"]
    assert (found.context, found.pictures) == ((("a", "text"),), (PictureRef("a"),))
