"""Judgement of answers by four programs: the value of every question, and what was compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from jurydesk.core.competition.task import GROUP
from jurydesk.core.metrics.question_answering import anls, relaxed_accuracy, vqa_accuracy
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.tasks.vqa.questions import Answers, Question, VqaReferences
from jurydesk.core.tasks.vqa.vqa_metrics import HEADLINES
from jurydesk.core.tasks.vqa.vqa_options import VqaOptions

IntArray = npt.NDArray[np.int64]
COMMON = ("color", "material", "shape")
"""Answers that GQA allows for questions of the type Common."""


@dataclass(slots=True, eq=False)
class Judgement:
    """Judgement of every scored question, in order.

    Attributes:
        given: Answers of the system, and `processed` how they were compared.
        counts: Number of true answers (questions,) of each question.
        texts: Distinct true answers as they were compared.
        codes: Index in `texts` of each true answer, of all questions one after the other.
        parts: Value (true answers,) of the answer beside each of them; empty without.
        values: Value (questions,) of each answer.
        agreement: Size (questions,) of the largest group of equal true answers.
        majority: Index (questions,) in `texts` of the first of that group.
    """

    questions: list[Question]
    given: list[str]
    counts: IntArray
    texts: list[str] = field(default_factory=list)
    codes: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    processed: list[str] = field(default_factory=list)
    parts: FloatArray = field(default_factory=lambda: np.empty(0))
    values: FloatArray = field(default_factory=lambda: np.empty(0))
    agreement: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    majority: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    columns: dict[str, FloatArray] = field(default_factory=dict)

    @property
    def starts(self) -> IntArray:
        """Index (questions,), among all true answers, of each question's first."""
        return np.cumsum(self.counts) - self.counts

    def compared(self) -> Iterator[str]:
        """Yield the true answers of all questions, one after the other, as they were compared."""
        return map(self.texts.__getitem__, self.codes.tolist())

    def compare_with(self, texts: Iterable[str]) -> None:
        """Set the true answers of all questions, as they are compared."""
        known: dict[str, int] = {}
        self.codes = _codes(texts, known)
        self.texts = list(known)


def judge(references: VqaReferences, answers: Answers, options: VqaOptions) -> Judgement:
    """Judge the answer to every scored question."""
    questions = [references.questions[key] for key in references.scored]
    given = [answers.answers.get(one.id, "") for one in questions]
    is_missing = np.array([one.id not in answers.answers for one in questions], np.bool_)
    counts = np.fromiter((len(one.answers) for one in questions), np.int64, len(questions))
    judgement = Judgement(questions, given, counts)
    judges: dict[str, Callable[[Judgement, VqaOptions], None]] = {
        "vqa": _judge_vqa,
        "anls": _judge_anls,
        "relaxed": _judge_relaxed,
        "gqa": _judge_gqa,
    }
    judges[references.program](judgement, options)
    judgement.values[is_missing] = 0.0
    _find_majority(judgement)
    judgement.columns = {
        HEADLINES[references.program]: judgement.values,
        **judgement.columns,
        "answer_length": np.array([len(one) for one in given], np.float64),
        GROUP: _groups(questions),
    }
    if references.program == "vqa":
        judgement.columns["accuracy"] = judgement.values
        judgement.columns["agreement"] = judgement.agreement.astype(np.float64)
    elif references.program != "anls":
        judgement.columns["correct"] = judgement.values
    return judgement


def _groups(questions: Sequence[Question]) -> FloatArray:
    """Return the number of each question's image; one without is a group of its own."""
    numbers: dict[str, int] = {}
    names = (one.image or f"\0{number}" for number, one in enumerate(questions))
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.float64)


def _codes(texts: Iterable[str], known: dict[str, int]) -> IntArray:
    """Return a number for each text, equal for equal texts; add new ones to the known."""
    return np.array([known.setdefault(text, len(known)) for text in texts], np.int64)


def _find_majority(judgement: Judgement) -> None:
    """Find the largest group of equal true answers of each question; of equal ones, the first."""
    codes = judgement.codes
    owners = np.repeat(np.arange(len(judgement.counts)), judgement.counts)
    _, groups, sizes = np.unique(
        owners * len(judgement.texts) + codes, return_inverse=True, return_counts=True
    )
    size = sizes[groups]
    judgement.agreement = np.maximum.reduceat(size, judgement.starts)
    is_largest = size == judgement.agreement[owners]
    places = np.where(is_largest, np.arange(len(codes)), len(codes))
    judgement.majority = codes[np.minimum.reduceat(places, judgement.starts)]


def _judge_vqa(judgement: Judgement, options: VqaOptions) -> None:
    """Compare with the human answers, processed where they differ.

    Every distinct text is cleaned and processed once; texts are compared as numbers.
    """
    known: dict[str, int] = {}
    counts, starts = judgement.counts, judgement.starts
    owners = np.repeat(np.arange(len(counts)), counts)
    written = _codes(_human_answers(judgement.questions, options), known)
    said = _codes(judgement.given, known)
    cleaned_texts = list(map(vqa_accuracy.clean_answer, known))
    process = partial(
        vqa_accuracy.process,
        limited=not options.corrected,
        python3=options.processing == "python3",
    )
    processed_texts = list(map(process, cleaned_texts))
    known.clear()
    clean, processed = _codes(cleaned_texts, known), _codes(processed_texts, known)
    judgement.texts = list(known)

    answers, result = clean[written], clean[said]
    differ = np.logical_or.reduceat(answers != answers[starts][owners], starts)
    is_always = options.processing == "always" or options.corrected
    is_processed = differ | is_always if options.processing != "never" else np.zeros_like(differ)
    compared = np.where(is_processed[owners], processed[written], answers)
    result = np.where(is_processed, processed[said], result)

    others = options.matches == "others"
    matches = compared == result[owners]
    judgement.values, judgement.parts = vqa_accuracy.accuracies(matches, counts, others=others)
    lost = np.zeros(len(counts))
    if options.processing != "never":
        both = processed[written] == processed[said][owners]
        gained = vqa_accuracy.accuracies(both, counts, others=others)[0] - judgement.values
        lost = np.where(is_processed, 0.0, np.maximum(gained, 0.0))
    judgement.codes = compared
    judgement.processed = [judgement.texts[code] for code in result.tolist()]
    if others and not options.corrected:
        _leave_out_equal_records(judgement, matches, lost)
    judgement.columns = {"unprocessed": lost}


def _human_answers(questions: Sequence[Question], options: VqaOptions) -> list[str]:
    """Return the human answers of all questions, one after the other.

    A question that is listed twice is processed twice: the program changes its answers in memory.
    """
    if len({one.id for one in questions}) == len(questions):
        return [text for one in questions for text in one.answers]
    seen: dict[object, tuple[str, ...]] = {}
    found: list[str] = []
    for one in questions:
        answers = seen.get(one.id, one.answers)
        found += answers
        cleaned = tuple(map(vqa_accuracy.clean_answer, answers))
        is_always = options.processing == "always"
        if options.processing != "never" and (is_always or len(set(cleaned)) > 1):
            is_ported = options.processing == "python3"
            cleaned = tuple(vqa_accuracy.process(one, python3=is_ported) for one in cleaned)
        seen[one.id] = cleaned
    return found


def _leave_out_equal_records(
    judgement: Judgement, matches: npt.NDArray[np.bool_], lost: FloatArray
) -> None:
    """Score the questions with equal records as the program does: it leaves them out together."""
    for row, one in enumerate(judgement.questions):
        if not one.records:
            continue
        part = slice(int(judgement.starts[row]), int(judgement.starts[row] + len(one.records)))
        records = list(zip(judgement.codes[part].tolist(), one.records, strict=True))
        parts = vqa_accuracy.parts_of_records(records, matches[part].tolist())
        judgement.parts[part] = parts
        judgement.values[row] = vqa_accuracy.mean(parts)
        lost[row] = 0.0


def _judge_anls(judgement: Judgement, options: VqaOptions) -> None:
    def similarity(texts: Sequence[str], given: str) -> float:
        if is_plain:
            return anls.plain_similarity(texts, given, options.threshold)
        return anls.similarity(texts, given, options.threshold, corrected=options.corrected)

    is_plain = options.anls == "pix2struct"
    fold = str.lower if is_plain else anls.fold_case
    pairs = list(zip(judgement.questions, judgement.given, strict=True))
    judgement.values = np.array([similarity(one.answers, given) for one, given in pairs])
    judgement.parts = np.array(
        [similarity([text], given) for one, given in pairs for text in one.answers]
    )
    judgement.compare_with(fold(text) for one, _ in pairs for text in one.answers)
    judgement.processed = list(map(fold, judgement.given))


def _judge_relaxed(judgement: Judgement, options: VqaOptions) -> None:
    _judge_exactly(judgement, relaxed_accuracy.is_right)


def _judge_exactly(judgement: Judgement, is_right: Callable[[str, str], bool]) -> None:
    """Judge answers, as they are, as right or wrong beside each true one; the best counts."""
    judgement.compare_with(text for one in judgement.questions for text in one.answers)
    judgement.processed = judgement.given
    pairs = zip(judgement.questions, judgement.given, strict=True)
    found = [float(is_right(text, given)) for one, given in pairs for text in one.answers]
    judgement.parts = np.array(found)
    judgement.values = np.maximum.reduceat(judgement.parts, judgement.starts)


def _judge_gqa(judgement: Judgement, options: VqaOptions) -> None:
    _judge_exactly(judgement, str.__eq__)
    questions = judgement.questions
    is_open = np.array(["query" in one.types.get("structural", ()) for one in questions])
    judgement.columns = {
        "open": np.where(is_open, judgement.values, np.nan),
        "binary": np.where(is_open, np.nan, judgement.values),
    }
    if all(one.valid is not None for one in questions):
        pairs = list(zip(questions, judgement.given, strict=True))
        for name in ("validity", "plausibility"):
            allowed = [one.valid if name == "validity" else one.plausible for one in questions]
            found = zip(pairs, allowed, strict=True)
            judgement.columns[name] = np.array([_belongs(*pair, texts) for pair, texts in found])


def _belongs(question: Question, answer: str, allowed: tuple[str, ...] | None) -> float:
    return float(answer in (COMMON if "Common" in question.detailed else allowed or ()))
