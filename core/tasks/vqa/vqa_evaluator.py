"""Evaluator of answers to questions about pictures, with the rules of four programs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import counted, fill, reason, translatable
from jurydesk.core.metrics.question_answering import anls as anls_metric
from jurydesk.core.metrics.question_answering.vqa_accuracy import mean
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import Evaluation, FloatArray, ItemTable, Score
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
)
from jurydesk.core.tasks.item_fields import Fields, fields_column
from jurydesk.core.tasks.vqa.judgement import Judgement, judge
from jurydesk.core.tasks.vqa.official_files import write_official
from jurydesk.core.tasks.vqa.questions import Answers, Question, VqaEvidence, VqaReferences
from jurydesk.core.tasks.vqa.vqa_figures import question_figures, rows_by_class
from jurydesk.core.tasks.vqa.vqa_metrics import HEADLINES
from jurydesk.core.tasks.vqa.vqa_options import VqaOptions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

FULL = 4
"""Number of human answers from which all can reach an accuracy of 1."""


def evaluate(
    references: VqaReferences, answers: Answers, options: VqaOptions, run: Run
) -> Evaluation:
    """Score a system's answers by the program that the references fit."""
    run.report(0, 0, translatable("comparing answers"))
    judged = judge(references, answers, options)
    scores = [*_scores(references, answers, judged, options)]
    items = _items(references, judged)
    defects = [*_remarks(references, answers, judged, options)]
    if options.official and references.program == "vqa":
        folder = Path(options.official)
        defects += write_official(folder, judged.questions, judged.values.tolist())
    return Evaluation(
        "vqa",
        "",
        options.profile,
        tuple(scores),
        items,
        figures=tuple(question_figures(references.program, judged)),
        defects=tuple(defects),
    )


def _scores(
    references: VqaReferences, answers: Answers, judged: Judgement, options: VqaOptions
) -> Iterator[Score]:
    headline = HEADLINES[references.program]
    yield _mean(headline, judged.values)
    if references.program == "gqa":
        for name in ("binary", "open", "validity", "plausibility"):
            column = judged.columns.get(name)
            if column is not None:
                yield _mean(name, column[~np.isnan(column)])
        if options.consistency:
            judged.columns["consistency"] = _consistency(references, answers, judged)
            column = judged.columns["consistency"]
            yield _mean("consistency", column[~np.isnan(column)])
        yield Score("distribution", _distribution(judged), len(judged.values))
    for name, rows in rows_by_class(judged.questions).items():
        yield _mean(name, judged.values[rows])
        if name.startswith("answer_type/"):
            judged.columns[name] = np.full(len(judged.values), np.nan)
            judged.columns[name][rows] = judged.values[rows]


def _mean(name: str, values: FloatArray) -> Score:
    """Return the mean, summed in the order of the questions as the programs do."""
    if not len(values):
        return Score(name, math.nan, 0)
    return Score(name, mean(values.tolist()), len(values), float(np.std(values)))


def _consistency(references: VqaReferences, answers: Answers, judged: Judgement) -> FloatArray:
    """Return the share of entailed questions answered right, of each right answer."""
    found = np.full(len(judged.values), np.nan)
    for number, (one, value) in enumerate(zip(judged.questions, judged.values, strict=True)):
        entailed = [key for key in one.entailed if key != one.id and key in references.questions]
        if value and entailed:
            right = [
                answers.answers.get(key) == references.questions[key].answers[0] for key in entailed
            ]
            found[number] = sum(right) / len(right)
    return found


def _distribution(judged: Judgement) -> float:
    """Return the weighted mean over groups of the chi-square distance; NaN without a group."""
    gold: dict[str, Counter[str]] = defaultdict(Counter)
    predicted: dict[str, Counter[str]] = defaultdict(Counter)
    for one, given in zip(judged.questions, judged.given, strict=True):
        if one.group is not None:
            gold[one.group][one.answers[0]] += 1
            predicted[one.group][given] += 1
    total, weight = 0.0, 0
    for group, counts in gold.items():
        distance = 0.0
        for answer, expected in counts.items():
            distance += (predicted[group][answer] - expected) ** 2 / expected
        size = sum(counts.values())
        total += distance * size
        weight += size
    return total / weight / 100 if weight else math.nan


def _items(references: VqaReferences, judged: Judgement) -> ItemTable:
    ids: list[str] = []
    seen: Counter[object] = Counter()
    texts = Counter(str(key) for key in references.questions)
    for one in judged.questions:
        seen[one.id] += 1
        is_text = isinstance(one.id, str) and texts[str(one.id)] > 1
        name = f'"{one.id}"' if is_text else str(one.id)
        ids.append(name if seen[one.id] == 1 else f"{name} ({seen[one.id]})")
    evidence = ColumnEvidence(
        partial(_evidence, references.program, tuple(ids), judged), VqaEvidence.from_row
    )
    return ItemTable(tuple(ids), judged.columns, evidence, "question")


def _evidence(program: str, ids: Sequence[str], judged: Judgement) -> tuple[EvidenceColumns, ...]:
    classes = [
        [(kind, name) for kind, names in one.types.items() for name in names]
        for one in judged.questions
    ]
    sizes = list_lengths(classes)
    answers = (text for one in judged.questions for text in one.answers)
    shared = {
        "id": EvidenceColumn.texts(ids),
        "image": EvidenceColumn.texts(one.image for one in judged.questions),
        "question": EvidenceColumn.texts(one.text for one in judged.questions),
        "program": EvidenceColumn.texts([program] * len(ids)),
        "answers": EvidenceColumn.texts(answers, judged.counts),
        "kinds": EvidenceColumn.texts((kind for one in classes for kind, _ in one), sizes),
        "classes": EvidenceColumn.texts((name for one in classes for _, name in one), sizes),
    }
    shared |= fields_column([_slice_fields(one) for one in judged.questions])
    system = {
        "compared": EvidenceColumn.texts(judged.compared(), judged.counts),
        "given": EvidenceColumn.texts(judged.given),
        "processed": EvidenceColumn.texts(judged.processed),
        "values": EvidenceColumn(judged.parts, judged.counts),
    }
    return EvidenceColumns(shared), EvidenceColumns(system)


def _slice_fields(question: Question) -> Fields:
    """Return the members of a question, and its classes but for those that have attributes."""
    kinds = (kind for kind in question.types if kind not in ("answer_type", "question_type"))
    return (*((kind, ", ".join(question.types[kind])) for kind in kinds), *question.fields)


def scoring_remarks(
    references: VqaReferences, answers: Answers, options: VqaOptions, run: Run
) -> Iterator[Defect]:
    """Yield what affects the scores: rules that cost accuracy, and answers that profit."""
    yield from _remarks(references, answers, judge(references, answers, options), options)


def _remarks(
    references: VqaReferences, answers: Answers, judged: Judgement, options: VqaOptions
) -> Iterator[Defect]:
    place = Place(answers.path)
    if references.program == "vqa":
        lost = judged.columns["unprocessed"]
        costly = int(np.count_nonzero(lost))
        if costly:
            accuracy = mean(judged.values.tolist())
            found = fill(
                "Unanimous human answers are not processed: the accuracy is {accuracy:.4f}, it "
                "would be {other:.4f} ({questions}).",
                accuracy,
                accuracy + float(lost.sum()) / len(lost),
                counted(costly, "question"),
            )
            yield note(place, found, "--processing always processes them.", count=costly)
        few = int(np.count_nonzero(judged.counts < FULL))
        if few:
            found = fill("{questions} with fewer than four answers.", counted(few, "question"))
            yield note(Place(references.path), found, "They cannot all reach 1.", count=few)
        empty = sum(
            not one and bool(given)
            for one, given in zip(judged.processed, judged.given, strict=True)
        )
        if empty:
            found = fill("{answers} empty after processing.", counted(empty, "answer"))
            yield note(place, found, "Articles and punctuation are left out.", count=empty)
    if references.program == "anls" and not options.corrected and options.anls == "published":
        yield from _anls_remarks(place, judged, options)


def _anls_remarks(place: Place, judged: Judgement, options: VqaOptions) -> Iterator[Defect]:
    """Warn of answers whose white space raises their score, and note those at the threshold."""
    raised = 0
    rows = zip(judged.questions, judged.given, judged.values.tolist(), strict=True)
    for one, given, value in rows:
        plain = " ".join(given.split())
        if plain != given:
            raised += value > anls_metric.similarity(one.answers, plain, options.threshold)
    if raised:
        found = fill("White space raises the score of {answers}.", counted(raised, "answer"))
        effect = "The published program divides by the length before cleaning."
        yield warning(place, found, effect, reason("--profile corrected does not."), count=raised)
    equal = int(np.count_nonzero(judged.values == options.threshold))
    if equal:
        found = fill("{answers} exactly at the threshold.", counted(equal, "answer"))
        yield note(place, found, "They keep their similarity; the paper gives 0.", count=equal)
