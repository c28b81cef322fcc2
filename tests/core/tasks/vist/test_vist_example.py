from __future__ import annotations

import pytest

from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.tasks.vist.vist_task import TASK
from support.examples import folder_of, score_example, value


@pytest.fixture(scope="module")
def result() -> CompetitionResult:
    return score_example(TASK)


def test_the_systems_are_ranked_by_quality(result: CompetitionResult) -> None:
    assert result.reference_defects == ()
    good, middling, baseline = (
        value(result, name, "meteor") for name in ("storyteller", "labels", "everyone-happy")
    )
    assert good > middling > baseline > 0


def test_every_photo_has_its_picture(result: CompetitionResult) -> None:
    pictures = {path.stem for path in (folder_of(TASK) / "images").iterdir()}
    ids = {photo for name in result.evaluations[0].items.ids for photo in name.split("-")}
    assert ids == pictures


def test_the_careless_file_shows_typical_errors(result: CompetitionResult) -> None:
    careless = next(entry for entry in result.entries if entry.system == "careless")
    assert careless.evaluation is None
    assert {str(defect.severity) for defect in careless.defects} == {"error", "warning", "note"}
    assert len(careless.defects) == 8
