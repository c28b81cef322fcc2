"""Marks of unreliable numbers and of intervals of few groups in exports of a board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from jurydesk.core.analysis.leaderboard import Leaderboard, leaderboard_finding
from jurydesk.core.analysis.reliability import few_groups
from jurydesk.core.competition.task import Task
from jurydesk.core.language import translatable
from jurydesk.core.model.evaluation import Json, Score

MARKS = "marks"
"""Setting of exports that mark such numbers; earlier ones lack it."""
MARKED_FINDING = 2
"""Value of the setting where the finding, too, states no such numbers as reliable."""
FEW_GROUPS_NOTE = translatable("The interval is based on few groups: interpret it with caution.")


@dataclass(frozen=True, slots=True)
class BoardMarks:
    """Metrics whose numbers are not reliable, with the reasons; nouns of an item."""

    reasons: Mapping[str, str] = field(default_factory=dict)
    nouns: tuple[str, str] | None = None
    """None if intervals are not marked."""

    def is_doubtful(self, metric: str) -> bool:
        """Return whether the numbers of a metric are not reliable."""
        return metric in self.reasons

    def few_groups(self, score: Score | None) -> str:
        """Return the groups of the interval of a score if they are few, else nothing."""
        return "" if self.nouns is None else few_groups(score, self.nouns)

    def notes(self, board: Leaderboard) -> Iterator[tuple[str, str]]:
        """Yield each sign of the board with its explanation."""
        for reason in dict.fromkeys(self.reasons.values()):
            yield "( )", reason
        scores = (cell.score for row in board.rows for cell in row.cells)
        if any(self.few_groups(score) for score in scores):
            yield "°", FEW_GROUPS_NOTE


NO_MARKS = BoardMarks()


def board_marks(task: Task[Any, Any, Any], board: Leaderboard, settings: Json) -> BoardMarks:
    """Return the marks of a board; none for an export of an earlier version, made again."""
    if settings is not None and not settings.get(MARKS):
        return NO_MARKS
    reasons = {info.name: info.doubt for info in board.metrics if info.doubt}
    return BoardMarks(reasons, task.item_noun)


def has_marked_finding(settings: Json) -> bool:
    """Return whether the sentences of an export with these settings are marked, too."""
    return bool(settings.get(MARKS) == MARKED_FINDING)


def restore_finding(task: Task[Any, Any, Any], board: Leaderboard, settings: Json) -> Leaderboard:
    """Return a board with the finding of an export with these settings, made again."""
    if board.headline is None or has_marked_finding(settings):
        return board
    headline = replace(board.headline, doubt="")
    finding = leaderboard_finding(board.rows, headline, board.significance_tests, task.item_noun)
    return replace(board, finding=finding)
