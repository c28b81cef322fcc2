"""BERTScore from the vectors of word pieces: greedy matching, weights of pieces and rescaling.

Source: Zhang et al., ICLR 2020; bert-score 0.3.13, utils.py.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import FloatArray, UsageError

LAYERS = {
    ("bert", 12): 9,
    ("bert", 24): 18,
    ("roberta", 12): 10,
    ("roberta", 24): 17,
    ("xlm-roberta", 12): 9,
    ("xlm-roberta", 24): 17,
    ("distilbert", 6): 5,
}
"""Layers that bert-score takes of the usual models, by their kind and number of layers."""
ENDS = 2
"""Pieces of a text without words: its first and last token."""

Vectors = npt.NDArray[np.floating]


def piece_weights(
    texts: Iterable[Sequence[int]], special: Collection[int], *, by_frequency: bool
) -> Mapping[int, float]:
    """Return the weight of each word piece in the references; others have that of `unseen`.

    By frequency it is log((n + 1) / (texts with the piece + 1)), else 1, and 0 for `special`.
    """
    if not by_frequency:
        return dict.fromkeys(special, 0.0)
    counted = [set(text) for text in texts]
    frequencies = Counter(piece for text in counted for piece in text)
    return {
        piece: math.log((len(counted) + 1) / (count + 1)) for piece, count in frequencies.items()
    }


def unseen_weight(references: int, *, by_frequency: bool) -> float:
    """Return the weight of a word piece that none of this number of references has."""
    return math.log(references + 1) if by_frequency else 1.0


def greedy_match(
    candidate: Vectors, reference: Vectors, weights: FloatArray, reference_weights: FloatArray
) -> tuple[float, float, float]:
    """Return precision, recall and F1 of a candidate's unit vectors (n, d) with a reference's.

    All are 0 if either has no words, or if all of its weights are 0.
    """
    cosines = candidate @ reference.T
    sides = (cosines.max(axis=1), weights), (cosines.max(axis=0), reference_weights)
    precision, recall = (_weighted(best, weight) for best, weight in sides)
    if ENDS in (len(candidate), len(reference)):
        precision = recall = 0.0
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


def _weighted(values: Vectors, weights: FloatArray) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total else 0.0


def rescale(scores: FloatArray, baseline: FloatArray) -> FloatArray:
    """Return scores (n, 3) moved so that the baseline (3,) of unrelated texts is 0."""
    found: FloatArray = (scores - baseline) / (1 - baseline)
    return found


def read_baseline(path: Path, layer: int) -> FloatArray:
    """Return precision, recall and F1 of a layer in bert-score's file of baselines.

    Raises UsageError for a file without this layer or of another form.
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream))[1:]
        for row in rows:
            if int(row[0]) == layer:
                found = np.array([float(cell) for cell in row[1:4]])
                if len(found) == 3 and (found < 1).all() and np.isfinite(found).all():
                    return found
    except (OSError, ValueError, IndexError, csv.Error) as fault:
        raise UsageError(
            fill("{path}: LAYER,P,R,F lines of numbers are expected.", path)
        ) from fault
    raise UsageError(fill("{path}: there is no valid line for layer {layer}.", path, layer))
