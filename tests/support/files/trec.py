"""Small trec_eval files for tests, and a plain reader of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from jurydesk.core.competition.task import Reading
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.ranking import Hits
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.model.evidence_columns import EvidenceColumns
from jurydesk.core.tasks.keyword_spotting.judgements import RankedLists
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evaluator import evaluate
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    ItemColumns,
    RankedItem,
    ranked_items,
)
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import (
    KeywordSpottingOptions,
    TrecPolicy,
)
from jurydesk.core.tasks.keyword_spotting.trec import fast_lines
from jurydesk.core.tasks.keyword_spotting.trec.qrels_match import TrecRelevance
from jurydesk.core.tasks.keyword_spotting.trec.trec_lists import TrecLists
from jurydesk.core.tasks.keyword_spotting.trec.trec_reader import (
    read_lists,
    read_qrels,
)

WAYS = ("compiled", "line by line")
"""The ways to read trec_eval's lines; a piece that the compiled one leaves is read line by line."""


def read_in_one_way(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every file with one reader during a test, whatever its size."""
    if way == "compiled":
        if not fast_lines.AVAILABLE:
            pytest.skip("no compiler was at hand when the program was installed")
    else:
        monkeypatch.setattr(fast_lines, "AVAILABLE", False)


QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n"
RUN = "q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\nq2 Q0 c 1 1.0 x\n"


@dataclass(frozen=True)
class Pair:
    """A relevance file named qrels.txt and a result file named run.txt."""

    qrels: Path
    run: Path

    def relevance(self) -> Reading[TrecRelevance]:
        return read_qrels(self.qrels, Run())

    def lists(self, **policy: object) -> Reading[TrecLists]:
        relevance = self.relevance().data
        assert relevance is not None
        return read_lists(self.run, relevance, TrecPolicy(**policy), Run())  # type: ignore[arg-type]

    def evaluation(self, **options: object) -> Evaluation:
        chosen = KeywordSpottingOptions(**options)  # type: ignore[arg-type]
        relevance = self.relevance().data
        lists = self.lists(
            compat=chosen.compat,
            ties=chosen.ties,
            level=chosen.level,
            missing=chosen.missing_rule("trec"),
        ).data
        assert relevance is not None
        assert lists is not None
        return evaluate(relevance, lists, chosen, Run())


def lists(pair: Pair, **policy: object) -> TrecLists:
    found = pair.lists(**policy).data
    assert found is not None
    return found


def order(pair: Pair, query: int = 0, **policy: object) -> list[str]:
    """Return the documents of a query in the order of their ranks."""
    return [item.name for item in ranked_of(lists(pair, **policy), query)]


def ranked_of(found: RankedLists, query: int, profile: str = "published") -> tuple[RankedItem, ...]:
    """Return the items of a query's list."""
    return items_of(found.ranked_items(np.array([query]), profile))


def missed_of(found: RankedLists, query: int, profile: str = "published") -> tuple[RankedItem, ...]:
    """Return the relevant items that a query's list lacks."""
    return items_of(found.missed_items(np.array([query]), profile))


def items_of(columns: ItemColumns) -> tuple[RankedItem, ...]:
    return ranked_items(EvidenceColumns(columns).row(0))


def write_pair(folder: Path, qrels: str | bytes, run: str | bytes) -> Pair:
    pair = Pair(folder / "qrels.txt", folder / "run.txt")
    for path, text in ((pair.qrels, qrels), (pair.run, run)):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return pair


def result_lines(ranked: Mapping[str, Sequence[tuple[str, object]]]) -> str:
    """Return result lines of documents and scores, query by query."""
    return "".join(
        f"{query} Q0 {name} {rank} {score} run\n"
        for query, documents in ranked.items()
        for rank, (name, score) in enumerate(documents, 1)
    )


def judgement_lines(judged: Mapping[str, Mapping[str, object]]) -> str:
    """Return relevance lines of documents and their relevance, query by query."""
    return "".join(
        f"{query} 0 {name} {relevance}\n"
        for query, documents in judged.items()
        for name, relevance in documents.items()
    )


def hits(
    judged: Sequence[Mapping[int | str, float]], listed: Sequence[int], level: float = 1.0
) -> Hits:
    """Return hits of queries by the rank of judged items, or by a name if they are not listed."""
    found = [
        sorted((rank, gain) for rank, gain in query.items() if isinstance(rank, int))
        for query in judged
    ]
    gains = np.array([gain for query in found for _, gain in query])
    ranks = np.array([rank for query in found for rank, _ in query], dtype=np.int64)
    judged_gains = np.array([gain for query in judged for gain in query.values()], dtype=np.float64)
    return Hits(
        queries=tuple(f"q{number}" for number in range(len(judged))),
        listed=np.array(listed, dtype=np.int64),
        starts=np.cumsum([0, *map(len, found)]),
        ranks=ranks,
        first=ranks,
        last=ranks,
        gains=gains.astype(np.float64),
        relevant=gains >= level,
        judged_starts=np.cumsum([0, *map(len, judged)]),
        judged_gains=judged_gains,
        judged_relevant=judged_gains >= level,
    )
