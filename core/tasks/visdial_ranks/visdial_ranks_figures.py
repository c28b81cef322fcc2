"""Figures of ranked answers: recall by rank, and means by round, question and relevance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Axis, Curve, Figure, FloatArray, ItemTable, Scatter
from jurydesk.core.tasks.class_figures import class_bars, class_curve
from jurydesk.core.tasks.item_fields import field_attributes
from jurydesk.core.tasks.visdial_ranks.dialog_ranks import Ranking, RankReferences
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_evidence import RankEvidence

MOST_TYPES = 24
"""Most frequent types of questions of the figure."""
RELEVANCES = ("0", "low", "1")
"""Classes of the relevance of the true answer."""
TRADE_OFF = Scatter(
    "ndcg_against_mrr",
    translatable("NDCG against MRR"),
    Axis("MRR"),
    Axis("NDCG"),
    "mrr",
    "ndcg",
)
"""Of the rounds with both, and of systems on the board, where MRR is of all rounds."""
BY_ROUND, BY_RELEVANT = Axis("Round"), Axis("Relevant options")


def round_figures(
    references: RankReferences, ranking: Ranking, columns: Mapping[str, FloatArray]
) -> Iterator[Figure]:
    """Yield the figures of the ranks of one system."""
    rank, reciprocal, relevant = (columns[n] for n in ("rank", "reciprocal_rank", "n_relevant"))
    keys = np.array([references.keys[one] for one in ranking.rounds.tolist()], np.float64)
    images, rounds = keys.reshape(-1, 2).T
    known = rank[~np.isnan(rank)]
    if len(known):
        yield _recall_curve(known, int(references.sizes[ranking.rounds].max()))
    mrr, recall, ndcg = (Axis(one, limits=(0.0, 1.0)) for one in ("MRR", "R@1", "NDCG"))
    curves = (
        ("mrr_by_round", translatable("MRR by round"), BY_ROUND, mrr, rounds, reciprocal),
        ("r@1_by_round", translatable("R@1 by round"), BY_ROUND, recall, rounds, columns["r@1"]),
        (
            *("ndcg_by_relevant", translatable("NDCG by relevant options"), BY_RELEVANT),
            *(ndcg, relevant, columns["ndcg"]),
        ),
        (
            *("mrr_by_relevant", translatable("MRR by relevant options"), BY_RELEVANT),
            *(mrr, relevant, reciprocal),
        ),
    )
    words = [question_type(references.question(one)) for one in ranking.rounds.tolist()]
    common = [text for text, _ in Counter(words).most_common(MOST_TYPES)]
    relevances = relevance_classes(columns["answer_relevance"])
    bars = (
        (
            *("mrr_by_relevance", translatable("MRR by relevance of the true answer"), mrr),
            *(_rows(relevances, RELEVANCES), reciprocal),
        ),
        (
            *("mrr_by_question", translatable("MRR by question type"), mrr),
            *(_rows(words, common), reciprocal),
        ),
    )
    yield from filter(None, (class_curve(*one, images) for one in curves))
    yield from filter(None, (class_bars(*one, images) for one in bars))


def _rows(texts: list[str], classes: Sequence[str]) -> dict[str, list[int]]:
    """Return the rows of each class; an empty text is in none."""
    found: dict[str, list[int]] = {name: [] for name in classes if name}
    for row, text in enumerate(texts):
        if text in found:
            found[text].append(row)
    return found


def question_type(question: str) -> str:
    """Return the first two words of a question."""
    return " ".join(question.lower().split()[:2])


def relevance_classes(values: FloatArray) -> list[str]:
    """Return the classes of relevances: none, low, full; empty where unknown."""
    return [
        "" if value != value else "0" if value == 0 else "1" if value == 1 else "low"
        for value in values.tolist()
    ]


def _recall_curve(ranks: FloatArray, most: int) -> Curve:
    """Return the share of true answers up to each rank, with chance as its band."""
    numbers = np.arange(1.0, most + 1)
    shares = np.searchsorted(np.sort(ranks), numbers, side="right") / len(ranks)
    chance = numbers / most
    return Curve(
        "recall",
        translatable("Recall by rank"),
        Axis("Rank k", limits=(1.0, float(max(most, 2)))),
        Axis("Recall", limits=(0.0, 1.0)),
        numbers,
        shares,
        chance,
        chance,
        translatable("random ranks"),
    )


def attributes_of(items: ItemTable) -> Mapping[str, Callable[[], Sequence[str]]]:
    """Return the round, the beginning of the question and the relevance of the answer."""

    def rounds() -> list[str]:
        return [one.rpartition("-")[2] for one in items.ids]

    def shown() -> Iterator[object]:
        return (items.show(row) for row in range(len(items)))

    def questions() -> list[str]:
        return [
            question_type(one.question) if isinstance(one, RankEvidence) else "" for one in shown()
        ]

    return field_attributes(shown) | {
        "round": rounds,
        "question type": questions,
        "answer relevance": lambda: relevance_classes(items.columns["answer_relevance"]),
    }
