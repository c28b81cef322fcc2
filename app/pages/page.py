"""Base class of the window's pages: title, finding, commands, exports, hidden scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from jurydesk.app.state.session import Session, SessionPart
from jurydesk.app.style.theme import px, theme
from jurydesk.app.widgets.page_label import PageLabel
from jurydesk.app.widgets.parts import Card, button, label, restyle, row_layout, set_spacing
from jurydesk.app.widgets.scroll import ScrolledContent, TwoWayScrollArea
from jurydesk.core.language import translatable, translate
from jurydesk.core.language.local_formats import local_moment, stored_moment
from jurydesk.core.tables.numbers import quantity

if TYPE_CHECKING:
    from jurydesk.app.state.next_step import Step
    from jurydesk.app.state.workspace import Workspace
    from jurydesk.app.tables.large_copy import LargeCopy
    from jurydesk.app.widgets.page_export import Export


HIDDEN_CARD_WIDTH = 460
MARGIN = 22
"""Space at the left and right of a page, unscaled."""
LOW = 400
"""Height of a page, unscaled, below which its margins are small."""
NOT_HIGH = 600
"""Height of a page, unscaled, below which its margins leave room for half a row more."""
BELOW_TWO_BARS = 560
"""Height of a page, unscaled, that a second row of the top bar leaves of a window of 1024 x 700."""
LOWEST = 300
"""Height of a page, unscaled, below which the top bar or sidebar alone has its title."""
SCORING_STAGE = 2
"""Index of scoring among the stages of the next step."""
HEIGHT_PER_LINE = 110
"""Height of a page, unscaled, for each line of its finding."""
SCORES_HIDDEN = translatable(
    "No page, export or report shows a score until you open them. The desk’s "
    "file contains them unencrypted: whoever has the file can open them, too."
)
HIDDEN_READ_ONLY = translatable(
    "This desk is open for reading only: save a copy and open the scores there."
)


class HiddenScoresCard(QWidget):
    """Card shown in place of hidden scores, with a button that opens them."""

    def __init__(self, open_scores: Callable[[], object]) -> None:
        super().__init__()
        self.card = Card(translate("The scores are hidden"), padding=(24, 20), spacing=12)
        self.explanation = label("", "muted", wrap=True)
        self.open = button(translate("Open the scores  Ctrl+Shift+H"), open_scores, "primary")
        self.card.body.addWidget(self.explanation)
        self.card.body.addLayout(row_layout(self.open, None))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        row = row_layout(None, self.card, None)
        row.setStretchFactor(self.card, 20)
        column.addStretch(1)
        column.addLayout(row)
        column.addStretch(2)
        theme().follow(self._scale)

    def explain(self, *, read_only: bool) -> None:
        """Explain how to open the scores."""
        self.explanation.setText(translate(HIDDEN_READ_ONLY if read_only else SCORES_HIDDEN))
        self.open.setEnabled(not read_only)

    def _scale(self) -> None:
        self.card.setMaximumWidth(px(HIDDEN_CARD_WIDTH))


class Page(QWidget):
    """Page of the window. Subclasses fill `body` and call `say` with their finding.

    `page_requested` carries the id of another page, `message` a short text for the status strip,
    `command_requested` the id of a window command; `changed` announces other exports or top bar
    widgets.
    """

    id = ""
    title = ""
    needs_scores = False
    """True if the page shows only scores and results derived from them."""
    most_lines = most_title_lines = 100
    """Maximum number of lines of the finding, and of the title; tooltips have the rest."""
    says_scoring = False
    """True if the page's own finding says that systems are being scored."""

    page_requested = Signal(str)
    message = Signal(object)
    command_requested = Signal(str)
    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.session = session = workspace.session
        self.setObjectName(f"page-{self.id}")
        self.setAccessibleName(translate(self.title))
        self.heading = PageLabel(translate(self.title), "title")
        self.sentence = PageLabel("", "finding")
        self.step = button("", self._take_step, "primary")
        self.step.hide()
        self._step_command = ""
        self._own_finding = ("", "")
        """The finding of the page itself, and its tooltip."""
        self._wait_sentence = ""
        """What an empty page waits for; empty if for nothing."""
        self._content = QWidget()
        self.body = QVBoxLayout(self._content)
        self.hidden_card: HiddenScoresCard | None = None
        sheet = ScrolledContent()
        self._layout = QVBoxLayout(sheet)
        self._layout.addWidget(self.heading)
        self._layout.addWidget(self.sentence)
        # A widget, since the margins of a layout stay when the button is hidden.
        self._step_row = QWidget()
        self._step_row.setLayout(row_layout(self.step, None, margins=(0, 8, 0, 0)))
        self._step_row.hide()
        self._layout.addWidget(self._step_row)
        self._layout.addWidget(self._content, 1)
        whole = QVBoxLayout(self)
        set_spacing(whole, 0)
        room = TwoWayScrollArea(sheet)
        room.narrowed.connect(self._fit_words)
        whole.addWidget(room)
        theme().follow(self._space)
        if self.needs_scores:
            self._update_hidden_card()
            session.subscribe(SessionPart.RESULTS, self._update_hidden_card)

    def load_deferred(self) -> None:
        """Load what the window's first paint does not need; called once."""

    def prepare_views(self) -> None:
        """Create what the page shows of an item in later frames, while it is hidden."""

    def say(self, finding: str, title: str = "", hint: str = "", finding_hint: str = "") -> None:
        """Set the finding under the title, and another title if given.

        `hint` holds the full names behind a shortened title, `finding_hint` more on the finding;
        both are tooltips. While scores are hidden, a page that
        needs them states this instead of the finding.
        """
        if self.has_hidden_scores:
            finding = hidden_sentence(self.session)
        self._own_finding = (finding, finding_hint)
        self._show_finding_text()
        self.heading.show_text(title or translate(self.title), hint)

    @property
    def is_empty(self) -> bool:
        """True if nothing is shown yet, so that the next step is offered."""
        return False

    @property
    def can_wait(self) -> bool:
        """True if nothing is shown that is of use while a desk is opened or scored."""
        return self.is_empty

    def _show_finding_text(self) -> None:
        own, hint = self._own_finding
        self.sentence.show_text(self._wait_sentence or own, "" if self._wait_sentence else hint)

    def offer_step(self, step: Step) -> None:
        """Offer the next step with a button if the page is empty, and say what it waits for."""
        is_empty = self.can_wait if step.waits else self.is_empty
        is_empty = is_empty and not self.has_hidden_scores
        command, text = step.command, step.button
        if step.waits and command == f"view.{self.id}":
            command, text = "view.check", translate("See the files")
        self._step_command = command
        self.step.setText(text)
        self.step.setToolTip(step.sentence)
        restyle(self.step, "kind", "" if step.waits else "primary")
        has_step = is_empty and bool(command) and command != f"view.{self.id}"
        self.step.setVisible(has_step)
        self._step_row.setVisible(has_step)
        is_said = self.says_scoring and step.place == SCORING_STAGE
        waits = step.waits and is_empty and not is_said
        title = step.title if step.title.endswith("…") else f"{step.title}."
        self._wait_sentence = f"{title} {step.sentence}".strip() if waits else ""
        self._show_finding_text()

    @property
    def has_step(self) -> bool:
        """Whether the page has a button for the next step."""
        return not self.step.isHidden()

    def _take_step(self) -> None:
        self.command_requested.emit(self._step_command)

    def put_beside_heading(self, part: QWidget) -> None:
        """Place a part at the right of the title."""
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        self._layout.removeWidget(self.heading)
        row.addWidget(self.heading, 1)
        row.addStretch(0)
        row.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.insertLayout(0, row)

    @property
    def finding(self) -> str:
        """Sentence under the title."""
        return self.sentence.text()

    def exports(self) -> Sequence[Export]:
        """Return the exports that are possible now."""
        return ()

    def selection_text(self, headers: bool) -> str | LargeCopy:
        """Return the selection as tab-separated text, with or without column names."""
        return ""

    def select_all(self) -> None:
        """Select everything that can be copied."""

    def search(self) -> None:
        """Focus the page's search field, if it has one."""

    def actions_bar(self) -> QWidget | None:
        """Return widgets for the top bar (previous, next, a switch)."""
        return None

    def take_files(self, paths: Sequence[Path]) -> bool:
        """Take dropped files that mean something else on this page; return whether it did."""
        return False

    def activate(self) -> None:
        """Update the page when it comes to the front."""

    def reset_layout(self) -> None:
        """Restore the initial columns and sizes of splitters."""

    def layout_restorer(self) -> Callable[[], object]:
        """Return a function that restores the present columns and sizes of splitters."""
        return lambda: None

    def picture(self) -> QWidget:
        """Return the widget that the documentation pictures."""
        return self

    @property
    def has_hidden_scores(self) -> bool:
        """True if the page needs scores and they are hidden."""
        return self.needs_scores and bool(self.session.hidden)

    def _update_hidden_card(self) -> None:
        if self.has_hidden_scores and self.hidden_card is None:
            self.hidden_card = HiddenScoresCard(self._open_scores)
            self._layout.addWidget(self.hidden_card, 1)
        if self.hidden_card is not None:
            self.hidden_card.explain(read_only=self.session.read_only)
            self.hidden_card.setVisible(self.has_hidden_scores)
        self._content.setVisible(not self.has_hidden_scores)

    def _open_scores(self) -> None:
        self.command_requested.emit("run.open")

    def _fit_words(self, width: int) -> None:
        """Wrap title and finding at the window's width, even on a wider sheet."""
        margins = self._layout.contentsMargins()
        for text in (self.heading, self.sentence):
            text.setMaximumWidth(max(1, width - margins.left() - margins.right()))
        self._space()

    @property
    def is_lowest(self) -> bool:
        """Whether the window is so low that only what is needed has room."""
        return self.height() < px(LOWEST)

    def _space(self) -> None:
        is_low = self.height() < px(LOW)
        edge, above, between = (8, 4, 6) if is_low else (18, 12, 16)
        if not is_low and self.height() < px(NOT_HIGH):
            edge, above = (3, 2) if self.height() < px(BELOW_TWO_BARS) else (12, 8)
        if self.is_lowest:
            edge, above, between = 4, 2, 4
        lines = self.height() // px(HEIGHT_PER_LINE)
        self.heading.set_most_lines(min(self.most_title_lines, max(1, lines // 2)))
        self.heading.setVisible(not self.is_lowest)
        self.sentence.set_most_lines(min(self.most_lines, max(1 if self.is_lowest else 2, lines)))
        self._layout.setContentsMargins(px(MARGIN), px(edge), px(MARGIN), px(edge))
        self._layout.setSpacing(px(2))
        self.body.setContentsMargins(0, px(above), 0, 0)
        self.body.setSpacing(px(between))


def hidden_sentence(session: Session) -> str:
    """Return when the scores were hidden, and how many there are."""
    when = stored_moment(session.hidden)
    scored = quantity(len(session.scored_systems), "system")
    if when is None:
        return translate("The scores are hidden: {scored} scored.", scored=scored)
    since = local_moment(when, datetime.now().astimezone())
    return translate(
        "The scores are hidden since {since}: {scored} scored.", since=since, scored=scored
    )
