"""Evaluation of a run as trec_eval does it, with its options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from jurydesk.core.competition.task import Reading
from jurydesk.core.execution.run import Run
from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.ranking import Hits, MeasureRules, RankingStatistics
from jurydesk.core.metrics.ranking.precision import recall_cut
from jurydesk.core.metrics.ranking.preferences import (
    PREFERENCE_MEASURES,
    PreferenceStatistics,
    preference_values,
)
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import FloatArray, IntArray, UsageError
from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import Compat, TrecPolicy
from jurydesk.core.tasks.keyword_spotting.trec.qrels_match import TrecRelevance
from jurydesk.core.tasks.keyword_spotting.trec.trec_lists import TrecLists
from jurydesk.core.tasks.keyword_spotting.trec.trec_reader import (
    read_lists,
    read_qrels,
)
from jurydesk.core.tasks.keyword_spotting.trec_eval.judgement_groups import (
    GroupedJudgements,
    judged_documents,
    overread_groups,
    read_judgements,
)
from jurydesk.core.tasks.keyword_spotting.trec_eval.trec_eval_measures import (
    GROUP_MEASURES,
    NUMBER_OF_QUERIES,
    RELEVANCE_STRING,
    RUN_ID,
    STRING_LENGTH,
    RequestedMeasure,
    is_preference,
    measure_function,
)
from jurydesk.core.tasks.keyword_spotting.trec_eval.trec_eval_output import (
    TrecEvalTable,
    ZScores,
    relevance_string,
    z_scores,
)

FORMATS = ("qrels", "prefs", "qrels_prefs", "qrels_jg")
ZEROED_WITHOUT_RESULTS = ("num_ret", "utility", "unj", "rbp_resid")


@dataclass(frozen=True, slots=True)
class TrecEvalOptions:
    """Options of trec_eval: `-c`, `-l`, `-J`, `-M`, `-N`, `-R`, the query of `-D`, and `-Z`."""

    version: Compat = "trec9"
    complete: bool = False
    level: float | None = None
    judged_only: bool = False
    max_retrieved: int | None = None
    collection: int = 0
    format: str = "qrels"
    query: str | None = None
    z_scores: ZScores = field(default_factory=dict)
    has_z_scores: bool = False


Report = Callable[[Sequence[Defect]], None]


def evaluate_run(
    qrels: Path,
    results: Path,
    measures: Sequence[RequestedMeasure],
    options: TrecEvalOptions,
    run: Run,
    report: Report,
) -> TrecEvalTable | None:
    """Return the values of the measures for a run; None after errors, which are reported.

    Raises:
        UsageError: A measure does not fit the format of the judgements.
    """
    _require_format(measures, options.format)
    judgements: GroupedJudgements = {}
    if options.format == "qrels":
        reading: Reading[TrecRelevance] = read_qrels(qrels, run, truncate=True)
    else:
        judgements, defects = read_judgements(qrels, options.format)
        sound = not has_errors(defects)
        reading = Reading(judged_documents(judgements, qrels) if sound else None, tuple(defects))
    report(reading.defects)
    if reading.data is None or has_errors(reading.defects):
        return None
    policy = TrecPolicy(
        options.version,
        level=options.level,
        missing="zero" if options.complete else "skip",
        needs_common_query=not _evaluates_every_query(options),
    )
    lists = read_lists(results, reading.data, policy, run)
    report(lists.defects)
    if lists.data is None or has_errors(lists.defects):
        return None
    if options.format in ("prefs", "qrels_prefs"):
        if any(one.base.startswith("prefs_avgjg_Rnonrel") for one in measures):
            report(overread_groups(judgements, qrels))
        return _table(lists.data, measures, options, _preference_values(judgements))
    if options.format == "qrels_jg":
        return _table(lists.data, measures, options, _group_values(judgements))
    return _table(lists.data, measures, options, _document_values)


def _require_format(measures: Sequence[RequestedMeasure], form: str) -> None:
    for measure in measures:
        if measure.base in (RUN_ID, NUMBER_OF_QUERIES):
            continue
        needed = "qrels"
        if is_preference(measure):
            needed = "prefs"
        elif measure.base in GROUP_MEASURES:
            needed = "qrels_jg"
        if needed != form.replace("qrels_prefs", "prefs"):
            raise UsageError(
                fill(
                    "{base} needs judgements in the format {needed} (-R {needed2}), but the "
                    "format is {form}.",
                    measure.base,
                    needed,
                    needed,
                    form,
                )
            )


Evaluator = Callable[
    [TrecLists, IntArray, Sequence[RequestedMeasure], TrecEvalOptions], dict[str, FloatArray]
]


def _table(
    lists: TrecLists,
    measures: Sequence[RequestedMeasure],
    options: TrecEvalOptions,
    evaluate: Evaluator,
) -> TrecEvalTable:
    names = lists.relevance.queries
    every = _evaluates_every_query(options)
    chosen = [
        query
        for query in sorted(range(len(names)), key=lambda query: names[query].encode())
        if (every or lists.listed[query] > 0) and options.query in (None, names[query])
    ]
    if not chosen:
        raise UsageError(fill('The results hold no query "{query}".', options.query))
    rows = np.array(chosen, np.int64)
    strings = {
        measure.name: _strings(lists, rows, options, measure)
        for measure in measures
        if measure.base == RELEVANCE_STRING
    }
    printed_only = (RUN_ID, NUMBER_OF_QUERIES, RELEVANCE_STRING)
    values = evaluate(
        lists, rows, [one for one in measures if one.base not in printed_only], options
    )
    queries = [names[query] for query in chosen]
    if options.has_z_scores:
        values = z_scores(values, queries, options.z_scores)
    totals = {}
    if options.complete:
        # trec_eval counts again in the file, whatever the level (te_calc_avg_num_rel).
        totals["num_rel"] = float((lists.relevance.gains > 0).sum())
    count = len(names) if options.complete else len(rows)
    return TrecEvalTable(
        lists.run_name, queries, values, count, strings, totals, options.has_z_scores
    )


def _evaluates_every_query(options: TrecEvalOptions) -> bool:
    """Return whether queries without results are evaluated, as with `-c` in trec_eval 10."""
    return options.version == "trec10" and options.complete


def _hits(lists: TrecLists, rows: IntArray, options: TrecEvalOptions) -> Hits:
    """Return the hits of the chosen queries, limited as the options say.

    trec_eval 10 gives a query without results one document outside the pool.
    """
    hits = lists.hits("published").select(rows)
    hits = replace(hits, listed=np.maximum(hits.listed, 1))
    kept = np.ones(len(hits.ranks), np.bool_)
    if options.max_retrieved is not None:
        limit = max(options.max_retrieved, 0)
        hits = replace(hits, listed=np.minimum(hits.listed, limit))
        kept &= hits.ranks <= limit
    if options.judged_only:
        kept &= hits.gains >= 0
    if kept.all() and not options.judged_only:
        return hits
    owner = np.repeat(np.arange(len(hits)), np.diff(hits.starts))[kept]
    counts = np.bincount(owner, minlength=len(hits))
    starts = np.concatenate([[0], np.cumsum(counts)])
    columns = {
        name: getattr(hits, name)[kept] for name in ("ranks", "first", "last", "gains", "relevant")
    }
    if options.judged_only:
        columns["ranks"] = np.arange(1, len(owner) + 1) - starts[owner]
        columns["first"] = columns["last"] = columns["ranks"]
        hits = replace(hits, listed=counts)
    return replace(hits, starts=starts, **columns)


def _document_values(
    lists: TrecLists,
    rows: IntArray,
    measures: Sequence[RequestedMeasure],
    options: TrecEvalOptions,
) -> dict[str, FloatArray]:
    rules = MeasureRules(recall="trec10" if options.version == "trec10" else "trec9")
    ranked = RankingStatistics(_hits(lists, rows, options), rules)
    values = {
        measure.name: measure_function(measure, options.collection)(ranked) for measure in measures
    }
    _mark_undefined(values, measures, ranked)
    absent = lists.listed[rows] == 0
    for measure in measures:
        if measure.name in ZEROED_WITHOUT_RESULTS or measure.base == "unj":
            values[measure.name] = np.where(absent, 0.0, values[measure.name])
    return values


def _mark_undefined(
    values: dict[str, FloatArray], measures: Sequence[RequestedMeasure], ranked: RankingStatistics
) -> None:
    """Set values to NaN for which trec_eval divides 0 by 0.

    They are interpolated precision of an empty list, and Rndcg of relevant documents without gain.
    """
    empty = ranked.hits.listed == 0
    for measure in measures:
        undefined = np.zeros(ranked.queries, np.bool_)
        if measure.base in ("iprec_at_recall", "11pt_avg") and empty.any():
            shares = measure.numbers or (0.0,)
            cuts = [recall_cut(share, ranked.relevant, ranked.rules.recall) for share in shares]
            undefined = empty & (np.min(cuts, axis=0) <= 0)
        elif measure.base == "Rndcg":
            ideal = measure_function(replace(measure, base="ideal_dcg"))
            undefined = (ranked.relevant > 0) & (ideal(ranked) == 0)
        if undefined.any():
            values[measure.name] = np.where(undefined, np.nan, values[measure.name])


def _strings(
    lists: TrecLists, rows: IntArray, options: TrecEvalOptions, measure: RequestedMeasure
) -> list[str]:
    hits = _hits(lists, rows, options)
    length = int(measure.numbers[0]) if measure.numbers else STRING_LENGTH
    strings = []
    absent = lists.listed[rows] == 0
    for query, listed in enumerate(np.where(absent, 0, hits.listed).tolist()):
        part = slice(hits.starts[query], hits.starts[query + 1])
        gains = zip(hits.ranks[part].tolist(), hits.gains[part].tolist(), strict=True)
        strings.append(relevance_string(dict(gains), listed, length))
    return strings


def _ranks(lists: TrecLists, query: int, options: TrecEvalOptions) -> Mapping[str, int]:
    """Return the ranks of the judged documents of a query; ties are by ascending name here."""
    part = slice(lists.starts[query], lists.starts[query + 1])
    tied = lists.tied_ranks
    ranks = (tied.first[part] + tied.last[part] - tied.ranks[part]).tolist()
    names = lists.relevance.names.texts(lists.rows[part])
    limit = options.max_retrieved
    return {
        name: rank
        for name, rank in zip(names, ranks, strict=True)
        if limit is None or rank <= limit
    }


def _preference_values(judgements: GroupedJudgements) -> Evaluator:
    def evaluate(
        lists: TrecLists,
        rows: IntArray,
        measures: Sequence[RequestedMeasure],
        options: TrecEvalOptions,
    ) -> dict[str, FloatArray]:
        names = lists.relevance.queries
        queries = []
        for row in rows.tolist():
            try:
                ranks = _ranks(lists, row, options)
                queries.append(PreferenceStatistics.of(judgements[names[row]], ranks))
            except ValueError as fault:
                raise UsageError(
                    fill(
                        "{path}, query {names}: {fault}.",
                        lists.relevance.path,
                        names[row],
                        Message(str(fault)),
                    )
                ) from None
        return {
            measure.name: preference_values(queries, PREFERENCE_MEASURES[measure.base])
            for measure in measures
        }

    return evaluate


def _group_values(judgements: GroupedJudgements) -> Evaluator:
    """Return the evaluator of measures that are averaged over the groups of a query."""

    def evaluate(
        lists: TrecLists,
        rows: IntArray,
        measures: Sequence[RequestedMeasure],
        options: TrecEvalOptions,
    ) -> dict[str, FloatArray]:
        parts = list(_lists_of_groups(lists, rows, judgements))
        owners = np.array([owner for owner, _ in parts], np.int64)
        counts = np.bincount(owners, minlength=len(rows))
        values = {}
        found = [
            _document_values(
                group,
                np.zeros(1, np.int64),
                [_single_group_measure(one) for one in measures],
                options,
            )
            for _, group in parts
        ]
        for measure in measures:
            column = np.array([group[_single_group_measure(measure).name][0] for group in found])
            sums = np.bincount(owners, weights=column, minlength=len(rows))
            values[measure.name] = np.asarray(sums / counts, np.float64)
        return values

    return evaluate


def _single_group_measure(measure: RequestedMeasure) -> RequestedMeasure:
    base = measure.base.removesuffix("_avgjg")
    return replace(measure, base=base, name=measure.name.replace("_avgjg", ""))


def _lists_of_groups(
    lists: TrecLists, rows: IntArray, judgements: GroupedJudgements
) -> Iterator[tuple[int, TrecLists]]:
    """Yield the list of each query under the judgements of each of its groups."""
    for owner, row in enumerate(rows.tolist()):
        query = lists.relevance.queries[row]
        part = slice(lists.starts[row], lists.starts[row + 1])
        places = dict(
            zip(
                lists.relevance.names.texts(lists.rows[part]),
                range(part.start, part.stop),
                strict=True,
            )
        )
        groups: GroupedJudgements = {}
        for judgement in judgements[query]:
            groups.setdefault(judgement.group, []).append(judgement)
        for group in sorted(groups, key=str.encode):
            alone = judged_documents({query: groups[group]}, Path(lists.relevance.path))
            gains = np.array([int(judgement.level) for judgement in groups[group]], np.float64)
            listed = [
                (places[row.document], number)
                for number, row in enumerate(groups[group])
                if row.document in places
            ]
            listed.sort()
            yield (
                owner,
                replace(
                    lists,
                    relevance=replace(alone, gains=gains),
                    listed=lists.listed[row : row + 1],
                    rows=np.array([number for _, number in listed], np.int64),
                    tied_ranks=lists.tied_ranks.take(
                        np.array([place for place, _ in listed], np.int64)
                    ),
                    pieces=lists.pieces[row : row + 1],
                ),
            )
