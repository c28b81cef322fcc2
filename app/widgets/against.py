"""A card that says whether two neighbours of the board can be told apart."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from app.format import count
from app.models.against import Against
from app.models.gains import Gains
from app.widgets.gains import GainsCurve
from app.widgets.parts import Card, beside, label


class AgainstCard(Card):
    """Two systems, what the test says, and a button that compares them item by item."""

    wanted = Signal()
    """The two are to be compared item by item."""

    def __init__(self) -> None:
        super().__init__("")
        self.sentence = label("", "muted", wrap=True)
        self.counts = label("", "muted")
        self.curve = GainsCurve()
        self.button = QPushButton("Compare item by item")
        self.body.addWidget(self.sentence)
        self.body.addWidget(self.counts)
        self.body.addWidget(self.curve)
        self.body.addLayout(beside(self.button, None))
        self.body.addStretch(1)
        self.button.clicked.connect(self.wanted)
        self.curve.clicked.connect(self.wanted)
        self.hide()

    def show_pair(self, found: Against | None) -> None:
        """Show another pair; nothing of a system alone."""
        self.setVisible(found is not None)
        if found is not None:
            self.title.setText(f"{found.first} against {found.second}")
            self.title.setVisible(True)
            self.sentence.setText(found.sentence)
            self.button.setVisible(found.comparable)

    def show_gains(self, gains: Gains | None, noun: str, *, reading: bool) -> None:
        """Show how the two differ by item; while that is being read, its place is kept."""
        for part in (self.counts, self.curve):
            part.setVisible(gains is not None or reading)
        told, caption = " ", ""
        if gains is not None:
            better, worse, same = (count(n) for n in (gains.wins, gains.losses, gains.ties))
            told = f"better on {better}, worse on {worse}, the same on {same}"
            caption = f"{gains.unit or noun} sorted by difference"
        self.counts.setText(told)
        self.curve.show_gains(gains, caption)
