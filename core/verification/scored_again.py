"""Results of an export's inputs, scored again: what the export is made again from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.desk import Desk
from jurydesk.core.export.export_settings import ExportOrigin, ExportSettings
from jurydesk.core.model.evaluation import Evaluation, Source

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True)
class ScoredAgain:
    """What an export is made again from.

    Attributes:
        evaluations: Results of the stamps' inputs, with the names and stamps of the file.
        inputs: Input files at their present paths.
        ratings: Desk with the ratings, if the export has any.
    """

    evaluations: Sequence[Evaluation]
    inputs: Sequence[Source] = ()
    ratings: Path | None = None


@dataclass(frozen=True, slots=True)
class Recomputation:
    """Desk of the recomputed results, and the settings of the file."""

    desk: Desk
    task: AnyTask
    settings: ExportSettings
    evaluations: Sequence[Evaluation]
    run: Run
    unchecked: list[str] = field(default_factory=list)
    """What the file takes from its settings alone."""

    @property
    def origin(self) -> ExportOrigin:
        """Stamps and settings of the file."""
        stamps = [one.stamp for one in self.evaluations]
        return ExportOrigin(stamps, self.settings.values)
