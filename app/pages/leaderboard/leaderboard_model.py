"""Table model of the board: rank, system, headline metric, interval, other metrics; its remarks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt

from jurydesk.app.pages.leaderboard.interval_scale import Scale, common_scale
from jurydesk.app.style.distinct_names import shorten_names
from jurydesk.app.style.visible_text import tip
from jurydesk.app.tables.table_model import TableModel
from jurydesk.core.analysis.leaderboard import Leaderboard, find_score
from jurydesk.core.analysis.leaderboard_rows import LeaderboardRow
from jurydesk.core.analysis.leaderboard_table import (
    PLACE,
    PROFILE,
    SYSTEM,
    caution,
    headline_first,
    interval_level,
    leaderboard_table,
)
from jurydesk.core.analysis.reliability import RANDOM_WEIGHTS, few_groups, resampled_groups
from jurydesk.core.language import localize_number, translatable, translate, translate_text
from jurydesk.core.language.text_direction import isolate
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.tables import numbers
from jurydesk.core.tables.columns import Column, NumberColumn, TextColumn
from jurydesk.core.tables.numbers import count, quantity
from jurydesk.core.tables.table_file import tab_separated

if TYPE_CHECKING:
    from jurydesk.core.analysis.significance.pairwise_significance import PairwiseSignificance
    from jurydesk.core.human_evaluation.results.findings import StudyFindings


@dataclass(frozen=True, slots=True)
class Bracket:
    """Rows from `first` to `last` (two or more), none of which differ significantly."""

    first: int
    last: int
    lane: int

    def part(self, row: int) -> str:
        """Return the row's part of the bracket: `top`, `middle`, `bottom`, or empty."""
        if not self.first <= row <= self.last:
            return ""
        return "top" if row == self.first else "bottom" if row == self.last else "middle"


def brackets(
    systems: Sequence[str], significance: PairwiseSignificance | None
) -> tuple[Bracket, ...]:
    """Return the longest runs of systems, in this order, without a significant difference.

    Overlapping brackets get different lanes, starting at 0.
    """
    if significance is None or not significance.pairs:
        return ()
    alpha = 1 - significance.level
    different = {frozenset((p.first, p.second)) for p in significance.pairs if p.corrected < alpha}
    tested = set(significance.systems)
    found: list[Bracket] = []
    lanes: list[int] = []
    """Last row of each lane's last bracket."""
    end = -1
    for first, system in enumerate(systems):
        last = first
        while last + 1 < len(systems) and {system, systems[last + 1]} <= tested:
            run = systems[first : last + 1]
            if any(frozenset((one, systems[last + 1])) in different for one in run):
                break
            last += 1
        if last > max(first, end):
            lane = next((n for n, end_row in enumerate(lanes) if end_row < first), len(lanes))
            lanes[lane : lane + 1] = [last]
            found.append(Bracket(first, last, lane))
            end = last
    return tuple(found)


INTERVAL = "interval"
"""Name of the column with the drawn intervals of the headline metric."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Remark on a metric's values, in a few words and as a sentence."""

    short: str
    sentence: str
    is_reliable: bool = True
    may_win: bool = True
    """False if the values cannot tell any system from the best."""


class BoardModel(TableModel):
    """Table model of a board with the chosen metrics."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self.board: Leaderboard | None = None
        self.scale: Scale | None = None
        self.remarks: Mapping[str, Remark] = {}
        """Remarks on metrics, by name."""
        self.alignments = {
            PLACE: Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            INTERVAL: Qt.AlignmentFlag.AlignCenter,
        }
        self.describe, self.spell = self._describe, self._spell
        self._bracketed = self.rows, tuple[Bracket, ...]()
        """Rows and the brackets beside them."""

    def show_board(
        self,
        board: Leaderboard | None,
        metrics: Sequence[str],
        marks: Mapping[str, str] | None = None,
        remarks: Mapping[str, Remark] | None = None,
    ) -> None:
        """Show a board with these metrics, the headline metric first.

        `marks` are remarks on systems, `remarks` on metrics, both by name.
        """
        self.board, self.remarks, self.scale = board, remarks or {}, None
        lower = (info.name for info in (board.metrics if board else ()) if info.better == "lower")
        self.ascending = {PLACE, *lower}
        self.notes = head_notes(board, self.remarks) if board else {}
        if board is not None and board.headline is not None:
            place = board.metrics.index(board.headline)
            self.scale = common_scale(row.cells[place].score for row in board.rows)
        self.show(board_columns(board, metrics, marks or {}, self.remarks) if board else ())

    def restore(self, other: BoardModel) -> None:
        """Copy content and order of another model."""
        self.board, self.remarks, self.scale = other.board, other.remarks, other.scale
        self.notes = other.notes
        self.show(other.columns)
        if other.sorting is not None:
            self.sort_by(other.sorting[0], descending=other.sorting[1])

    @property
    def brackets(self) -> tuple[Bracket, ...]:
        """Brackets of rows that do not differ significantly, if the headline orders them."""
        if self._bracketed[0] is not self.rows:
            named = None if self.sorting is None else self.columns[self.sorting[0]].name
            headline = self.board.headline if self.board else None
            is_ordered = headline is not None and named in (None, PLACE, INTERVAL, headline.name)
            systems = [row.summary.system for row in self.shown_rows()] if is_ordered else []
            self._bracketed = self.rows, brackets(systems, self.significance)
        return self._bracketed[1]

    @property
    def significance(self) -> PairwiseSignificance | None:
        """Tests in the profile of the first row."""
        if self.board is None or not self.board.rows:
            return None
        return self.board.significance_tests.get(self.board.rows[0].summary.profile)

    def shown_rows(self) -> list[LeaderboardRow]:
        """Return the rows of the board in the order of the table."""
        return [] if self.board is None else [self.board.rows[row] for row in self.rows.tolist()]

    def metric(self, column: Column) -> MetricInfo | None:
        """Return the metric of a column; that of the drawn intervals is the headline."""
        if self.board is None or column.name == INTERVAL:
            return self.board.headline if self.board else None
        return next((info for info in self.board.metrics if info.name == column.name), None)

    def number_columns(self) -> list[NumberColumn]:
        """Return the columns of metrics."""
        columns = (one for one in self.columns if isinstance(one, NumberColumn))
        return [one for one in columns if one.best is not None]

    def others(self) -> list[str]:
        """Return the names of the columns of metrics beside that which ranks."""
        headline = self.board.headline if self.board else None
        names = [one.name for one in self.number_columns()]
        return [name for name in names if headline is None or name != headline.name]

    def has_intervals(self) -> bool:
        """Return whether any visible score has an interval."""
        return any(any(one.intervals) for one in self.number_columns())

    def few_groups(self) -> str:
        """Return the groups of the first visible interval of few groups, such as `6 keywords`."""
        board = self.board
        if board is None or not any(one.remarks for one in self.number_columns()):
            return ""
        names = [one.name for one in self.number_columns()]
        scores = (find_score(row.summary, name) for row in self.shown_rows() for name in names)
        return next(filter(None, map(few_groups, scores)), "")

    def is_stale(self, row: int) -> bool:
        """Return whether the result of a row is out of date."""
        return self.board is not None and self.board.rows[row].summary.stale

    def chips(self, row: int) -> list[str]:
        """Return short remarks shown beside a system's name."""
        found = (one for one in self.columns if one.name == SYSTEM)
        return [chip for one in found for chip in one.remarks.get(row, "").splitlines()]

    def selection_text(self, places: Sequence[int], *, headers: bool) -> str:
        """Return the rows at these places as tab-separated lines with full precision."""
        ranks = [self.columns[0].text(row) for row in range(self.total)]
        shown = [
            TextColumn(one.name, one.title, ranks) if one.name == PLACE else one
            for one in self.columns
            if one.name != INTERVAL
        ]
        return tab_separated(shown, self.rows[list(places)], headers=headers)

    def _describe(self, column: Column, row: int) -> str:
        metric = self.metric(column)
        remark = None if metric is None else self.remarks.get(metric.name)
        return tip(*([remark.sentence] if remark else []), column.exact(row))

    def _spell(self, column: Column, row: int) -> str:
        shown = column.text(row)
        if self.board is None:
            return shown
        name = isolate(self.board.rows[row].summary.system)
        named = ", ".join([name, *self.chips(row)])
        if not isinstance(column, NumberColumn) or row not in column.doubtful:
            return f"{named}, {column.heading}: {isolate(shown)}"
        text = f"{named}, {column.heading}: {isolate(shown.strip('()'))}"
        return translate("{cell}, not reliable", cell=text)


def board_columns(
    board: Leaderboard,
    metrics: Sequence[str],
    marks: Mapping[str, str],
    remarks: Mapping[str, Remark],
) -> list[Column]:
    """Return the columns that are on the screen, the headline's intervals after its scores."""
    headline = board.headline
    chosen = [info for info in board.metrics if info is headline or info.name in metrics]
    known = {info.name: info for info in board.metrics}
    found: list[Column] = []
    for column in leaderboard_table(board, headline_first(board, chosen)):
        info = known.get(column.name)
        if not column.title or column.name == PROFILE:
            continue
        if isinstance(column, TextColumn) and column.name == SYSTEM:
            column = _system_column(column, board, marks)
        elif isinstance(column, NumberColumn) and column.name == PLACE:
            places = np.arange(len(board.rows))
            column = replace(column, values=places, show=_ranks(board.rows).__getitem__)
        elif isinstance(column, NumberColumn) and info is not None:
            column = _metric_column(column, board, info, remarks.get(info.name))
        found.append(column)
        level = None if info is None or info is not headline else interval_level(board)
        if isinstance(column, NumberColumn) and level is not None:
            title = translatable("{level:g} % interval").format(level=100 * level)
            show = partial(score_interval, column)
            found.append(replace(column, name=INTERVAL, title=title, show=show, best=None))
    return found


def head_notes(board: Leaderboard, remarks: Mapping[str, Remark]) -> dict[str, str]:
    """Return how many have rated, by question, and of how many groups the drawn intervals are."""
    notes = {name: remark.short for name, remark in remarks.items()}
    headline = board.headline.name if board.headline else ""
    scores = (find_score(one.summary, headline) for one in board.rows)
    nouns = board.item_noun or ("item", "items")
    groups = {resampled_groups(one, nouns) for one in scores} - {""}
    if len(groups) == 1:
        notes[INTERVAL] = translate("over {groups}", groups=translate_text(*groups))
    return notes


def _system_column(column: TextColumn, board: Leaderboard, marks: Mapping[str, str]) -> TextColumn:
    """Return the systems by what tells their names apart, with all remarks on them."""
    names = shorten_names(column.values)
    remarks = [
        (column.remarks.get(row, ""), marks.get(name, "")) for row, name in enumerate(column.values)
    ]
    chips = ["\n".join(filter(None, map(translate_text, one))) for one in remarks]
    lines = [
        "\n".join(dict.fromkeys(filter(None, (row.summary.system, row.summary.about, chip))))
        for row, chip in zip(board.rows, chips, strict=True)
    ]
    return replace(
        column,
        show=lambda row: names[column.values[row]],
        detail=lines.__getitem__,
        remarks={row: chip for row, chip in enumerate(chips) if chip},
    )


def _metric_column(
    column: NumberColumn, board: Leaderboard, info: MetricInfo, remark: Remark | None
) -> NumberColumn:
    """Return the scores with their definition and remark."""
    place = board.metrics.index(info)
    parts = (remark.sentence if remark else "", definition(info))
    return replace(
        column,
        tooltip="\n".join(filter(None, parts)),
        detail=lambda row: score_tip(board.rows[row].cells[place].score, info),
        doubtful=range(0 if remark is None or remark.is_reliable else len(board.rows)),
        best=column.best if remark is None or remark.may_win else frozenset(),
    )


RANGES = {
    "higher": translatable("From {low} to {high}; higher is better."),
    "lower": translatable("From {low} to {high}; lower is better."),
    "neither": translatable("From {low} to {high}; does not rank."),
}


def definition(metric: MetricInfo) -> str:
    """Return a metric's definition, range and source."""
    low, high = (localize_number(f"{end:g}".replace("inf", "∞")) for end in metric.range)
    scale = translate(RANGES[metric.better], low=low, high=high)
    lines = [translate_text(metric.summary), scale, translate_text(metric.source)]
    return "\n".join(line for line in lines if line)


def score_tip(score: Score | None, metric: MetricInfo) -> str:
    """Return a score with full precision, its interval and the metric's definition."""
    if score is None:
        missing = translate("This system has no {metric}.", metric=translate_text(metric.title))
        return f"{missing}\n{definition(metric)}"
    if math.isnan(score.value):
        return f"{translate('Undefined: see the page Check.')}\n{definition(metric)}"
    over = translate("over {number} items", number=numbers.count(score.n))
    lines = [f"{translate_text(metric.title)} {numbers.exact(score.value)}", over]
    interval = score.interval
    if interval is not None and not math.isnan(interval.low):
        ends = f"{numbers.exact(interval.low)} – {numbers.exact(interval.high)}"
        method = translate_text(interval.method)
        lines.append(f"{numbers.percent(interval.level)}: {ends} ({method})")
        lines += filter(None, [translate_text(caution(score))])
    return "\n".join([*lines, definition(metric)])


def score_interval(column: NumberColumn, row: int) -> str:
    """Return the ends of an interval, with a sign if it is of few groups."""
    text = numbers.interval(column.intervals[row], column.decimals)
    return f"{text}{numbers.FEW}" if text and row in column.remarks else text


def _ranks(rows: Sequence[LeaderboardRow]) -> list[str]:
    """Return the rank of each row; tied systems share a range such as `1–3`."""
    places = [row.place for row in rows]
    ranks = []
    for row in rows:
        last = (row.place or 0) + places.count(row.place) - 1
        if row.place is None:
            ranks.append(numbers.UNDEFINED)
        elif row.rank is None and last > row.place:
            ranks.append(f"{row.place}–{last}")
        else:
            ranks.append(row.places)
    return ranks


RANDOM = (
    translatable("random weights"),
    translatable(
        "Not reliable: the models have random weights. Choose trained ones on the page Models."
    ),
)


def rating_remarks(people: StudyFindings | None) -> dict[str, Remark]:
    """Return a remark for each question of the raters."""
    if people is None:
        return {}
    raters = sum(one.done > 0 for one in people.raters)
    entries = {one.question: frozenset(score.n for score in one.scores) for one in people.outcomes}
    decided = {one.question for one in people.outcomes if any(r.first > 1 for r in one.ranks)}
    found = {
        info.name: _rater_remark(raters, entries.get(info.name, frozenset()), people.entry)
        for info in people.metrics
    }
    return {name: replace(one, may_win=name in decided) for name, one in found.items()}


def _rater_remark(raters: int, entries: frozenset[int], nouns: tuple[str, str]) -> Remark:
    """Return the remark on a question; `entries` are the numbers of judged ones of the systems."""
    most, is_even = max(entries, default=0), len(entries) < 2
    who, what = quantity(raters, "rater"), quantity(most, *nouns)
    if raters == 1:
        sentence = translate(
            "Not reliable: only 1 rater judged {entries} of each system."
            if is_even
            else "Not reliable: only 1 rater judged, up to {entries} of a system.",
            entries=what,
        )
        return Remark(who, sentence, is_reliable=False)
    sentence = translate(
        "{raters} judged {entries} of each system."
        if is_even
        else "{raters} judged up to {entries} of a system.",
        raters=who,
        entries=what,
    )
    return Remark(f"{who}, {count(most)}", sentence)


def random_remarks(metrics: Iterable[MetricInfo]) -> dict[str, Remark]:
    """Return a remark for each of the metrics that models with random weights made."""
    short, sentence = map(translate, RANDOM)
    remark = Remark(short, sentence, is_reliable=False)
    return {info.name: remark for info in metrics if info.doubt == RANDOM_WEIGHTS}
