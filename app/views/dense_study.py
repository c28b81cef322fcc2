"""The study of an evaluation beside the window's thread: captions first, then missing METEOR."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.format import percent
from app.jobs import Job, Tell, view_jobs
from app.models.dense import DenseItems
from core.desk.errors import DeskError
from core.metrics.dense_errors import Kind, mean_lost
from core.model import Evaluation, FloatArray, ResourceMissing
from core.run.progress import Progress
from core.run.run import Cancelled, Run
from core.tasks.densecap.study import Captions, study

KEPT = 4
COMPUTING = "METEOR of the remaining detections is being computed."


@dataclass(frozen=True, slots=True, eq=False)
class Studied:
    """What the study of an evaluation came to; `problem` says why METEOR is missing."""

    items: DenseItems
    costs: Mapping[Kind, float] | None
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    evaluation: Evaluation
    captions: Captions


class Study(QObject):
    """Studies one evaluation at a time and remembers the last few."""

    captions_read = Signal()
    finished = Signal()
    noted = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.items: DenseItems | None = None
        self.costs: Mapping[Kind, float] | None = None
        self._done: list[Studied] = []
        self._job: Job | None = None

    def begin(self, evaluation: Evaluation) -> DenseItems:
        """What is known of an evaluation at once; the rest follows by signals."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        known = next((one for one in self._done if one.items.evaluation is evaluation), None)
        self.items = known.items if known else DenseItems(evaluation)
        self.costs = known.costs if known else None
        self.noted.emit(known.problem if known else COMPUTING)
        if known is None:
            self._start(evaluation)
        return self.items

    def _start(self, evaluation: Evaluation) -> None:
        job = Job("Reading captions", partial(_study, evaluation))
        job.told.connect(self._told)
        job.succeeded.connect(self._succeeded)
        job.progressed.connect(self._progressed)
        self._job = view_jobs().start(job)

    def _progressed(self, progress: Progress) -> None:
        if self.sender() is self._job and progress.total:
            share = percent(round(progress.done / progress.total, 2))
            self.noted.emit(f"{progress.text}: {share}")

    def _told(self, read: _Read) -> None:
        if self.items is not None and read.evaluation is self.items.evaluation:
            self.items = self.items.with_captions(read.captions)
            self.captions_read.emit()

    def _succeeded(self, studied: Studied) -> None:
        self._done = [*self._done[1 - KEPT :], studied]
        if self.items is not None and studied.items.evaluation is self.items.evaluation:
            self.items, self.costs = studied.items, studied.costs
            self.noted.emit(studied.problem)
            self.finished.emit()


def _study(evaluation: Evaluation, run: Run, tell: Tell) -> Studied:
    read: list[Captions] = []

    def hear(captions: Captions) -> None:
        read.append(captions)
        tell(_Read(evaluation, captions))

    problem, meteor = "", None
    try:
        meteor = study(evaluation.items, run, hear)
    except DeskError as gone:  # closed, or scored again: nobody asks for it any more
        raise Cancelled from gone
    except ResourceMissing as missing:
        problem = f"What each error costs is not known: {missing}"
    items = _items(evaluation, read, meteor)
    complete = items.is_complete
    return Studied(items, run.call(mean_lost, items.claims) if complete else None, problem)


def _items(evaluation: Evaluation, read: list[Captions], meteor: FloatArray | None) -> DenseItems:
    items = DenseItems(evaluation, read[0] if read else None, meteor)
    items.claims  # noqa: B018 - worked out here, on the worker's thread
    return items
