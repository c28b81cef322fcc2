"""A caption of dense captions aligned with its best reference, or why it is not."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.exports import Export
from app.format import number
from app.views.alignment import AlignmentView
from app.views.export import pictures
from app.widgets.parts import Card, label
from core.metrics.meteor.alignment import Alignment


class SceneCaption(Card):
    """METEOR's alignment of one detection's caption."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, padding=(14, 10))
        self.alignment = AlignmentView()
        self.note = label("", "muted", wrap=True)
        self.body.addWidget(self.alignment)
        self.body.addWidget(self.note)

    def show_alignment(self, alignment: Alignment, references: int) -> None:
        """Show the alignment with the best of so many references."""
        several = f"best of {references} · " if references > 1 else ""
        chip = f"{several}METEOR {number(alignment.score, 2)}"
        self.note.hide()
        self.alignment.show_alignment(alignment, ("Caption", "Reference"), chip)
        self.alignment.show()

    def say(self, sentence: str) -> None:
        """Say what stands in the place of an alignment."""
        self.alignment.hide()
        self.note.setText(sentence)
        self.note.show()

    def exports(self) -> Sequence[Export]:
        """The alignment as a picture."""
        return () if self.alignment.isHidden() else pictures(self.alignment, "Alignment")
