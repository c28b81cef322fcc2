"""Background alignment of a text with its references, for inspectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from jurydesk.app.jobs.job import Job, Notify, view_jobs
from jurydesk.core.execution.run import Run
from jurydesk.core.language import translate
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import ResourceMissing

LONGEST_ALIGNED = 2000
"""Maximum number of words of a text that is aligned interactively."""

Pair = tuple[int, ...]
"""Indices of a text and a reference of an item, as the arguments of its `align`."""


class Alignable(Protocol):
    """An item's evidence that aligns a pair of its texts: `align(*pair, run)`."""

    @property
    def align(self) -> Callable[..., Alignment]: ...


@dataclass(frozen=True, slots=True)
class AlignmentResult:
    """Result of aligning a pair; without an alignment, `problem` gives the reason."""

    evidence: Alignable
    pair: Pair
    alignment: Alignment | None
    problem: str = ""


class AlignmentJobs(QObject):
    """Aligns pairs of one item, each once; `aligned` carries the result of the current pair."""

    aligned = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._evidence: Alignable | None = None
        self._pair: Pair = ()
        self._known: dict[Pair, AlignmentResult] = {}

    def use_item(self, evidence: Alignable, *known: AlignmentResult) -> None:
        """Use another item, with the pairs that are aligned already."""
        self._evidence = evidence
        self._pair = ()
        self._known = {one.pair: one for one in known}

    def select(self, *pair: int) -> AlignmentResult | None:
        """Make a pair the current one; return its result if it was aligned before."""
        self._pair = pair
        return self._known.get(pair)

    def align(self) -> None:
        """Align the current pair; `aligned` is emitted if it is still the current one."""
        if self._evidence is None:
            return
        job = Job(translate("Aligning"), partial(_align, self._evidence, self._pair), quiet=True)
        job.succeeded.connect(self._take_alignment)
        view_jobs().start(job)

    def _take_alignment(self, aligned: AlignmentResult) -> None:
        if aligned.evidence is self._evidence:
            self._known[aligned.pair] = aligned
            if aligned.pair == self._pair:
                self.aligned.emit(aligned)


def is_long(*texts: str) -> bool:
    """Return whether a text is too long to be aligned interactively."""
    return any(len(text.split()) > LONGEST_ALIGNED for text in texts)


def _align(evidence: Alignable, pair: Pair, run: Run, notify: Notify) -> AlignmentResult:
    try:
        return AlignmentResult(evidence, pair, evidence.align(*pair, run))
    except ResourceMissing as missing:
        return AlignmentResult(evidence, pair, None, str(missing))
