"""Strip at the bottom of the window: running job, progress, time left, workers and device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QWidget

from jurydesk.app.jobs.job import Job, Jobs, view_jobs
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import ElidedLabel, button, label
from jurydesk.core.language import translate, translate_text
from jurydesk.core.tables.numbers import duration, quantity

if TYPE_CHECKING:
    from jurydesk.app.window.workers_sheet import WorkersSheet
    from jurydesk.core.execution.progress import Progress

STEPS = 1000


class JobStrip(QWidget):
    """Shows the visible job of `Jobs`; `cancelled` requests its cancellation."""

    cancelled = Signal()

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(translate("Progress"))
        self._jobs = jobs
        self._job: Job | None = None
        self.text = ElidedLabel(translate("Ready"), mode=Qt.TextElideMode.ElideRight)
        self.text.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(translate("Progress"))
        self.left = label()
        self.workers = button(
            "", self._open_workers, "small", translate("Show what each worker does")
        )
        self._sheet: WorkersSheet | None = None
        self.cancel = button(translate("Cancel  Esc"), self.cancelled.emit, "small")
        self.device = ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.device.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.device.setAccessibleName(translate("Device in use"))
        self._layout = QHBoxLayout(self)
        for widget in (self.text, self.bar, self.left, self.workers, self.cancel):
            self._layout.addWidget(widget)
        self._layout.addWidget(self.device, 1)
        theme().follow(self._scale)
        for each in (jobs, view_jobs()):
            each.changed.connect(self._follow)
        self._follow()

    def set_device(self, text: str) -> None:
        """Show the device in use at the right."""
        self.device.setText(text)
        self.device.setToolTip(tip(text))

    def _follow(self) -> None:
        own = self._jobs.visible()
        job = own or view_jobs().visible()
        if job is not self._job:
            if self._job is not None:
                self._job.progressed.disconnect(self._progress)
            self._job = job
            if job is not None:
                job.progressed.connect(self._progress)
                self._progress(job.progress)
        running = job is not None
        if not running:
            self.workers.hide()
        for widget in (self.bar, self.left):
            widget.setVisible(running)
        self.cancel.setVisible(own is not None)
        if job is None:
            waiting = self._jobs.waiting_for() or view_jobs().waiting_for()
            self.text.setText(f"{waiting} …" if waiting else translate("Ready"))
            self.text.setToolTip("")
        elif job.cancelling:
            self._say(translate("{title}: stopping", title=job.title))
            self.cancel.setEnabled(False)
            return
        self.cancel.setEnabled(running)

    def _progress(self, progress: Progress) -> None:
        if self._job is None or self._job.cancelling:
            return
        text = translate_text(progress.text) or self._job.title
        if progress.total:
            self._say(
                translate(
                    "{text}: {done:,} of {total:,}",
                    text=text,
                    done=progress.done,
                    total=progress.total,
                )
            )
            self.bar.setRange(0, STEPS)
            self._fill(round(STEPS * progress.done / progress.total))
        else:
            self._say(text)
            self.bar.setRange(0, 0)
        self._show_workers(progress)
        left = progress.seconds_left
        time = "" if left is None else translate("{time} left", time=duration(left))
        self.left.setText(" · ".join(filter(None, (translate_text(progress.rate), time))))

    def _fill(self, steps: int) -> None:
        """Set the value without an immediate repaint, which would repaint the whole window."""
        self.bar.setUpdatesEnabled(False)
        self.bar.setValue(steps)
        self.bar.setUpdatesEnabled(True)

    def _say(self, text: str) -> None:
        self.text.setText(text)
        self.text.setToolTip(tip(text))

    def _show_workers(self, progress: Progress) -> None:
        there = sum(worker.doing != "gone" for worker in progress.workers)
        self.workers.setVisible(bool(progress.workers))
        self.workers.setText(quantity(there, "worker"))
        if self._sheet is not None:
            self._sheet.show_workers(progress.workers)

    def _open_workers(self) -> None:
        from jurydesk.app.window.workers_sheet import WorkersSheet

        if self._sheet is None:
            self._sheet = WorkersSheet(self.window())
            self._sheet.closed.connect(self._forget_sheet)
        if self._job is not None:
            self._sheet.show_workers(self._job.progress.workers)
        self._sheet.open()

    def _forget_sheet(self) -> None:
        if self._sheet is not None:
            self._sheet.deleteLater()
            self._sheet = None

    def _scale(self) -> None:
        self.setFixedHeight(px(34))
        self.bar.setMinimumWidth(px(60))
        self.bar.setMaximumWidth(px(220))
        self._layout.setContentsMargins(px(18), 0, px(18), 0)
        self._layout.setSpacing(px(12))
