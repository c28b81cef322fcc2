"""Overlap of words and n-grams between captions and references, for BLEU and CIDEr-D."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from jurydesk.core.metrics.captioning.ngrams import MAX_N, ngram_occurrences, run_starts
from jurydesk.core.metrics.elementary import by_value
from jurydesk.core.model.evaluation import FloatArray, IntArray

Check = Callable[[], object]


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceOverlap:
    """Overlap of n candidates (one per image) with their m references.

    Attributes:
        owner: Candidate (m,) of each reference, ascending.
        words: Number of words (n,) of the candidates.
        reference_words: Number of words (m,) of the references.
        matches: BLEU's clipped matches (n, 4), for n-grams of 1 to 4 words.
        dots: CIDEr-D's clipped dot products (m, 4) of tf-idf weights.
        norms: Norms (n, 4) of the candidates' tf-idf weights.
        reference_norms: Norms (m, 4) of the references' tf-idf weights.
        frequencies: For each length, the document frequency of every n-gram occurrence in the
            candidates, in order.
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
    documents: tuple[Mapping[str, int], int] | None = None,
) -> ReferenceOverlap:
    """Count the overlap of candidates and references; words are separated by white space.

    `documents` are the document frequencies by n-gram and the number of documents, without which
    they are those of the references. `check` may raise to stop.
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
        # A stable sort is faster on nearly sorted data, as sentences and images are.
        ordered = np.sort(grams.sentence * width + grams.number, kind="stable")
        places = np.flatnonzero(run_starts(ordered))
        key, count = ordered[places], np.diff(places, append=len(ordered))
        del ordered, places
        sentence, number = np.divmod(key, width)
        first = int(np.searchsorted(sentence, images))
        inside = image[sentence[first:]] * width + number[first:]
        once = np.sort(inside, kind="stable")
        once = once[run_starts(once)]
        if documents is None:
            held, total_documents = np.bincount(once % width, minlength=width), max(images, 1)
        else:
            counts, total_documents = documents
            held = np.array([counts.get(text, 0) for text in grams.spelled()], np.int64)
        rarity = math.log(total_documents) - by_value(math.log, np.maximum(1, held))
        weight = count * rarity[number]
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
        frequencies.append(held[grams.number[grams.sentence < images]])
        # Free memory for the tables of the next length.
        del grams, key, count, sentence, number, inside, once, rarity, weight, place, shared, theirs
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
