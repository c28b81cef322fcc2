from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from jurydesk.core.analysis.comparison.pairwise import compare_systems
from jurydesk.core.analysis.significance.significance_methods import Entrant
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.detection.average_precision import (
    DetectionRecords,
    Profile,
    average_precisions,
)
from jurydesk.core.model.evaluation import Evaluation, ItemTable
from jurydesk.core.tasks.densecap.densecap_items import UNCLAIMED, image_units, to_records
from jurydesk.core.tasks.densecap.densecap_task import TASK
from support.windows.dense_evaluations import evaluations


@pytest.mark.parametrize("system", sorted(evaluations()))
def test_all_images_once_give_the_scores(system: str) -> None:
    evaluation = evaluations()[system]
    units = image_units(evaluation.items, evaluation.profile)
    scores = units.scores(np.ones(len(units.ids)))
    assert scores == {score.metric: score.value for score in evaluation.scores}


def test_all_systems_have_the_same_image_names() -> None:
    names = [set(image_units(one.items, one.profile).ids) for one in evaluations().values()]
    common = set.intersection(*names)
    assert len(common) > 1
    assert all(name.strip() for name in common)


def image_records(evaluation: Evaluation, image: int) -> DetectionRecords:
    columns = evaluation.items.columns
    rows = columns["image"] == image
    return to_records({name: column[rows] for name, column in columns.items()})


@pytest.mark.parametrize("system", sorted(evaluations()))
def test_an_image_scores_as_a_competition_of_one_image(system: str) -> None:
    evaluation = evaluations()[system]
    units = image_units(evaluation.items, evaluation.profile)
    for image, objects in enumerate(units.columns["objects"].tolist()):
        if objects:
            one = average_precisions(
                image_records(evaluation, image), cast("Profile", evaluation.profile)
            )
            assert units.columns["map"][image] == pytest.approx(one.map, abs=1e-12)
            assert units.columns["detmap"][image] == pytest.approx(one.detection_map, abs=1e-12)


def test_an_image_without_objects_has_no_scores() -> None:
    evaluation = next(iter(evaluations().values()))
    columns = dict(evaluation.items.columns)
    columns["claims"] = np.where(columns["image"] == 0, 0.0, columns["claims"])
    kept = (columns["image"] != 0) | (columns["detection"] != UNCLAIMED)
    items = evaluation.items
    ids = tuple(key for key, keep in zip(items.ids, kept.tolist(), strict=True) if keep)
    rest = ItemTable(ids, {name: column[kept] for name, column in columns.items()})
    units = image_units(rest, evaluation.profile)
    assert np.isnan(units.columns["map"][0])
    assert np.isfinite(units.columns["map"][1:]).all()


def test_two_systems_are_compared_image_by_image() -> None:
    one, other = list(evaluations().values())[:2]
    first, second = (Entrant(e.system, e.score("map").value, e.items) for e in (one, other))
    found = compare_systems(TASK, TASK.metric("map"), one.profile, first, second, Run())
    assert found.items is not None
    assert found.items.unit == found.unit == "images"
    assert len(found.items.ids) == found.n
    assert found.items.wins + found.items.losses + found.items.ties == found.n
    assert found.difference == first.value - second.value
    assert found.interval is not None
    assert (found.interval.low > 0 or found.interval.high < 0) == (found.p < 0.05)
