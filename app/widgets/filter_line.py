"""Filter line of the pages: conditions as chips, completions, error messages, saved filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.state.settings import Settings
from jurydesk.app.style.theme import px, theme
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets.filtering import (
    Completion,
    Problem,
    filter_name,
    find_completions,
    find_problem,
)
from jurydesk.app.widgets.parts import button, label, restyle
from jurydesk.core.analysis.item_query import split_query
from jurydesk.core.language import translatable, translate
from jurydesk.core.tables.columns import Column

MakeChange = Callable[[str, str, Callable[[], object], Callable[[], object]], object]
"""Makes a change: its text for the menu, the message, the change itself, and what undoes it."""
LEAST_FIELD, LONGEST_CHIP, ROW = 54, 28, 26
KEPT = 20
"""Maximum number of saved filters of a competition."""


def change_without_undo(
    text: str, said: str, redo: Callable[[], object], undo: Callable[[], object]
) -> None:
    """Make a change where nothing can undo it."""
    redo()


def _remove_filter(settings: Settings, key: str, query: str) -> None:
    settings.keep(key, [one for one in settings.texts(key) if one != query])


def _put_back_filter(settings: Settings, key: str, query: str, place: int) -> None:
    filters = [one for one in settings.texts(key) if one != query]
    settings.keep(key, [*filters[:place], query, *filters[place:]])


class Completions(QListView):
    """List of completions below the line, which never takes the focus."""

    completion_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(translate("Completions"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setObjectName("completions")
        self.setModel(QStandardItemModel(self))
        self.found: list[Completion] = []
        self.clicked.connect(self._emit_completion)
        self.hide()
        theme().add_page(self)

    def _emit_completion(self) -> None:
        self.completion_chosen.emit(self.currentIndex().row())

    def show_at(self, line: QWidget, found: list[Completion]) -> None:
        """Show completions in the window of a line, or hide if there are none."""
        self.found = found
        if not found:
            self.hide()
            return
        model = self.model()
        assert isinstance(model, QStandardItemModel)  # noqa: S101 - set above
        model.clear()
        for one in found:
            title = f"   {one.title}" if one.title and one.title != one.text else ""
            model.appendRow(QStandardItem(f"{one.text}{title}"))
        window = line.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        self.resize(px(320), len(found) * px(ROW) + px(6))
        self.setCurrentIndex(model.index(0, 0))
        theme().catch_up(self)
        self.show()
        self.raise_()

    def step(self, rows: int) -> None:
        place = (self.currentIndex().row() + rows) % len(self.found)
        self.setCurrentIndex(self.model().index(place, 0))

    @property
    def chosen(self) -> Completion:
        return self.found[max(self.currentIndex().row(), 0)]


class FilterField(QLineEdit):
    """Text field: Tab completes, Enter makes a chip, Down leaves, Esc clears step by step.

    Ctrl+Z restores what was cleared, undoes typing, or else is the window's.
    """

    undone = Signal()
    entered = Signal()
    leave_requested = Signal()
    emptied = Signal()
    taken_back = Signal()
    completed = Signal()

    def __init__(self, shown: Completions) -> None:
        super().__init__()
        self._completions = shown
        self.can_restore: Callable[[], bool] = bool
        self.setFrame(False)
        self.setProperty("kind", "inner")

    def event(self, event: object) -> bool:
        # Qt would move the focus on Tab before `keyPressEvent`.
        if isinstance(event, QKeyEvent) and event.type() == QKeyEvent.Type.ShortcutOverride:
            is_control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
            if is_control and event.key() == Qt.Key.Key_E:  # a line edit would go to its end
                event.ignore()
                return False
            is_undo = event.matches(QKeySequence.StandardKey.Undo)
            if is_undo and not self.can_restore() and not self.isUndoAvailable():
                event.ignore()
                return False
        is_tab = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab
        if is_tab and event.type() == QKeyEvent.Type.KeyPress and self._may_complete():  # type: ignore[attr-defined]
            self.completed.emit()
            return True
        return super().event(event)  # type: ignore[arg-type]

    def _may_complete(self) -> bool:
        return self._completions.isVisible() or bool(self.property("meant"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shown = self._completions.isVisible()
        if event.matches(QKeySequence.StandardKey.Undo) and self.can_restore():
            self.undone.emit()
            return
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_Up if shown:
                self._completions.step(1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_Down:
                self.leave_requested.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._completions.hide()
                self.entered.emit()
            case Qt.Key.Key_Escape if shown:
                self._completions.hide()
            case Qt.Key.Key_Escape:
                self.emptied.emit()
            case Qt.Key.Key_Backspace if not self.text():
                self.taken_back.emit()
            case _:
                super().keyPressEvent(event)


class FilterLine(QWidget):
    """Conditions as chips, and a field for the next one; `changed` carries the applied query.

    An invalid query is not applied: the previous one stays, and a sentence below names the invalid
    part and what to write. With `live` a query is applied while it is typed, else on Enter.
    `leave_requested` asks to move the focus to the filtered view. What is brushed in a plot is a
    chip, too, which `brush_removed` reports.
    """

    guide_part = translatable("Filters")

    changed = Signal(str)
    brush_removed = Signal()
    leave_requested = Signal()

    def __init__(self, name: str, *, live: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._live = live
        self.columns: Sequence[Column] = ()
        """Columns that conditions can name."""
        self._settings: Settings | None = None
        self._key = ""
        self._change: MakeChange = change_without_undo
        self._in_force = ""
        self._cleared = ("", "")
        """The query before it was last cleared, in whole or in part, and what was left of it."""
        self.conditions: list[str] = []
        self.problem: Problem | None = None
        self.completions = Completions()
        self.field = FilterField(self.completions)
        self.field.setAccessibleName(name)
        self.counted = label("", "small")
        self.clear_button = button("×", self.clear, "quiet", translate("Clear the filter  (Esc)"))
        self.clear_button.setAccessibleName(translate("Clear the filter"))
        self.saved = button(
            translate("Saved"),
            self.show_saved,
            "small",
            translate("Saved filters, and save this one"),
        )
        self.menu = QMenu(self)
        self.sentence = label("", "bad", wrap=True)
        self.sentence.hide()
        self.chips: list[QPushButton] = []
        self.brush_chip = button("", self._remove_brush, "chip", translate("Click to remove"))
        self.brush_chip.hide()
        self._frame = QWidget()
        self._frame.setObjectName("filter")
        self._frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._row = QHBoxLayout(self._frame)
        self._row.addWidget(self.brush_chip)
        self._row.addWidget(self.field, 1)
        for part in (self.counted, self.clear_button, self.saved):
            self._row.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(3))
        column.addWidget(self._frame)
        column.addWidget(self.sentence)
        self.field.textEdited.connect(self._show_completions)
        self.field.textChanged.connect(self._text_changed)
        self.field.can_restore = self._can_restore
        self.field.undone.connect(self._restore)
        self.field.entered.connect(self._enter)
        self.field.emptied.connect(self._escape)
        self.field.taken_back.connect(self._take_back)
        self.field.completed.connect(self._complete)
        self.field.leave_requested.connect(self.leave_requested)
        self.completions.completion_chosen.connect(self._complete)
        self.destroyed.connect(self.completions.deleteLater)
        theme().follow(self._scale)
        self._show_buttons()

    def _scale(self) -> None:
        self._row.setContentsMargins(px(4), px(2), px(4), px(2))
        self._row.setSpacing(px(4))
        self.field.setMinimumWidth(px(LEAST_FIELD))

    @property
    def least_width(self) -> int:
        """Width in pixels that it needs without conditions."""
        margins = self._row.contentsMargins()
        saved = self.saved.sizeHint().width() + self._row.spacing()
        return margins.left() + px(LEAST_FIELD) + saved + margins.right()

    # Columns

    def offer(self, columns: Sequence[Column], example: str) -> None:
        """Set the columns, and an example of a query as placeholder."""
        self.columns = columns
        self.field.setPlaceholderText(example)
        names = ", ".join(filter_name(one.name) for one in columns[:30])
        self.field.setToolTip(
            tip(
                example,
                translate("Columns: {names}", names=names) if names else "",
                "(Ctrl+F)",
            )
        )
        self._show_problem()

    def keep_filters(self, settings: Settings, key: str, change: MakeChange) -> None:
        """Store saved filters in these settings under this key; `change` makes undoable changes."""
        self._settings, self._key, self._change = settings, f"filters/{key}", change

    def count(self, text: str) -> None:
        """Show the number of matches."""
        self.counted.setText(text)

    # Query

    @property
    def query(self) -> str:
        """The whole text of the line, valid or not."""
        return " ".join(part for part in (*self.conditions, self.field.text().strip()) if part)

    @property
    def in_force(self) -> str:
        """The applied query: the last valid one."""
        return self._in_force

    def set_query(self, query: str) -> None:
        """Replace and apply the query."""
        conditions, words = split_query(query)
        self._set_chips(conditions)
        self.field.setText(words)
        self._show_problem()
        self._apply()

    def clear(self) -> None:
        """Clear the query, and what is brushed."""
        before = self.query
        self._remove_brush()
        self._set_chips([])
        self.field.clear()
        self._cleared = (before, "")
        self._show_problem()
        self._apply()

    def _can_restore(self) -> bool:
        before, left = self._cleared
        return before != left and self.query == left

    def _restore(self) -> None:
        """Restore the query that was cleared."""
        before, _ = self._cleared
        self._cleared = ("", "")
        self.set_query(before)

    def _show_completions(self) -> None:
        typed = self.field.text()[: self.field.cursorPosition()]
        self.completions.show_at(self._frame, find_completions(typed, self.columns))
        self._place_completions()

    def _place_completions(self) -> None:
        """Move the completions below the field, and below the sentence that says what is wrong."""
        if self.completions.isVisible():
            last = self._frame if self.sentence.isHidden() else self.sentence
            below = last.mapTo(self.window(), QPoint(0, last.height() + px(2)))
            self.completions.move(below)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._place_completions()

    def _text_changed(self) -> None:
        self._show_problem()
        if self._live or not self.query:
            self._apply()

    def _show_problem(self) -> None:
        """Show what is invalid in the query."""
        self.problem = find_problem(self.query, self.columns) if self.columns else None
        message = (
            ""
            if self.problem is None
            else f"{self.problem.sentence} {translate('Not applied yet.')}"
        )
        self.sentence.setText(message)
        self.sentence.setVisible(bool(message))
        self.field.setProperty("meant", self.problem.meant if self.problem else "")
        restyle(self._frame, "wrong", bool(message))
        self._show_buttons()
        self._place_completions()

    def _show_buttons(self) -> None:
        self.clear_button.setVisible(bool(self.query) or not self.brush_chip.isHidden())
        self.saved.setVisible(self._settings is not None)

    def _apply(self) -> None:
        if self.problem is None and self.query != self._in_force:
            self._in_force = self.query
            self.changed.emit(self._in_force)

    def _enter(self) -> None:
        """Turn valid conditions into chips; the focus stays."""
        if self.problem is None:
            conditions, words = split_query(self.field.text())
            self._set_chips([*self.conditions, *conditions])
            self.field.setText(words)
            self._show_problem()
        self._apply()

    def _escape(self) -> None:
        if not self.clear_button.isHidden():
            self.clear()
        else:
            self.leave_requested.emit()

    def _take_back(self) -> None:
        """Move the last chip back into the field."""
        if self.conditions:
            last = self.conditions[-1]
            self._set_chips(self.conditions[:-1])
            self.field.setText(last)

    def _complete(self) -> None:
        if self.completions.isVisible():
            chosen = self.completions.chosen
            self.completions.hide()
            at = self.field.cursorPosition()
            text = self.field.text()
            before = f"{text[: at - chosen.length]}{chosen.text} "
            self.field.setText(before + text[at:].lstrip())
            self.field.setCursorPosition(len(before))
        elif self.problem is not None and self.problem.meant:
            text, part = self.field.text(), self.problem.part
            at = text.casefold().find(part.casefold())
            if at >= 0:
                self.field.setText(f"{text[:at]}{self.problem.meant}{text[at + len(part) :]}")

    def focusInside(self) -> None:
        """Focus the field and select its text."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    # Chips

    def _set_chips(self, conditions: Sequence[str]) -> None:
        self.conditions = list(dict.fromkeys(conditions))
        for chip in self.chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = []
        for number, text in enumerate(self.conditions):
            short = text if len(text) <= LONGEST_CHIP else f"{text[: LONGEST_CHIP - 1]}…"
            chip = button(f"{short.replace('&', '&&')}  ×", self._remove_chip, "chip")
            chip.setAccessibleName(translate("Remove {text}", text=text))
            chip.setToolTip(tip(text, translate("Click to remove")))
            chip.setProperty("number", number)
            self._row.insertWidget(number, chip)
            self.chips.append(chip)

    def _remove_chip(self) -> None:
        chip = self.sender()
        if isinstance(chip, QPushButton):
            number = chip.property("number")
            before = self.query
            self._set_chips([c for n, c in enumerate(self.conditions) if n != number])
            self._cleared = (before, self.query)
            self.field.setFocus()
            self._show_problem()
            self._apply()

    def show_brush(self, text: str) -> None:
        """Show a chip for what is brushed in a plot; without a text, remove it."""
        self.brush_chip.setText(f"{text}  ×" if text else "")
        self.brush_chip.setAccessibleName(translate("Remove {text}", text=text) if text else "")
        self.brush_chip.setVisible(bool(text))
        self._show_buttons()

    def _remove_brush(self) -> None:
        if not self.brush_chip.isHidden():
            self.show_brush("")
            self.brush_removed.emit()

    # Saved filters

    def filters(self) -> list[str]:
        """Return the saved filters of this competition, the latest first."""
        return self._settings.texts(self._key) if self._settings is not None else []

    def save_filter(self) -> None:
        """Save the applied query; it takes the place of the oldest one if there are many."""
        if self._settings is not None and self._in_force:
            kept = list(dict.fromkeys([self._in_force, *self.filters()]))
            self._settings.keep(self._key, kept)
            for oldest in kept[KEPT:]:
                self._remove_saved(self._settings, oldest, KEPT)

    def forget_filter(self) -> None:
        """Remove the applied query from the saved filters; this can be undone."""
        filters = self.filters()
        if self._settings is not None and self._in_force in filters:
            self._remove_saved(self._settings, self._in_force, filters.index(self._in_force))

    def _remove_saved(self, settings: Settings, query: str, place: int) -> None:
        """Remove a saved filter, which undo puts back at its place in the list of its table."""
        self._change(
            translate("forgetting a saved filter"),
            translate("The filter was forgotten: {filter}", filter=query),
            partial(_remove_filter, settings, self._key, query),
            partial(_put_back_filter, settings, self._key, query, place),
        )

    def show_saved(self) -> None:
        """Open the menu of saved filters."""
        self.fill_menu()
        self.menu.popup(self.saved.mapToGlobal(self.saved.rect().bottomLeft()))

    def fill_menu(self) -> None:
        """Fill the menu of saved filters."""
        self.menu.clear()
        known = self.filters()
        if self._in_force and self._in_force not in known:
            self.menu.addAction(translate("Save this filter")).triggered.connect(self.save_filter)
        elif self._in_force:
            self.menu.addAction(translate("Forget this filter")).triggered.connect(
                self.forget_filter
            )
        self.menu.addSeparator()
        for query in known:
            action = self.menu.addAction(query.replace("&", "&&"))
            action.setData(query)
            action.triggered.connect(self._use_saved)
        if not known and not self._in_force:
            self.menu.addAction(translate("Enter a filter, then save it here")).setEnabled(False)

    def _use_saved(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.set_query(action.data())

    def hideEvent(self, event: object) -> None:
        self.completions.hide()
        super().hideEvent(event)  # type: ignore[arg-type]
