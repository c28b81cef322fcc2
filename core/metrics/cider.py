"""CIDEr of short texts against sets of references, for n-grams of one to four words.

The plain form: no clipping, no length penalty, not times ten. Words are what white space
separates, as they are written. Source: Vedantam, Zitnick and Parikh, CIDEr (CVPR 2015).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.model import FloatArray, IntArray

LONGEST = 4
"""Words of the longest n-grams."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many of `sets` reference sets each n-gram stands; its words are joined by a blank."""

    sets: int
    counts: Mapping[str, int]

    def to_json(self) -> str:
        """The frequencies as text; `from_json` reads it back."""
        return json.dumps({"sets": self.sets, "counts": dict(self.counts)}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Frequencies:
        """The frequencies that `to_json` wrote. Raises ValueError for anything else."""
        data = json.loads(text)
        counts = data.get("counts") if isinstance(data, dict) else None
        if not isinstance(counts, dict) or not _is_count(data.get("sets")):
            raise ValueError('an object with "sets" and "counts" is expected')
        if not all(map(_is_count, counts.values())):
            raise ValueError('"counts" must hold whole numbers')
        return cls(data["sets"], counts)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


@dataclass(frozen=True, slots=True, eq=False)
class _Grams:
    """The n-grams of one length in every sentence: one row for each that a sentence holds.

    `owner` is the sentence, `gram` the number of the n-gram, `times` how often it stands there;
    rows are sorted by both. `texts` spells the n-grams (number,).
    """

    owner: IntArray
    gram: IntArray
    times: IntArray
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """CIDEr-1 to CIDEr-4 (pairs, 4) of hypotheses against single references.

    `owner` (pairs,) is the hypothesis; its pairs stand together, in the order of its set.
    """

    owner: IntArray
    scores: FloatArray

    def means(self, hypotheses: int) -> FloatArray:
        """The mean (hypotheses, 4) over the references; NaN against an empty set."""
        counts = np.bincount(self.owner, minlength=hypotheses)
        sums = [np.bincount(self.owner, column, hypotheses) for column in self.scores.T]
        with np.errstate(invalid="ignore"):
            return np.asarray((np.array(sums) / counts).T)


def cider(
    hypotheses: Sequence[str],
    references: Sequence[int],
    sets: Sequence[Sequence[str]],
    frequencies: Frequencies | None = None,
) -> PairScores:
    """CIDEr of every hypothesis against each member of its set of references.

    `references` (n,) names each hypothesis's set in `sets`. Document frequencies are those of
    `sets` unless given. CIDEr-k is the mean of the scores of the first k lengths of n-grams.
    """
    texts = dict.fromkeys([*hypotheses, *(text for one in sets for text in one)])
    numbers = {text: number for number, text in enumerate(texts)}
    members = _ragged([[numbers[text] for text in one] for one in sets])
    pairs = _pairs([numbers[text] for text in hypotheses], references, members)
    scores = np.empty((len(pairs.owner), LONGEST))
    for n, grams in enumerate(_grams_of([text.split() for text in texts])):
        weights = _weights(grams, *_idf(grams, members, frequencies))
        scores[:, n] = _cosines(grams, weights, len(texts), pairs.one, pairs.other)
    means = np.cumsum(scores, axis=1) / np.arange(1, LONGEST + 1)
    return PairScores(pairs.owner, means)


def frequencies_of(sets: Sequence[Sequence[str]]) -> Frequencies:
    """The document frequencies of all n-grams of the reference sets."""
    texts = dict.fromkeys(text for one in sets for text in one)
    numbers = {text: number for number, text in enumerate(texts)}
    members = _ragged([[numbers[text] for text in one] for one in sets])
    counts: dict[str, int] = {}
    for grams in _grams_of([text.split() for text in texts]):
        counts |= zip(grams.texts, _document_counts(grams, members).tolist(), strict=True)
    return Frequencies(len(sets), counts)


@dataclass(frozen=True, slots=True, eq=False)
class _Ragged:
    values: IntArray
    starts: IntArray

    @property
    def owners(self) -> IntArray:
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def _ragged(rows: Sequence[Sequence[int]]) -> _Ragged:
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    return _Ragged(np.array([value for row in rows for value in row], np.int64), starts)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Sentence `one` against sentence `other`, for the hypothesis `owner`; (pairs,) each."""

    owner: IntArray
    one: IntArray
    other: IntArray


def _pairs(hypotheses: Sequence[int], references: Sequence[int], members: _Ragged) -> _Pairs:
    chosen = np.array(references, np.int64)
    owner, row = _expanded(members.starts[chosen], members.starts[chosen + 1])
    return _Pairs(owner, np.array(hypotheses, np.int64)[owner], members.values[row])


def _expanded(starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """The rows of every range, one after the other: which range, and which row."""
    lengths = ends - starts
    owner = np.repeat(np.arange(len(starts)), lengths)
    first = np.concatenate([[0], np.cumsum(lengths)])[owner]
    return owner, starts[owner] + np.arange(len(owner)) - first


def _grams_of(sentences: Sequence[Sequence[str]]) -> Iterator[_Grams]:
    """The n-grams of all sentences, for n = 1 to `LONGEST`."""
    vocabulary: dict[str, int] = {}
    words = _ragged([[vocabulary.setdefault(w, len(vocabulary)) for w in s] for s in sentences])
    spelled = tuple(vocabulary)
    ends, owners = words.starts[1:], words.owners
    position, number, texts = np.arange(len(words.values)), words.values, spelled
    for n in range(1, LONGEST + 1):
        if n > 1:
            fits = position + n - 1 < ends[owners[position]]
            position, before = position[fits], number[fits]
            joined = before * len(spelled) + words.values[position + n - 1]
            distinct, number = np.unique(joined, return_inverse=True)
            head, last = np.divmod(distinct, max(len(spelled), 1))
            texts = tuple(
                f"{texts[h]} {spelled[w]}"
                for h, w in zip(head.tolist(), last.tolist(), strict=True)
            )
        rows = owners[position] * max(len(texts), 1) + number
        held, times = np.unique(rows, return_counts=True)
        owner, gram = np.divmod(held, max(len(texts), 1))
        yield _Grams(owner, gram, times, texts)


def _document_counts(grams: _Grams, members: _Ragged) -> IntArray:
    """In how many sets each n-gram stands."""
    starts = np.searchsorted(grams.owner, np.arange(members.values.max(initial=-1) + 2))
    entry, row = _expanded(starts[members.values], starts[members.values + 1])
    owners = members.owners[entry]
    held = np.sort(owners * max(len(grams.texts), 1) + grams.gram[row])
    held = held[np.diff(held, prepend=-1) > 0]  # np.unique looks them up one by one, and is slow
    return np.bincount(held % max(len(grams.texts), 1), minlength=len(grams.texts))


def _idf(grams: _Grams, members: _Ragged, frequencies: Frequencies | None) -> tuple[IntArray, int]:
    """The document counts of the n-grams, and the number of sets."""
    if frequencies is None:
        return _document_counts(grams, members), len(members.starts) - 1
    counts = frequencies.counts
    return np.array([counts.get(text, 0) for text in grams.texts], np.int64), frequencies.sets


def _weights(grams: _Grams, counts: IntArray, sets: int) -> FloatArray:
    """The tf-idf weight of every row."""
    rarity = (math.log(sets) if sets else 0.0) - np.log(np.maximum(1, counts))
    return np.asarray(grams.times * rarity[grams.gram])


def _cosines(
    grams: _Grams, weights: FloatArray, sentences: int, one: IntArray, other: IntArray
) -> FloatArray:
    """The cosine (pairs,) of two sentences' weights; a sentence without weight gives 0."""
    norms = np.sqrt(np.bincount(grams.owner, weights**2, minlength=sentences))
    starts = np.searchsorted(grams.owner, np.arange(sentences + 1))
    pair, row = _expanded(starts[one], starts[one + 1])
    width = max(len(grams.texts), 1)
    keys = grams.owner * width + grams.gram
    wanted = other[pair] * width + grams.gram[row]
    place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    shared = keys[place] == wanted if len(keys) else np.zeros(0, bool)
    products = weights[row[shared]] * weights[place[shared]]
    dots = np.bincount(pair[shared], products, minlength=len(one)).astype(np.float64)
    lengths = norms[one] * norms[other]
    cosines: FloatArray = np.divide(dots, lengths, out=dots, where=lengths > 0)
    return cosines
