"""Terms of one image's score in each metric, as the inspector lists them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jurydesk.core.metrics.captioning.bleu import SMALL, TINY
from jurydesk.core.metrics.meteor import LanguageDataMissing, align
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment, AlignmentMatch
from jurydesk.core.model.defects import counted
from jurydesk.core.tasks.captions.captions_evidence import CaptionEvidence
from jurydesk.core.tasks.captions.captions_metrics import METEOR_PROFILE

Places = Mapping[int, tuple[int, ...]]
"""Words by the text they are in: -1 is the caption, references count from 0."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a score: title, formula, value, and the words it covers.

    `gram` is an n-gram, wherever it stands; `places` are single words.
    """

    title: str
    working: str
    value: float
    gram: str = ""
    places: Places | None = None


def terms(
    metric: str, evidence: CaptionEvidence, values: Mapping[str, float], most: int
) -> tuple[Term, ...]:
    """Return what makes a metric's number, at most so many terms; none for SPICE.

    `values` are the numbers of the image by the names of the items' columns.
    """
    if metric.startswith("bleu_"):
        found = _bleu_terms(int(metric.removeprefix("bleu_")), evidence, values)
    elif metric == "meteor":
        found = _meteor_terms(evidence)
    elif metric == "rouge_l":
        found = _rouge_terms(evidence)
    elif metric == "cider":
        found = _cider_terms(evidence, most)
    else:
        return ()
    return tuple(term for term, _ in zip(found, range(most), strict=False))


def _cider_terms(evidence: CaptionEvidence, most: int) -> Iterator[Term]:
    for one in evidence.strongest(most):
        yield Term(one.text, f"{one.images:,} of {evidence.images:,} images", one.share, one.text)


def _bleu_terms(
    longest: int, evidence: CaptionEvidence, values: Mapping[str, float]
) -> Iterator[Term]:
    words = int(values.get("words", math.nan))
    for n in range(1, longest + 1):
        matched, guessed = int(values[f"match_{n}"]), max(words - n + 1, 0)
        precision = (matched + TINY) / (guessed + SMALL)
        yield Term(f"{n}-grams", f"{matched} of {guessed} matched", precision)
    ratio = (words + TINY) / (values["reference_words"] + SMALL)
    penalty = 1.0 if ratio >= 1 else math.exp(1 - 1 / ratio)
    lengths = f"{words} words, reference {evidence.bleu + 1} has {values['reference_words']:.0f}"
    yield Term("Length", lengths, penalty)
    human = [count_ngrams(one.words.split(), longest) for one in evidence.references]
    for gram, times in count_ngrams(evidence.words.split(), longest).items():
        matched = min(times, max(counts[gram] for counts in human))
        if matched:
            holders = ", ".join(str(n) for n, counts in enumerate(human, 1) if counts[gram])
            yield Term(gram, f"in {holders}", float(matched), gram)


def count_ngrams(words: Sequence[str], n: int) -> Counter[str]:
    """Count the n-grams of a text, their words joined by blanks."""
    return Counter(" ".join(words[i : i + n]) for i in range(len(words) - n + 1))


def _rouge_terms(evidence: CaptionEvidence) -> Iterator[Term]:
    own = evidence.words.split(" ")
    for name, which in (
        ("Precision", evidence.rouge_precision),
        ("Recall", evidence.rouge_recall),
    ):
        there = evidence.references[which].words.split(" ")
        pairs = common_subsequence(own, there)
        length = len(own if name == "Precision" else there)
        working = f"{len(pairs)} of {length} words, reference {which + 1}"
        places = {-1: tuple(one for one, _ in pairs), which: tuple(two for _, two in pairs)}
        yield Term(name, working, len(pairs) / length, places=places)
        if name == "Precision" or evidence.rouge_recall != evidence.rouge_precision:
            said = " ".join(own[one] for one, _ in pairs)
            yield Term(said, f"in the same order in {which + 1}", float(len(pairs)), places=places)


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence, in both texts."""
    from rapidfuzz.distance import LCSseq

    blocks = LCSseq.opcodes(one, other)
    return [
        (block.src_start + step, block.dest_start + step)
        for block in blocks
        if block.tag == "equal"
        for step in range(block.src_end - block.src_start)
    ]


def _meteor_terms(evidence: CaptionEvidence) -> Iterator[Term]:
    best = evidence.references[evidence.meteor].words
    try:
        found = align(evidence.words, best, METEOR_PROFILE)
    except LanguageDataMissing:  # scored on another machine
        return
    reference = f"reference {evidence.meteor + 1}"
    yield Term("Precision", "of the caption", found.precision)
    yield Term("Recall", f"of {reference}", found.recall)
    yield Term("Penalty", counted(found.chunks, "chunk"), found.penalty)
    same = (
        list(found.hypothesis) == evidence.words.split() and list(found.reference) == best.split()
    )
    for match in found.matches:
        own, there = _match_term(found, match)
        title = own if own == there else f"{own} = {there}"
        places = _places(match, evidence.meteor) if same else None
        module = found.modules[match.module]
        yield Term(title, module, found.weights[match.module], places=places)


def _match_term(found: Alignment, match: AlignmentMatch) -> tuple[str, str]:
    there = slice(match.start, match.start + match.length)
    own = slice(match.match_start, match.match_start + match.match_length)
    return " ".join(found.hypothesis[own]), " ".join(found.reference[there])


def _places(match: AlignmentMatch, reference: int) -> Places:
    return {
        -1: tuple(range(match.match_start, match.match_start + match.match_length)),
        reference: tuple(range(match.start, match.start + match.length)),
    }
