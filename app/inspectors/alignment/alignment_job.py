"""A text aligned with its references while somebody looks, beside the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from jurydesk.app.jobs.job import Job, Tell, view_jobs
from jurydesk.core.execution.run import Run
from jurydesk.core.metrics.meteor.alignment.alignment import Alignment
from jurydesk.core.model.evaluation import ResourceMissing

LONGEST_ALIGNED = 2000
"""Texts of more words are not aligned while somebody looks: it takes too long."""

Pair = tuple[int, ...]
"""Which text and reference of an item, by their places, as the item's `align` takes them."""


class Alignable(Protocol):
    """An item's evidence that aligns a pair of its texts: `align(*pair, run)`."""

    @property
    def align(self) -> Callable[..., Alignment]: ...


@dataclass(frozen=True, slots=True)
class Aligned:
    """What became of aligning a pair; where there is no alignment, `problem` says why."""

    evidence: Alignable
    pair: Pair
    alignment: Alignment | None
    problem: str = ""


class Aligning(QObject):
    """Aligns pairs of one item, each of them once; `aligned` tells of the pair looked at."""

    aligned = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._evidence: Alignable | None = None
        self._pair: Pair = ()
        self._known: dict[Pair, Aligned] = {}

    def begin(self, evidence: Alignable, *known: Aligned) -> None:
        """Turn to another item, of which some pairs are aligned already."""
        self._evidence = evidence
        self._pair = ()
        self._known = {one.pair: one for one in known}

    def look_at(self, *pair: int) -> Aligned | None:
        """Turn to a pair of the item; what became of it, where it was aligned before."""
        self._pair = pair
        return self._known.get(pair)

    def align(self) -> None:
        """Align the pair that is looked at; `aligned` follows if it still is by then."""
        if self._evidence is None:
            return
        job = Job("Aligning", partial(_align, self._evidence, self._pair), quiet=True)
        job.succeeded.connect(self._arrived)
        view_jobs().start(job)

    def _arrived(self, aligned: Aligned) -> None:
        if aligned.evidence is self._evidence:
            self._known[aligned.pair] = aligned
            if aligned.pair == self._pair:
                self.aligned.emit(aligned)


def is_long(*texts: str) -> bool:
    """Whether one of the texts is too long to be aligned while somebody looks."""
    return any(len(text.split()) > LONGEST_ALIGNED for text in texts)


def _align(evidence: Alignable, pair: Pair, run: Run, tell: Tell) -> Aligned:
    try:
        return Aligned(evidence, pair, evidence.align(*pair, run))
    except ResourceMissing as missing:
        return Aligned(evidence, pair, None, str(missing))
