"""Gwet's AC1 and AC2 against irrCAC, and judged means against ppi_py."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.statistics.raters.agreement import alpha
from jurydesk.core.statistics.raters.gwet_agreement import (
    agreement_weights,
    gwet_ac,
    gwet_sums,
)
from jurydesk.core.statistics.raters.judged_means import FEWEST_BOTH, judged_mean

ORACLE = json.loads(
    (Path(__file__).parents[3] / "oracles" / "ratings" / "gwet_and_judged.json").read_text()
)


def as_ratings(rows):
    return np.array([[np.nan if value is None else value for value in row] for row in rows])


@pytest.mark.parametrize("recorded", ORACLE["gwet"])
def test_ac1_and_ac2_are_those_of_irrcac(recorded):
    ratings = as_ratings(recorded["ratings"])
    assert gwet_ac(ratings, "nominal").value == pytest.approx(recorded["identity"], abs=1e-8)
    assert gwet_ac(ratings, "ordinal").value == pytest.approx(recorded["ordinal"], abs=1e-8)


def test_alike_answers_have_a_high_ac1_and_a_low_alpha():
    ratings = np.ones((2, 50))
    ratings[0, 0] = ratings[1, 1] = 2
    assert alpha(ratings, "nominal").value < 0
    # By hand: 48 of 50 pairs are equal, and 2 * 0.02 * 0.98 are by chance.
    assert gwet_ac(ratings, "nominal").value == pytest.approx((0.96 - 0.0392) / (1 - 0.0392))


def test_possible_answers_that_nobody_gave_count_as_categories():
    ratings = np.array([[1.0, 1, 2], [1.0, 2, 2]])
    # By hand: two thirds are equal; with four categories chance is 2 * 0.25 / 3.
    found = gwet_ac(ratings, "nominal", (1, 2, 3, 4)).value
    assert found == pytest.approx((2 / 3 - 1 / 6) / (1 - 1 / 6))
    assert agreement_weights(3, "ordinal")[0].tolist() == pytest.approx([1, 2 / 3, 0])


def test_undefined_agreement_has_a_reason():
    assert gwet_ac(np.array([[1.0, 2]]), "nominal").undefined == "no item has two ratings"
    assert "numbers" in gwet_ac(np.array([[1.0], [2.0]]), "interval").undefined


def test_items_are_left_out_by_their_sums():
    ratings = as_ratings(ORACLE["gwet"][1]["ratings"])
    steps = tuple(np.unique(ratings[~np.isnan(ratings)]))
    rows, from_sums = gwet_sums(ratings, "ordinal", steps)
    left = from_sums((rows.sum(axis=0) - rows[3])[np.newaxis])[0]
    again = gwet_ac(np.delete(ratings, 3, axis=1), "ordinal", steps).value
    assert left == pytest.approx(again)


@pytest.mark.parametrize("recorded", ORACLE["judged"])
def test_judged_means_are_those_of_ppi_py(recorded):
    both = len(recorded["people"])
    people = np.array([*recorded["people"], *[np.nan] * len(recorded["more"])])
    found = judged_mean(people, np.array([*recorded["both"], *recorded["more"]]))
    assert found.value == pytest.approx(recorded["value"], abs=1e-6)
    reach = (recorded["high"] - recorded["low"]) / 2
    # Student's t and one degree for the weight make ours a little wider than the normal interval.
    ours = (found.interval.high - found.interval.low) / 2
    assert reach < ours < reach * (1 + 3 / both)
    assert (found.both, found.more) == (both, len(recorded["more"]))


def test_a_program_that_knows_nothing_has_no_weight():
    dice = np.random.default_rng(1)
    people = np.append(dice.normal(size=40), np.full(200, np.nan))
    found = judged_mean(people, np.ones(240))
    assert found.weight == 0
    assert found.value == pytest.approx(np.nanmean(people))


def test_few_entries_have_an_estimate_and_no_interval():
    people = np.append(np.arange(FEWEST_BOTH - 1.0), [np.nan] * 9)
    assert judged_mean(people, np.arange(18.0)).interval is None
    assert np.isnan(judged_mean(np.array([np.nan]), np.array([1.0])).value)
