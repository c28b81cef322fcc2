"""CIDEr-D, which COCO's evaluation and every paper since call CIDEr.

Source: Vedantam, Zitnick and Parikh, CIDEr (CVPR 2015); cider_scorer.py of coco-caption. It
differs from `core.metrics.cider`: weights are clipped to the reference's, unequal lengths are
punished, and the mean is times ten.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.metrics.caption_overlap import Overlap, overlap
from core.model import FloatArray

SIGMA = 6.0  # cider_scorer.py
FACTOR = 10.0


def cider_d(
    candidates: Sequence[str], references: Sequence[Sequence[str]], *, by_words: bool = False
) -> FloatArray:
    """Return CIDEr-D (n,) of candidates against their references; white space parts words.

    Document frequencies are those of these references. `by_words` measures length in words; the
    original does in bigrams, so that no word and one are equally long.
    """
    return cider_d_from(overlap(candidates, references), by_words=by_words)


def cider_d_from(shared: Overlap, *, by_words: bool = False) -> FloatArray:
    """Return CIDEr-D (n,) from what captions share with their references."""
    images = len(shared.words)
    sums = np.bincount(shared.owner, reference_scores(shared, by_words=by_words), images)
    counts = np.bincount(shared.owner, minlength=images)
    return np.asarray(sums / counts)


def reference_scores(shared: Overlap, *, by_words: bool = False) -> FloatArray:
    """Return CIDEr-D (m,) against each single reference; a caption's score is their mean."""
    norms = shared.norms[shared.owner] * shared.reference_norms
    cosines = np.divide(shared.dots, norms, out=shared.dots.copy(), where=norms > 0)
    words, reference_words = shared.words[shared.owner], shared.reference_words
    if not by_words:
        words, reference_words = np.maximum(words - 1, 0), np.maximum(reference_words - 1, 0)
    apart = (words - reference_words).astype(np.float64)
    penalty = np.exp(-(apart**2) / (2 * SIGMA**2))
    return np.asarray(cosines.mean(axis=1) * penalty * FACTOR)
