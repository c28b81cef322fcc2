"""The line that tells of a watched folder, with the button that ends the watch."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.watching import FolderWatch
from app.widgets.parts import Elided, beside, button


class Watched(QWidget):
    """Seen only while a folder is watched."""

    def __init__(self, watch: FolderWatch) -> None:
        super().__init__()
        self._watch = watch
        self.sentence = Elided("", "muted")
        self.stop = button("Stop watching", watch.stop, "quiet")
        row = beside(self.sentence, self.stop)
        row.setStretch(0, 1)
        self.setLayout(row)
        watch.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        sentence = self._watch.sentence
        self.sentence.setText(sentence)
        self.sentence.setToolTip(str(self._watch.folder or ""))
        self.stop.setAccessibleDescription(sentence)
        self.setVisible(bool(sentence))
