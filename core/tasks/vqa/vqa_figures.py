"""Figures of answers to questions: accuracy by human agreement, given against true answers."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from jurydesk.core.competition.task import GROUP
from jurydesk.core.language import fill, translatable
from jurydesk.core.metrics.question_answering.vqa_accuracy import lower
from jurydesk.core.model.evaluation import Axis, Curve, Figure, Heatmap, ItemTable
from jurydesk.core.tasks.class_figures import class_bars, class_curve
from jurydesk.core.tasks.item_fields import field_attributes
from jurydesk.core.tasks.vqa.answer_rules import costly_rules, processing_rules
from jurydesk.core.tasks.vqa.judgement import Judgement
from jurydesk.core.tasks.vqa.questions import Question, VqaEvidence
from jurydesk.core.tasks.vqa.vqa_metrics import CLASS_TITLES, HEADLINE_TITLES, UNIT

YES = "yes"
MOST_WORDS = 10
"""Answers of more words are counted with those of so many."""
MOST_ANSWERS = 30
"""Most frequent answers of the matrix of given and majority answers."""
FEWEST = 2


def question_figures(program: str, judged: Judgement) -> Iterator[Figure]:
    """Yield the figures of the answers of one system."""
    groups = judged.columns[GROUP]
    axis = Axis(HEADLINE_TITLES[program], limits=(0.0, 1.0))
    found = []
    if program == "vqa":
        found.append(
            class_curve(
                "accuracy_by_agreement",
                translatable("Accuracy by human agreement"),
                Axis("Equal human answers"),
                axis,
                judged.agreement.astype(np.float64),
                judged.values,
                groups,
            )
        )
    by_kind: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for name, rows in rows_by_class(judged.questions).items():
        kind, _, label = name.partition("/")
        by_kind[kind][label] = rows
    for kind, classes in by_kind.items():
        title = CLASS_TITLES[kind]
        found.append(class_bars(f"by_{kind}", title, axis, classes, judged.values, groups))
    found += [_by_length(axis, judged), _yes_bars(by_kind["answer_type"], judged)]
    yield from filter(None, found)
    yield from _answer_matrix(judged)


def _by_length(axis: Axis, judged: Judgement) -> Curve | None:
    """Return the means by the number of words of the answer as compared."""
    lengths = {text: min(len(text.split()), MOST_WORDS) for text in set(judged.processed)}
    words = np.array([lengths[one] for one in judged.processed], np.float64)
    title = translatable("By words of the answer")
    x_axis = Axis(fill("Words of the answer, {most} and more together", MOST_WORDS))
    return class_curve("by_words", title, x_axis, axis, words, judged.values, judged.columns[GROUP])


def _yes_bars(types: Mapping[str, Sequence[int]], judged: Judgement) -> Curve | None:
    """Return how often systems and people say yes, by type of answer; None if nobody does."""
    is_yes = {text: lower(text) == YES for text in {*judged.processed, *judged.texts}}
    people = np.array([is_yes[text] for text in judged.texts], np.float64)[judged.majority]
    values = np.array([[is_yes[one] for one in judged.processed], people], np.float64)
    count = values.shape[1]
    classes: dict[str, Sequence[int]] = {}
    for name, rows in types.items():
        if values[:, rows].any():
            classes[name] = rows
            classes[fill("{name}, people", name)] = [count + row for row in rows]
    title, axis = translatable("Share of yes"), Axis(translatable("Share of yes"), limits=UNIT)
    groups = np.tile(judged.columns[GROUP], 2)
    found = class_bars("yes", title, axis, classes, values.ravel(), groups)
    return None if found is None else replace(found, overall=math.nan)  # of systems and people


def rows_by_class(questions: Sequence[Question]) -> dict[str, list[int]]:
    """Return the rows of the questions of every class, such as `answer_type/number`."""
    alike: dict[int, list[int]] = defaultdict(list)  # most questions share their types
    for row, one in enumerate(questions):
        alike[id(one.types)].append(row)
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for rows in alike.values():
        for kind, names in questions[rows[0]].types.items():
            for name in names:
                found[kind, name] += rows
    return {f"{kind}/{name}": sorted(rows) for (kind, name), rows in found.items()}


def _answer_matrix(judged: Judgement) -> Iterator[Heatmap]:
    """Yield how often which answer was given for which most frequent true answer."""
    majority = [judged.texts[code] for code in judged.majority.tolist()]
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
    """Return types and first words of the questions, answers, and rules that change or cost them.

    They are computed on demand. An answer that loses by the rule of unanimous human answers has the
    rule `unanimity`, any other the first of its rules.
    """

    def shown() -> list[VqaEvidence]:
        found = (items.show(row) for row in range(len(items)))
        return [one for one in found if isinstance(one, VqaEvidence)]

    return field_attributes(shown) | {
        "question type": lambda: [one.class_of("question_type") for one in shown()],
        "answer type": lambda: [one.class_of("answer_type") for one in shown()],
        "question begins": lambda: [" ".join(one.question.lower().split()[:2]) for one in shown()],
        "answer": lambda: [one.processed for one in shown()],
        "rule": lambda: [
            "unanimity" if is_lost else next(iter(processing_rules(one)), "")
            for one, is_lost in zip(shown(), _is_lost(items), strict=True)
        ],
        "right but for": lambda: [", ".join(costly_rules(one)) for one in shown()],
    }


def _is_lost(items: ItemTable) -> list[bool]:
    lost = items.columns.get("unprocessed")
    return [False] * len(items) if lost is None else (lost > 0).tolist()
