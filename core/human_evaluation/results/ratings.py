"""Ratings of a study as arrays (raters, units), for every question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from jurydesk.core.human_evaluation.answers.answers_file import RaterAnswers
from jurydesk.core.human_evaluation.answers.merge_answers import consistent_answers
from jurydesk.core.human_evaluation.answers.rater_state import final_answers
from jurydesk.core.human_evaluation.design.balanced_plan import PlannedItem
from jurydesk.core.human_evaluation.design.questionnaire import PHOTOS_MISSING, RatingQuestion
from jurydesk.core.human_evaluation.design.study import Rater, RatingStudy
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.model.evaluation import FloatArray, IntArray, Json

Unit = tuple[int, tuple[int, ...], int]
"""Rated unit: sequence, the systems shown together, and the rated system."""

MAX_SECONDS = 600.0
"""Longest time between two events that counts as rating time."""


@dataclass(frozen=True, slots=True)
class ItemRatings:
    """Final answers of a rater to an item by question, and the time spent on it."""

    item: PlannedItem
    answers: Mapping[str, Json]
    seconds: float

    @property
    def judged(self) -> bool:
        """True if there are answers that count."""
        return bool(self.answers) and PHOTOS_MISSING not in self.answers


@dataclass(frozen=True, slots=True, eq=False)
class StudyRatings:
    """Ratings of a study: `values[question]` is (raters, units), NaN without a rating.

    A Likert answer is its number; of several stories the chosen one gets 1, the worst -1, and the
    others 0; a tie gives each half. `given` are every rater's items in the order of presentation.
    `programs[rater][question]` are the values (units,) of raters that are programs, which are none
    of the `raters` unless nobody else rated.
    """

    study: RatingStudy
    raters: tuple[str, ...]
    units: tuple[Unit, ...]
    values: Mapping[str, FloatArray]
    given: tuple[tuple[ItemRatings, ...], ...]
    programs: Mapping[str, Mapping[str, FloatArray]] = field(default_factory=dict)

    @property
    def sequences(self) -> tuple[int, ...]:
        """Rated sequences."""
        return tuple(dict.fromkeys(unit[0] for unit in self.units))

    @property
    def places(self) -> tuple[IntArray, IntArray]:
        """Rows of `sequences` and systems of all units (units,)."""
        rows = {sequence: row for row, sequence in enumerate(self.sequences)}
        sequences = np.array([rows[unit[0]] for unit in self.units], dtype=np.int64)
        return sequences, np.array([unit[2] for unit in self.units], dtype=np.int64)

    def by_system(self, question: str) -> FloatArray:
        """Return the mean rating of every story: (sequences, systems), NaN without ratings."""
        shape = (len(self.sequences), len(self.study.pool.systems))
        total, count = np.zeros(shape), np.zeros(shape)
        values, places = self.values[question], self.places
        np.add.at(total, places, np.nansum(values, axis=0))
        np.add.at(count, places, (~np.isnan(values)).sum(axis=0))
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def load_ratings(store: RatingStore) -> StudyRatings:
    """Load all ratings of a desk, without raters whose answers contradict each other."""
    return collect_ratings(store.required_study(), store.histories())


def collect_ratings(study: RatingStudy, answers: Iterable[RaterAnswers]) -> StudyRatings:
    """Return the ratings in these answers, without those that contradict each other."""
    by_code = {rater.code: rater for rater in study.raters}
    counted = consistent_answers(answers)
    people = [one for one in counted if not by_code[one.rater].is_program]
    programs = [one for one in counted if by_code[one.rater].is_program] if people else []
    stories = {
        one.item for rater in study.raters for one in rater.tasks if one.item.kind == "story"
    }
    units = tuple(sorted({unit for item in stories for unit in rated_units(item)}))
    raters = [by_code[one.rater] for one in people or counted]
    given, values = _values(study, raters, people or counted, units)
    judges = [by_code[one.rater] for one in programs]
    judged = _values(study, judges, programs, units)[1]
    codes = tuple(rater.code for rater in raters)
    by_judge = {
        judge.code: {question: found[row] for question, found in judged.items()}
        for row, judge in enumerate(judges)
    }
    return StudyRatings(study, codes, units, values, given, by_judge)


def _values(
    study: RatingStudy,
    raters: Sequence[Rater],
    answers: Sequence[RaterAnswers],
    units: Sequence[Unit],
) -> tuple[tuple[tuple[ItemRatings, ...], ...], dict[str, FloatArray]]:
    """Return what raters were given, and the values (raters, units) of every question."""
    given = tuple(
        _item_ratings(study, rater, one) for rater, one in zip(raters, answers, strict=True)
    )
    index = {unit: place for place, unit in enumerate(units)}
    places = cache(lambda item: [index[unit] for unit in rated_units(item)])
    shape = (len(raters), len(units))
    values = {one.id: np.full(shape, np.nan) for one in study.questionnaire.rated}
    tables = [(question, values[question.id]) for question in study.questionnaire.rated]
    for row, items in enumerate(given):
        for one in items:
            if one.item.kind == "story" and one.judged:
                at = places(one.item)
                for question, table in tables:
                    answer = one.answers.get(question.id)
                    if answer is not None:
                        table[row, at] = numeric_answers(question, answer, len(at))
    return given, values


def rated_units(item: PlannedItem) -> list[Unit]:
    """Return the units of an item, in the order in which they are shown."""
    together = tuple(sorted(item.systems))
    return [(item.sequence, together, system) for system in item.systems]


def _item_ratings(
    study: RatingStudy, rater: Rater, history: RaterAnswers
) -> tuple[ItemRatings, ...]:
    answers = final_answers([one.id for one in rater.tasks], study.questionnaire, history.events)
    seconds: dict[str, float] = {}
    for event in history.events:
        spent = min(max(event.seconds, 0.0), MAX_SECONDS)
        seconds[event.item] = seconds.get(event.item, 0.0) + spent
    return tuple(
        ItemRatings(task.item, answers[task.id], seconds.get(task.id, 0.0)) for task in rater.tasks
    )


def numeric_answers(question: RatingQuestion, answer: Json, stories: int) -> list[float]:
    """Return the numeric rating of each story that was shown."""
    if question.kind in ("likert", "number", "category"):
        return [float(answer)]
    if question.kind == "pairwise" and answer == 0:
        return [0.5] * stories
    if question.kind == "pairwise":
        return [float(answer == place) for place in range(1, stories + 1)]
    best, worst = answer
    return [float(place == best) - float(place == worst) for place in range(1, stories + 1)]
