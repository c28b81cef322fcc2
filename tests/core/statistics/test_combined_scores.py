from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.statistics import combined_scores
from jurydesk.core.statistics.bootstrap import ResamplingPlan, count_draws
from jurydesk.core.statistics.combined_scores import (
    are_enough,
    combined_interval,
    degrees_of_freedom,
    resampled_differences_with_errors,
    student_interval,
    student_p,
)
from jurydesk.core.statistics.groups import Groups
from jurydesk.core.statistics.paired_tests import sacrebleu_bootstrap_p

WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"]


def corpus(seed: int, noise: float, sentences: int = 30) -> tuple[list[str], list[str]]:
    """Return references, and hypotheses with some of their words changed."""
    rng = np.random.default_rng(1)
    references = [list(rng.choice(WORDS, 12)) for _ in range(sentences)]
    dice = np.random.default_rng(seed)
    hypotheses = [
        [str(dice.choice(WORDS)) if dice.random() < noise else word for word in line]
        for line in references
    ]
    return [" ".join(line) for line in references], [" ".join(line) for line in hypotheses]


@pytest.fixture(scope="module")
def significance():
    return pytest.importorskip("sacrebleu.significance", reason="sacrebleu is not installed")


@pytest.fixture(scope="module")
def bleu(significance):
    from sacrebleu.metrics import BLEU

    return BLEU()


@pytest.fixture(scope="module")
def outputs(bleu):
    """Return references, two systems' sentences, and their rows of statistics."""
    references, first = corpus(2, 0.3)
    _, second = corpus(3, 0.35)
    rows = [
        np.array(bleu._extract_corpus_statistics(lines, [references])) for lines in (first, second)
    ]
    return references, (first, second), rows


def theirs(significance, bleu, outputs, kind: str, rounds: int) -> float:
    references, (first, second), _ = outputs
    test = significance.PairedTest(
        [("first", first), ("second", second)], {"BLEU": bleu}, [references], kind, rounds
    )
    return float(test()[1]["BLEU"][1].p_value)


def test_the_bootstrap_equals_sacrebleu_s_with_the_same_samples(significance, bleu, outputs):
    rows: list[FloatArray] = outputs[2]
    draws = np.random.default_rng(12345).choice(len(rows[0]), size=(300, len(rows[0])))
    scores = np.array(
        [[bleu._compute_score_from_stats(r[d].sum(axis=0)).score for r in rows] for d in draws]
    )
    found = [bleu._compute_score_from_stats(r.sum(axis=0)).score for r in rows]
    ours = sacrebleu_bootstrap_p(scores[:, 0] - scores[:, 1], found[0] - found[1])
    assert ours == theirs(significance, bleu, outputs, "bs", 300)


def resamples() -> FloatArray:
    return np.random.default_rng(5).normal(size=(500, 2))


def test_the_p_value_is_that_of_student_s_t_of_difference_over_error():
    found = resampled_differences_with_errors(np.array([1.0, 3.0]), resamples(), [(0, 1)], 40)
    error = np.std(resamples()[:, 0] - resamples()[:, 1], ddof=1) * np.sqrt(40 / 39)
    degrees = degrees_of_freedom(40, 500)
    assert degrees == pytest.approx(39 * 499 / (39 + 499))
    assert student_p(found, degrees)[0] == pytest.approx(2 * scipy.stats.t.sf(2 / error, degrees))


def test_for_means_it_is_close_to_the_paired_t_test():
    values = np.random.default_rng(6).normal((0.5, 0.0), size=(12, 2))
    drawn = (
        np.concatenate([count_draws(draws) for draws in ResamplingPlan(12, 20_000).draws()])
        @ values
        / 12
    )
    found = resampled_differences_with_errors(values.mean(axis=0), drawn, [(0, 1)], 12)
    expected = scipy.stats.ttest_rel(values[:, 0], values[:, 1]).pvalue
    assert student_p(found, degrees_of_freedom(12, 20_000))[0] == pytest.approx(expected, rel=0.02)


def test_the_interval_ends_at_zero_where_the_p_value_equals_its_level():
    degrees, error = 30.0, 0.2
    reach = scipy.stats.t.ppf(0.975, degrees) * error
    found = student_interval(reach, error, degrees, "bootstrap t")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.0, 2 * reach))
    assert student_interval(math.nan, error, degrees, "bootstrap t") is None


def test_the_interval_is_student_s_t_about_the_value_less_the_bias_of_its_resamples():
    resampled = np.random.default_rng(1).normal(3.2, 0.1, 400)
    found = combined_interval(3.0, resampled, 20)
    degrees = 1 / (1 / 19 + 1 / 399)
    reach = scipy.stats.t.ppf(0.975, degrees) * resampled.std(ddof=1) * math.sqrt(20 / 19)
    assert found is not None
    middle = 6.0 - resampled.mean()
    assert (found.low, found.high) == pytest.approx((middle - reach, middle + reach))
    assert found.method == "bootstrap t, 400 resamples, no bias"


def test_percentiles_are_those_of_the_resamples_if_asked_for():
    resampled = np.random.default_rng(1).normal(3.2, 0.1, 400)
    found = combined_interval(3.0, resampled, 20, "percentile")
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(resampled, [2.5, 97.5])))


def test_resamples_that_are_often_undefined_give_no_interval():
    resampled = np.linspace(0.0, 1.0, 100)
    resampled[:2] = math.nan
    assert combined_interval(0.5, resampled, 20) is None


@pytest.mark.parametrize(
    ("labels", "is_enough"),
    [(range(20), True), (range(19), False), ([*range(20), *[0] * 20], False)],
)
def test_a_metric_needs_its_number_of_groups_none_too_large(labels, is_enough):
    assert are_enough(Groups.of_labels(labels), 20) == is_enough


def test_equal_scores_do_not_differ_significantly():
    resampled = np.repeat(np.arange(5.0)[:, np.newaxis], 2, axis=1)
    assert (
        student_p(resampled_differences_with_errors(np.ones(2), resampled, [(0, 1)], 9), 8.0)[0]
        == 1.0
    )


def test_with_few_units_every_draw_is_the_t_of_a_paired_test_of_a_normal_sample(monkeypatch):
    monkeypatch.setattr(combined_scores, "DRAWS", 5)
    monkeypatch.setattr(combined_scores, "BLOCK", 2)
    dice, same = (np.random.Generator(np.random.PCG64(7)) for _ in range(2))
    found = combined_scores._simulated_t(np.eye(2), [0], [1], 4, dice)
    samples = same.standard_normal((5, 4, 2))
    expected = scipy.stats.ttest_rel(samples[:, :, 0], samples[:, :, 1], axis=1).statistic
    np.testing.assert_allclose(found[:, 0], np.abs(expected), rtol=1e-10)
    assert dice.random() == same.random()


def test_the_step_down_corrects_a_pair_for_the_pairs_with_smaller_differences_only():
    """The smallest difference is corrected for itself alone; the others are clear."""
    drawn = np.random.default_rng(5).normal(size=(500, 3))
    pairs = [(0, 1), (0, 2), (1, 2)]
    found = resampled_differences_with_errors(np.array([0.5, 0.0, 30.0]), drawn, pairs, 40)
    degrees = degrees_of_freedom(40, 500)
    corrected, steps = combined_scores.stepdown_p(found, drawn, pairs, degrees)
    critical = steps.max()
    assert corrected[0] == pytest.approx(student_p(found, degrees)[0], abs=0.02)
    assert corrected[1:].tolist() == [1 / (combined_scores.DRAWS + 1)] * 2
    reach = scipy.stats.studentized_range.ppf(0.95, 3, degrees) / math.sqrt(2)
    assert critical == pytest.approx(reach, rel=0.05)


def test_a_score_that_no_resample_changes_has_no_interval() -> None:
    assert combined_interval(0.0, np.zeros(200), 40) is None
    assert combined_interval(0.3, np.full(200, 0.3), 40) is None
    assert combined_interval(0.3, np.linspace(0.2, 0.4, 200), 40) is not None
