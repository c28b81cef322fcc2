"""Figures of classes: means with intervals that respect groups."""

from __future__ import annotations

import numpy as np
import pytest

from jurydesk.core.model.evaluation import Axis
from jurydesk.core.tasks.class_figures import class_bars, class_curve

UNIT = Axis("value", limits=(0.0, 1.0))
T_OF_4 = 2.7764451051977987
"""Quantile of Student's t with four degrees of freedom at 0.975 (tables)."""


def test_the_interval_of_a_class_is_student_s_t_by_hand():
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 1.0, 1.0])
    figure = class_bars("bars", "", UNIT, {"few": [5, 6], "five": range(5)}, values)
    assert figure.form == "bars"
    assert [str(one) for one in figure.x_axis.labels] == ["five (5)", "few (2)"]
    assert figure.mean.tolist() == pytest.approx([0.3, 1.0])
    reach = T_OF_4 * np.sqrt(0.025 / 5)  # the variance of 0.1 to 0.5 is 0.025
    assert (figure.low[0], figure.high[0]) == pytest.approx((0.3 - reach, 0.3 + reach))
    assert np.isnan(figure.low[1])  # two items show no variation
    assert figure.overall == pytest.approx(3.5 / 7)


def test_an_item_of_two_classes_counts_once_in_the_mean_of_all():
    figure = class_bars("", "", UNIT, {"a": [0, 1], "b": [1, 2]}, np.array([0.0, 0.9, 0.3]))
    assert figure.overall == pytest.approx(0.4)


def test_items_of_a_group_do_not_narrow_an_interval():
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    alone = class_bars("", "", UNIT, {"a": range(5), "b": [0]}, values)
    fourfold = np.repeat(values, 4)
    groups = np.repeat(np.arange(5.0), 4)
    grouped = class_bars("", "", UNIT, {"a": range(20), "b": [0]}, fourfold, groups)
    assert grouped.low[0] == pytest.approx(alone.low[0])


def test_undefined_values_are_in_no_class_and_one_class_has_no_figure():
    values = np.array([np.nan, 0.5, 1.0])
    assert class_bars("", "", UNIT, {"a": [0], "b": [1, 2]}, values) is None
    assert class_curve("", "", Axis("x"), UNIT, np.array([1.0, 2.0, 2.0]), values) is None
    figure = class_curve("", "", Axis("x"), UNIT, np.array([3.0, 1.0, 2.0]), values)
    assert (figure.x.tolist(), figure.mean.tolist()) == ([1.0, 2.0], [0.5, 1.0])


def test_an_interval_stays_within_the_range_of_the_values():
    values = np.array([1.0] * 9 + [0.0] * 1 + [0.5] * 2)
    figure = class_bars("", "", UNIT, {"a": range(10), "b": [10, 11]}, values)
    assert figure.high[0] == 1.0
