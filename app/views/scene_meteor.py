"""METEOR for the image that is looked at, computed beside the window's thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.jobs import Job, Tell, view_jobs
from core.metrics.meteor.alignment import Alignment
from core.model import ResourceMissing
from core.run.run import Run
from core.tasks.densecap.evidence import Scene


@dataclass(frozen=True, slots=True)
class Described:
    """What METEOR says of a scene: `known` has the scores that `scene` lacked.

    `alignment` is that of the detection in `row`; None where `problem` says why there is none.
    """

    scene: Scene
    known: Scene
    row: int
    alignment: Alignment | None
    problem: str = ""


class SceneMeteor(QObject):
    """Answers with `described`, for the last one that asked and for those before."""

    described = Signal(object)

    def ask(self, scene: Scene, row: int) -> None:
        """Align a detection with its best reference; score what is not scored in its image."""
        job = Job("Aligning", partial(_described, scene, row), quiet=True)
        job.succeeded.connect(self.described)
        view_jobs().start(job)


def _described(scene: Scene, row: int, run: Run, tell: Tell) -> Described:
    try:
        known = scene.described(run)
        return Described(scene, known, row, known.aligned(known.detections[row]))
    except ResourceMissing as missing:
        return Described(scene, scene, row, None, str(missing))
