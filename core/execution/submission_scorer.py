"""Reading, checking and scoring of one submission, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jurydesk.core.competition.task import AnyTask, Reading
from jurydesk.core.execution.intervals import add_intervals
from jurydesk.core.execution.plausibility import NormalizedTexts, plausibility_defects
from jurydesk.core.model.defects import Defect, has_errors
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.statistics.inference import Inference

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run


@dataclass(frozen=True, slots=True, eq=False)
class ReadSubmission:
    """Submission as it was read; without data after errors.

    `part` is the name of its system in a file of several.
    """

    path: Path
    reading: Reading[Any]
    plausibility: tuple[Defect, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SubmissionScorer:
    """Scoring of single submissions, with everything that they share in one run.

    `read_file` returns the reading of a submission, given the references.
    """

    task: AnyTask
    options: Any
    references: Any
    resamples: int
    seed: int
    inference: Inference
    read_file: Callable[[Path, Any, Run], Reading[Any]]
    normalized: NormalizedTexts = field(default_factory=NormalizedTexts)

    def read(self, path: Path, run: Run) -> tuple[ReadSubmission, ...]:
        """Read one file and check the plausibility of its texts.

        A file of several systems has one submission for each, of which the first has the defects of
        the file; a system that cannot be scored does not stop the others.
        """
        reading = self.read_file(path, self.references, run)
        if not reading.systems or has_errors(reading.defects):
            return (self._read(path, reading),)
        first, *others = reading.systems
        first = replace(first, defects=(*reading.defects, *first.defects))
        return tuple(replace(self._read(path, one), part=one.name) for one in (first, *others))

    def _read(self, path: Path, reading: Reading[Any]) -> ReadSubmission:
        if reading.data is None or has_errors(reading.defects):
            return ReadSubmission(path, replace(reading, data=None))
        texts = self.task.submission_checks.submission_texts(self.references, reading.data)
        return ReadSubmission(path, reading, plausibility_defects(path, texts, self.normalized))

    def check(self, path: Path, run: Run) -> Iterator[tuple[ReadSubmission, tuple[Defect, ...]]]:
        """Read one file; yield its submissions with all defects that scoring would find."""
        for read in self.read(path, run):
            reading = read.reading
            if reading.data is None:
                yield read, reading.defects
                continue
            remarks = self.task.scoring.remarks(self.references, reading.data, self.options, run)
            yield read, tuple(dict.fromkeys((*reading.defects, *remarks, *read.plausibility)))

    def evaluate(self, read: ReadSubmission, run: Run) -> Evaluation | None:
        """Return the scores without intervals; None after errors. Raises ChunksPostponed."""
        if read.reading.data is None:
            return None
        found: Evaluation = self.task.scoring.evaluate(
            self.references, read.reading.data, self.options, run
        )
        return found

    def with_intervals(self, evaluation: Evaluation, run: Run) -> Evaluation:
        """Return the evaluation with its intervals."""
        return add_intervals(self.task, evaluation, run, self.resamples, self.seed, self.inference)
