"""What a file has and no competition uses is told in a note, and nothing where all is used."""

from __future__ import annotations

from jurydesk.core.model.defects import Place
from jurydesk.core.readers.reference_remarks import note_unused_entries


def test_names_that_another_file_lacks_are_told_together():
    (told,) = note_unused_entries(Place("a.json"), ["x", "y"], "b.json")
    assert (told.severity, told.found, told.count) == ("note", "Not in b.json: 2 names (x, y).", 2)
    assert list(note_unused_entries(Place("a.json"), [], "b.json")) == []
