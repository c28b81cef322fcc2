"""Table model of the board: rank, system, headline metric, interval, other metrics; its remarks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from jurydesk.app.pages.leaderboard.interval_scale import Scale, common_scale
from jurydesk.app.style.distinct_names import shorten_names
from jurydesk.app.style.visible_text import tip
from jurydesk.core.analysis.leaderboard import Leaderboard, LeaderboardRow
from jurydesk.core.analysis.reliability import RANDOM_WEIGHTS, few_groups
from jurydesk.core.language import localize_number, translatable, translate, translate_text
from jurydesk.core.language.text_direction import isolate
from jurydesk.core.model.evaluation import MetricInfo, Score
from jurydesk.core.tables import numbers
from jurydesk.core.tables.numbers import count, quantity

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


Index = QModelIndex | QPersistentModelIndex
CELL = Qt.ItemDataRole.UserRole + 1
RANK, SYSTEM = 0, 1
STALE = translatable("out of date")


@dataclass(frozen=True, slots=True)
class LeaderboardColumn:
    """Column of the board; `kind` is `rank`, `system`, `metric` or `interval`."""

    kind: str
    title: str
    metric: MetricInfo | None = None

    @property
    def shown_title(self) -> str:
        """Title in the language of the window; `title` is that of copies."""
        return translate_text(self.title)


@dataclass(frozen=True, slots=True)
class Remark:
    """Remark on a metric's values, in a few words and as a sentence."""

    short: str
    sentence: str
    is_reliable: bool = True


class BoardModel(QAbstractTableModel):
    """Table model of a board with the chosen columns, sortable by any of them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.board: Leaderboard | None = None
        self.columns: list[LeaderboardColumn] = []
        self.rows: list[LeaderboardRow] = []
        self.scale: Scale | None = None
        self.sorting: tuple[int, bool] | None = None
        self._ranks: dict[int, str] = {}
        self._marks: Mapping[str, str] = {}
        self.brackets: tuple[Bracket, ...] = ()
        self.remarks: Mapping[str, Remark] = {}
        """Remarks on metrics, by name."""

    def show(
        self,
        board: Leaderboard | None,
        metrics: Sequence[str],
        marks: Mapping[str, str] | None = None,
        remarks: Mapping[str, Remark] | None = None,
    ) -> None:
        """Show a board with these metrics, the headline metric first.

        `marks` are remarks on systems, `remarks` on metrics, both by name.
        """
        self.remarks = remarks or {}
        self.beginResetModel()
        self.board, self._marks = board, marks or {}
        self.columns = leaderboard_columns(board, metrics) if board else []
        self.rows = list(board.rows) if board else []
        self.scale = None
        self._ranks = _ranks(self.rows)
        if board is not None and board.headline is not None:
            headline = board.headline
            self.scale = common_scale(self.score(row, headline) for row in self.rows)
        self.sorting = None
        self._update_brackets()
        self.endResetModel()

    def restore(self, other: BoardModel) -> None:
        """Copy content and order of another model."""
        self.beginResetModel()
        self.board, self.columns, self.rows = other.board, other.columns, other.rows
        self.scale, self.sorting, self._ranks = other.scale, other.sorting, other._ranks
        self._marks, self.brackets, self.remarks = other._marks, other.brackets, other.remarks
        self.endResetModel()

    def _update_brackets(self) -> None:
        """Bracket rows that do not differ significantly, if the headline orders them."""
        self.brackets = ()
        if self.board is None or self.board.headline is None:
            return
        shown = None if self.sorting is None else self.columns[self.sorting[0]]
        if shown is None or shown.kind == "rank" or shown.metric is self.board.headline:
            systems = [row.summary.system for row in self.rows]
            self.brackets = brackets(systems, self.significance)

    @property
    def significance(self) -> PairwiseSignificance | None:
        """Tests in the profile of the first row."""
        if self.board is None or not self.board.rows:
            return None
        return self.board.significance_tests.get(self.board.rows[0].summary.profile)

    def is_reliable(self, column: LeaderboardColumn) -> bool:
        """Return whether the numbers of a column are reliable."""
        remark = None if column.metric is None else self.remarks.get(column.metric.name)
        return remark is None or remark.is_reliable

    def score(self, row: LeaderboardRow, metric: MetricInfo) -> Score | None:
        return self.cell(row, metric)[0]

    def cell(self, row: LeaderboardRow, metric: MetricInfo) -> tuple[Score | None, bool]:
        """Return the score of a row, and whether it is the best."""
        if self.board is None:
            return None, False
        cell = row.cells[self.board.metrics.index(metric)]
        return cell.score, cell.best

    def has_intervals(self) -> bool:
        """Return whether any visible score has an interval."""
        shown = [column.metric for column in self.columns if column.metric is not None]
        scores = (self.score(row, metric) for row in self.rows for metric in shown)
        return any(score is not None and score.interval is not None for score in scores)

    def few_groups(self) -> str:
        """Return the groups of the first visible interval of few groups, such as `6 keywords`."""
        shown = [column.metric for column in self.columns if column.metric is not None]
        found = (few_groups(self.score(row, metric)) for row in self.rows for metric in shown)
        return next(filter(None, found), "")

    def rank(self, row: LeaderboardRow) -> str:
        """Return the rank; tied systems share a range."""
        return self._ranks[row.summary.id]

    def short_name(self, row: LeaderboardRow) -> str:
        """Return the system's name without the part that all names share."""
        return shorten_names(one.summary.system for one in self.rows)[row.summary.system]

    def chips(self, row: LeaderboardRow) -> list[str]:
        """Return short remarks shown beside a system's name."""
        stale = [translate(STALE)] if row.summary.stale else []
        mark = translate_text(self._marks.get(row.summary.system, ""))
        return [*stale, mark] if mark else stale

    def selection_text(self, rows: Sequence[LeaderboardRow], *, headers: bool) -> str:
        """Return rows as tab-separated lines with full precision."""
        shown = [column for column in self.columns if column.kind != "interval"]
        lines = ["\t".join(column.title for column in shown)] if headers else []
        for row in rows:
            cells = (self._exact_text(row, column) for column in shown)
            lines.append("\t".join(" ".join(cell.split()) for cell in cells))
        return "\n".join(lines)

    def _exact_text(self, row: LeaderboardRow, column: LeaderboardColumn) -> str:
        if column.metric is None:
            return self.rank(row) if column.kind == "rank" else row.summary.system
        score = self.score(row, column.metric)
        known = score is not None and not math.isnan(score.value)
        return numbers.exact(score.value) if score and known else ""

    # Sorting

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self.columns):
            return
        descending = order is Qt.SortOrder.DescendingOrder
        self.layoutAboutToBeChanged.emit()
        before = list(self.rows)
        self.rows = sorted(self.rows, key=self._key(self.columns[column], descending))
        self.sorting = column, descending
        places = {row.summary.id: n for n, row in enumerate(self.rows)}
        for old in self.persistentIndexList():
            place = places[before[old.row()].summary.id]
            self.changePersistentIndex(old, self.index(place, old.column()))
        self._update_brackets()
        self.layoutChanged.emit()

    def _key(
        self, column: LeaderboardColumn, descending: bool
    ) -> Callable[[LeaderboardRow], tuple[float, str]]:
        sign = -1.0 if descending else 1.0
        places = {row.summary.id: n for n, row in enumerate(self.board.rows if self.board else ())}
        names = sorted((row.summary.system.casefold() for row in self.rows), reverse=descending)

        def key(row: LeaderboardRow) -> tuple[float, str]:
            system = row.summary.system.casefold()
            if column.metric is None:
                if column.kind == "rank":
                    return sign * places[row.summary.id], system
                return float(names.index(system)), system
            score = self.score(row, column.metric)
            value = math.nan if score is None else score.value
            return (math.inf if math.isnan(value) else sign * value), system

        return key

    # Qt's interface

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - the same
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Vertical or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.shown_title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole and column.metric is not None:
            remark = self.remarks.get(column.metric.name)
            text = definition(column.metric)
            return tip(remark.sentence, text) if remark else tip(text)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == CELL:
            return row, column
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            named = ", ".join([isolate(row.summary.system), *self.chips(row)])
            text = f"{named}, {column.shown_title}: {isolate(self._text(row, column))}"
            if self.is_reliable(column):
                return text
            return translate("{cell}, not reliable", cell=text)
        return None

    def _text(self, row: LeaderboardRow, column: LeaderboardColumn) -> str:
        if column.metric is None:
            return self.rank(row) if column.kind == "rank" else self.short_name(row)
        score = self.score(row, column.metric)
        if column.kind == "interval":
            return score_interval(score, column.metric)
        return numbers.number(score.value, column.metric.decimals) if score else numbers.UNDEFINED

    def _tip(self, row: LeaderboardRow, column: LeaderboardColumn) -> str:
        if column.metric is None:
            lines = [row.summary.system, row.summary.about]
            return tip(*dict.fromkeys(part for part in lines if part), *self.chips(row))
        text = score_tip(self.score(row, column.metric), column.metric)
        remark = self.remarks.get(column.metric.name)
        return tip(remark.sentence, text) if remark else tip(text)


RANGES = {
    "higher": translatable("From {low} to {high}; higher is better."),
    "lower": translatable("From {low} to {high}; lower is better."),
    "neither": translatable("From {low} to {high}; does not rank."),
}


def leaderboard_columns(board: Leaderboard, metrics: Sequence[str]) -> list[LeaderboardColumn]:
    """Return the columns: rank, system, headline with its interval, then the chosen metrics."""
    made = [
        LeaderboardColumn("rank", translatable("Rank")),
        LeaderboardColumn("system", translatable("System")),
    ]
    headline = board.headline
    if headline is not None:
        made += [LeaderboardColumn("metric", headline.title, headline)]
        intervals = [row.cells[board.metrics.index(headline)].score for row in board.rows]
        level = next((s.interval.level for s in intervals if s and s.interval), None)
        if level is not None:
            interval = translatable("{level:g} % interval").format(level=100 * level)
            made += [LeaderboardColumn("interval", interval, headline)]
    others = [info for info in board.metrics if info is not headline and info.name in metrics]
    return made + [LeaderboardColumn("metric", info.title, info) for info in others]


def alignment(column: LeaderboardColumn) -> Qt.AlignmentFlag:
    """Return the alignment: numbers right, names left, intervals centred."""
    across = {
        "metric": Qt.AlignmentFlag.AlignRight,
        "interval": Qt.AlignmentFlag.AlignHCenter,
    }.get(column.kind, Qt.AlignmentFlag.AlignLeft)
    return across | Qt.AlignmentFlag.AlignVCenter


def definition(metric: MetricInfo) -> str:
    """Return a metric's definition, range and source."""
    low, high = (localize_number(f"{end:g}") for end in metric.range)
    scale = translate(RANGES[metric.better], low=low, high=high)
    lines = [translate_text(metric.summary), scale, metric.source]
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
        few = few_groups(score)
        if few:
            caution = f"The interval is based on only {few}: interpret it with caution."
            lines.append(translate_text(caution))
    return "\n".join([*lines, definition(metric)])


def score_interval(score: Score | None, metric: MetricInfo) -> str:
    """Return the ends of an interval, with a sign if it is of few groups."""
    text = numbers.interval(score.interval if score else None, metric.decimals)
    return f"{text}{numbers.FEW}" if text and few_groups(score) else text


def _ranks(rows: Sequence[LeaderboardRow]) -> dict[int, str]:
    """Return ranks by summary id; tied systems share a range such as `1–3`."""
    places = [row.place for row in rows]
    ranks = {}
    for row in rows:
        if row.place is None:
            ranks[row.summary.id] = numbers.UNDEFINED
            continue
        if row.rank is not None:
            ranks[row.summary.id] = row.places
            continue
        last = row.place + places.count(row.place) - 1
        ranks[row.summary.id] = f"{row.place}–{last}" if last > row.place else str(row.place)
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
    entries = {
        one.question: max((score.n for score in one.scores), default=0) for one in people.outcomes
    }
    return {
        info.name: _rater_remark(raters, entries.get(info.name, 0), people.entry)
        for info in people.metrics
    }


def _rater_remark(raters: int, entries: int, nouns: tuple[str, str]) -> Remark:
    who, what = quantity(raters, "rater"), quantity(entries, *nouns)
    if raters == 1:
        sentence = translate(
            "Not reliable: only 1 rater judged {entries} of each system.", entries=what
        )
        return Remark(who, sentence, is_reliable=False)
    sentence = translate("{raters} judged {entries} of each system.", raters=who, entries=what)
    return Remark(f"{who}, {count(entries)}", sentence)


def random_remarks(metrics: Iterable[MetricInfo]) -> dict[str, Remark]:
    """Return a remark for each of the metrics that models with random weights made."""
    short, sentence = map(translate, RANDOM)
    remark = Remark(short, sentence, is_reliable=False)
    return {info.name: remark for info in metrics if info.doubt == RANDOM_WEIGHTS}
