"""Words and n-grams that captions share with their references: the counts of BLEU and CIDEr-D."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from jurydesk.core.metrics.captioning.ngrams import MAX_N, ngram_occurrences, run_starts
from jurydesk.core.model.evaluation import FloatArray, IntArray

Check = Callable[[], object]


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceOverlap:
    """What n candidates share with their m references in all (one candidate an image).

    `owner` (m,) is the candidate of each reference; those of one stand together. `words` (n,)
    and `reference_words` (m,) count words. `matches` (n, 4) are clipped against the maximum over
    the references, as BLEU counts. `dots` (m, 4), `norms` (n, 4) and `reference_norms` (m, 4) are
    CIDEr's: sums over tf-idf weights. `frequencies` are, for each length of n-grams, in how many
    images' references that n-gram stands (occurrences in the candidates, in their order).
    """

    owner: IntArray
    words: IntArray
    reference_words: IntArray
    matches: FloatArray
    dots: FloatArray
    norms: FloatArray
    reference_norms: FloatArray
    frequencies: tuple[IntArray, ...]


def count_overlap(
    candidates: Sequence[str],
    references: Sequence[Sequence[str]],
    check: Check = lambda: None,
) -> ReferenceOverlap:
    """Count what each candidate shares with its references; words are parted by white space.

    `check` may raise to stop.
    """
    images = len(candidates)
    owner = np.repeat(np.arange(images), [len(texts) for texts in references])
    image = np.concatenate([np.arange(images), owner])
    shape = (len(owner), MAX_N)
    total = len(image)
    matches, norms = np.zeros((images, MAX_N)), np.zeros((total, MAX_N))
    dots = np.zeros(shape)
    frequencies = []
    texts = chain(candidates, chain.from_iterable(references))
    for n, grams in enumerate(ngram_occurrences(text.split() for text in texts)):
        check()
        if n == 0:
            lengths = np.bincount(grams.sentence, minlength=total)
        width = max(grams.width, 1)
        # A stable sort gains from what is nearly in order: sentences are, and their images.
        ordered = np.sort(grams.sentence * width + grams.number, kind="stable")
        places = np.flatnonzero(run_starts(ordered))
        key, count = ordered[places], np.diff(places, append=len(ordered))
        del ordered, places
        sentence, number = np.divmod(key, width)
        first = int(np.searchsorted(sentence, images))
        inside = image[sentence[first:]] * width + number[first:]
        once = np.sort(inside, kind="stable")
        once = once[run_starts(once)]
        documents = np.bincount(once % width, minlength=width)
        weight = count * (np.log(max(images, 1)) - np.log(np.maximum(1, documents)))[number]
        norms[:, n] = np.sqrt(np.bincount(sentence, weight * weight, total))
        place = np.searchsorted(key[:first], inside)
        place[place == first] = 0
        shared = key[:first][place] == inside if first else np.zeros(len(inside), bool)
        place = place[shared]
        most = np.zeros(first, np.int64)
        np.maximum.at(most, place, count[first:][shared])
        clipped = np.minimum(most, count[:first])
        matches[:, n] = np.bincount(sentence[:first], clipped, images)
        theirs = weight[first:][shared]
        products = np.minimum(weight[:first][place], theirs) * theirs
        dots[:, n] = np.bincount(sentence[first:][shared] - images, products, len(owner))
        frequencies.append(documents[grams.number[grams.sentence < images]])
        # The next length needs the memory of this one's tables.
        del grams, key, count, sentence, number, inside, once, weight, place, shared, theirs
    return ReferenceOverlap(
        owner,
        lengths[:images],
        lengths[images:],
        matches,
        dots,
        norms[:images],
        norms[images:],
        tuple(frequencies),
    )
