"""METEOR's score from counts, in double precision and in the jar's order of operations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from math import inf, nan

import numpy as np
import numpy.typing as npt

from jurydesk.core.metrics.meteor.alignment.matchers import MatcherSentence, RawMatch
from jurydesk.core.metrics.meteor.config import MeteorParameters
from jurydesk.core.model.evaluation import BoolArray, CombinedSums, FloatArray

NUMBER = 23
CHUNKS, MATCHED_1, MATCHED_2 = 20, 21, 22


def alignment_counts(
    hypothesis: MatcherSentence,
    reference: MatcherSentence,
    matches: Sequence[RawMatch],
    *,
    characters: bool,
) -> list[int]:
    """Return the counts (see `alignment.Counts`) of an alignment with matches sorted by start.

    With `characters`, lengths and matches are sums of the lengths of words; chunks and the two
    totals stay counts of words.
    """
    counts = [0] * NUMBER
    sizes_1, functions_1 = _sizes(hypothesis, characters)
    sizes_2, functions_2 = _sizes(reference, characters)
    counts[0], counts[1] = sum(sizes_1), sum(sizes_2)
    counts[2] = sum(size for size, function in zip(sizes_1, functions_1, strict=True) if function)
    counts[3] = sum(size for size, function in zip(sizes_2, functions_2, strict=True) if function)
    end, match_end = -1, -1
    for start, length, place, size, stage in matches:
        for word in range(place, place + size):
            counts[4 + 4 * stage + 2 * functions_1[word]] += sizes_1[word]
        for word in range(start, start + length):
            counts[5 + 4 * stage + 2 * functions_2[word]] += sizes_2[word]
        counts[CHUNKS] += (start, place) != (end, match_end)
        counts[MATCHED_1] += size
        counts[MATCHED_2] += length
        end, match_end = start + length, place + size
    return counts


def _sizes(line: MatcherSentence, characters: bool) -> tuple[list[int], list[int]]:
    return (line.length if characters else [1] * len(line)), line.function


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """Parts of METEOR's score, each a double as the jar computes it.

    score = max(fmean * (1 - penalty), 0), penalty = gamma * fragmentation ** beta. Undefined
    parts (no words, no match) are NaN, and the score is then 0.
    """

    precision: float
    recall: float
    fmean: float
    fragmentation: float
    penalty: float
    score: float


def score_parts(counts: Sequence[float], weights: MeteorParameters) -> ScoreParts:
    """Return the score of one pair, or of summed counts, with its parts."""
    precision = _divide(_weigh_matches(counts, weights, 0), _length(counts, weights, 0))
    recall = _divide(_weigh_matches(counts, weights, 1), _length(counts, weights, 1))
    fmean = _divide(1.0, _divide(1.0 - weights.alpha, precision) + _divide(weights.alpha, recall))
    if _is_perfect(counts, weights):
        fragmentation = 0.0
    else:
        fragmentation = _divide(counts[CHUNKS], (counts[MATCHED_1] + counts[MATCHED_2]) / 2)
    penalty = weights.gamma * _java_power(fragmentation, weights.beta)
    score = fmean * (1.0 - penalty)
    return ScoreParts(
        precision, recall, fmean, fragmentation, penalty, score if score > 0.0 else 0.0
    )


def _divide(numerator: float, denominator: float) -> float:
    """Divide as IEEE 754 does."""
    if denominator:
        return numerator / denominator
    return numerator * math.copysign(inf, denominator)


def _java_power(base: float, exponent: float) -> float:
    """Return Java's `Math.pow`: NaN for a root of a negative number, infinity on overflow."""
    try:
        return math.pow(base, exponent)
    except ValueError:
        return nan
    except OverflowError:
        return inf


def _java_powers(bases: list[float], exponent: float) -> list[float]:
    try:
        return list(map(math.pow, bases, repeat(exponent)))
    except (ValueError, OverflowError):
        return [_java_power(base, exponent) for base in bases]


def _length(counts: Sequence[float], weights: MeteorParameters, line: int) -> float:
    content, function = counts[line] - counts[2 + line], counts[2 + line]
    return weights.delta * content + (1.0 - weights.delta) * function


def _weigh_matches(counts: Sequence[float], weights: MeteorParameters, line: int) -> float:
    total = 0.0
    for stage, weight in enumerate(weights.stage_weights):
        total += counts[4 + 4 * stage + line] * weight * weights.delta
    for stage, weight in enumerate(weights.stage_weights):
        total += counts[6 + 4 * stage + line] * weight * (1.0 - weights.delta)
    return total


def _is_perfect(counts: Sequence[float], weights: MeteorParameters) -> bool:
    """Return whether every word is matched, in a single chunk."""
    stages = range(len(weights.stage_weights))
    return counts[CHUNKS] == 1 and all(
        sum(counts[4 + 4 * stage + line] + counts[6 + 4 * stage + line] for stage in stages)
        == counts[line]
        for line in (0, 1)
    )


def scores(rows: FloatArray | npt.NDArray[np.int32], weights: MeteorParameters) -> FloatArray:
    """Return the scores (n,) of counts (n, 23), equal to those of `score_parts`."""
    columns = np.ascontiguousarray(rows.T, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = _weigh_columns(columns, weights, 0) / _column_length(columns, weights, 0)
        recall = _weigh_columns(columns, weights, 1) / _column_length(columns, weights, 1)
        fmean = 1.0 / ((1.0 - weights.alpha) / precision + weights.alpha / recall)
        fragmentation = columns[CHUNKS] / ((columns[MATCHED_1] + columns[MATCHED_2]) / 2)
        fragmentation[is_perfect_rows(columns.T, weights)] = 0.0
        # NumPy's own power is not the C library's to the last bit.
        power = _java_powers(fragmentation.tolist(), weights.beta)
        score = fmean * (1.0 - weights.gamma * np.array(power))
    return np.where(score > 0.0, score, 0.0)


def is_perfect_rows(rows: FloatArray, weights: MeteorParameters) -> BoolArray:
    """Return which rows of counts have every word matched, in a single chunk."""
    columns = rows.T
    found: BoolArray = columns[CHUNKS] == 1
    for line in (0, 1):
        matched = sum(
            columns[4 + 4 * stage + line] + columns[6 + 4 * stage + line]
            for stage in range(len(weights.stage_weights))
        )
        found &= matched == columns[line]
    return found


def _column_length(columns: FloatArray, weights: MeteorParameters, line: int) -> FloatArray:
    content, function = columns[line] - columns[2 + line], columns[2 + line]
    length: FloatArray = weights.delta * content + (1.0 - weights.delta) * function
    return length


def _weigh_columns(columns: FloatArray, weights: MeteorParameters, line: int) -> FloatArray:
    total = np.zeros(columns.shape[1])
    for stage, weight in enumerate(weights.stage_weights):
        total += columns[4 + 4 * stage + line] * weight * weights.delta
    for stage, weight in enumerate(weights.stage_weights):
        total += columns[6 + 4 * stage + line] * weight * (1.0 - weights.delta)
    return total


def corpus_counts(rows: FloatArray, weights: MeteorParameters) -> FloatArray:
    """Return the summed counts (23,) of a corpus, without the chunks of perfect segments."""
    with np.errstate(invalid="ignore", over="ignore"):  # a program may send any numbers
        total: FloatArray = rows.sum(axis=0)
        total[CHUNKS] -= rows[is_perfect_rows(rows, weights), CHUNKS].sum()
    return total


def corpus_score(rows: FloatArray, weights: MeteorParameters) -> float:
    """Return the jar's corpus score: that of the summed counts, not the mean of the scores."""
    return score_parts(corpus_counts(rows, weights).tolist(), weights).score


def corpus_meteor(weights: MeteorParameters) -> CombinedSums:
    """Return the corpus score as a combination of counts (items, 23)."""
    return CombinedSums(partial(_summed_counts, weights), partial(_scores_of_sums, weights))


def _summed_counts(weights: MeteorParameters, rows: FloatArray) -> FloatArray:
    found = np.array(rows, np.float64)
    found[is_perfect_rows(rows, weights), CHUNKS] = 0.0
    return found


def _scores_of_sums(weights: MeteorParameters, sums: FloatArray) -> FloatArray:
    return np.array([score_parts(one, weights).score for one in sums.tolist()])
