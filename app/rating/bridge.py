"""The five things that the page may ask of the program; whatever else it sends does nothing."""

from __future__ import annotations

import json
import math

from PySide6.QtCore import Property, QObject, Signal, Slot

from app.theme import theme
from core.rating.session import Session
from core.rating.sitting import Act

LONGEST_MESSAGE = 20_000
"""Characters; the longest comment, written as JSON, is shorter."""


class Bridge(QObject):
    """`save`, `next`, `previous`, `skip` and `undo`; each answers with a JSON object.

    `saved` in it is true only after the event is on the disk, and `view` is what to show then.
    """

    themeChanged = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        theme().changed.connect(self.themeChanged)

    @Slot(str, str, str, float, result=str)
    def save(self, item: str, question: str, value: str, seconds: float) -> str:
        """Answer a question of the item in front; `value` is JSON."""
        if len(value) > LONGEST_MESSAGE:
            return self._refused()
        try:
            answer = json.loads(value)
        except (ValueError, RecursionError):
            return self._refused()
        return self._done("answer", item, seconds, question, answer)

    @Slot(str, str, float, result=str)
    def next(self, item: str, target: str, seconds: float) -> str:
        """Go on from the item in front, or to the item `target` where that is not empty."""
        return self._done("next", item, seconds, value=target or None)

    @Slot(str, float, result=str)
    def previous(self, item: str, seconds: float) -> str:
        """Go back to the item before."""
        return self._done("previous", item, seconds)

    @Slot(str, float, result=str)
    def skip(self, item: str, seconds: float) -> str:
        """Put the item in front off to the end."""
        return self._done("skip", item, seconds)

    @Slot(str, float, result=str)
    def undo(self, item: str, seconds: float) -> str:
        """Take the last answer back."""
        return self._done("undo", item, seconds)

    def _done(
        self, act: Act, item: str, seconds: float, question: str = "", value: object = None
    ) -> str:
        if not math.isfinite(seconds):
            return self._refused()
        return json.dumps(self._session.do(act, item, question, value, seconds))

    def _refused(self) -> str:
        return json.dumps({"saved": False, "view": self._session.view()})

    def _packet(self) -> str:
        return json.dumps(self._session.packet())

    def _view(self) -> str:
        return json.dumps(self._session.view())

    def _theme(self) -> str:
        return theme().colours.name

    # Constant for the channel: it asks for them once, when the page is loaded.
    packet = Property(str, _packet, constant=True)
    view = Property(str, _view, constant=True)
    theme = Property(str, _theme, notify=themeChanged)
