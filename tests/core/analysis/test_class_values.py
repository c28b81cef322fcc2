"""Figures with classes as tables, and the order of the systems in each class."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.analysis.class_values import class_columns, class_values
from jurydesk.core.model.evaluation import Axis, Curve, Evaluation
from support.files.spotting import score_texts

WORDS = "a p 0 0 100 10\n"
LISTED = "a p 0 0 60 10 .9\n"


def bars(labels: tuple[str, ...], values: list[float], limits: tuple[float, float] | None) -> Curve:
    places = np.arange(len(labels), dtype=np.float64)
    axes = Axis("", labels=labels), Axis("AP", limits=limits)
    return Curve("types", "AP by type", *axes, places, np.array(values), form="bars")


def systems(folder: Path, *curves: Curve) -> list[Evaluation]:
    found = score_texts(folder, WORDS, LISTED, protocol="iou50").evaluation
    assert found is not None
    return [
        replace(found, system=f"s{number}", figures=(curve,)) for number, curve in enumerate(curves)
    ]


def test_the_order_of_systems_is_that_of_the_board_or_another(tmp_path: Path) -> None:
    labels = ("red", "blue", "green")
    one = bars(labels, [0.9, 0.2, 0.5], (0.0, 1.0))
    two = bars(labels[:2], [0.8, 0.3], (0.0, 1.0))
    (found,) = class_values(systems(tmp_path, one, two))
    assert found.systems == ("s0", "s1")
    assert np.isnan(found.values[2, 1])
    order = class_columns(found)[-1]
    assert [order.text(row) for row in range(3)] == [
        "as on the board",
        "another order",
        "as on the board",
    ]


@pytest.mark.parametrize("limits", [None, (0.0, 1.0)])
def test_costs_have_no_order(limits: tuple[float, float] | None, tmp_path: Path) -> None:
    curve = bars(("red",), [0.1], limits)
    (found,) = class_values(systems(tmp_path, curve, curve))
    names = [one.title for one in class_columns(found)]
    assert names == ["Class", "s0", "s1", *(["Order of systems"] if limits else [])]
