"""What every page has: a title, the sentence that states its finding, its commands and exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from jurydesk.app.state.session import SessionPart
from jurydesk.app.style.numbers import moment, quantity
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.parts import Card, button, label, row_layout, set_spacing
from jurydesk.app.widgets.scroll import ScrolledContent, TwoWayScrollArea

if TYPE_CHECKING:
    from jurydesk.app.commands.command import WindowCommand
    from jurydesk.app.commands.export_notice import Export
    from jurydesk.app.state.session import Session
    from jurydesk.app.window.next_step import Step
    from jurydesk.app.window.services import Services


CURTAIN_WIDTH = 460
SCORES_HIDDEN = (
    "Until you open them no page, export or report shows a number. The desk’s file holds them, "
    "unencrypted: whoever has the file can open them, too."
)
HIDDEN_READ_ONLY = "This desk is open for reading only: save it elsewhere, and open them there."


class Curtain(QWidget):
    """A card in the place of scores that are hidden; `open_scores` does what it says."""

    def __init__(self, open_scores: Callable[[], object]) -> None:
        super().__init__()
        self.card = Card("The scores are hidden", padding=(24, 20), spacing=12)
        self.told = label("", "muted", wrap=True)
        self.open = button("Open the scores  Ctrl+Shift+H", open_scores, "primary")
        self.card.body.addWidget(self.told)
        self.card.body.addLayout(row_layout(self.open, None))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        row = row_layout(None, self.card, None)
        row.setStretchFactor(self.card, 20)
        column.addStretch(1)
        column.addLayout(row)
        column.addStretch(2)
        self._scale()
        theme().changed.connect(self._scale)

    def tell(self, *, read_only: bool) -> None:
        """Say how the scores can be seen again."""
        self.told.setText(HIDDEN_READ_ONLY if read_only else SCORES_HIDDEN)
        self.open.setEnabled(not read_only)

    def _scale(self) -> None:
        self.card.setMaximumWidth(px(CURTAIN_WIDTH))


class WrappedLabel(QLabel):
    """Lines of text, as high as their greatest width makes them, whatever the layout would give."""

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.setProperty("kind", kind)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def heightForWidth(self, width: int) -> int:
        return super().heightForWidth(min(width, self.maximumWidth()))


class Page(QWidget):
    """One page of the window. Subclasses fill `body` and call `say` with their finding.

    `asked` asks the window for another page by its id; `message` shows a short message for a while;
    `commanded` runs one of the window's commands by its id; `changed` says that the page's
    exports or widgets in the top bar are others now.
    """

    id = ""
    title = ""
    needs_scores = False
    """Whether the page shows nothing but scores, or what follows from them."""

    asked = Signal(str)
    message = Signal(str)
    commanded = Signal(str)
    changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setObjectName(f"page-{self.id}")
        self.setAccessibleName(self.title)
        self.heading = WrappedLabel(self.title, "title")
        self.sentence = WrappedLabel("", "finding")
        self.step = button("", self._take_step, "primary")
        self.step.hide()
        self._step_command = ""
        self._content = QWidget()
        self.body = QVBoxLayout(self._content)
        self.curtain: Curtain | None = None
        sheet = ScrolledContent()
        self._layout = QVBoxLayout(sheet)
        self._layout.addWidget(self.heading)
        self._layout.addWidget(self.sentence)
        self._layout.addWidget(self.step, 0, Qt.AlignmentFlag.AlignLeft)
        self._layout.addWidget(self._content, 1)
        whole = QVBoxLayout(self)
        set_spacing(whole, 0)
        room = TwoWayScrollArea(sheet)
        room.narrowed.connect(self._fit_words)
        whole.addWidget(room)
        self._space()
        theme().changed.connect(self._space)
        if self.needs_scores:
            self._draw()
            session.subscribe(SessionPart.RESULTS, self._draw)

    def join(self, services: Services) -> None:
        """Get hold of those who work for the window; called once, before the page is shown."""

    def settle(self) -> None:
        """Load what may come after the window's first paint; called once."""

    def say(self, finding: str, title: str = "", hint: str = "") -> None:
        """Write the sentence under the title, and another title where the page has one.

        `hint` has the whole names of a title that shows short ones. Where the scores are hidden,
        a page that needs them says that instead.
        """
        if self.covered:
            finding = hidden_sentence(self.session)
        self.sentence.setText(finding)
        self.heading.setText(title or self.title)
        self.heading.setToolTip(tip(hint))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be seen yet, so that the next step is offered."""
        return False

    def offer_step(self, step: Step) -> None:
        """Offer the next step with a button where the page is empty."""
        shown = self.is_empty and not self.covered and bool(step.command)
        self._step_command = step.command
        self.step.setText(step.button)
        self.step.setToolTip(step.sentence)
        self.step.setVisible(shown and step.command != f"view.{self.id}")

    def _take_step(self) -> None:
        self.commanded.emit(self._step_command)

    @property
    def finding(self) -> str:
        """The sentence under the title."""
        return self.sentence.text()

    def commands(self) -> Sequence[WindowCommand]:
        """Commands of this page alone; their `callback` names one of its methods."""
        return ()

    def exports(self) -> Sequence[Export]:
        """What the page can write to a file at present."""
        return ()

    def copied(self, headers: bool) -> str:
        """The selection as tab-separated text, with or without the column names."""
        return ""

    def select_all(self) -> None:
        """Select everything that `copied` can give."""

    def search(self) -> None:
        """Move the keyboard to the page's search field, where it has one."""

    def actions_bar(self) -> QWidget | None:
        """Widgets for the top bar while this page is shown (previous, next, a switch)."""
        return None

    def arrive(self) -> None:
        """The page has come to the front."""

    def reset_layout(self) -> None:
        """Give columns and splitters their first sizes again."""

    def picture(self) -> QWidget:
        """The widget whose picture stands for the page in documentation."""
        return self

    @property
    def covered(self) -> bool:
        """Whether hidden scores leave nothing to be shown."""
        return self.needs_scores and bool(self.session.hidden)

    def _draw(self) -> None:
        """Draw the curtain, or draw it aside."""
        if self.covered and self.curtain is None:
            self.curtain = Curtain(self._open_scores)
            self._layout.addWidget(self.curtain, 1)
        if self.curtain is not None:
            self.curtain.tell(read_only=self.session.read_only)
            self.curtain.setVisible(self.covered)
        self._content.setVisible(not self.covered)

    def _open_scores(self) -> None:
        self.commanded.emit("run.open")

    def _fit_words(self, width: int) -> None:
        """Break the lines of title and sentence where the window ends, also on a wider sheet."""
        margins = self._layout.contentsMargins()
        for text in (self.heading, self.sentence):
            text.setMaximumWidth(max(1, width - margins.left() - margins.right()))

    def _space(self) -> None:
        self._layout.setContentsMargins(px(22), px(18), px(22), px(18))
        self._layout.setSpacing(px(2))
        self.body.setContentsMargins(0, px(12), 0, 0)
        self.body.setSpacing(px(16))


def hidden_sentence(session: Session) -> str:
    """Since when the scores are hidden, and how many there are."""
    since = moment(datetime.fromisoformat(session.hidden).astimezone(), datetime.now().astimezone())
    scored = quantity(len(session.scored_systems), "system")
    return f"The scores are hidden since {since}: {scored} scored."
