"""Summary of a desk for lists of desks: competition, title and systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.model.defects import counted

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run

NAMED = 12
"""How many systems are named; of more the first."""

Version = tuple[Path, int]
"""A desk file, and when it was last written, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class DeskContents:
    """The competition of a desk, its title, and its systems; `problem` says why nothing is known.

    Where nothing was scored, `systems` are those whose submissions came in.
    """

    title: str = ""
    competition: str = ""
    systems: tuple[str, ...] = ()
    scored: bool = False
    problem: str = ""

    def summary(self, *, titled: bool) -> str:
        """Return the title (or what stands beside it) and the number of systems in one line."""
        if self.problem:
            return self.problem
        if not self.competition:
            return "empty"
        beside = self.competition if self.competition != self.title else ""
        shown = self.title if titled else beside
        count = counted(len(self.systems), "system") if self.systems else "no system yet"
        state = count if self.scored or not self.systems else f"{count}, not scored"
        return " · ".join(part for part in (shown, state) if part)

    @property
    def names(self) -> str:
        """The names of the first systems in one line."""
        more = " …" if len(self.systems) > NAMED else ""
        return f"{', '.join(self.systems[:NAMED])}{more}"


def file_version(path: Path) -> Version:
    """Return the present version of a file; raises OSError where it is gone."""
    return path, path.stat().st_mtime_ns


def read_all_contents(
    wanted: Sequence[Version], run: Run, tell: object
) -> dict[Version, DeskContents]:
    """Read a summary of each of these desks. Raises Cancelled."""
    from jurydesk.core.desk import Desk, DeskError

    found = {}
    for one in wanted:
        run.check()
        try:
            with Desk.open(one[0], read_only=True, check=run.check) as desk:
                found[one] = read_contents(desk)
        except DeskError as error:
            found[one] = DeskContents(problem=str(error))
        except OSError as error:
            found[one] = DeskContents(problem=f"{one[0].name}: {error.strerror or error}.")
    return found


def read_contents(desk: Desk) -> DeskContents:
    """Read the summary of an open desk; of evaluations no more than the names is read."""
    from jurydesk.core.competition.task_registry import registry
    from jurydesk.core.intake.submission_ledger import submission_names

    competition = desk.competition
    if competition is None:
        return DeskContents()
    task = registry().tasks.get(competition.task_id)
    scored = desk.systems()
    title = task.title if task else competition.task_id
    return DeskContents(competition.title, title, scored or submission_names(desk), bool(scored))
