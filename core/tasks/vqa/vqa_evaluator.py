"""Evaluator of answers to questions about pictures, with the rules of four programs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import GROUP
from jurydesk.core.language import counted, fill, translatable
from jurydesk.core.metrics.question_answering import anls as anls_metric
from jurydesk.core.metrics.question_answering import vqa_accuracy
from jurydesk.core.metrics.question_answering.relaxed_accuracy import is_any_right, is_right
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    Figure,
    FloatArray,
    Heatmap,
    ItemTable,
    Score,
)
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
)
from jurydesk.core.tasks.vqa.official_files import write_official
from jurydesk.core.tasks.vqa.questions import Answers, Question, VqaReferences
from jurydesk.core.tasks.vqa.vqa_evidence import VqaEvidence
from jurydesk.core.tasks.vqa.vqa_metrics import HEADLINES
from jurydesk.core.tasks.vqa.vqa_options import VqaOptions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

COMMON = ("color", "material", "shape")
"""Answers that GQA allows for questions of the type Common."""
MOST_ANSWERS = 30
"""Most frequent answers of the matrix of given and majority answers."""
FEWEST = 2


@dataclass(slots=True, eq=False)
class Judged:
    """Judgement of every scored question, in order: values and what was compared."""

    questions: list[Question]
    given: list[str]
    values: list[float]
    compared: list[tuple[str, ...]] = field(default_factory=list)
    processed: list[str] = field(default_factory=list)
    parts: list[tuple[float, ...]] = field(default_factory=list)
    columns: dict[str, FloatArray] = field(default_factory=dict)


def evaluate(
    references: VqaReferences, answers: Answers, options: VqaOptions, run: Run
) -> Evaluation:
    """Score a system's answers by the program that the references fit."""
    judged = judge(references, answers, options, run)
    scores = [*_scores(references, answers, judged, options)]
    items = _items(references, judged)
    defects = [*_remarks(references, answers, judged, options)]
    if options.official and references.program == "vqa":
        folder = Path(options.official)
        defects += write_official(folder, judged.questions, judged.values)
    return Evaluation(
        "vqa",
        "",
        options.profile,
        tuple(scores),
        items,
        figures=tuple(_figures(references, judged)),
        defects=tuple(defects),
    )


def judge(references: VqaReferences, answers: Answers, options: VqaOptions, run: Run) -> Judged:
    """Judge the answer to every scored question."""
    run.report(0, 0, translatable("comparing answers"))
    questions = [references.questions[key] for key in references.scored]
    given = [answers.answers.get(one.id, "") for one in questions]
    is_missing = np.array([one.id not in answers.answers for one in questions], np.bool_)
    judges: dict[str, Callable[[Judged, VqaOptions], None]] = {
        "vqa": _judge_vqa,
        "anls": _judge_anls,
        "relaxed": _judge_relaxed,
        "gqa": _judge_gqa,
    }
    judged = Judged(questions, given, [])
    judges[references.program](judged, options)
    values = np.array(judged.values, np.float64)
    values[is_missing] = 0.0
    judged.values = values.tolist()
    lengths = np.array([len(one) for one in given], np.float64)
    judged.columns = {
        HEADLINES[references.program]: values,
        **judged.columns,
        "answer_length": lengths,
        GROUP: _groups(questions),
    }
    if references.program == "vqa":
        judged.columns["accuracy"] = values
    elif references.program != "anls":
        judged.columns["correct"] = values
    return judged


def _groups(questions: Sequence[Question]) -> FloatArray:
    """Return the number of each question's image; one without is a group of its own."""
    numbers: dict[str, int] = {}
    names = (one.image or f"\0{number}" for number, one in enumerate(questions))
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.float64)


def _judge_vqa(judged: Judged, options: VqaOptions) -> None:
    """Compare with the human answers, processed where they differ."""
    always = options.processing == "always" or options.corrected
    agreement, lost = [], []
    seen: dict[object, tuple[str, ...]] = {}
    process = partial(vqa_accuracy.process, limited=not options.corrected)
    for one, given in zip(judged.questions, judged.given, strict=True):
        cleaned = seen.get(one.id) or tuple(map(vqa_accuracy.clean_answer, one.answers))
        result = vqa_accuracy.clean_answer(given)
        differ = len(set(cleaned)) > 1
        compared, said = cleaned, result
        if options.processing != "never" and (always or differ):
            compared, said = tuple(map(process, cleaned)), process(result)
        seen[one.id] = compared  # a question that is listed twice is processed twice
        value = _accuracy(one, compared, said, options)
        loss = 0.0
        if not differ and compared is cleaned and value < 1.0 and options.processing != "never":
            both = tuple(map(process, cleaned)), process(result)
            loss = max(_accuracy(one, *both, options) - value, 0.0)
        judged.values.append(value)
        judged.compared.append(compared)
        judged.processed.append(said)
        agreement.append(max(map(compared.count, set(compared))))
        lost.append(loss)
    judged.columns = {
        "agreement": np.array(agreement, np.float64),
        "unprocessed": np.array(lost, np.float64),
    }


def _accuracy(one: Question, compared: tuple[str, ...], said: str, options: VqaOptions) -> float:
    """Return the accuracy of an answer."""
    matches = tuple([answer == said for answer in compared])
    leave_one_out = options.matches == "others"
    if one.records and not options.corrected and leave_one_out:
        records = list(zip(compared, one.records, strict=True))
        return vqa_accuracy.accuracy_of_records(records, matches)
    return vqa_accuracy.accuracy(matches, leave_one_out=leave_one_out)


def _left_out(one: Question, compared: tuple[str, ...], said: str) -> tuple[float, ...]:
    """Return the value of each human answer as it is left out; none for records without ids."""
    if one.records:
        return ()
    count = compared.count(said)
    return tuple(min(1.0, (count - (answer == said)) / 3) for answer in compared)


def _judge_anls(judged: Judged, options: VqaOptions) -> None:
    for one, given in zip(judged.questions, judged.given, strict=True):
        found = [
            anls_metric.similarity([text], given, options.threshold, corrected=options.corrected)
            for text in one.answers
        ]
        judged.values.append(
            anls_metric.similarity(
                one.answers, given, options.threshold, corrected=options.corrected
            )
        )
        judged.compared.append(tuple(map(anls_metric.fold_case, one.answers)))
        judged.processed.append(anls_metric.fold_case(given))
        judged.parts.append(tuple(found))


def _judge_relaxed(judged: Judged, options: VqaOptions) -> None:
    for one, given in zip(judged.questions, judged.given, strict=True):
        judged.values.append(float(is_any_right(one.answers, given)))
        judged.compared.append(one.answers)
        judged.processed.append(given)
        judged.parts.append(tuple(float(is_right(text, given)) for text in one.answers))


def _judge_gqa(judged: Judged, options: VqaOptions) -> None:
    for one, given in zip(judged.questions, judged.given, strict=True):
        value = float(given == one.answers[0])
        judged.values.append(value)
        judged.compared.append(one.answers)
        judged.processed.append(given)
        judged.parts.append((value,))
    is_open = np.array(["query" in one.types.get("structural", ()) for one in judged.questions])
    values = np.array(judged.values, np.float64)
    judged.columns = {
        "open": np.where(is_open, values, np.nan),
        "binary": np.where(is_open, np.nan, values),
    }
    if all(one.valid is not None for one in judged.questions):
        pairs = list(zip(judged.questions, judged.given, strict=True))
        judged.columns["validity"] = np.array([_belongs(q, a, q.valid) for q, a in pairs])
        judged.columns["plausibility"] = np.array([_belongs(q, a, q.plausible) for q, a in pairs])


def _belongs(question: Question, answer: str, allowed: tuple[str, ...] | None) -> float:
    return float(answer in (COMMON if "Common" in question.detailed else allowed or ()))


def _scores(
    references: VqaReferences, answers: Answers, judged: Judged, options: VqaOptions
) -> Iterator[Score]:
    headline = HEADLINES[references.program]
    yield _mean(headline, judged.values)
    if references.program == "gqa":
        for name in ("binary", "open", "validity", "plausibility"):
            column = judged.columns.get(name)
            if column is not None:
                yield _mean(name, column[~np.isnan(column)].tolist())
        if options.consistency:
            judged.columns["consistency"] = _consistency(references, answers, judged)
            column = judged.columns["consistency"]
            yield _mean("consistency", column[~np.isnan(column)].tolist())
        yield Score("distribution", _distribution(judged), len(judged.values))
    by_class: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(judged.questions):
        for kind, names in one.types.items():
            for name in names:
                by_class[f"{kind}/{name}"].append(number)
    for name, rows in by_class.items():
        yield _mean(name, [judged.values[row] for row in rows])
        if name.startswith("answer_type/"):
            judged.columns[name] = np.full(len(judged.values), np.nan)
            judged.columns[name][rows] = np.array(judged.values)[rows]


def _mean(name: str, values: Sequence[float]) -> Score:
    """Return the mean, summed in the order of the questions as the programs do."""
    if not values:
        return Score(name, math.nan, 0)
    total = 0.0
    for value in values:
        total += value
    return Score(name, total / len(values), len(values), float(np.std(values)))


def _consistency(references: VqaReferences, answers: Answers, judged: Judged) -> FloatArray:
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


def _distribution(judged: Judged) -> float:
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


def _items(references: VqaReferences, judged: Judged) -> ItemTable:
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


def _evidence(program: str, ids: Sequence[str], judged: Judged) -> tuple[EvidenceColumns, ...]:
    answers = [one.answers for one in judged.questions]
    counts = list_lengths(answers)
    classes = [
        [(kind, name) for kind, names in one.types.items() for name in names]
        for one in judged.questions
    ]
    sizes = list_lengths(classes)
    rows = zip(judged.questions, judged.compared, judged.processed, strict=True)
    parts = judged.parts or [_left_out(*row) for row in rows]
    shared = {
        "id": EvidenceColumn.texts(ids),
        "image": EvidenceColumn.texts(one.image for one in judged.questions),
        "question": EvidenceColumn.texts(one.text for one in judged.questions),
        "program": EvidenceColumn.texts([program] * len(ids)),
        "answers": EvidenceColumn.texts((text for found in answers for text in found), counts),
        "kinds": EvidenceColumn.texts((kind for one in classes for kind, _ in one), sizes),
        "classes": EvidenceColumn.texts((name for one in classes for _, name in one), sizes),
    }
    system = {
        "compared": EvidenceColumn.texts(
            (text for found in judged.compared for text in found), counts
        ),
        "given": EvidenceColumn.texts(judged.given),
        "processed": EvidenceColumn.texts(judged.processed),
        "values": EvidenceColumn(
            np.array([value for part in parts for value in part], np.float64),
            list_lengths(parts),
        ),
    }
    return EvidenceColumns(shared), EvidenceColumns(system)


def scoring_remarks(
    references: VqaReferences, answers: Answers, options: VqaOptions, run: Run
) -> Iterator[Defect]:
    """Yield what affects the scores: rules that cost accuracy, and answers that profit."""
    yield from _remarks(references, answers, judge(references, answers, options, run), options)


def _remarks(
    references: VqaReferences, answers: Answers, judged: Judged, options: VqaOptions
) -> Iterator[Defect]:
    place = Place(answers.path)
    if references.program == "vqa":
        lost = judged.columns["unprocessed"]
        costly = int(np.count_nonzero(lost))
        if costly:
            found = fill(
                "Unanimous human answers are not processed: {questions} lose {share:.4f} of the "
                "accuracy.",
                counted(costly, "question"),
                float(lost.sum()) / len(lost),
            )
            yield note(place, found, "--processing always processes them.", count=costly)
        few = sum(len(one.answers) < 4 for one in judged.questions)
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
    if references.program == "anls" and not options.corrected:
        yield from _anls_remarks(place, judged, options)


def _anls_remarks(place: Place, judged: Judged, options: VqaOptions) -> Iterator[Defect]:
    """Warn of answers whose white space raises their score, and note those at the threshold."""
    raised = 0
    for one, given, value in zip(judged.questions, judged.given, judged.values, strict=True):
        plain = " ".join(given.split())
        if plain != given:
            raised += value > anls_metric.similarity(one.answers, plain, options.threshold)
    if raised:
        found = fill("White space raises the score of {answers}.", counted(raised, "answer"))
        effect = "The published program divides by the length before cleaning."
        yield warning(place, found, effect, "--profile corrected does not.", count=raised)
    equal = sum(value == options.threshold for value in judged.values)
    if equal:
        found = fill("{answers} exactly at the threshold.", counted(equal, "answer"))
        yield note(place, found, "They keep their similarity; the paper gives 0.", count=equal)


def _figures(references: VqaReferences, judged: Judged) -> Iterator[Figure]:
    if references.program == "vqa":
        yield from _agreement_curve(judged)
    yield from _answer_matrix(judged)


def _agreement_curve(judged: Judged) -> Iterator[Curve]:
    """Yield the accuracy by size of the largest group of equal human answers."""
    agreement, values = judged.columns["agreement"], np.array(judged.values)
    sizes = np.unique(agreement)
    if len(sizes) < FEWEST:
        return
    parts = [values[agreement == size] for size in sizes]
    means = np.array([float(part.mean()) for part in parts])
    errors = np.array([1.96 * float(part.std()) / math.sqrt(len(part)) for part in parts])
    yield Curve(
        "accuracy_by_agreement",
        translatable("Accuracy by human agreement"),
        Axis("Equal human answers"),
        Axis("Accuracy", limits=(0.0, 1.0)),
        sizes,
        means,
        np.clip(means - errors, 0.0, 1.0),
        np.clip(means + errors, 0.0, 1.0),
        translatable("normal 95 % interval"),
    )


def _answer_matrix(judged: Judged) -> Iterator[Heatmap]:
    """Yield how often which answer was given for which most frequent true answer."""
    majority = [Counter(one).most_common(1)[0][0] for one in judged.compared]
    common = [text for text, _ in Counter(majority).most_common(MOST_ANSWERS)]
    if len(common) < FEWEST:
        return
    places = {text: number for number, text in enumerate(common)}
    counts = np.zeros((len(common), len(common)))
    for wanted, given in zip(majority, judged.processed, strict=True):
        if wanted in places and given in places:
            counts[places[wanted], places[given]] += 1
    ticks = tuple(float(number) for number in range(len(common)))
    labels = tuple(text[:12] for text in common)
    yield Heatmap(
        "answers",
        translatable("Given and true answers"),
        Axis("Given answer", ticks=ticks, labels=labels),
        Axis("Most frequent true answer", ticks=ticks, labels=labels),
        counts,
        decimals=0,
    )


def attributes(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the types and first words of the questions, and the answers, computed on demand."""

    def shown() -> list[VqaEvidence]:
        found = (items.show(row) for row in range(len(items)))
        return [one for one in found if isinstance(one, VqaEvidence)]

    return {
        "question type": lambda: [one.class_of("question_type") for one in shown()],
        "answer type": lambda: [one.class_of("answer_type") for one in shown()],
        "question begins": lambda: [" ".join(one.question.lower().split()[:2]) for one in shown()],
        "answer": lambda: [one.processed for one in shown()],
    }
