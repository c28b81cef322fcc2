"""Evaluator of ranked answers: the rank of the true answer, and NDCG of dense annotations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import counted, fill, join_messages, name_list, reason
from jurydesk.core.metrics.rank_gain import cut_ndcg, ndcg_range, random_ndcg, worst_ndcg
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import (
    BoolArray,
    Evaluation,
    FloatArray,
    IntArray,
    ItemTable,
    Score,
)
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
    list_lengths,
)
from jurydesk.core.tasks.item_fields import fields_column
from jurydesk.core.tasks.visdial_ranks.dialog_ranks import (
    Dialogue,
    Ranking,
    RankReferences,
    round_id,
    text_at,
)
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_evidence import RankEvidence
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_figures import round_figures
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_metrics import CUTOFFS, METRICS
from jurydesk.core.tasks.visdial_ranks.visdial_ranks_options import VisDialRanksOptions

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MISTAKE = 0.1
"""Difference of MRR from which an order is suspected in place of ranks."""
MOST_ROUNDS = 60_000
"""Above this number of rounds the texts of the options are not stored."""


def evaluate(
    references: RankReferences, ranking: Ranking, options: VisDialRanksOptions, run: Run
) -> Evaluation:
    """Return the scores of a system, with one item for each scored round."""
    columns = rank_columns(references, ranking, options)
    ids = tuple(round_id(references.keys[number]) for number in ranking.rounds.tolist())
    evidence = ColumnEvidence(partial(_evidence, references, ranking), RankEvidence.from_row)
    items = ItemTable(ids, columns, evidence, "round")
    defects = [*_remarks(references, ranking, columns, options)]
    return Evaluation(
        "visdial-ranks",
        "",
        options.profile,
        tuple(scores_of(columns, options)),
        items,
        figures=tuple(round_figures(references, ranking, columns)),
        defects=tuple(defects),
    )


def rank_columns(
    references: RankReferences, ranking: Ranking, options: VisDialRanksOptions
) -> dict[str, FloatArray]:
    """Return the item columns of the scored rounds."""
    rounds = ranking.rounds
    sizes, truth = references.sizes[rounds], references.truth[rounds]
    is_missing = np.array([one is None for one in ranking.ranks], np.bool_)
    rank = np.full(len(rounds), np.nan)
    for number, ranks in enumerate(ranking.ranks):
        if ranks is not None and truth[number] >= 0:
            rank[number] = ranks[truth[number]]
    known = truth >= 0
    recalls = {f"r@{k}": np.where(np.isnan(rank), np.nan, rank <= k) for k in CUTOFFS}
    reciprocal = 1.0 / rank
    filled = is_missing & known
    if options.missing == "worst":
        rank[filled] = sizes[filled]
        reciprocal[filled] = 1.0 / sizes[filled]
        for k in CUTOFFS:
            recalls[f"r@{k}"][filled] = sizes[filled] <= k
    elif filled.any():
        rank[filled] = (sizes[filled] + 1) / 2
        reciprocal[filled] = [expected_reciprocal(size) for size in sizes[filled].tolist()]
        for k in CUTOFFS:
            recalls[f"r@{k}"][filled] = np.minimum(k / sizes[filled], 1.0)
    gain, relevant, answer = np.full((3, len(rounds)), np.nan)
    for number, index in enumerate(rounds.tolist()):
        relevance = references.relevance.get(index)
        if relevance is not None:
            gain[number] = _gain(relevance, ranking.ranks[number], options)
            relevant[number] = np.count_nonzero(relevance)
            if known[number]:
                answer[number] = relevance[truth[number]]
    is_dense = ~np.isnan(relevant)
    return {
        "rank": rank,
        "reciprocal_rank": reciprocal,
        "ndcg": gain,
        "n_relevant": relevant,
        "answer_relevance": answer,
        **recalls,
        "mean": rank,
        "mrr": reciprocal,
        "mrr_dense": np.where(is_dense, reciprocal, np.nan),
        "missing": is_missing.astype(np.float64),
    }


def _gain(relevance: FloatArray, ranks: IntArray | None, options: VisDialRanksOptions) -> float:
    if ranks is not None:
        return cut_ndcg(relevance, ranks)
    return worst_ndcg(relevance) if options.missing == "worst" else random_ndcg(relevance)


def scores_of(columns: Mapping[str, FloatArray], options: VisDialRanksOptions) -> Iterator[Score]:
    """Yield the scores over the rounds where they are defined."""
    for info in METRICS:
        column = columns["rank" if info.name == "median" else info.name]
        defined = column[~np.isnan(column)]
        count = len(defined)
        if not count:
            yield Score(info.name, math.nan, 0)
        elif info.name == "median":
            yield Score(info.name, float(np.sort(defined)[(count - 1) // 2]), count)
        elif info.name == "ndcg" and not options.corrected and _undefined(columns).any():
            yield Score(info.name, math.nan, count)
        else:
            yield Score(info.name, float(defined.mean()), count, float(defined.std()))


@cache
def expected_reciprocal(size: int) -> float:
    """Return the expected reciprocal of a random rank among so many options."""
    return math.fsum(1 / rank for rank in range(1, size + 1)) / size


def _undefined(columns: Mapping[str, FloatArray]) -> BoolArray:
    """Return which dense rounds (rounds,) have no relevant option."""
    is_empty: BoolArray = columns["n_relevant"] == 0
    return is_empty


def scoring_remarks(
    references: RankReferences, ranking: Ranking, options: VisDialRanksOptions, run: Run
) -> Iterator[Defect]:
    """Yield what affects the scores: their rounds, rounds without NDCG, ties and orders."""
    yield from _remarks(references, ranking, rank_columns(references, ranking, options), options)


def _remarks(
    references: RankReferences,
    ranking: Ranking,
    columns: Mapping[str, FloatArray],
    options: VisDialRanksOptions,
) -> Iterator[Defect]:
    place = Place(ranking.path)
    if not references.relevance:
        found = "NDCG is not computed: there are no dense annotations."
        yield note(place, found, "Give them with --relevance FILE.")
    elif not np.isnan(columns["rank"]).all():
        dense = int((~np.isnan(columns["n_relevant"])).sum())
        found = fill(
            "NDCG rests on {dense}, the other metrics on {rounds}.",
            counted(dense, "round"),
            counted(int((~np.isnan(columns["rank"])).sum()), "round"),
        )
        yield note(place, found, "Only mrr_dense rests on the same rounds as NDCG.")
    if np.isnan(columns["rank"]).all():
        found = "The dialogues do not state the true answers: only NDCG is computed."
        yield warning(Place(references.path), found, 'Members "gt_index" are expected.')
    yield from _undefined_rounds(references, ranking, columns, options)
    yield from _order_warning(references, ranking, columns, options, place)
    if ranking.scores:
        yield from _tie_note(references, ranking, place)


def _undefined_rounds(
    references: RankReferences,
    ranking: Ranking,
    columns: Mapping[str, FloatArray],
    options: VisDialRanksOptions,
) -> Iterator[Defect]:
    empty = ranking.rounds[_undefined(columns)].tolist()
    if not empty:
        return
    names = name_list([round_id(references.keys[number]) for number in empty])
    found = fill(
        "{rounds} without a relevant option: {names}.", counted(len(empty), "round"), names
    )
    place = Place(references.relevance_path)
    if options.corrected:
        yield note(place, found, "NDCG leaves them out.", count=len(empty))
        return
    effect = "The published NDCG of the whole file is undefined."
    yield warning(
        place, found, effect, reason("--profile corrected leaves them out."), count=len(empty)
    )


def _order_warning(
    references: RankReferences,
    ranking: Ranking,
    columns: Mapping[str, FloatArray],
    options: VisDialRanksOptions,
    place: Place,
) -> Iterator[Defect]:
    """Warn if the lists seem to name options by rank, instead of the rank of every option."""
    truth = references.truth[ranking.rounds]
    others = [
        1.0 / float(1 + int(np.flatnonzero(ranks == truth[number] + 1)[0]))
        for number, ranks in enumerate(ranking.ranks)
        if ranks is not None and truth[number] >= 0
    ]
    is_given = ~np.isnan(columns["rank"]) & (columns["missing"] == 0)
    if not others or ranking.scores or options.lists == "order":
        return
    found = float(columns["reciprocal_rank"][is_given].mean())
    other = math.fsum(others) / len(others)
    if other > found + MISTAKE:
        text = fill(
            "The lists seem to name options by rank, not the rank of every option: MRR would be "
            "{other:.4f}, not {found:.4f}.",
            other,
            found,
        )
        hint = "Write the inverse, or use --lists order."
        yield warning(place, text, "The rank of every option is expected.", hint)


def _tie_note(references: RankReferences, ranking: Ranking, place: Place) -> Iterator[Defect]:
    """Yield how many rounds have equal scores, and the range of the metrics over their orders."""
    ends: list[tuple[float, float]] = []
    gains: list[tuple[float, float]] = []
    tied = 0
    for index, ranks in zip(ranking.rounds.tolist(), ranking.ranks, strict=True):
        scores, truth = ranking.scores.get(index), int(references.truth[index])
        if ranks is None:
            continue
        tied += int(scores is not None and len(np.unique(scores)) < len(scores))
        if truth >= 0:
            ends.append(_rank_range(ranks, scores, truth))
        relevance = references.relevance.get(index)
        if relevance is not None:
            own = cut_ndcg(relevance, ranks)
            gains.append((own, own) if scores is None else ndcg_range(relevance, scores))
    if not tied:
        return
    ranges = []
    if ends:
        best, worst = np.array(ends).T
        ranges += [
            fill("R@{k} {low:.4f} to {high:.4f}", k, (worst <= k).mean(), (best <= k).mean())
            for k in CUTOFFS
        ]
        ranges.append(fill("mean {low:.1f} to {high:.1f}", best.mean(), worst.mean()))
        ranges.append(fill("MRR {low:.4f} to {high:.4f}", (1 / worst).mean(), (1 / best).mean()))
    if gains:
        low, high = np.array(gains).mean(axis=0).tolist()
        ranges.append(fill("NDCG {low:.4f} to {high:.4f}", low, high))
    found = fill("Equal scores in {rounds}; they are ranked as listed.", counted(tied, "round"))
    hint = fill("Over all orders: {ranges}.", join_messages(ranges, ", "))
    yield note(place, found, hint, count=tied)


def _rank_range(ranks: IntArray, scores: FloatArray | None, truth: int) -> tuple[float, float]:
    if scores is None:
        return float(ranks[truth]), float(ranks[truth])
    greater = int(np.count_nonzero(scores > scores[truth]))
    return greater + 1.0, float(greater + np.count_nonzero(scores == scores[truth]))


def _evidence(
    references: RankReferences, ranking: Ranking
) -> tuple[EvidenceColumns, EvidenceColumns]:
    """Return the evidence columns: those of the dialogues (shared), and the system's ranks."""
    rounds = ranking.rounds.tolist()
    keys = [references.keys[number] for number in rounds]
    dialogues = [references.dialogues.get(image, Dialogue("", ())) for image, _ in keys]
    is_listed = len(rounds) <= MOST_ROUNDS
    options = [references.options[one].tolist() if is_listed else [] for one in rounds]
    history = [_history(references, *pair) for pair in zip(dialogues, keys, strict=True)]
    relevance = [references.relevance.get(one, np.empty(0)) for one in rounds]
    if not is_listed:
        relevance = [np.empty(0)] * len(rounds)
    shared = {
        "image": EvidenceColumn(np.array([image for image, _ in keys], np.int64)),
        "round": EvidenceColumn(np.array([number for _, number in keys], np.int64)),
        "caption": EvidenceColumn.texts(one.caption for one in dialogues),
        "question": EvidenceColumn.texts(map(references.question, rounds)),
        "history": EvidenceColumn.texts(
            (text for texts in history for text in texts), list_lengths(history)
        ),
        "truth": EvidenceColumn(references.truth[ranking.rounds]),
        "options": EvidenceColumn.texts(
            (references.answers[one] for listed in options for one in listed),
            list_lengths(options),
        ),
        "relevance": EvidenceColumn(np.concatenate(relevance), _lengths(relevance)),
    }
    shared |= fields_column([references.fields.get(one, ()) for one in rounds])
    ranks = [
        np.empty(0, np.int64) if one is None or not is_listed else one for one in ranking.ranks
    ]
    system = {"ranks": EvidenceColumn(np.concatenate(ranks), _lengths(ranks))}
    return EvidenceColumns(shared), EvidenceColumns(system)


def _lengths(arrays: Sequence[FloatArray | IntArray]) -> IntArray:
    return np.array([len(one) for one in arrays], np.int64)


def _history(references: RankReferences, dialogue: Dialogue, key: tuple[int, int]) -> list[str]:
    """Return the questions and true answers of the earlier rounds."""
    lines = []
    for question, answer in dialogue.turns[: key[1] - 1]:
        said = text_at(references.answers, answer)
        lines.append(f"{text_at(references.questions, question)} – {said}")
    return lines
