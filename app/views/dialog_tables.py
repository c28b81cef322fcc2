"""What is said of a question: its answers, its references, and the sentences about them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from app.format import count, counted, number
from app.models.columns import Column, NumberColumn, Paint, TextColumn
from app.plain import shown
from core.model import FloatArray
from core.tasks.visdial.evidence import DialogEvidence
from core.tasks.visdial.metrics import MEASURES, METRICS
from core.tasks.visdial.pairing import BEST

SHOWN_TEXT = 160
SHOWN_WORD = 40
WORDS_TOLD = 10
TITLES = {info.name: info.title for info in METRICS}


def answer_columns(evidence: DialogEvidence) -> tuple[Column, ...]:
    """The answers of the system, each with its measures as they count for the question."""
    answers = evidence.answers
    measures = [name for name in MEASURES if any(name in one.measures for one in answers)]
    columns: list[Column] = [
        NumberColumn("number", "No.", np.arange(len(answers)) + 1, 0, "In the order of the file"),
        TextColumn("text", "Answer", [shown(one.written, SHOWN_TEXT) for one in answers]),
    ]
    if any(one.compared != one.written for one in answers):
        texts = [shown(one.compared, SHOWN_TEXT) for one in answers]
        columns.append(TextColumn("compared", "As compared", texts))
    for name in measures:
        values = [_counting(name, one.measures.get(name, ())) for one in answers]
        tooltip = f"{'Best' if name == BEST else 'Mean'} over the references"
        columns.append(NumberColumn(name, TITLES[name], np.array(values), tooltip=tooltip))
    return tuple(columns)


def _counting(name: str, values: Sequence[float]) -> float:
    """The measure of an answer from those against each reference; NaN for an empty answer."""
    if not values:
        return math.nan
    return max(values) if name == BEST else math.fsum(values) / len(values)


def order_of(evidence: DialogEvidence, answer: int) -> tuple[int, ...]:
    """The references, those that METEOR likes best first; as in the file for an empty answer."""
    places = range(len(evidence.references))
    scores = evidence.answers[answer].measures.get(BEST, ())
    return tuple(sorted(places, key=lambda i: -scores[i])) if scores else tuple(places)


def reference_columns(
    evidence: DialogEvidence, answer: int, order: Sequence[int]
) -> tuple[Column, ...]:
    """The references in an order, with the measures of an answer against each of them."""
    texts = [shown(evidence.references[i], SHOWN_TEXT) for i in order]
    columns: list[Column] = [TextColumn("text", "Reference", texts, paint=_truth(evidence, order))]
    members = evidence.members()
    if None not in members and order:
        numbers = np.array([(members[i] or 0) + 1 for i in order], np.int64)
        columns.append(NumberColumn("candidate", "Candidate", numbers, 0, "Which candidate it is"))
    if evidence.correlations is not None:
        tooltip = "Correlation with the true answer"
        values = np.array([evidence.correlation(i) for i in order], np.float64)
        columns.append(NumberColumn("correlation", "Correlation", values, tooltip=tooltip))
    for name, measured in evidence.answers[answer].measures.items():
        values = np.array([measured[i] for i in order], np.float64)
        columns.append(NumberColumn(name, TITLES[name], values, paint=_best(name, values)))
    return tuple(columns)


def _truth(evidence: DialogEvidence, order: Sequence[int]) -> Paint:
    """The true answer in the colour of what is right."""
    return lambda row: "good" if evidence.references[order[row]] == evidence.truth else ""


def _best(name: str, values: FloatArray) -> Paint:
    """The reference that counts for METEOR."""
    best = int(values.argmax()) if name == BEST and len(values) else -1
    return lambda row: "good" if row == best else ""


def set_sentence(evidence: DialogEvidence) -> str:
    """How the set came about, as far as the file tells: its size, and the threshold."""
    size = counted(len(evidence.references), "reference")
    if evidence.chosen is None:
        return f"{size}; the file does not tell which candidates they are."
    told = f"{size} of {count(len(evidence.chosen))} candidates"
    if evidence.correlations is None or evidence.threshold is None:
        return f"{told}; the file does not tell their correlations."
    left = [
        value
        for value, mark in zip(evidence.correlations, evidence.chosen, strict=True)
        if not mark
    ]
    nearest = f"; the nearest one left out has {number(max(left))}" if left else ""
    return f"{told}: a correlation of {number(evidence.threshold)} lets one in{nearest}."


def frequency_sentence(evidence: DialogEvidence, answer: int) -> str:
    """In how many reference sets the words of an answer stand, which is what CIDEr weighs by."""
    words = dict.fromkeys(evidence.answers[answer].compared.split())
    told = [
        f"{shown(word, SHOWN_WORD)} {count(evidence.frequencies.get(word, 0))}" for word in words
    ]
    more = f" and {count(len(told) - WORDS_TOLD)} more" if len(told) > WORDS_TOLD else ""
    sets = counted(evidence.sets, "reference set")
    if not told:
        return f"N = {sets}; the answer is empty, and is only counted."
    return f"N = {sets}; with the word: {', '.join(told[:WORDS_TOLD])}{more}."
