"""Terms of one image's score in each metric, for the inspector."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.metrics.captioning.bleu import SMALL, TINY
from jurydesk.core.metrics.meteor import LanguageDataMissing, align
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence
from jurydesk.core.tasks.captions.captions_metrics import METEOR_PROFILE

Places = Mapping[int, tuple[int, ...]]
"""Word positions by text: -1 is the caption, references count from 0."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a score: title, formula, value, and its words.

    The words are all occurrences of the n-gram `gram`, or those at `places`.
    """

    title: str
    working: str
    value: float
    gram: str = ""
    places: Places | None = None


def terms(
    metric: str, evidence: CaptionEvidence, values: Mapping[str, float], limit: int
) -> tuple[Term, ...]:
    """Return at most `limit` terms of an image's score.

    Args:
        metric: Metric id.
        evidence: Evidence for the image.
        values: Numbers of the image by item column.
        limit: Maximum number of terms.
    """
    if metric.startswith("bleu_"):
        found = _bleu_terms(int(metric.removeprefix("bleu_")), evidence, values)
    elif metric == "meteor":
        found = _meteor_terms(evidence)
    elif metric == "rouge_l":
        found = _rouge_terms(evidence)
    elif metric == "cider":
        found = _cider_terms(evidence, limit)
    else:
        return ()
    return tuple(islice(found, limit))


def _cider_terms(evidence: CaptionEvidence, limit: int) -> Iterator[Term]:
    for ngram in evidence.top_ngrams(limit):
        formula = fill("{images:,} of {images2:,} images", ngram.images, evidence.images)
        yield Term(ngram.text, formula, ngram.share, ngram.text)


def _bleu_terms(
    longest: int, evidence: CaptionEvidence, values: Mapping[str, float]
) -> Iterator[Term]:
    words = int(values.get("words", math.nan))
    for n in range(1, longest + 1):
        matches, total = int(values[f"match_{n}"]), max(words - n + 1, 0)
        precision = (matches + TINY) / (total + SMALL)
        yield Term(
            fill("{n}-grams", n), fill("{matches} of {total} matched", matches, total), precision
        )
    ratio = (words + TINY) / (values["reference_words"] + SMALL)
    penalty = 1.0 if ratio >= 1 else math.exp(1 - 1 / ratio)
    lengths = fill(
        "{words} words, reference {value} has {values:.0f}",
        words,
        evidence.bleu + 1,
        values["reference_words"],
    )
    yield Term("Length", lengths, penalty)
    reference_counts = [_count_ngrams(one.words.split(), longest) for one in evidence.references]
    for gram, count in _count_ngrams(evidence.words.split(), longest).items():
        matches = min(count, max(counts[gram] for counts in reference_counts))
        if matches:
            numbers = (str(i) for i, counts in enumerate(reference_counts, 1) if counts[gram])
            yield Term(gram, fill("in {numbers}", ", ".join(numbers)), float(matches), gram)


def _count_ngrams(words: Sequence[str], n: int) -> Counter[str]:
    return Counter(" ".join(words[i : i + n]) for i in range(len(words) - n + 1))


def _rouge_terms(evidence: CaptionEvidence) -> Iterator[Term]:
    caption = evidence.words.split(" ")
    for name, index in (
        ("Precision", evidence.rouge_precision),
        ("Recall", evidence.rouge_recall),
    ):
        reference = evidence.references[index].words.split(" ")
        pairs = _common_subsequence(caption, reference)
        length = len(caption if name == "Precision" else reference)
        working = fill(
            "{pairs} of {length} words, reference {value}", len(pairs), length, index + 1
        )
        places = {-1: tuple(i for i, _ in pairs), index: tuple(j for _, j in pairs)}
        yield Term(name, working, len(pairs) / length, places=places)
        if name == "Precision" or evidence.rouge_recall != evidence.rouge_precision:
            title = " ".join(caption[i] for i, _ in pairs)
            yield Term(
                title,
                fill("in the same order in {value}", index + 1),
                float(len(pairs)),
                places=places,
            )


def _common_subsequence(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Return the positions of a longest common subsequence in both texts."""
    from rapidfuzz.distance import LCSseq

    return [
        (block.src_start + step, block.dest_start + step)
        for block in LCSseq.opcodes(one, other)
        if block.tag == "equal"
        for step in range(block.src_end - block.src_start)
    ]


def _meteor_terms(evidence: CaptionEvidence) -> Iterator[Term]:
    best = evidence.references[evidence.meteor].words
    try:
        alignment = align(evidence.words, best, METEOR_PROFILE)
    except LanguageDataMissing:  # the desk was scored on another machine
        return
    yield Term("Precision", translatable("of the caption"), alignment.precision)
    yield Term("Recall", fill("of reference {value}", evidence.meteor + 1), alignment.recall)
    yield Term("Penalty", counted(alignment.chunks, "chunk"), alignment.penalty)
    same_words = (list(alignment.hypothesis), list(alignment.reference)) == (
        evidence.words.split(),
        best.split(),
    )
    for match in alignment.matches:
        caption_span = range(match.match_start, match.match_start + match.match_length)
        reference_span = range(match.start, match.start + match.length)
        caption = " ".join(alignment.hypothesis[i] for i in caption_span)
        reference = " ".join(alignment.reference[i] for i in reference_span)
        title = caption if caption == reference else f"{caption} = {reference}"
        places = {-1: tuple(caption_span), evidence.meteor: tuple(reference_span)}
        module = alignment.modules[match.module]
        weight = alignment.weights[match.module]
        yield Term(title, module, weight, places=places if same_words else None)
