"""Small generated evaluations, as the engine returns them, for tests of the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from jurydesk.core.competition.task import (
    AnyTask,
    Input,
    Presentation,
    Readers,
    Scoring,
    Task,
)
from jurydesk.core.model.evaluation import (
    Axis,
    Curve,
    Evaluation,
    FloatArray,
    ItemTable,
    MetricInfo,
    Score,
)
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
)
from jurydesk.core.model.options import option
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    SHOWN_VALUES,
    ItemColumns,
    RankedItem,
    RankedList,
    columns_of_lists,
    list_columns,
)

AP = MetricInfo(
    name="ap",
    title="AP",
    summary="Sum of the precision at each hit, divided by the number of relevant words.",
    range=(0.0, 1.0),
    better="higher",
    source="rusteval",
    headline=True,
)
PRECISION_AT_5 = MetricInfo(
    name="precAt5",
    title="P@5",
    summary="Share of the first five ranks that are hits.",
    range=(0.0, 1.0),
    better="higher",
    source="rusteval",
)
RECALL = np.linspace(0, 1, 101)


@cache
def ranked_list(query: int, listed: int = 300, relevant: int = 8) -> RankedList:
    """Return a list whose hits thin out towards its end; one relevant word is missed."""
    rng = np.random.default_rng(query)
    ranks = np.unique(np.ceil(listed * rng.random(relevant - 1) ** 3).astype(int))
    hits = {int(rank) for rank in ranks}
    shown = sorted({*range(1, min(listed, 200) + 1), *hits})
    items = tuple(_word(rng, rank, hit=rank in hits) for rank in shown)
    missed = tuple(_word(rng, 0, hit=False) for _ in range(relevant - len(hits)))
    return RankedList(f"sb{query:04d}", listed, relevant, items, missed, (("ap", 0.5),))


def _word(rng: np.random.Generator, rank: int, *, hit: bool) -> RankedItem:
    x, y, width, height = (
        int(value) for value in rng.integers((0, 0, 40, 20), (700, 900, 200, 60))
    )
    gain = 1.0 if hit or rank == 0 else float("nan")
    name = f"page_{int(rng.integers(1, 5)):03d}"
    text = "possession" if gain == 1.0 else ""
    return RankedItem(rank, name, hit, gain, float("nan"), (x, y, width, height), text)


class RankedEvidence(ColumnEvidence):
    """Evidence of generated lists, which becomes columns only when it is stored."""

    def __init__(self, queries: int, ranked: Callable[[int], RankedList]) -> None:
        super().__init__(self._columns, RankedList.from_row)
        self._queries = queries
        self._ranked = ranked

    def __call__(self, number: int) -> RankedList:
        """Return a list."""
        return self._ranked(number)

    def _columns(self) -> list[EvidenceColumns]:
        lists = [self._ranked(query) for query in range(self._queries)]
        values = [dict(one.values) for one in lists]
        columns = {
            "query": EvidenceColumn.texts([one.query for one in lists]),
            "listed": EvidenceColumn(np.array([one.listed for one in lists])),
            "relevant": EvidenceColumn(np.array([one.relevant for one in lists])),
            **list_columns(
                _item_columns([one.items for one in lists]),
                _item_columns([one.missed for one in lists]),
            ),
        }
        for name in SHOWN_VALUES:
            columns[name] = EvidenceColumn(np.array([one.get(name, np.nan) for one in values]))
        return [EvidenceColumns(columns)]


def _item_columns(lists: Sequence[tuple[RankedItem, ...]]) -> ItemColumns:
    items = list(chain(*lists))
    return columns_of_lists(
        list_lengths(lists),
        np.array([item.rank for item in items]),
        [item.name for item in items],
        np.array([item.hit for item in items]),
        np.array([item.gain for item in items]),
        box=np.array([item.box for item in items]),
        text=[item.text for item in items],
    )


def retrieval(queries: int = 40, system: str = "lexicon-hmm", seed: int = 1) -> Evaluation:
    """Return ranked retrieval over generated queries; the third one is undefined."""
    rng = np.random.default_rng(seed)
    ap: FloatArray = np.clip(rng.beta(1.6, 1.3, queries), 0.002, 1)
    if queries > 2:
        ap[2] = np.nan
    steepness = 3 / (1.02 - np.nan_to_num(ap, nan=0.5))
    members = np.clip(1 - RECALL[None, :] ** (0.3 * steepness[:, None]), 0, 1)
    members[np.isnan(ap)] = np.nan
    at_5 = np.where(np.isnan(ap), np.nan, np.round(5 * ap) / 5)
    curve = Curve(
        name="precision_recall",
        title="Precision and recall",
        x_axis=Axis("recall", limits=(0.0, 1.0)),
        y_axis=Axis("precision", limits=(0.0, 1.0)),
        x=RECALL,
        mean=np.nanmean(members, axis=0),
        low=np.nanquantile(members, 0.1, axis=0),
        high=np.nanquantile(members, 0.9, axis=0),
        band="10–90 %",
        members=members,
        value="ap",
    )
    ids = tuple(f"sb{query:04d}" for query in range(queries))
    columns = {"precAt5": at_5, "ap": ap, "num_rel": np.full(queries, 8.0)}
    items = ItemTable(ids, columns, RankedEvidence(queries, ranked_list), "query")
    scores = tuple(
        Score(name, float(np.nanmean(column)), int((~np.isnan(column)).sum()))
        for name, column in columns.items()
    )
    return Evaluation("keyword-spotting", system, "published", scores, items, (curve,))


@dataclass(frozen=True, slots=True)
class Options:
    profile: str = option("published", "Whose rules.", choices=("published",))


def _refuse_call(*arguments: object) -> Any:
    raise AssertionError("a desk that is only looked at reads and scores nothing")


TASK: AnyTask = Task(
    id="keyword-spotting",
    title="Keyword spotting",
    summary="Ranked lists of words.",
    item_noun=("query", "queries"),
    inputs=(Input("images", "Page images", "folder", (), required=False),),
    readers=Readers(
        read_references=_refuse_call,
        read_submission=_refuse_call,
        load_evidence=RankedList.from_row,
    ),
    scoring=Scoring(
        options=Options,
        metrics=(PRECISION_AT_5, AP),
        evaluate=_refuse_call,
    ),
    presentation=Presentation(
        inspector="keyword_spotting",
    ),
)
