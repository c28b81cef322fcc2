"""Check of a published program on the Check page: outcome, sentence, files that fail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QVBoxLayout, QWidget

from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import label, row_layout, set_spacing
from jurydesk.core.language import name_list, translatable, translate, translate_text
from jurydesk.core.language.local_formats import local_moment, stored_moment
from jurydesk.core.system.paths import distinct_names
from jurydesk.core.tables.numbers import count
from jurydesk.core.workflow.published_checks import PublishedCheck

MARKS = {
    "passed": ("✓", "good"),
    "failed": ("✗", "bad"),
    "unknown": ("?", "muted"),
    "not reached": ("–", "muted"),
}
"""Symbol and tone of an outcome."""
OUTCOMES = {
    "passed": translatable("passed"),
    "failed": translatable("failed"),
    "unknown": translatable("not checked"),
    "not reached": translatable("not reached"),
}


class CheckTimes(QPushButton):
    """Time of the checks in sight, with a menu of the earlier ones if the desk has any.

    `chosen` carries the number of a record of the desk, or None for the present state.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "quiet")
        self.times = QMenu(self)
        self.times.triggered.connect(self._choose)
        self.clicked.connect(self._open)

    def show_times(self, times: Sequence[str], present: str, shown: int | None) -> None:
        """Offer the records of these times, the oldest first; one of them, or none, is shown."""
        self.times.clear()
        entries = [(None, present), *reversed([*enumerate(times)][:-1])]
        for number, time in entries:
            action = self.times.addAction(_moment(time))
            action.setData((number,))
            action.setCheckable(True)
            action.setChecked(number == shown)
        time = present if shown is None else times[shown]
        words = translatable("Checked {time}") if shown is None else translatable("Earlier: {time}")
        self.setText(translate(words, time=_moment(time)))
        self.setEnabled(len(entries) > 1)
        self.setToolTip(tip(translate("Earlier checks of these files")) if entries[1:] else "")

    def _open(self) -> None:
        self.times.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _choose(self, action: QAction) -> None:
        self.chosen.emit(action.data()[0])


def _moment(time: str) -> str:
    when = stored_moment(time)
    if when is None:
        return translate("at an unknown time")
    return local_moment(when, datetime.now().astimezone())


class PublishedCheckRow(QWidget):
    """Check of the published program: outcome, sentence, and the files that failed."""

    def __init__(self, check: PublishedCheck) -> None:
        super().__init__()
        symbol, tone = MARKS[check.outcome]
        mark = label(f"{symbol} {translate(OUTCOMES[check.outcome])}", tone)
        gone = [path for path, _ in check.unknown]
        known = (*check.passed, *check.failed, *check.not_reached, *gone)
        names = distinct_names(set(map(str, known)))
        sentence = translate_text(check.sentence)
        parts = [sentence if sentence.endswith(".") else f"{sentence}."]
        if check.failed:
            failed = name_list([names[str(path)] for path in check.failed])
            parts.append(translate("Failed: {names}.", names=translate_text(failed)))
        if check.not_reached:
            others = name_list([names[str(path)] for path in check.not_reached])
            parts.append(translate("Not reached: {names}.", names=translate_text(others)))
        if check.unknown:
            unknown_names = name_list([names[str(path)] for path, _ in check.unknown])
            parts.append(
                translate(
                    "Not checked: {names}. {reason}",
                    names=translate_text(unknown_names),
                    reason=translate_text(check.unknown[0][1]),
                )
            )
        text = label(" ".join(parts), "small", wrap=True)
        self.setAccessibleName(f"{translate(OUTCOMES[check.outcome])}: {' '.join(parts)}")
        whole = len(known)
        passed = translate("{part} of {whole}", part=count(len(check.passed)), whole=count(whole))
        share = label(passed, "small")
        share.setToolTip(translate("Submissions that pass"))
        column = QVBoxLayout(self)
        set_spacing(column, 2)
        column.addLayout(row_layout(mark, None, share))
        column.addWidget(text)
