"""Summary of a desk for lists of desks: competition, title and systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import counted, failure_reason, fill, join_messages, translatable

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run

MAX_SHOWN_SYSTEMS = 12

Version = tuple[Path, int]
"""A desk file and its modification time in nanoseconds."""


@dataclass(frozen=True, slots=True)
class DeskContents:
    """Competition, title and systems of a desk; `problem` is the reason if they are unknown.

    If nothing is scored, `systems` are those with a submission.
    """

    title: str = ""
    competition: str = ""
    systems: tuple[str, ...] = ()
    scored: bool = False
    problem: str = ""

    def summary(self, *, titled: bool) -> str:
        """Return the title (or the competition beside it) and the number of systems."""
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
        return join_messages([shown, state], " · ")

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
    """Read the contents of an open desk; of evaluations only the names are read."""
    from jurydesk.core.competition.task_registry import registry
    from jurydesk.core.intake.submission_ledger import submission_names

    competition = desk.competition
    if competition is None:
        return DeskContents()
    task = registry().tasks.get(competition.task_id)
    scored = desk.systems()
    title = task.title if task else competition.task_id
    return DeskContents(competition.title, title, scored or submission_names(desk), bool(scored))
