from __future__ import annotations

from pathlib import Path

from jurydesk.core.model.defects import Place, Severity, error, warning
from jurydesk.core.readers.bounded_defects import MOST, BoundedDefects
from jurydesk.core.tasks.vist.reference_reader import read_human_stories
from jurydesk.core.tasks.vist.submission_reader import read_submission
from jurydesk.core.tasks.vist.vist_options import VistOptions
from support.files.vist import ONE, references, story, submission, write


def test_up_to_ten_thousand_defects_are_listed_individually() -> None:
    every = [error(Place("a.json", line), "Wrong.") for line in range(MOST)]
    assert BoundedDefects(every).to_tuple() == tuple(every)


def test_the_summary_has_the_severity_of_the_worst_defect() -> None:
    found = BoundedDefects(warning(Place("a.json", line), "Odd.") for line in range(MOST + 5))
    found.append(error(Place("a.json", 7), "Wrong."))
    more = found.to_tuple()[-1]
    assert (more.severity, more.count) == (Severity.ERROR, 6)
    assert str(more) == (
        "error  a.json, line 7: 6 more defects were found.\n"
        "       Fix the first ones and check again."
    )


def test_a_hundred_thousand_wrong_stories_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", submission(story(ONE), *[5] * 100_000))
    reading = read_submission(path, references(ONE), VistOptions())
    assert reading.data is None
    assert len(reading.defects) == MOST + 1
    assert reading.defects[-1].found == "90,000 more defects were found."


def test_a_hundred_thousand_wrong_annotations_are_counted(tmp_path: Path) -> None:
    reading = read_human_stories([write(tmp_path / "a.json", {"annotations": [5] * 100_000})])
    assert reading.data is None
    assert reading.defects[-1].found == "90,000 more defects were found."
