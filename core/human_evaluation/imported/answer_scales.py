"""Scales of answers: the kind of each statement, and the number that each answer stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from jurydesk.core.human_evaluation.design.questionnaire import Kind
from jurydesk.core.human_evaluation.imported.ratings_options import RatingsOptions
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers.foreign_tables.cell_numbers import parse_number_cells

USUAL_STEPS = (5, 7, 9)
"""Lengths of scales from 1, of which the shortest that holds all answers is taken."""
MOST_STEPS = 11
"""Most whole numbers of a scale with steps, such as 0 to 10."""
LARGEST = 1e15
"""Largest number that can be an answer; beyond it not every whole number has a double."""
MOST_CATEGORIES = 60
ORDERED_WORDS = tuple(
    tuple(word.strip() for word in line.split(","))
    for line in """
no, yes
нет, да
false, true
incorrect, correct
incorrect, partially correct, correct
fail, pass
bad, good
bad, ok, good
bad, fair, good
bad, neutral, good
bad, average, good
плохо, нормально, хорошо
плохо, удовлетворительно, хорошо, отлично
low, medium, high
низкое, среднее, высокое
negative, neutral, positive
отрицательно, нейтрально, положительно
none, minor, major, critical
very low, low, medium, high, very high
bad, poor, fair, good, excellent
very bad, bad, neutral, good, very good
very bad, bad, ok, good, very good
very poor, poor, fair, good, very good
very poor, poor, fair, good, excellent
very poor, poor, average, good, excellent
very poor, poor, acceptable, good, very good
очень плохо, плохо, нормально, хорошо, очень хорошо
очень плохо, плохо, удовлетворительно, хорошо, отлично
terrible, bad, ok, good, excellent
awful, bad, ok, good, great
disagree, neutral, agree
strongly disagree, disagree, agree, strongly agree
strongly disagree, disagree, neutral, agree, strongly agree
strongly disagree, disagree, neither agree nor disagree, agree, strongly agree
strongly disagree, disagree, undecided, agree, strongly agree
совершенно не согласен, не согласен, нейтрально, согласен, полностью согласен
strongly disagree, disagree, somewhat disagree, neutral, somewhat agree, agree, strongly agree
never, rarely, sometimes, often, always
никогда, редко, иногда, часто, всегда
not at all, slightly, moderately, very, extremely
very dissatisfied, dissatisfied, neutral, satisfied, very satisfied
not relevant, somewhat relevant, relevant, very relevant
irrelevant, partially relevant, relevant
irrelevant, relevant
perfectly irrelevant, irrelevant, relevant, highly relevant, perfectly relevant
""".strip().splitlines()
)
"""Answers from the lowest, as forms have them."""
_FIRST = """
a 1 left first model_a model_1 system_a system_1 model_a_better левый первый а
"""
_SECOND = """
b 2 right second model_b model_2 system_b system_2 model_b_better правый второй б
"""
_TIES = """
0 tie ties draw both neither equal same none no_preference both_bad both_good
tie_bothbad tie_both_bad bothbad both_equal ничья одинаково оба ни_один
"""
FIRST, SECOND, TIES = (frozenset(words.split()) for words in (_FIRST, _SECOND, _TIES))
"""Answers that prefer the first system, the second, or neither."""
_NUMBERED = re.compile(
    r"(?P<front>-?\d+)\s*(?:[-–—:.)=]\s*\D.*|\s+\D.*)|\D.*\((?P<back>-?\d+)\)\s*", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class AnswerScale:
    """Kind of a statement's answers, and the value of each text.

    Attributes:
        kind: Kind of the question; `comment` for texts that are no answers of a scale.
        values: Value of each text.
        limits: Lowest and highest number.
        labels: Labels of the steps, or of the categories.
        wrong: Texts without a value.
        is_guessed: Whether only the answers tell the ends of the scale.
    """

    kind: Kind
    values: Mapping[str, Json]
    limits: tuple[float, float] | None = None
    labels: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    is_guessed: bool = False


def find_scale(texts: Sequence[str], options: RatingsOptions) -> AnswerScale:
    """Return the scale of the different texts that answer a statement."""
    if options.order:
        return _ordered(texts, options.order, {})
    numbers = _numbers(texts)
    if numbers is not None:
        return _numeric(texts, numbers, options)
    words = {text: normal_word(text) for text in texts}
    for order in sorted(ORDERED_WORDS, key=len):
        if set(words.values()) <= set(order):
            return _ordered(texts, order, words)
    if len(texts) > MOST_CATEGORIES:
        return AnswerScale("comment", {})
    labels = tuple(sorted(texts))
    return AnswerScale("category", {text: labels.index(text) + 1 for text in texts}, None, labels)


def normal_word(text: str) -> str:
    """Return a word of a scale in small letters, with plain blanks."""
    return " ".join(text.casefold().replace("_", " ").replace("ё", "е").split()).rstrip(".!")


def _ordered(texts: Sequence[str], order: Sequence[str], words: Mapping[str, str]) -> AnswerScale:
    """Return the scale of words in order; other texts have no value."""
    places = {normal_word(word): float(place) for place, word in enumerate(order, 1)}
    values = {text: places.get(words.get(text) or normal_word(text)) for text in texts}
    wrong = tuple(text for text, value in values.items() if value is None)
    known = {text: value for text, value in values.items() if value is not None}
    return AnswerScale("number", known, (1.0, float(len(order))), tuple(order), wrong)


def _numbers(texts: Sequence[str]) -> dict[str, float] | None:
    """Return the number of each text, also of `4 - good` and `good (4)`; None without them."""
    cells = parse_number_cells(list(texts))
    if not cells.wrong and np.isfinite(cells.values).all():
        is_word = any(not re.search(r"\d", text) for text in texts)
        return None if is_word else dict(zip(texts, cells.values.tolist(), strict=True))
    found: dict[str, float] = {}
    for text in texts:
        match = _NUMBERED.fullmatch(text)
        plain = re.fullmatch(r"-?\d+", text)
        if match is None and plain is None:
            return None
        digits = text if match is None else match["front"] or match["back"]
        found[text] = float(digits)
    return found


def _numeric(
    texts: Sequence[str], numbers: Mapping[str, float], options: RatingsOptions
) -> AnswerScale:
    """Return the scale of numbers: with steps if they are whole and few, else with limits.

    Numbers that are too large for an answer have no value.
    """
    values = [value for value in numbers.values() if abs(value) <= LARGEST] or [0.0]
    low, high = min(values), max(values)
    is_whole = all(value.is_integer() for value in values)
    given = options.scale
    if given is not None:
        limits = given
    elif is_whole and low >= 1 and high <= USUAL_STEPS[-1]:
        limits = 1.0, float(next(most for most in USUAL_STEPS if high <= most))
    elif low >= 0:
        usual = (1.0, 10.0, 100.0)
        limits = 0.0, next((most for most in usual if high <= most), high)
    else:
        limits = (min(low, -high), max(high, -low)) if is_whole else (low, high)
    if limits[0] == limits[1]:
        limits = limits[0], limits[0] + 1
    kept = {text: value for text, value in numbers.items() if limits[0] <= value <= limits[1]}
    wrong = tuple(text for text in texts if text not in kept)
    steps = int(min(limits[1] - limits[0], MOST_STEPS)) + 1
    has_steps = is_whole and all(end.is_integer() for end in map(float, limits))
    labels = tuple(_steps(limits[0], steps)) if has_steps and steps <= MOST_STEPS else ()
    return AnswerScale("number", kept, limits, labels, wrong, is_guessed=given is None)


def _steps(low: float, count: int) -> Iterator[str]:
    return (str(int(low) + step) for step in range(count))


def find_preference(text: str, systems: Sequence[str]) -> int | None:
    """Return which of two systems an answer prefers: 1, 2, or 0 for a tie; None if unclear."""
    if text.strip() in systems:
        return systems.index(text.strip()) + 1
    word = re.sub(r"[\W_]+", "_", text.casefold()).strip("_")
    if word in FIRST:
        return 1
    if word in SECOND:
        return 2
    return 0 if word in TIES else None


def find_extremes(text: str, systems: Sequence[str]) -> list[int] | None:
    """Return the places of the best and the worst of several systems; None if unclear."""
    parts = [part.strip() for part in re.split(r"\s*\|\s*|\s+(?=\d+$)", text)]
    places = []
    for part in parts:
        if part in systems:
            places.append(systems.index(part) + 1)
        elif part.isascii() and part.isdigit() and 1 <= int(part[:3]) <= len(systems):
            places.append(int(part))
        else:
            return None
    return places if len(places) == 2 and places[0] != places[1] else None
