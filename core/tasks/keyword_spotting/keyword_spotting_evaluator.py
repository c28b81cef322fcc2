"""Evaluator of ranked lists: measures of each query, their means, and curves."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.competition.task import GROUP
from jurydesk.core.language import Message, counted, fill, name_list, translatable
from jurydesk.core.metrics.ranking import (
    ON_DEMAND,
    STANDARD_MEASURES,
    TIE_RANGE,
    Measure,
    MeasureRules,
    RankingStatistics,
    measure_by_name,
    measure_names,
    split_measures,
)
from jurydesk.core.metrics.ranking.catalogue import NDCG, NDCG_BINARY
from jurydesk.core.metrics.ranking.curves import rank_curve, recall_curves
from jurydesk.core.metrics.ranking.ties import tie_affected_queries
from jurydesk.core.model.defects import Defect, Place, note, warning
from jurydesk.core.model.evaluation import (
    BoolArray,
    Evaluation,
    FloatArray,
    IntArray,
    ItemTable,
    Score,
    UsageError,
)
from jurydesk.core.model.evidence_columns import (
    ColumnEvidence,
    EvidenceColumn,
    EvidenceColumns,
)
from jurydesk.core.tasks.keyword_spotting.common_documents import document_name_defects
from jurydesk.core.tasks.keyword_spotting.judgements import RankedLists, RelevanceJudgements
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_evidence import (
    SHOWN_VALUES,
    RankedList,
    list_columns,
)
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions
from jurydesk.core.tasks.keyword_spotting.ranking_chunks import measure_request

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MIN_QUERIES = 10
"""Minimum number of queries for the warning about a perfect score."""
TOLERANCE = 1e-9
"""Differences between profiles below this are ignored."""


def evaluate(
    relevance: RelevanceJudgements, lists: RankedLists, options: KeywordSpottingOptions, run: Run
) -> Evaluation:
    """Return the scores of a system: a row per counted query, the means, and three curves.

    Raises UsageError for a profile that the format lacks, or an unknown measure.
    """
    measures = select_measures(relevance.format, options)
    kept, ranked = _counted_queries(relevance, lists, options)
    defined = _has_value(ranked, relevance.format)
    values = _columns(measures, ranked, defined, run)
    columns = {one.info.name: row for one, row in zip(measures, values, strict=True)}
    keywords = relevance.keywords()
    if keywords is not None:
        columns[GROUP] = keywords[kept].astype(np.float64)
    return Evaluation(
        task="keyword-spotting",
        system="",
        profile=options.profile,
        scores=tuple(_scores(measures, values, defined)),
        items=ItemTable(
            ids=ranked.hits.queries,
            columns=columns,
            evidence=ColumnEvidence(
                partial(_evidence, lists, options.profile, kept, ranked, columns),
                RankedList.from_row,
            ),
            noun="query",
        ),
        figures=(*recall_curves(ranked, defined), rank_curve(ranked, defined)),
        defects=tuple(_defects(relevance, lists, options, ranked, defined)),
    )


def scoring_remarks(
    relevance: RelevanceJudgements, lists: RankedLists, options: KeywordSpottingOptions, run: Run
) -> Iterator[Defect]:
    """Yield what scoring reports of a system."""
    if not _has_profile(relevance.format, options):
        return
    _, ranked = run.call(_counted_queries, relevance, lists, options)
    yield from _defects(relevance, lists, options, ranked, _has_value(ranked, relevance.format))


def _counted_queries(
    relevance: RelevanceJudgements, lists: RankedLists, options: KeywordSpottingOptions
) -> tuple[IntArray, RankingStatistics]:
    """Return the positions of the queries that count, and their ranked lists."""
    hits = lists.hits(options.profile)
    is_zero = options.missing_rule(relevance.format) == "zero"
    kept = np.arange(len(hits)) if is_zero else np.flatnonzero(hits.listed)
    return kept, RankingStatistics(hits.select(kept), rules(relevance.format, options))


def _has_profile(format: str, options: KeywordSpottingOptions) -> bool:
    return format != "trec" or options.profile == "published"


def select_measures(format: str, options: KeywordSpottingOptions) -> tuple[Measure, ...]:
    """Return the measures computed for a format; raises UsageError for an unknown one."""
    if not _has_profile(format, options):
        raise UsageError(
            fill(
                "Files in trec_eval's format have the profile published alone; {profile} is "
                "defined for ICFHR 2014 XML.",
                options.profile,
            )
        )
    if options.level is not None and math.isnan(options.level):
        raise UsageError("The level nan is no number: no relevance is above or below it.")
    standard = list(STANDARD_MEASURES)
    if format != "trec":
        standard.insert(standard.index(NDCG) + 1, NDCG_BINARY)
    if format == "trec" and options.tie_range:
        standard.extend(TIE_RANGE)
    more = [found for name in split_measures(options.measures) for found in _find_measures(name)]
    return tuple(dict.fromkeys((*standard, *more)))


def _find_measures(name: str) -> list[Measure]:
    found = [one for known in measure_names(name) if (one := measure_by_name(known)) is not None]
    if not found:
        known = [one.info.name for one in (*STANDARD_MEASURES, *ON_DEMAND)]
        near = measure_names(name.partition("@")[0]) or difflib.get_close_matches(name, known, n=1)
        advice = (
            fill("Did you mean {near}?", near[0]) if near else "Names are trec_eval's, such as P_7."
        )
        raise UsageError(fill('There is no measure "{name}". {advice}', name, translatable(advice)))
    return found


def rules(format: str, options: KeywordSpottingOptions) -> MeasureRules:
    """Return the ranking rules of the profile's published program."""
    if options.profile == "icfhr":
        return MeasureRules(cut="listed", recall="exact", discount="icfhr")
    return MeasureRules(
        recall="trec10" if options.compat == "trec10" else "trec9",
        precision="single" if (format, options.profile) == ("xml", "published") else "double",
    )


def _has_value(ranked: RankingStatistics, format: str) -> BoolArray:
    """Return which queries have a value; without relevant items those of ICFHR have none."""
    if format != "xml":
        return np.ones(ranked.queries, dtype=np.bool_)
    has_relevant: BoolArray = ranked.relevant > 0
    return has_relevant


def _columns(
    measures: Sequence[Measure], ranked: RankingStatistics, defined: BoolArray, run: Run
) -> FloatArray:
    """Return a row for each measure, with the value of every query."""
    parts = [part.values.T for part in run.each(measure_request(measures, ranked))]
    values = np.concatenate([np.empty((len(measures), 0)), *parts], axis=1)
    values[:, ~defined] = np.nan
    return values


def _scores(measures: Sequence[Measure], values: FloatArray, defined: BoolArray) -> list[Score]:
    """Return the scores over all queries; NaN if none has a value."""
    values = np.ascontiguousarray(values[:, defined])
    count = values.shape[1]
    if not count:
        return [Score(one.info.name, float("nan"), 0) for one in measures]
    means, stds, sums = values.mean(axis=1), values.std(axis=1), values.sum(axis=1)
    scores = []
    for one, mean, std, total, row in zip(measures, means, stds, sums, values, strict=True):
        info = one.info
        value = total if info.aggregate == "sum" else mean
        if info.combine is not None:
            value = info.combine(row)
        scores.append(Score(info.name, float(value), count, float(std)))
    return scores


def _evidence(
    lists: RankedLists,
    profile: str,
    queries: IntArray,
    ranked: RankingStatistics,
    columns: Mapping[str, FloatArray],
) -> tuple[EvidenceColumns]:
    """Return the evidence columns of the queries."""
    return (
        EvidenceColumns(
            {
                "query": EvidenceColumn.texts(ranked.hits.queries),
                "listed": EvidenceColumn(ranked.hits.listed),
                "relevant": EvidenceColumn(ranked.relevant),
                **list_columns(
                    lists.ranked_items(queries, profile), lists.missed_items(queries, profile)
                ),
                **{name: EvidenceColumn(columns[name]) for name in SHOWN_VALUES},
            }
        ),
    )


def _defects(
    relevance: RelevanceJudgements,
    lists: RankedLists,
    options: KeywordSpottingOptions,
    ranked: RankingStatistics,
    defined: BoolArray,
) -> Iterator[Defect]:
    yield from lists.defects(options.profile)
    if relevance.format != "overlap":  # whose lists compare names themselves
        yield from document_name_defects(lists)
    place = Place(lists.path)
    empty = [ranked.hits.queries[item] for item in np.flatnonzero(ranked.relevant == 0).tolist()]
    if empty:
        yield _no_relevant_defect(Place(relevance.path), empty, relevance.format)
    yield from _perfect_score_warning(ranked, defined, place)
    yield from _tie_warning(ranked, place)
    if relevance.format == "xml":
        yield from _profile_differences(lists, options, ranked, defined, place)
    if int(defined.sum()) < len(relevance.queries):
        means = fill(
            "The means are over {int:,} of {queries:,} queries.",
            int(defined.sum()),
            len(relevance.queries),
        )
        yield note(place, means)


def _no_relevant_defect(place: Place, queries: Sequence[str], format: str) -> Defect:
    count = len(queries)
    found = fill(
        "{queries} without a relevant item: {name_list}.",
        counted(count, "query", "queries"),
        name_list(queries),
    )
    if format == "overlap":
        hint = "It counts as 0." if count == 1 else "They count as 0."
    elif format == "trec":
        hint = (
            "It counts as 0, as in trec_eval."
            if count == 1
            else "They count as 0, as in trec_eval."
        )
    else:
        hint = "It is left out of the means." if count == 1 else "They are left out of the means."
    return note(place, found, hint, count=count)


def _perfect_score_warning(
    ranked: RankingStatistics, defined: BoolArray, place: Place
) -> Iterator[Defect]:
    """Warn about a perfect score, which suggests that the relevance file was submitted."""
    queries = int(defined.sum())
    if queries < MIN_QUERIES or _find_measures("ap")[0].values(ranked)[defined].min() < 1:
        return
    yield warning(
        place,
        fill("In all {queries:,} queries every relevant item is ranked above all others.", queries),
        "Lists that are made from the relevance file look like this.",
        "Ask whether the relevance file was known to the team.",
        count=queries,
    )


def _tie_warning(ranked: RankingStatistics, place: Place) -> Iterator[Defect]:
    """Yield how much the order of tied scores affects the measures."""
    queries = np.flatnonzero(tie_affected_queries(ranked))
    if not len(queries):
        return
    names = name_list([ranked.hits.queries[item] for item in queries.tolist()])
    low, expected, high = (float(one.values(ranked).mean()) for one in TIE_RANGE[:3])
    found = fill(
        "In {queries} a relevant item shares its score with others: {names}.",
        counted(len(queries), "query", "queries"),
        names,
    )
    hint = fill(
        "Mean average precision is from {low:.4f} to {high:.4f} over the orders of equal "
        "scores, {expected:.4f} on average; --tie-range gives this for each query.",
        low,
        high,
        expected,
    )
    yield note(place, found, hint, count=len(queries))


def _profile_differences(
    lists: RankedLists,
    options: KeywordSpottingOptions,
    ranked: RankingStatistics,
    defined: BoolArray,
    place: Place,
) -> Iterator[Defect]:
    """Yield where `published` and `corrected` give a query different values."""
    other = {"published": "corrected", "corrected": "published"}.get(options.profile)
    if other is None:
        return
    numbers = {query: number for number, query in enumerate(lists.hits(other).queries)}
    chosen = [numbers[query] for query in ranked.hits.queries]
    theirs = RankingStatistics(lists.hits(other).select(chosen), ranked.rules)
    apart = np.zeros(ranked.queries, dtype=np.bool_)
    for name in ("precAt5", "precAt10", "ap"):
        (one,) = _find_measures(name)
        apart |= np.abs(one.values(ranked) - one.values(theirs)) > TOLERANCE
    apart &= defined
    names = [ranked.hits.queries[item] for item in np.flatnonzero(apart).tolist()]
    if names:
        (ap,) = _find_measures("ap")
        own, its = (float(ap.values(one)[defined].mean()) for one in (ranked, theirs))
        queries = counted(len(names), "query differs", "queries differ")
        found = fill(
            "{queries} between the profiles published and corrected: {name_list}.",
            queries,
            name_list(names),
        )
        hint = fill(
            "Mean average precision: {own:.5f} {profile}, {its:.5f} {other}.",
            own,
            options.profile,
            its,
            Message(other),
        )
        yield note(place, found, hint, count=len(names))
