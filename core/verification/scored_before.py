"""Memory of the last file with several systems that was scored again, for the stamps of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jurydesk.core.competition.task import AnyTask
from jurydesk.core.execution.engine import CompetitionResult
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.stamp import Stamp

Key = tuple[Json, ...]


@dataclass(slots=True)
class ScoredBefore:
    """Result of the files of several systems that were scored last, by what it depends on."""

    key: Key = ()
    result: CompetitionResult | None = field(default=None, repr=False)

    def find(self, key: Key) -> CompetitionResult | None:
        """Return the result of these files, if they were scored last."""
        return self.result if key == self.key else None

    def keep(self, key: Key, result: CompetitionResult) -> None:
        """Keep the result of files with several systems."""
        if len(result.evaluations) > 1:
            self.key, self.result = key, result


def scoring_key(
    stamp: Stamp, task: AnyTask, inputs: Mapping[str, Sequence[Path]], options: object
) -> Key:
    """Return what a result depends on: files as they are now, options, seeds and policies."""
    files = tuple(
        (role, str(path), path.stat().st_size, path.stat().st_mtime_ns)
        for role, paths in sorted(inputs.items())
        for path in paths
    )
    policies = (repr(stamp.policies), repr(stamp.seeds), repr(stamp.groups))
    return task.id, files, repr(options), *policies
