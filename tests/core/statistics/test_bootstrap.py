from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from jurydesk.core.metrics.captioning.bleu import corpus_bleu, corpus_bleu_of
from jurydesk.core.metrics.meteor.config import profile
from jurydesk.core.metrics.meteor.formula import corpus_meteor, corpus_score
from jurydesk.core.model.evaluation import FloatArray, Interval
from jurydesk.core.statistics import bootstrap
from jurydesk.core.statistics.bootstrap import (
    ResamplingPlan,
    percentile,
    percentile_interval,
    resampled_means,
    resampled_values,
)

SMALL = ResamplingPlan(items=7, resamples=50, seed=3)
COLUMNS = arrays.arrays(np.float64, (7, 3), elements=st.floats(-1e6, 1e6) | st.just(float("nan")))


def draws_of(plan: ResamplingPlan) -> np.ndarray:
    return np.concatenate(list(plan.draws()))


class TestPlan:
    def test_a_plan_draws_as_many_items_as_there_are(self) -> None:
        draws = draws_of(SMALL)
        assert draws.shape == (50, 7)
        assert set(draws.ravel()) == set(range(7))

    def test_the_generator_of_a_plan_is_numpy_s_pcg64_with_the_seed(self) -> None:
        generator = np.random.Generator(np.random.PCG64(3))
        np.testing.assert_array_equal(draws_of(SMALL), generator.integers(0, 7, size=(50, 7)))

    @pytest.mark.parametrize("block", [1, 3 * 7 * 8, 1 << 20])
    def test_a_plan_does_not_depend_on_the_memory_of_a_block(
        self, block: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = draws_of(SMALL)
        monkeypatch.setattr(bootstrap, "BLOCK_BYTES", block)
        np.testing.assert_array_equal(draws_of(SMALL), whole)

    def test_another_seed_gives_another_sample(self) -> None:
        assert (draws_of(SMALL) != draws_of(ResamplingPlan(7, 50, seed=4))).any()


class TestMeans:
    @given(COLUMNS)
    def test_resampled_means_are_those_of_the_drawn_defined_items(
        self, columns: FloatArray
    ) -> None:
        expected = np.full((50, 3), np.nan)
        for i, drawn in enumerate(draws_of(SMALL)):
            for j in range(3):
                values = columns[drawn, j]
                values = values[np.isfinite(values)]
                if len(values):
                    expected[i, j] = values.mean()
        found = resampled_means(columns, SMALL)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)

    def test_columns_are_independent(self) -> None:
        columns = np.random.default_rng(0).random((7, 3))
        columns[2, 1] = np.nan
        alone = [resampled_means(columns[:, [j]], SMALL)[:, 0] for j in range(3)]
        np.testing.assert_allclose(resampled_means(columns, SMALL), np.column_stack(alone))

    def test_the_check_is_called_for_every_block_and_can_cancel(self) -> None:
        heard: list[int] = []
        resampled_means(np.ones((7, 1)), SMALL, heard.append)
        assert heard == [50]

        def stop(done: int) -> None:
            raise InterruptedError

        with pytest.raises(InterruptedError):
            resampled_means(np.ones((7, 1)), SMALL, stop)


class TestValues:
    def test_a_combination_gets_the_drawn_rows(self) -> None:
        rows = np.random.default_rng(0).random((7, 2))
        ratio = [float(rows[d, 0].sum() / rows[d, 1].sum()) for d in draws_of(SMALL)]
        found = resampled_values(
            [(rows, lambda drawn: float(drawn[:, 0].sum() / drawn[:, 1].sum()))], SMALL
        )
        assert found[:, 0].tolist() == ratio

    def test_a_mean_as_a_combination_equals_the_mean(self) -> None:
        rows = np.random.default_rng(0).random((7, 1))
        found = resampled_values([(rows, lambda drawn: float(drawn.mean()))], SMALL)
        np.testing.assert_allclose(found, resampled_means(rows, SMALL), rtol=1e-14)

    @pytest.mark.parametrize("codes", [None, np.array([0, 2, 1, 2, 0, 2, 2])])
    def test_sums_of_counts_give_the_numbers_of_the_rows(self, codes) -> None:
        rows = np.random.default_rng(0).integers(0, 9, (7, 6)).astype(np.float64)
        weights = profile("coco").weights
        matches = np.random.default_rng(1).integers(0, 4, (7, 23)).astype(np.float64)
        perfect = np.zeros(23)
        perfect[[0, 1, 4, 5, 20, 21, 22]] = 1
        matches[2] = perfect
        plan = ResamplingPlan(7 if codes is None else 3, 50)
        summed = [(rows, corpus_bleu_of(n)) for n in (1, 4)] + [(matches, corpus_meteor(weights))]
        by_rows = [
            (rows, lambda drawn: corpus_bleu(drawn)[0]),
            (rows, lambda drawn: corpus_bleu(drawn)[3]),
            (matches, lambda drawn: corpus_score(drawn, weights)),
        ]
        heard: list[int] = []
        found = resampled_values(summed, plan, heard.append, codes)
        assert found.tolist() == resampled_values(by_rows, plan, codes=codes).tolist()
        assert heard[-1] == 50

    def test_sums_that_depend_on_their_order_are_summed_in_the_order_of_the_items(self) -> None:
        rows = np.random.default_rng(0).random((7, 6))
        found = resampled_values([(rows, corpus_bleu_of(1))], SMALL)
        wanted = resampled_values([(rows, lambda drawn: corpus_bleu(drawn)[0])], SMALL)
        assert found.tolist() == wanted.tolist()


class TestIntervals:
    def test_two_items_give_the_interval_counted_by_hand(self) -> None:
        # Means of two draws from {0, 1} are 0, 1/2, 1 with chances 1/4, 1/2, 1/4.
        means = resampled_means(np.array([[0.0], [1.0]]), ResamplingPlan(2))
        assert np.bincount((2 * means[:, 0]).astype(int)) / 1000 == pytest.approx(
            [0.25, 0.5, 0.25], abs=0.05
        )
        found = percentile_interval(means[:, 0])
        assert found == Interval(0.0, 1.0, 0.95, "percentile bootstrap, 1000 resamples")

    def test_equal_items_give_an_interval_of_one_point(self) -> None:
        found = percentile_interval(resampled_means(np.full((9, 1), 0.5), ResamplingPlan(9))[:, 0])
        assert found is not None
        assert (found.low, found.high) == (0.5, 0.5)

    def test_percentiles_are_interpolated_linearly(self) -> None:
        found = percentile_interval(np.arange(1001.0))
        assert found is not None
        assert (found.low, found.high) == pytest.approx((25.0, 975.0), rel=1e-14)

    def test_undefined_resamples_are_ignored(self) -> None:
        found = percentile_interval(np.array([np.nan, *np.arange(1001.0)]))
        assert found is not None
        assert (found.low, found.high) == pytest.approx((25.0, 975.0), rel=1e-14)

    @given(
        st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=60).map(sorted),
        st.sampled_from([0.0, 2.5, 50 * (1 - 0.95), 100 - 50 * (1 - 0.95), 97.5, 100.0])
        | st.floats(0, 100),
    )
    def test_percentiles_equal_numpy_s_exactly(self, values: list[float], percent: float) -> None:
        ordered = np.array(values)
        assert percentile(ordered, percent) == float(np.percentile(ordered, percent))

    def test_undefined_values_have_no_interval(self) -> None:
        assert percentile_interval(np.full(10, np.nan)) is None

    @pytest.mark.parametrize("items", [20, 320])
    def test_the_interval_agrees_with_scipy_s_percentile_bootstrap(self, items: int) -> None:
        # scipy.stats.bootstrap(method="percentile") with so many resamples that its own noise is
        # small; ours differs by the noise of 1,000 resamples, about 0.09 standard errors a limit.
        values = np.random.default_rng(5).beta(2, 5, items)
        theirs = scipy.stats.bootstrap(
            (values,), np.mean, n_resamples=20_000, method="percentile", rng=1
        ).confidence_interval
        standard_error = values.std() / np.sqrt(items)
        limits = [
            (found.low, found.high)
            for seed in range(10)
            if (
                found := percentile_interval(
                    resampled_means(values[:, None], ResamplingPlan(items, seed=seed))[:, 0]
                )
            )
        ]
        mean = np.mean(limits, axis=0)
        assert mean == pytest.approx((theirs.low, theirs.high), abs=0.15 * standard_error)
        assert np.abs(np.subtract(limits, mean)).max() < 0.4 * standard_error

    def test_the_coverage_is_close_to_the_level(self) -> None:
        samples = np.random.default_rng(6).normal(0.3, 0.1, (60, 300))
        means = resampled_means(samples, ResamplingPlan(60))
        found = [percentile_interval(means[:, i]) for i in range(300)]
        held = sum(one is not None and one.low <= 0.3 <= one.high for one in found)
        assert 0.90 <= held / 300 <= 0.98
