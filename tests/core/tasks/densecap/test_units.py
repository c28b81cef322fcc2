from __future__ import annotations

import numpy as np
import pytest
from dense_evaluations import evaluations

from core.tasks.densecap.units import image_units


@pytest.mark.parametrize("system", sorted(evaluations()))
def test_all_images_once_give_the_scores(system: str) -> None:
    evaluation = evaluations()[system]
    units = image_units(evaluation.items, evaluation.profile)
    scores = units.scores(np.ones(len(units.ids)))
    assert scores == {score.metric: score.value for score in evaluation.scores}


def test_systems_name_their_images_alike() -> None:
    names = [set(image_units(one.items, one.profile).ids) for one in evaluations().values()]
    common = set.intersection(*names)
    assert len(common) > 1
    assert all(name.strip() for name in common)
