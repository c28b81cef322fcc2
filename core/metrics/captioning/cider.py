"""CIDEr and CIDEr-D of short texts against sets of references, for n-grams of 1 to 4 words.

CIDEr is without clipping, length penalty and the factor ten. Words are separated by white space,
and case counts. Source: Vedantam, Zitnick and Parikh, CIDEr (CVPR 2015).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import fill
from jurydesk.core.metrics.captioning.caption_overlap import ReferenceOverlap, count_overlap
from jurydesk.core.metrics.captioning.ngrams import (
    MAX_N,
    RaggedArray,
    make_ragged,
    ngram_occurrences,
)
from jurydesk.core.metrics.elementary import by_value
from jurydesk.core.model.evaluation import FloatArray, IntArray, Json

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MOST_SETS = 2**53
SHOWN = 40
"""Number of characters of an invalid value in a message."""


@dataclass(frozen=True, slots=True)
class DocumentFrequencies:
    """Number of the `sets` reference sets that contain each n-gram (words joined by a blank)."""

    sets: int
    counts: Mapping[str, int]

    def to_json(self) -> str:
        """Return the frequencies as JSON, for `from_value`."""
        return json.dumps({"sets": self.sets, "counts": dict(self.counts)}, ensure_ascii=False)

    @classmethod
    def from_value(cls, data: Json) -> DocumentFrequencies:
        """Return the frequencies of `to_json`; ValueError, with a sentence, for other values."""
        counts = data.get("counts") if isinstance(data, dict) else None
        if not isinstance(counts, dict):
            raise ValueError("These are not document frequencies.")
        sets = data.get("sets")
        if type(sets) is not int or not 0 < sets <= MOST_SETS:
            raise ValueError(
                fill('"sets" is {sets}, not the number of reference sets.', str(sets)[:SHOWN])
            )
        for gram, count in counts.items():
            if type(count) is not int or not 0 <= count <= sets:
                found = fill(
                    '"{gram}" is in {count} of {sets:,} sets.',
                    gram[:SHOWN],
                    str(count)[:SHOWN],
                    sets,
                )
                raise ValueError(found)
        return cls(sets, counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Grams:
    """n-grams of one length: their sparse counts (sentences, n-grams), and their texts in order."""

    times: csr_array
    spelled: Callable[[], Sequence[str]]


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """CIDEr-1 to CIDEr-4 (pairs, 4) of hypotheses against single references.

    `owner` (pairs,) is the hypothesis, ascending; its pairs are in the order of its set.
    """

    owner: IntArray
    scores: FloatArray

    def means(self, hypotheses: int) -> FloatArray:
        """Return the mean (hypotheses, 4) over the references; NaN for an empty set."""
        counts = np.bincount(self.owner, minlength=hypotheses)
        sums = [np.bincount(self.owner, column, hypotheses) for column in self.scores.T]
        with np.errstate(invalid="ignore"):
            return np.asarray((np.array(sums) / counts).T)


def cider_pair_scores(
    hypotheses: Sequence[str],
    references: Sequence[int],
    sets: Sequence[Sequence[str]],
    frequencies: DocumentFrequencies | None = None,
) -> PairScores:
    """Compute CIDEr of every hypothesis against each member of its set of references.

    `references` (n,) is the index of each hypothesis's set in `sets`. Document frequencies are
    those of `sets` unless given. CIDEr-k is the mean over n-grams of 1 to k words.
    """
    texts = dict.fromkeys(chain(hypotheses, chain.from_iterable(sets)))
    numbers = {text: number for number, text in enumerate(texts)}
    members = make_ragged(sets, numbers)
    pairs = _hypothesis_pairs([numbers[text] for text in hypotheses], references, members)
    scores = np.empty((len(pairs.owner), MAX_N))
    for n, grams in enumerate(_grams_of([text.split() for text in texts])):
        weights = _weights(grams.times, *_idf(grams, members, frequencies))
        scores[:, n] = _cosines(weights, pairs.one, pairs.other)
    means = np.cumsum(scores, axis=1) / np.arange(1, MAX_N + 1)
    return PairScores(pairs.owner, means)


def document_frequencies(sets: Sequence[Sequence[str]]) -> DocumentFrequencies:
    """Return the document frequencies of all n-grams of the reference sets."""
    texts = dict.fromkeys(chain.from_iterable(sets))
    numbers = {text: number for number, text in enumerate(texts)}
    members = make_ragged(sets, numbers)
    counts: dict[str, int] = {}
    for grams in _grams_of([text.split() for text in texts]):
        counts |= zip(grams.spelled(), _document_counts(grams, members).tolist(), strict=True)
    return DocumentFrequencies(len(sets), counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs of the sentences `one` and `other` for the hypothesis `owner`, (pairs,) each."""

    owner: IntArray
    one: IntArray
    other: IntArray


def _hypothesis_pairs(
    hypotheses: Sequence[int], references: Sequence[int], members: RaggedArray
) -> _Pairs:
    chosen = np.array(references, np.int64)
    owner, row = _expand_ranges(members.starts[chosen], members.starts[chosen + 1])
    return _Pairs(owner, np.array(hypotheses, np.int64)[owner], members.values[row])


def _expand_ranges(starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """Return the range index and the row of every element of concatenated ranges."""
    lengths = ends - starts
    owner = np.repeat(np.arange(len(starts)), lengths)
    first = np.concatenate([[0], np.cumsum(lengths)])[owner]
    return owner, starts[owner] + np.arange(len(owner)) - first


def _grams_of(sentences: Sequence[Sequence[str]]) -> Iterator[_Grams]:
    from scipy.sparse import coo_array

    for found in ngram_occurrences(sentences):
        places = (found.sentence, found.number)
        shape = (len(sentences), found.width)
        times = coo_array((np.ones(len(found.number)), places), shape)
        yield _Grams(times.tocsr(), found.spelled)


def _document_counts(grams: _Grams, members: RaggedArray) -> IntArray:
    """Return the number of sets (n-grams,) that contain each n-gram."""
    from scipy.sparse import csr_array

    sentences, width = grams.times.shape
    shape = (len(members.starts) - 1, sentences)
    belongs = csr_array((np.ones(len(members.values)), members.values, members.starts), shape)
    return np.bincount((belongs @ grams.times).indices, minlength=width)


def _idf(
    grams: _Grams, members: RaggedArray, frequencies: DocumentFrequencies | None
) -> tuple[IntArray, int]:
    if frequencies is None:
        return _document_counts(grams, members), len(members.starts) - 1
    counts = frequencies.counts
    return np.array([counts.get(text, 0) for text in grams.spelled()], np.int64), frequencies.sets


def _weights(times: csr_array, counts: IntArray, sets: int) -> csr_array:
    rarity = (math.log(sets) if sets else 0.0) - by_value(math.log, np.maximum(1, counts))
    weights = times.copy()
    weights.data *= rarity[times.indices]
    return weights


def _cosines(weights: csr_array, one: IntArray, other: IntArray) -> FloatArray:
    """Return the cosine (pairs,) of two sentences' weights; 0 for a sentence without weight."""
    norms = np.sqrt((weights * weights).sum(axis=1))
    dots = (weights[one] * weights[other]).sum(axis=1)
    lengths = norms[one] * norms[other]
    cosines: FloatArray = np.divide(dots, lengths, out=dots, where=lengths > 0)
    return cosines


SIGMA = 6.0  # cider_scorer.py
FACTOR = 10.0


def cider_d(
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    by_words: bool = False,
    frequencies: DocumentFrequencies | None = None,
) -> FloatArray:
    """Return CIDEr-D (n,) of candidates; words are separated by white space.

    Document frequencies are those of the references unless given. `by_words` measures length in
    words; the original measures it in bigrams, so that zero words and one have the same length.
    """
    known = None if frequencies is None else (frequencies.counts, frequencies.sets)
    overlap = count_overlap(candidates, references, documents=known)
    return cider_d_from_overlap(overlap, by_words=by_words)


def cider_d_from_overlap(shared: ReferenceOverlap, *, by_words: bool = False) -> FloatArray:
    """Return CIDEr-D (n,) from the overlap of captions with their references."""
    images = len(shared.words)
    sums = np.bincount(shared.owner, cider_d_by_reference(shared, by_words=by_words), images)
    counts = np.bincount(shared.owner, minlength=images)
    return np.asarray(sums / counts)


def cider_d_by_reference(shared: ReferenceOverlap, *, by_words: bool = False) -> FloatArray:
    """Return CIDEr-D (m,) against each reference; a caption's score is the mean over its own."""
    norms = shared.norms[shared.owner] * shared.reference_norms
    cosines = np.divide(shared.dots, norms, out=shared.dots.copy(), where=norms > 0)
    words, reference_words = shared.words[shared.owner], shared.reference_words
    if not by_words:
        words, reference_words = np.maximum(words - 1, 0), np.maximum(reference_words - 1, 0)
    difference = (words - reference_words).astype(np.float64)
    penalty = by_value(math.exp, -(difference**2) / (2 * SIGMA**2))
    return np.asarray(cosines.mean(axis=1) * penalty * FACTOR)
