"""Rankings by scores that are computed again from the files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from jurydesk.core.analysis.robustness.ranked_systems import RankedSystems
from jurydesk.core.analysis.robustness.robustness import Alternative
from jurydesk.core.analysis.stamped_inputs import require_stamp, stamped_inputs
from jurydesk.core.competition.stamped_options import options_of_stamp
from jurydesk.core.desk.errors import DeskError
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.language import fill
from jurydesk.core.model.evaluation import (
    UsageError,
)
from jurydesk.core.model.input_file import InputFile, files_by_role
from jurydesk.core.model.stamp import StampError

if TYPE_CHECKING:
    from pathlib import Path

    from jurydesk.core.desk import Summary
    from jurydesk.core.model.stamp import Stamp


class RescoredChoices:
    """Ranking of the same files in other profiles and under other policies.

    `failure` is the reason why nothing could be scored again.
    """

    def __init__(self, ranked: RankedSystems) -> None:
        self._ranked = ranked
        self.failure = ""
        self._scored: dict[str, Sequence[Mapping[str, float]]] = {}

    def alternatives(self, summaries: Sequence[Summary]) -> list[Alternative]:
        """Score the same files with the task's other profiles and policies."""
        found: list[Alternative] = []
        try:
            stamps = [require_stamp(self._ranked.desk, one) for one in self._ranked.systems]
            files = [stamped_inputs(self._ranked.desk, self._ranked.task, one) for one in stamps]
            for choice, value, changes, metric in self._policies(stamps[0], summaries):
                self._ranked.run.check()
                values = self._score_with(stamps[0], files, changes)
                cases = [one.get(metric, math.nan) for one in values]
                found += self._ranked.alternative(choice, value, np.array([cases]))
        except (DeskError, StampError) as error:
            self.failure = fill("Nothing was scored again. {reason}", error)
            self._ranked.left_out.append(self.failure)
        return found

    def _policies(
        self, stamp: Stamp, summaries: Sequence[Summary]
    ) -> Iterator[tuple[str, str, Mapping[str, Any], str]]:
        held = {
            profile
            for profile in {one.profile for one in summaries}
            if self._ranked.metric_values(
                [one for one in summaries if one.profile == profile], self._ranked.metric.name
            )
            is not None
        }
        for profile in self._ranked.task.scoring.profiles:
            if profile not in held and profile != self._ranked.profile:
                yield "profile", profile, {"profile": profile}, self._ranked.metric.name
        for one in self._ranked.task.scoring.policies(stamp.settings):
            if any(stamp.options.get(name) != value for name, value in one.options.items()):
                yield one.choice, one.value, one.options, f"{self._ranked.metric.name}{one.suffix}"

    def _score_with(
        self, stamp: Stamp, files: Sequence[Mapping[str, list[Path]]], changes: Mapping[str, Any]
    ) -> Sequence[Mapping[str, float]]:
        """Return the scores of every system by metric; empty if the choice does not fit."""
        key = repr(sorted(changes.items()))
        if key not in self._scored:
            options = replace(options_of_stamp(self._ranked.task, stamp), **changes)
            role = self._ranked.task.submission_input().role
            own = [one[role][0] for one in files]
            # Several systems may share a file, so files are named by number.
            names = {path: str(number) for number, path in enumerate(dict.fromkeys(own))}
            given = [
                *files_by_role({**files[0], role: []}),
                *(InputFile(path, role, name=name) for path, name in names.items()),
            ]
            try:
                done = score_submissions(
                    self._ranked.task, given, options, self._ranked.run, resamples=0
                ).evaluations
            except UsageError:
                done = ()
            known = {
                one.system: {entry.metric: entry.value for entry in one.scores} for one in done
            }
            self._scored[key] = [known.get(names[path], {}) for path in own]
        return self._scored[key]
