"""Card of the Home page with unsaved and recent desks and their contents."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton, QSizePolicy

from jurydesk.app.jobs.job import Jobs
from jurydesk.app.jobs.latest_job import LatestJob
from jurydesk.app.state.desks import UnsavedDesk
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import (
    Card,
    ElidedLabel,
    across,
    clear_layout,
    label,
    restyle,
    row_layout,
)
from jurydesk.core.language import translatable, translate, translate_text
from jurydesk.core.language.local_formats import local_moment

if TYPE_CHECKING:
    from jurydesk.core.workflow.desk_contents import DeskContents, Version

UNTITLED = translatable("Not saved yet")
UNSAVED = translatable("Kept on this computer until it is saved or discarded: right click")
NO_DESK = translatable("No saved desk yet. A desk is one file that keeps a whole competition.")


WIDE, SHARES = 640, (4, 7, 3)
"""Width of the card from which a desk is one line, and the shares of its parts in it."""


class DeskRow(QPushButton):
    """Desk: name, time of the last change (or that it is open), contents and folder.

    An unsaved desk is named after its competition, as soon as this is known, and lists its systems
    instead of a folder. The context menu offers further actions; `removed` requests the removal of
    the row.
    """

    opened = Signal(object)
    removed = Signal(object)

    def __init__(self, path: Path, when: str, *, saved: bool = True, is_open: bool = False) -> None:
        super().__init__()
        self.setProperty("kind", "row")
        self.setProperty("open", is_open)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.path, self.saved = path, saved
        self._when = when = translate("open now") if is_open else when
        self.setToolTip(tip(str(path) if saved else translate(UNSAVED)))
        middle, right = Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight
        self._title = ElidedLabel(
            path.stem if saved else translate(UNTITLED), "heading", middle if saved else right
        )
        self._holds = ElidedLabel("", "tiny", Qt.TextElideMode.ElideRight)
        self._last = ElidedLabel(
            str(path.parent) if saved else "", "tiny", middle if saved else right
        )
        first = row_layout(self._title)
        first.setStretch(0, 1)
        self._times = label(when, "tiny"), label(when, "small")
        self._times[1].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        first.addWidget(self._times[0])
        self._texts = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._texts.addLayout(first, SHARES[0])
        for part, share in zip((self._holds, self._last), SHARES[1:], strict=True):
            self._texts.addWidget(part, share)
        self._texts.addWidget(self._times[1])
        self.is_wide = True
        self.set_wide(False)
        inside: tuple[QLabel, ...] = (self._title, self._holds, self._last, *self._times)
        for told in inside:
            told.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.clicked.connect(self._open)
        self._fill_menu()
        self._name()
        theme().follow(self._scale)

    def set_wide(self, is_wide: bool) -> None:
        """Show the parts side by side, or one below the other."""
        if is_wide == self.is_wide:
            return
        self.is_wide = is_wide
        across(self._texts, is_wide)
        for time, is_shown in zip(self._times, (not is_wide, is_wide), strict=True):
            time.setVisible(is_shown)
        for part in (self._holds, self._last):
            restyle(part, "kind", "small" if is_wide else "tiny")
        self._scale()

    def show_contents(self, contents: DeskContents) -> None:
        summary = translate_text(contents.summary(titled=self.saved))
        self._holds.setText(
            summary if self.saved else translate("Not saved · {summary}", summary=summary)
        )
        if not self.saved:
            self._title.setText(translate_text(contents.title) or translate(UNTITLED))
            self._last.setText(contents.names)
        where = str(self.path) if self.saved else translate(UNSAVED)
        self.setToolTip(tip(summary, contents.names, where))
        self._name()

    def _fill_menu(self) -> None:
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        entries = [(translate("Open"), self._open)]
        if self.saved:
            entries += [
                (translate("Show its folder"), self._reveal),
                (translate("Remove from this list"), self._remove),
            ]
        else:
            entries.append((translate("Discard"), self._remove))
        for title, slot in entries:
            action = QAction(title, self)
            action.triggered.connect(slot)
            self.addAction(action)

    def _name(self) -> None:
        parts = (self._title.text(), self._when, self._holds.text(), self._last.text())
        self.setAccessibleName(", ".join(part for part in parts if part))

    def set_time_width(self, width: int) -> None:
        """Set the width of the time at the end of the line, where the columns end."""
        self._times[1].setFixedWidth(width)

    def time_width(self) -> int:
        """Return the width that the time needs."""
        return self._times[1].sizeHint().width()

    def _scale(self) -> None:
        self._texts.setSpacing(px(16) if self.is_wide else 0)
        self._texts.setContentsMargins(px(8), px(4), px(8), px(4))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(34 if self.is_wide else 64))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self._remove()
        else:
            super().keyPressEvent(event)

    def _open(self) -> None:
        self.opened.emit(self.path)

    def _reveal(self) -> None:
        from jurydesk.app.widgets.shown_files import show_folder

        show_folder(self.path.parent)

    def _remove(self) -> None:
        self.removed.emit(self.path)


class DesksCard(Card):
    """Card with a row for each desk; contents are read in a job.

    `opened` carries the chosen desk, `forgotten` one to remove from the list, `discarded` one that
    was never saved, to delete.
    """

    opened = Signal(object)
    forgotten = Signal(object)
    discarded = Signal(object)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(translate("Desks"))
        self._reading: LatestJob[tuple[Version, ...], dict[Version, DeskContents]]
        self._reading = LatestJob(self, jobs)
        self._reading.arrived.connect(self._take_contents)
        self._rows: dict[Path, DeskRow] = {}
        self._known: dict[Version, DeskContents] = {}
        self._none = label(translate(NO_DESK), "muted", wrap=True)
        self.body.addWidget(self._none)

    def list_desks(
        self, unsaved: Sequence[UnsavedDesk], recent: Sequence[Path], open_now: Path | None = None
    ) -> bool:
        """Show these desks instead; return whether there are any. `open_now` may be among them."""
        clear_layout(self.body, keep=2)
        self._rows = {
            one.path: DeskRow(one.path, _moment(one.when), saved=False) for one in unsaved
        }
        for path in recent:
            when = _moment(path.stat().st_mtime)
            self._rows[path] = DeskRow(path, when, is_open=path == open_now)
        for row in self._rows.values():
            row.opened.connect(self.opened)
            row.removed.connect(self.forgotten if row.saved else self.discarded)
            self.body.addWidget(row)
        self._none.setVisible(not self._rows)
        self._fit_rows()
        self._show_contents()
        return bool(self._rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_rows()

    def _fit_rows(self) -> None:
        widest = max((row.time_width() for row in self._rows.values()), default=0)
        for row in self._rows.values():
            row.set_wide(self.width() >= px(WIDE))
            row.set_time_width(widest)

    def read_contents(self) -> None:
        """Read the contents of the listed desks that are not known."""
        wanted = [one for one in self._versions() if one not in self._known]
        if wanted and not self._reading.is_pending:
            from jurydesk.core.workflow.desk_contents import read_all_contents

            self._reading.start(
                tuple(wanted), translate("Reading the desks"), partial(read_all_contents, wanted)
            )

    def _take_contents(self, found: dict[Version, DeskContents]) -> None:
        self._known.update(found)
        self._show_contents()
        self.read_contents()  # desks that were listed meanwhile

    def _show_contents(self) -> None:
        for one in self._versions():
            if one in self._known:
                self._rows[one[0]].show_contents(self._known[one])

    def _versions(self) -> list[Version]:
        if not self._rows:
            return []
        from jurydesk.core.workflow.desk_contents import file_version

        found = []
        for path in self._rows:
            with suppress(OSError):  # a deleted desk keeps its row
                found.append(file_version(path))
        return found


def _moment(seconds: float) -> str:
    from datetime import datetime  # not needed without desks, as at the first start

    return local_moment(datetime.fromtimestamp(seconds), datetime.now())
