"""Items that decide: discrimination of every item, and suspects of a wrong reference."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.analysis.significance.item_discrimination import (
    ItemDiscrimination,
    agreement_with_pairs,
    assess_items,
    item_rest_correlations,
)
from jurydesk.core.analysis.significance.suspect_table import item_sentences, suspect_table
from jurydesk.core.desk import Desk
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation, FloatArray, ItemTable, Score
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.inference import Inference
from support import toy

GROUPS = Groups(np.repeat(np.arange(6), [1, 2, 3, 1, 2, 1]), 6)


def values_of(systems: int, seed: int = 1) -> FloatArray:
    dice = np.random.default_rng(seed)
    values = 2 * dice.random((10, systems)) + 0.1 * np.arange(systems)
    values[4] = -values[4]
    return values


class TestItemRest:
    def test_it_is_the_correlation_with_the_items_of_the_other_groups(self) -> None:
        values = values_of(7)
        values[3, 2] = values[5, 6] = np.nan
        found, _ = item_rest_correlations(values, GROUPS)
        for row in range(10):
            there = GROUPS.codes != GROUPS.codes[row]
            rest = np.nanmean(values[there], axis=0)
            known = np.isfinite(values[row])
            expected = np.corrcoef(values[row][known], rest[known])[0, 1]
            assert found[row] == pytest.approx(expected, abs=1e-12)

    def test_the_p_value_of_a_negative_one_is_that_of_all_permutations(self) -> None:
        values = values_of(6)
        found, p = item_rest_correlations(values, GROUPS)
        negative = np.flatnonzero(found < 0)
        assert len(negative) > 1
        for row in negative.tolist():
            rest = values[GROUPS.codes != GROUPS.codes[row]].mean(axis=0)
            every = [
                np.corrcoef(values[row][list(order)], rest)[0, 1]
                for order in itertools.permutations(range(6))
            ]
            expected = np.mean(np.array(every) <= found[row] + 1e-9)
            assert p[row] == pytest.approx(expected) or (p[row] > 0.05 and expected > 0.05)
        assert (p[found >= 0] == 1).all()

    def test_many_systems_are_permuted_at_random(self) -> None:
        values = values_of(12)
        values[4] = -np.arange(12) + 0.01 * values[4]
        found, p = item_rest_correlations(values, GROUPS)
        assert found[4] < -0.8
        rest = values[GROUPS.codes != GROUPS.codes[4]].mean(axis=0)
        expected = scipy.stats.pearsonr(values[4], rest, alternative="less").pvalue
        assert p[4] == pytest.approx(expected, abs=0.001)
        again = item_rest_correlations(values, GROUPS)[1]
        np.testing.assert_array_equal(p, again)

    def test_the_order_of_systems_and_groups_changes_nothing(self) -> None:
        values, order = values_of(6), [3, 0, 5, 1, 4, 2]
        found, p = item_rest_correlations(values, GROUPS)
        for other in (
            item_rest_correlations(values[:, order], GROUPS),
            item_rest_correlations(values, Groups(5 - GROUPS.codes, 6)),
        ):
            np.testing.assert_allclose(other[0], found, atol=1e-12)
            np.testing.assert_allclose(other[1], p)

    @pytest.mark.parametrize("systems", [2, 5])
    def test_fewer_than_six_systems_have_none(self, systems: int) -> None:
        assert np.isnan(item_rest_correlations(values_of(systems), GROUPS)).all()

    def test_an_item_that_all_systems_answer_alike_has_none(self) -> None:
        values = values_of(6)
        values[2] = 0.1 + 0.2
        assert np.isnan(item_rest_correlations(values, GROUPS)[0][2])


def test_agreement_is_the_mean_over_the_pairs_that_the_board_tells_apart() -> None:
    values = np.array([[3.0, 2.0, 1.0], [1.0, 1.0, 2.0], [1.0, np.nan, 2.0], [np.nan] * 3])
    found = agreement_with_pairs(values, [(0, 1), (0, 2), (1, 2)])
    np.testing.assert_allclose(found, [1, -2 / 3, -1, np.nan])
    assert np.isnan(agreement_with_pairs(values, [])).all()


def fill_desk(path: Path, columns: dict[str, FloatArray]) -> Path:
    with Desk.create(path) as desk:
        desk.set_competition("toy", "Toy", {})
        for name, column in columns.items():
            ids = tuple(f"n{row:02d}" for row in range(len(column)))
            items = ItemTable(ids, {"closeness": column, "square": (1 - column) ** 2})
            scores = (Score("closeness", float(column.mean()), len(ids)),)
            desk.add(Evaluation("toy", name, "published", scores, items))
    return path


def assess(path: Path, inference: Inference | None = None) -> ItemDiscrimination:
    with Desk.open(path, read_only=True) as desk:
        found = assess_items(desk, toy.TASK, "published", Run(), inference)
    assert found is not None
    return found


@pytest.fixture
def ranked() -> dict[str, FloatArray]:
    """Eight systems, each better than the one before, on 30 items."""
    dice = np.random.default_rng(3)
    return {f"s{n}": np.clip(0.1 * n + dice.normal(0.1, 0.03, 30), 0.01, 0.99) for n in range(8)}


class TestSuspects:
    def test_they_are_in_the_order_of_their_reasons(self, tmp_path, ranked) -> None:
        for number, column in enumerate(ranked.values()):
            column[20] = 0.0
            column[7] = 0.9 - 0.1 * number
            column[11] = 1.0 if number == 1 else 0.2
            column[12] = 1.0 if number == 6 else 0.2  # a good system alone is no wonder
        found = assess(fill_desk(tmp_path / "a.jurydesk", ranked))
        assert [(found.ids[one.row], str(one.reason)) for one in found.suspects] == [
            ("n20", "no system is right"),
            ("n07", "disagrees with the ranking"),
            ("n11", "only s1 is right, which has rank 7 by score"),
        ]
        assert found.discrimination[7] == pytest.approx(-1, abs=0.02)
        assert np.isnan(found.discrimination[20])
        assert next(iter(found.places[[20, 7, 11]])) == 1
        assert list(item_sentences(found)) == [
            "Of 30 numbers, 3 may have a wrong reference, by Closeness (published).",
            "By chance alone, about 0.3 numbers would disagree with the ranking.",
            "`jurydesk errata` scores again with corrected references.",
        ]

    def test_the_rank_of_a_weak_system_is_that_on_items_which_all_answered(
        self, tmp_path, ranked
    ) -> None:
        for number, column in enumerate(ranked.values()):
            column[11] = 1.0 if number == 1 else 0.2
        ranked["s1"][:3] = np.nan
        with Desk.create(path := tmp_path / "a.jurydesk") as desk:
            desk.set_competition("toy", "Toy", {})
            for name, column in ranked.items():
                ids = tuple(f"n{row:02d}" for row in range(30))
                score = Score("closeness", float(np.nanmean(column)), 30)
                items = ItemTable(ids, {"closeness": column})
                desk.add(Evaluation("toy", name, "published", (score,), items))
        (found,) = assess(path).suspects
        assert str(found.reason) == "only s1 is right, which has rank 7 on common items"

    def test_an_item_whose_group_nobody_gets_right_is_none(self, tmp_path, ranked) -> None:
        for column in ranked.values():
            column[[3, 4, 8]] = 0.0
        path = fill_desk(tmp_path / "a.jurydesk", ranked)
        labels = {f"n{row:02d}": f"g{row // 3}" for row in range(30)}
        assert [one.row for one in assess(path).suspects] == [3, 4, 8]
        assert [one.row for one in assess(path, Inference(labels=labels)).suspects] == [3, 4, 8]
        labels["n05"] = "other"  # 3 and 4 alone are a group now
        assert [one.row for one in assess(path, Inference(labels=labels)).suspects] == [8]

    def test_few_systems_are_compared_with_the_board(self, tmp_path, ranked) -> None:
        three = {name: ranked[name] for name in ("s0", "s3", "s6")}
        for number, column in enumerate(three.values()):
            column[5], column[6] = 0.9 - 0.3 * number, 0.5
        found = assess(fill_desk(tmp_path / "a.jurydesk", three))
        assert found.differing == 3
        assert [found.ids[one.row] for one in found.suspects] == ["n05"]
        assert found.discrimination[[4, 5, 6]].tolist() == [1, -1, 0]
        assert np.isnan(found.expected)

    def test_of_two_systems_the_only_pair_decides(self, tmp_path, ranked) -> None:
        two = {name: ranked[name] for name in ("s0", "s6")}
        found = assess(fill_desk(tmp_path / "a.jurydesk", two))
        assert found.differing == 1
        assert "reverses the only pair that the board tells apart" in list(item_sentences(found))[1]
        title = suspect_table(found)[2].title
        assert title.startswith("Mean ")
        assert not title.startswith("Mean Mean")

    def test_systems_that_the_board_does_not_tell_apart_accuse_no_item(self, tmp_path) -> None:
        dice = np.random.default_rng(4)
        equal = {name: dice.random(30) for name in "abc"}
        found = assess(fill_desk(tmp_path / "a.jurydesk", equal))
        assert found.suspects == ()
        assert "no systems apart" in list(item_sentences(found))[1]

    def test_chance_alone_gives_about_as_many_as_are_said(self) -> None:
        dice = np.random.default_rng(5)
        found, p = item_rest_correlations(dice.random((3000, 7)), Groups.singletons(3000))
        assert np.isfinite(found).all()
        assert 15 <= (p < 0.01).sum() <= 45  # 30 expected, deviation 5.4
