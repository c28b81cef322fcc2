"""Tests of defects of one cause: the first are listed, the others are counted and placed."""

from __future__ import annotations

from jurydesk.core.model.defects import Place, error, warning
from jurydesk.core.readers.bounded_defects import condense_defects


def faults(count: int, word: str = "The score is"):
    return [error(Place("a.json", 10 + i), f'{word} "x{i}".', "A number.") for i in range(count)]


def test_the_first_ten_of_a_cause_are_listed_and_the_others_counted() -> None:
    found = condense_defects(faults(1211))
    assert found[:10] == tuple(faults(10))
    (other,) = found[10:]
    assert other.found == ("There are 1,201 more of this kind, on lines 20, 21, 22 and 1,198 more.")
    assert (other.count, other.severity, other.place.line) == (1201, "error", 20)


def test_other_causes_remain_in_their_order() -> None:
    rare = warning(Place("a.json"), "The file is odd.")
    found = condense_defects([*faults(40), rare, *faults(2, "The box is")])
    assert found[11:] == (rare, *faults(2, "The box is"))


def test_eleven_of_a_cause_are_listed() -> None:
    assert condense_defects(faults(11)) == tuple(faults(11))


def test_members_of_other_names_are_other_causes() -> None:
    missing = [
        error(Place("a.json", json_path=f"[{i}].{name}"), "Text is expected.")
        for name in ("caption", "image_id")
        for i in range(12)
    ]
    assert [one.count for one in condense_defects(missing)].count(2) == 2
    assert condense_defects(missing)[10].found == (
        "There are 2 more of this kind, at [10].caption, [11].caption."
    )
