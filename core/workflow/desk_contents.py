"""Summary of a desk for lists of desks: competition, title, systems and best score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import (
    Message,
    counted,
    failure_reason,
    fill,
    join_messages,
    translatable,
)
from jurydesk.core.tables import numbers

if TYPE_CHECKING:
    from jurydesk.core.competition.task import AnyTask
    from jurydesk.core.desk import Desk, Summary
    from jurydesk.core.execution.run import Run

MAX_SHOWN_SYSTEMS = 12

Version = tuple[Path, int]
"""A desk file and its modification time in nanoseconds."""


@dataclass(frozen=True, slots=True)
class DeskContents:
    """Competition, title and systems of a desk; `problem` is the reason if they are unknown.

    If nothing is scored, `systems` are those with a submission. `best` is the best score with its
    metric, empty while scores are hidden.
    """

    title: str = ""
    competition: str = ""
    systems: tuple[str, ...] = ()
    scored: bool = False
    best: str = ""
    problem: str = ""

    def summary(self, *, titled: bool) -> str:
        """Return the title (or the competition beside it), the number of systems, the best score.

        A single system has no best score, but one.
        """
        if self.problem:
            return self.problem
        if not self.competition:
            return translatable("empty")
        beside = self.competition if self.competition != self.title else ""
        shown = self.title if titled else beside
        count = (
            counted(len(self.systems), "system") if self.systems else translatable("no systems yet")
        )
        state = (
            count
            if self.scored or not self.systems
            else translatable("{systems}, not scored").format(systems=count)
        )
        best = fill("best {score}", self.best) if len(self.systems) > 1 else self.best
        return join_messages([shown, state, best if self.best else ""], " · ")

    @property
    def names(self) -> str:
        """Names of the first systems in one line."""
        more = " …" if len(self.systems) > MAX_SHOWN_SYSTEMS else ""
        return f"{', '.join(self.systems[:MAX_SHOWN_SYSTEMS])}{more}"


def file_version(path: Path) -> Version:
    """Return the current version of a file; raises OSError if it does not exist."""
    return path, path.stat().st_mtime_ns


def read_all_contents(
    versions: Sequence[Version], run: Run, notify: object
) -> dict[Version, DeskContents]:
    """Read the contents of these desks. Raises Cancelled."""
    from jurydesk.core.desk import Desk, DeskError

    found = {}
    for one in versions:
        run.check()
        try:
            with Desk.open(one[0], read_only=True, check=run.check) as desk:
                found[one] = read_contents(desk)
        except DeskError as error:
            found[one] = DeskContents(problem=str(error))
        except OSError as error:
            found[one] = DeskContents(
                problem=fill("{name}: {reason}.", one[0].name, failure_reason(error))
            )
    return found


def read_contents(desk: Desk) -> DeskContents:
    """Read the contents of an open desk; its inputs are not looked at."""
    from jurydesk.core.competition.task_registry import registry
    from jurydesk.core.intake.submission_ledger import submission_names

    competition = desk.competition
    if competition is None:
        return DeskContents()
    task = registry().tasks.get(competition.task_id)
    scored = desk.systems()
    title = task.title if task else competition.task_id
    best = _stored_best(desk, task) if task and scored else ""
    names = scored or submission_names(desk)
    return DeskContents(competition.title, title, names, bool(scored), best)


def _stored_best(desk: Desk, task: AnyTask) -> str:
    """Return the best score in the desk's profile; empty while hidden, or if one is out of date."""
    from jurydesk.core.competition.declared_metrics import with_metrics
    from jurydesk.core.desk.hidden_scores import hidden_since
    from jurydesk.core.desk.inference_settings import load_inference
    from jurydesk.core.desk.item_queries import declared_metrics

    options = desk.competition.options if desk.competition else {}
    profile = options.get("profile", "published")
    shown = [one for one in desk.evaluations(()) if one.profile == profile]
    if not shown or hidden_since(desk) or any(one.stale for one in shown):
        return ""
    declared = declared_metrics(desk)
    known = with_metrics(task, declared) if declared else task
    best = best_score(known, shown, load_inference(desk).rank_by)
    return best.text if best else ""


@dataclass(frozen=True, slots=True)
class BestScore:
    """Score of the leading system with its metric, as a text."""

    text: str
    system: str


def best_score(task: AnyTask, summaries: Sequence[Summary], rank_by: str = "") -> BestScore | None:
    """Return the best score of these evaluations of one profile.

    There is none if it is not reliable, or if no system is first.
    """
    from jurydesk.core.analysis.leaderboard import find_score, make_leaderboard  # imports NumPy

    board = make_leaderboard(task, summaries, rank_by=rank_by)
    info, first = board.headline, board.rows[0]
    score = None if info is None else find_score(first.summary, info.name)
    is_first = first.place == 1 or len(board.rows) == 1
    if info is None or info.doubt or score is None or not is_first:
        return None
    if not math.isfinite(score.value):
        return None
    value = numbers.number(score.value, info.decimals)
    return BestScore(fill("{metric} {value}", Message(info.title), value), first.summary.system)
