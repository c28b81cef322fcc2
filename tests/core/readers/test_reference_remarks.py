"""What a file has and no competition uses is told in a note, and nothing where all is used."""

from __future__ import annotations

from pathlib import Path

from jurydesk.core.model.defects import Place
from jurydesk.core.readers.reference_remarks import note_unused_entries, note_unused_files


def test_names_that_another_file_lacks_are_told_together():
    (told,) = note_unused_entries(Place("a.json"), ["x", "y"], "b.json")
    assert (told.severity, told.found, told.count) == ("note", "Not in b.json: 2 names (x, y).", 2)
    assert list(note_unused_entries(Place("a.json"), [], "b.json")) == []


def test_a_file_of_no_system_is_told_with_the_systems_that_there_are():
    paths = [(Path("/a/north.txt"), "north"), (Path("/a/nort.txt"), "nort")]
    (found,) = note_unused_files(paths, ["north", "south"])
    assert (found.place.path, found.found, found.hint) == (
        str(Path("/a/nort.txt")),
        'No system is called "nort": this file is not used.',
        "Systems are: north, south.",
    )
    assert list(note_unused_files(paths, [])) == []
