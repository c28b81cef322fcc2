from __future__ import annotations

from pathlib import Path

import pytest

from jurydesk.core.model.defects import Place, Severity, error, warning
from jurydesk.core.readers import bounded_defects
from jurydesk.core.readers.bounded_defects import MOST, BoundedDefects, condense_defects
from jurydesk.core.tasks.vist.reference_reader import read_human_stories
from jurydesk.core.tasks.vist.submission_reader import read_submission
from jurydesk.core.tasks.vist.vist_options import VistOptions
from support.files.vist import ONE, references, story, submission, write


def test_up_to_ten_thousand_defects_are_listed_individually() -> None:
    every = [error(Place("a.json", line), "Wrong.") for line in range(MOST)]
    assert BoundedDefects(every).to_tuple() == tuple(every)


def test_beyond_ten_thousand_defects_each_cause_has_its_own_count() -> None:
    found = BoundedDefects(warning(Place("a.json", line), "Odd.") for line in range(MOST + 5))
    found.append(error(Place("a.json", 7), "Wrong."))
    found.extend(error(Place("a.json", line), f'"{line}" is blue.') for line in range(50_000))
    listed = condense_defects(found.to_tuple())
    counts = {Severity.ERROR: 0, Severity.WARNING: 0}
    for one in listed:
        counts[one.severity] += one.count
    assert counts == {Severity.WARNING: MOST + 5, Severity.ERROR: 50_001}
    assert [one.found for one in listed[11:]] == [
        "Wrong.",
        '"0" is blue. There are 49,999 more of this kind.',
    ]
    assert condense_defects(listed) == listed


def test_joined_collections_count_each_cause_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_defects, "MOST", 2)
    whole, parts = BoundedDefects(), BoundedDefects()
    for part in range(3):
        found = [error(Place("a", part), word) for word in ["Red."] * 30 + ["Blue."] * 40]
        one = BoundedDefects(found)
        parts.join(one)
        whole.extend(found)
    assert parts.to_tuple() == whole.to_tuple()
    assert [one.count for one in parts.to_tuple()] == [1, 1, 88, 120]


def test_summaries_of_many_causes_are_not_counted_together() -> None:
    names = "abcdefghijklm"
    faults = [error(Place("a.json", 1), f"It is {name}.") for name in names for _ in range(20)]
    found = condense_defects(faults)
    assert len(found) == 11 * len(names)
    assert condense_defects(found) == found


def test_causes_without_end_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_defects, "MOST_CAUSES", 3)
    monkeypatch.setattr(bounded_defects, "MOST", 0)
    words = ["red", "green", "blue", "black", "white"]
    found = BoundedDefects(error(Place("a.json", 1), f"It is {one}.") for one in words)
    assert [one.found for one in found.to_tuple()] == [
        "It is red.", "It is green.", "It is blue.", "2 more defects were found.",
    ]  # fmt: skip


def test_a_hundred_thousand_wrong_stories_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", submission(story(ONE), *[5] * 100_000))
    reading = read_submission(path, references(ONE), VistOptions())
    assert reading.data is None
    assert len(reading.defects) == 11
    assert sum(one.count for one in reading.defects) == 100_000
    assert reading.defects[-1].found == (
        "There are 99,990 more of this kind, on lines 28, 29, 30 and 99,987 more."
    )


def test_a_hundred_thousand_wrong_annotations_are_counted(tmp_path: Path) -> None:
    reading = read_human_stories([write(tmp_path / "a.json", {"annotations": [5] * 100_000})])
    assert reading.data is None
    assert sum(one.count for one in reading.defects) == 100_000
