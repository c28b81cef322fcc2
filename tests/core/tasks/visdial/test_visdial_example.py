from __future__ import annotations

import pytest

from jurydesk.core.tasks.visdial.visdial_task import TASK
from support.examples import score_example, value


@pytest.fixture(scope="module")
def result():
    return score_example(TASK, resamples=20)


def test_the_systems_are_ranked_by_quality(result):
    for metric in ("cider_1", "cider_4", "meteor"):
        careful, short, baseline = (
            value(result, name, metric) for name in ("careful", "short", "always-yes")
        )
        assert careful > short > baseline > 0


def test_the_careless_file_shows_typical_errors(result):
    careless = next(entry for entry in result.entries if entry.system == "careless")
    assert careless.evaluation is None
    assert [str(defect.severity) for defect in careless.defects] == [
        *["error"] * 7,
        "warning",
        "note",
    ]
