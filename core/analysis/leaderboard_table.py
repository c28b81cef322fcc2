"""Leaderboard as a table, of which terminal, files, LaTeX, HTML and window are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.analysis.leaderboard import Leaderboard, find_score
from jurydesk.core.analysis.leaderboard_finding import lacks_intervals, no_intervals
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.reliability import few_groups
from jurydesk.core.analysis.server_scores import server_scores
from jurydesk.core.analysis.significance.board_verdict import family_of_profiles
from jurydesk.core.analysis.significance.significance_methods import RANDOMISATION, STANDARD_ERROR
from jurydesk.core.language import Message, fill, join_messages, name_list, translatable
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.statistics.groups import FEWEST_GROUPS
from jurydesk.core.statistics.inference import CORRECTION_NAMES
from jurydesk.core.statistics.paired_tests import TOP
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import UNDEFINED

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance

PLACE, SYSTEM, PROFILE = "place", translatable("system"), translatable("profile")
"""Names of the first columns."""
AVERAGE_RANK = "average_rank"
OUT_OF_DATE = translatable("out of date")
CONTRADICTED = translatable("score and test disagree")
FEW_GROUPS_NOTE = translatable("The interval is based on few groups: interpret it with caution.")
SHOWN_METRICS = 6
"""Number of metrics that fit a terminal or page; files in full precision have all of them."""


def leaderboard_table(
    board: Leaderboard, metrics: Sequence[MetricInfo] | None = None
) -> list[Column]:
    """Return the columns of a board with these metrics (default: all), a row for each system.

    Columns without a title are in files alone.
    """
    shown = board.metrics if metrics is None else metrics
    return [column for make in COLUMNS for column in make(board, shown)]


Maker = Callable[[Leaderboard, Sequence[MetricInfo]], Iterable[Column]]


def _places(board: Leaderboard, metrics: Sequence[MetricInfo]) -> Iterator[Column]:
    places = [row.place for row in board.rows]
    values = np.array([math.nan if place is None else place for place in places])
    yield NumberColumn(
        PLACE,
        translatable("Rank"),
        values,
        show=lambda row: board.rows[row].places or UNDEFINED,
        file_cells=places,
    )


def _systems(board: Leaderboard, metrics: Sequence[MetricInfo]) -> Iterator[Column]:
    rows = [row.summary for row in board.rows]
    yield TextColumn(
        SYSTEM,
        translatable("System"),
        [one.system for one in rows],
        detail=lambda row: f"{rows[row].system}\n{rows[row].about}".strip(),
        remarks={
            number: join_messages(remarks, "; ")
            for number, row in enumerate(board.rows)
            if (remarks := _row_remarks(row, board))
        },
    )
    profiles = [one.profile for one in rows]
    yield TextColumn(PROFILE, translatable("Profile") if len(set(profiles)) > 1 else "", profiles)
    yield NumberColumn("items", "", np.array([one.n_items for one in rows], np.int64))


def _row_remarks(row: LeaderboardRow, board: Leaderboard) -> list[str]:
    found = (
        OUT_OF_DATE if row.summary.stale else "",
        CONTRADICTED if row.is_contradicted else "",
        board.remarks.get(row.summary.system, ""),
    )
    return [one for one in found if one]


def metric_columns(board: Leaderboard, metrics: Sequence[MetricInfo]) -> Iterator[NumberColumn]:
    """Yield the scores of each metric with their intervals."""
    for info in metrics:
        cells = [row.cells[board.metrics.index(info)] for row in board.rows]
        scores = [cell.score for cell in cells]
        cautions = [board.item_noun and caution(one, board.item_noun) for one in scores]
        yield NumberColumn(
            info.name,
            info.title,
            np.array([math.nan if one is None else one.value for one in scores]),
            tooltip=join_messages(filter(None, [info.summary, info.caveat])),
            decimals=info.decimals,
            intervals=[None if one is None else one.interval for one in scores],
            doubtful=range(len(scores) if info.doubt else 0),
            best=frozenset(row for row, cell in enumerate(cells) if cell.best),
            remarks={row: text for row, text in enumerate(cautions) if text},
        )


def caution(score: Score | None, item_noun: tuple[str, str] = ("item", "items")) -> str:
    """Return a sentence on an interval of few groups; empty for any other."""
    few = few_groups(score, item_noun)
    caution = fill("The interval is based on only {few}: interpret it with caution.", few)
    return caution if few else ""


def _average_ranks(board: Leaderboard, metrics: Sequence[MetricInfo]) -> Iterator[Column]:
    found = board.average_ranks
    if found is not None:
        keys = [(row.summary.profile, row.summary.system) for row in board.rows]
        values = np.array([found.values.get(key, math.nan) for key in keys])
        least = {
            profile: np.nanmin(values[[key[0] == profile for key in keys]])
            for profile, _ in found.values
        }
        yield NumberColumn(
            AVERAGE_RANK,
            fill("Average rank ({metrics})", name_list([info.title for info in found.metrics], 9)),
            values,
            decimals=2,
            best=frozenset(row for row, key in enumerate(keys) if values[row] == least.get(key[0])),
            intervals=[found.intervals.get(key) for key in keys],
        )


def _ends(board: Leaderboard, metrics: Sequence[MetricInfo]) -> Iterator[Column]:
    for name, end in (("rank_best", "best"), ("rank_worst", "worst")):
        places = [None if row.rank is None else getattr(row.rank, end) for row in board.rows]
        values = np.array([math.nan if place is None else place for place in places])
        yield NumberColumn(name, "", values, file_cells=places)
    headline = board.headline.name if board.headline else ""
    yield TextColumn("headline", "", [headline] * len(board.rows))
    yield TextColumn("interval", "", [interval_method(row, board) for row in board.rows])
    remarks = [join_messages(_row_remarks(row, board), "; ") for row in board.rows]
    yield TextColumn("remarks", "", remarks)
    if board.received:
        yield TextColumn("received", "", [board.received, *[""] * (len(board.rows) - 1)])
    if notes := metric_notes(board, board.metrics):
        yield TextColumn("notes", "", [join_messages(notes), *[""] * (len(board.rows) - 1)])


def metric_notes(board: Leaderboard, metrics: Iterable[MetricInfo]) -> list[str]:
    """Return why metrics are not reliable, and what else limits them, such as few raters."""
    notes = (note for info in metrics for note in (info.doubt, info.caveat))
    return list(dict.fromkeys(filter(None, notes))) if board.is_noted else []


def _server(board: Leaderboard, metrics: Sequence[MetricInfo]) -> Iterator[Column]:
    """Yield the headline's number of each system on the server, and its difference."""
    if board.headline is None:
        return
    summaries = [row.summary for row in board.rows]
    scores = server_scores(summaries, board.metrics)
    said = {(one.system, one.profile, one.metric): one for one in scores}
    found = [said.get((one.system, one.profile, board.headline.name)) for one in summaries]
    if not any(found):
        return
    differences = [None if one is None else one.difference for one in found]
    yield NumberColumn(
        "server",
        translatable("Server"),
        np.array([math.nan if one is None else float(one.text) for one in found]),
        tooltip=translatable("The number that the platform recorded, as it wrote it."),
        show=lambda row: one.text if (one := found[row]) else UNDEFINED,
    )
    yield NumberColumn(
        "difference",
        translatable("Difference"),
        np.array([math.nan if one is None else float(one) for one in differences]),
        tooltip=translatable("Server minus desk, at the decimals that the server keeps."),
        show=lambda row: one.difference_text if (one := found[row]) else UNDEFINED,
    )


COLUMNS: list[Maker] = [_places, _systems, metric_columns, _average_ranks, _server, _ends]
"""Makers of the columns, in their order; a column added here is in every output."""


def shown_metrics(board: Leaderboard) -> list[MetricInfo]:
    """Return the metrics shown by default: the first that rank, including the headline."""
    ranking = [info for info in board.metrics if info.better != "neither"] or list(board.metrics)
    first = ranking[:SHOWN_METRICS]
    if board.headline is None or board.headline in first:
        return first
    return [board.headline, *first[:-1]]


def headline_first(board: Leaderboard, metrics: Iterable[MetricInfo]) -> list[MetricInfo]:
    """Return these metrics, that which orders the board first."""
    return sorted(metrics, key=lambda info: info is not board.headline)


def label_system(row: LeaderboardRow, board: Leaderboard) -> str:
    """Return the system's name, with its profile if the board has several."""
    several = len({other.summary.profile for other in board.rows}) > 1
    return f"{row.summary.system} ({row.summary.profile})" if several else row.summary.system


def interval_method(row: LeaderboardRow, board: Leaderboard) -> str:
    """Return the method of the headline's interval; empty without one."""
    if board.headline is None:
        return ""
    score = row.cells[board.metrics.index(board.headline)].score
    return score.interval.method if score and score.interval else ""


def interval_level(board: Leaderboard) -> float | None:
    """Return the level of the headline's intervals; None without intervals."""
    if board.headline is None:
        return None
    cells = (row.cells[board.metrics.index(board.headline)] for row in board.rows)
    limits = (cell.score.interval for cell in cells if cell.score)
    return next((found.level for found in limits if found), None)


def method_sentences(board: Leaderboard, shown: Sequence[MetricInfo] | None = None) -> list[str]:
    """Describe how the headline's intervals and each profile's ranks were computed.

    `shown` are the metrics with intervals; all of the board's if not given.
    """
    methods = dict.fromkeys(filter(None, (interval_method(row, board) for row in board.rows)))
    known = join_messages(methods, "; ")
    sentences = [fill("Intervals: {methods}.", known)] if methods else []
    ranked = {row.summary.profile for row in board.rows if row.rank}
    for profile, one in board.significance_tests.items():
        if one.tested and profile in ranked:
            of = f" ({profile})" if len(board.significance_tests) > 1 else ""
            level, method = 100 * one.level, test_name(one, board.item_noun or ("item", "items"))
            if one.tested == 1:
                sentences.append(fill("Ranks{of} at {level:g} %: {method}.", of, level, method))
            else:
                sentences.append(
                    fill(
                        "Ranks{of}, together at {level:g} %: {method}, corrected for {pairs:,} "
                        "comparisons by {correction}.",
                        *(of, level, method, one.tested, CORRECTION_NAMES[one.correction]),
                    )
                )
        if one.untested and profile in ranked:
            sentences.append(
                fill(
                    "Of {pairs:,} pairs, neighbours and the first {top} with all were tested; "
                    "ranks claim no order of the others.",
                    len(one.pairs) + one.untested,
                    TOP,
                )
            )
        if one.method in RANDOMISATION.values() and one.tested:
            sentences.append(
                translatable("Randomisation tests whether the systems could be exchanged.")
            )
        if one.is_underpowered and lacks_intervals(one):
            sentences.append(no_intervals(one, board.item_noun or ("item", "items")))
        if one.group_noun:
            size = one.size(board.item_noun or ("item", "items"))
            sentences.append(fill("Resampled together: {size}.", size))
    tested = [one for name, one in board.significance_tests.items() if name in ranked]
    sentences += filter(None, [family_of_profiles(tested)])
    sentences += missing_intervals(board, shown_metrics(board) if shown is None else shown)
    sentences += [info.caveat for info in shown_metrics(board) if info.caveat]
    return [
        *dict.fromkeys(sentences),
        *filter(None, [average_rank_note(board), group_note(board)]),
    ]


def average_rank_note(board: Leaderboard) -> str:
    """Describe the average rank and its interval; empty without one."""
    if board.average_ranks is None:
        return ""
    ranked = board.average_ranks
    metrics = join_messages([info.title for info in ranked.metrics], ", ")
    note = fill(
        "Average rank: mean of the ranks by score over {metrics}, and of the ends of their rank "
        "intervals, which hold together at 95 %.",
        metrics,
    )
    keys = ((row.summary.profile, row.summary.system) for row in board.rows)
    lacking = [key[1] for key in keys if key not in ranked.values]
    if not lacking:
        return note
    left_out = fill(
        "The average ranks leave out systems that lack a metric: {systems}.", name_list(lacking)
    )
    return join_messages([note, left_out])


def missing_intervals(board: Leaderboard, shown: Sequence[MetricInfo]) -> Iterator[str]:
    """Say which of these metrics have too few items for an interval, and how many they need."""
    few: dict[int, list[str]] = {}
    others: dict[str, list[str]] = {}
    said = any(map(lacks_intervals, board.significance_tests.values()))
    for info in shown:
        scores = [find_score(row.summary, info.name) for row in board.rows]
        bare = [one for one in scores if one and one.interval is None and math.isfinite(one.value)]
        fewest = FEWEST_GROUPS if info.aggregate == "mean" else info.fewest_groups
        if not bare or (said and info.aggregate == "mean"):
            continue
        if any(1 < one.n < fewest for one in bare) and info.aggregate != "sum":
            few.setdefault(fewest, []).append(info.title)
        elif reason := _missing_reason(info, board, has_some=len(bare) < len(scores)):
            others.setdefault(reason, []).append(info.title)
    plural = (board.item_noun or ("item", "items"))[1]
    for fewest, titles in few.items():
        metrics = join_messages(titles, ", ")
        yield fill(
            "No interval below {fewest} {items}: {metrics}.", fewest, Message(plural), metrics
        )
    for reason, titles in others.items():
        yield reason.format(metrics=join_messages(titles, ", "))


def _missing_reason(info: MetricInfo, board: Leaderboard, *, has_some: bool) -> str:
    """Return the template of the reason why a metric of enough items has no interval."""
    if info.aggregate == "own" and info.combine is None and board.has_units:
        return translatable(
            "No interval, as the items show no error or an older version scored them (score "
            "again): {metrics}."
        )
    if info.aggregate == "mean" or info.combine is not None or has_some:
        return translatable(
            "No interval, as the groups are too few, or the items show no error or do not give "
            "the score: {metrics}."
        )
    return translatable("No interval, as the score is not a mean of items: {metrics}.")


def group_note(board: Leaderboard) -> str:
    """Say that items count on their own, if the results do not record their groups."""
    unknown = (one.unknown_groups for one in board.significance_tests.values())
    nouns = next(filter(None, unknown), None)
    if nouns is None:
        return ""
    item, group = (board.item_noun or ("item", "items"))[0], nouns[0]
    return join_messages(
        [
            fill("Each {item} counts on its own.", Message(item)),
            fill("If several belong to one {group}, name them with --groups.", Message(group)),
        ]
    )


def test_name(significance: PairwiseSignificance, noun: tuple[str, str]) -> str:
    """Return the name of the board's test, and of what it resamples; items have this noun."""
    method = translatable(significance.method)
    if not significance.rounds:
        return method
    if significance.method == STANDARD_ERROR:
        nouns = significance.unit or (significance.group_noun or noun)[1]
        return fill(
            "t tests with bootstrap standard errors ({rounds:,} resamples of {items})",
            *(significance.rounds, Message(nouns)),
        )
    return fill("{method} of {rounds:,} rounds", method, significance.rounds)


def sign_notes(board: Leaderboard) -> Iterator[tuple[str, str]]:
    """Yield each sign of the board's numbers with its explanation."""
    for reason in dict.fromkeys(info.doubt for info in board.metrics if info.doubt):
        yield "( )", reason
    scores = (cell.score for row in board.rows for cell in row.cells)
    if board.item_noun and any(caution(score, board.item_noun) for score in scores):
        yield "°", FEW_GROUPS_NOTE
    if reason := group_note(board):
        yield "", reason
    if note := average_rank_note(board):
        yield "", note
    noted = shown_metrics(board) if board.is_noted else []
    for note in dict.fromkeys(info.caveat for info in noted if info.caveat):
        yield "", note
