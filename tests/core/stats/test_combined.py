from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from core.model import FloatArray
from core.stats.combined import normal_p, randomised, resampled_spread
from core.stats.paired import sacrebleu_bootstrap_p
from core.stats.swaps import Swaps

WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"]


def corpus(seed: int, noise: float, sentences: int = 30) -> tuple[list[str], list[str]]:
    """References, and hypotheses with some of their words changed."""
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
    """References, two systems' sentences, and their rows of statistics."""
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


def test_randomisation_equals_sacrebleus_with_the_same_tosses(significance, bleu, outputs):
    rows: list[FloatArray] = outputs[2]
    kept = np.random.default_rng(12345).integers(2, size=(300, len(rows[0])), dtype=bool)
    ours = randomised(
        *rows, lambda drawn: bleu._compute_score_from_stats(drawn.sum(axis=0)).score, [~kept]
    )
    assert ours == theirs(significance, bleu, outputs, "ar", 300)


def test_the_bootstrap_equals_sacrebleus_with_the_same_draws(significance, bleu, outputs):
    rows: list[FloatArray] = outputs[2]
    draws = np.random.default_rng(12345).choice(len(rows[0]), size=(300, len(rows[0])))
    scores = np.array(
        [[bleu._compute_score_from_stats(r[d].sum(axis=0)).score for r in rows] for d in draws]
    )
    found = [bleu._compute_score_from_stats(r.sum(axis=0)).score for r in rows]
    ours = sacrebleu_bootstrap_p(scores[:, 0] - scores[:, 1], found[0] - found[1])
    assert ours == theirs(significance, bleu, outputs, "bs", 300)


def test_for_means_randomisation_is_that_of_means():
    from core.stats.paired import randomisation

    values = np.random.default_rng(4).normal(size=(20, 2))
    plan = Swaps(20, 400)
    found = randomised(values[:, :1], values[:, 1:], lambda rows: float(rows.mean()), plan.tosses())
    assert found == randomisation(values, [(0, 1)], plan)[0]


def test_the_normal_p_value_is_that_of_the_difference_over_its_error():
    resampled = np.random.default_rng(5).normal(size=(500, 2))
    found = resampled_spread(np.array([1.0, 3.0]), resampled, [(0, 1)])
    error = np.std(resampled[:, 0] - resampled[:, 1], ddof=1)
    assert normal_p(found)[0] == pytest.approx(2 * scipy.stats.norm.sf(2 / error))


def test_equal_numbers_are_not_told_apart():
    resampled = np.repeat(np.arange(5.0)[:, np.newaxis], 2, axis=1)
    assert normal_p(resampled_spread(np.ones(2), resampled, [(0, 1)]))[0] == 1.0
