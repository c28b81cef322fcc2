"""What is made ready before somebody asks for it: the other pages, and what shows items."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app import work
from app.jobs import Job, Jobs
from app.steady import Steady

BREATH_MS = 100
"""The time between two pages."""
OF_FIGURES = (
    "app.views.curve",
    "app.views.heatmap",
    "app.views.distribution",
    "app.views.disagreement",
)

OF_BOARDS = ("scipy.stats",)
"""What tells systems apart; the longest import of all, and a job's imports hold the interpreter."""
OF_FILES = (
    "core.workflow.role_assignment",
    "core.intake.files",
    "core.intake.ledger",
    "core.intake.submissions",
)


class Ahead(QObject):
    """Builds pages one at a time, and imports views in a thread, so that none is waited for.

    `missing` gives the page that comes next, `build` builds it; `built` says that none is missing.
    """

    built = Signal()

    def __init__(
        self,
        missing: Callable[[], str | None],
        build: Callable[[str], object],
        jobs: Jobs,
        steady: Steady,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._missing = missing
        self._build = build
        self._jobs = jobs
        self._steady = steady

    def begin(self) -> None:
        """Build what is missing; what was imported so far is no garbage."""
        self._steady.set_aside()
        self._go_on()

    def _go_on(self) -> None:
        page = self._missing()
        if page is None:
            self._steady.set_aside()
            self.built.emit()
            self._import_views()
        else:
            self._build(page)
            QTimer.singleShot(BREATH_MS, self, self._go_on)

    def _import_views(self) -> None:
        from app.inspectors.registry import INSPECTORS, PANELS

        of_items = (*OF_FIGURES, *INSPECTORS.modules, *PANELS.modules)
        modules = (*OF_FILES, *of_items, *OF_BOARDS)
        job = Job("Loading the views", partial(work.prepare, modules), quiet=True)
        job.succeeded.connect(self._imported)
        self._jobs.start(job)

    def _imported(self) -> None:
        self._steady.set_aside()
