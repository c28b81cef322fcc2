"""Preloading of pages and modules before they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject, QTimer, Signal

from jurydesk.app.jobs import job_functions
from jurydesk.app.jobs.job import Job, Jobs
from jurydesk.app.jobs.responsiveness.garbage_collection import GarbageCollection
from jurydesk.core.language import translate

PAUSE_MS = 100
"""Time between two pages."""
FIGURES = (
    "jurydesk.app.plots.curve",
    "jurydesk.app.plots.heatmap",
    "jurydesk.app.plots.histogram",
    "jurydesk.app.pages.compare.compare_cards",
)

SIGNIFICANCE = ("scipy.stats",)
"""The longest import; a job holds the GIL while it imports."""
INTAKE = (
    "jurydesk.core.workflow.role_assignment",
    "jurydesk.core.intake.collect",
    "jurydesk.core.intake.submission_ledger",
    "jurydesk.core.intake.take_in",
)


class Preload(QObject):
    """Builds pages one at a time, and imports views in a job.

    `missing` returns the id of the next page, which `build` builds; `built` follows the last one.
    `views` returns the names of the modules of inspectors; `loaded` follows their import.
    """

    built = Signal()
    loaded = Signal()

    def __init__(
        self,
        missing: Callable[[], str | None],
        build: Callable[[str], object],
        views: Callable[[], Sequence[str]],
        jobs: Jobs,
        garbage: GarbageCollection,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._missing = missing
        self._build = build
        self._views = views
        self._jobs = jobs
        self._garbage = garbage

    def start(self) -> None:
        self._garbage.freeze()
        self._build_next()

    def _build_next(self) -> None:
        page = self._missing()
        if page is None:
            self._garbage.freeze()
            self.built.emit()
            self._import_views()
        else:
            self._build(page)
            QTimer.singleShot(PAUSE_MS, self, self._build_next)

    def _import_views(self) -> None:
        modules = (*INTAKE, *FIGURES, *self._views(), *SIGNIFICANCE)
        job = Job(
            translate("Loading the views"),
            partial(job_functions.load_competitions, modules),
            quiet=True,
        )
        job.succeeded.connect(self._views_imported)
        self._jobs.start(job)

    def _views_imported(self) -> None:
        self._garbage.freeze()
        self.loaded.emit()


def create_qt_types() -> None:
    """Access every type once, which takes about 0.1 s.

    PySide creates a type on first access. Importing pyqtgraph, which happens in a job, accesses all
    of them; two threads that create types at once have crashed the program.
    """
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
