"""English that a window shows in the pseudo-language, in which every translated letter is altered.

`pseudo` of `core/language/catalogue.py` gives vowels and some consonants an accent, so a word with
one of these letters left was not translated. Data (names, item ids, texts of submissions) stays as
it is and is recognized by its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import chain
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QTableView,
    QTabWidget,
    QTextEdit,
    QWidget,
)

from jurydesk.app.state.session import Session
from jurydesk.app.tables.table_model import TableModel
from jurydesk.app.widgets.filter_line import FilterLine
from jurydesk.core.analysis.units import resampling_units
from jurydesk.core.competition.task import AnyTask
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.model.json_codec import to_json
from jurydesk.core.model.options import options_json
from jurydesk.core.model.stamp import stamped_metrics
from jurydesk.core.neural.weights.weight_roles import OPTION, ROLES

MOST_ROWS = 12
"""Rows of a table that are read."""
MOST_ITEMS = 200
"""Items of a system whose texts are data."""
ROLE = Qt.ItemDataRole
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
LETTERS = frozenset("aeiouyAEIOUYcns")
"""Letters that `pseudo` alters."""
PARTS = re.compile(rf"{WORD.pattern}|[…·:]")
"""Words, and what stands between two texts or where a text is cut."""
NAMES = frozenset(
    (
        *("Jurydesk", "CSV", "JSON", "HTML", "SVG", "PNG", "LaTeX", "published", "corrected"),
        *("METEOR", "BLEU", "ROUGE", "CIDEr", "IoU", "CLIP", "ruCLIP", "Inception", "PyTorch"),
        *("Python", "PySide", "Qt", "Linux"),
        *("CPU", "cpu", "CUDA", "AoE", "English", "Tab", "A", "S"),
    )
)
"""Words that every language writes so: formats, profiles, programs, keys, names of languages."""
NUMBER = re.compile(r"\d[\d.,]*(e[+-]?\d+)?")
FILES = re.compile(r"(?<![\w~])~?/\S+|\b[\w-]+(?:\.\w+)*\.[a-z]\w{1,10}\b")
"""Paths, and names of files."""
KEYS = re.compile(r"\b((Ctrl|Shift|Alt|Meta)\+)+\S+|\b(Esc|Enter|Return|Del|F\d+)\b")


def shown_texts(top: QWidget, without: Collection[QWidget] = ()) -> Iterator[tuple[str, str]]:
    """Yield every text of the widgets in `top`, hidden ones included, with its place.

    The contents of text fields are data; all other texts are read: of cells what a screen reader
    reads. `without` are widgets to leave out with all their parts.
    """
    for action in top.findChildren(QAction):
        if type(action.parent()).__module__.startswith("pyqtgraph"):
            continue  # of a menu that no plot shows
        yield f"action {action.objectName()}", action.text()
        yield f"tool tip of the action {action.objectName()}", action.toolTip()
    for widget in (top, *top.findChildren(QWidget)):
        name = f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        is_left_out = any(one is widget or one.isAncestorOf(widget) for one in without)
        is_popup = widget.window() is not top.window()  # of a combo box, which is read itself
        if is_left_out or is_popup or widget.objectName().startswith("qt_"):
            continue
        yield f"tool tip of {name}", widget.toolTip()
        yield f"accessible name of {name}", widget.accessibleName()
        yield f"accessible description of {name}", widget.accessibleDescription()
        yield f"status tip of {name}", widget.statusTip()
        for text in own_texts(widget):
            yield name, text


def own_texts(widget: QWidget) -> Iterator[str]:
    """Yield the texts that a widget of Qt's classes shows."""
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QComboBox):
        for row in range(widget.count()):
            yield widget.itemText(row)
            yield widget.itemData(row, ROLE.ToolTipRole) or ""
    elif isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        yield widget.placeholderText()
    elif isinstance(widget, QMenu | QGroupBox):
        yield widget.title()
    elif isinstance(widget, QTabWidget):
        yield from (widget.tabText(tab) for tab in range(widget.count()))
    elif isinstance(widget, QAbstractSpinBox):
        yield widget.specialValueText()
        if isinstance(widget, QSpinBox):
            yield f"{widget.prefix()} {widget.suffix()}"
    elif isinstance(widget, QHeaderView):
        return  # read with its table
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from cells(widget.model(), heads=isinstance(widget, QTableView))
    elif isinstance(widget, QGraphicsView) and widget.scene() is not None:
        for item in widget.scene().items():
            yield item.toolTip()
            if isinstance(item, QGraphicsTextItem):
                yield item.toPlainText()
    if widget.isWindow():
        yield widget.windowTitle()


def cells(model: QAbstractItemModel, *, heads: bool) -> Iterator[str]:
    """Yield heads and cells of the first rows as a screen reader reads them, and their tool tips.

    Of a list, whose heads Qt would make up, only the cells.
    """
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    across = Qt.Orientation.Horizontal
    for column in range(columns):
        if heads:
            yield str(model.headerData(column, across) or "")
            yield model.headerData(column, across, ROLE.ToolTipRole) or ""
        for row in range(min(model.rowCount(QModelIndex()), MOST_ROWS)):
            index = model.index(row, column)
            yield str(index.data(ROLE.AccessibleTextRole) or index.data() or "")
            yield index.data(ROLE.ToolTipRole) or ""


class PaintedTexts:
    """Texts that widgets and delegates paint themselves; `texts` holds them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        paint: Callable[..., Any] = QPainter.drawText

        def draw(painter: QPainter, *how: Any) -> Any:
            self.texts += [part for part in how if isinstance(part, str)]
            return paint(painter, *how)

        monkeypatch.setattr(QPainter, "drawText", draw)

    def of(self, widget: QWidget) -> Iterator[tuple[str, str]]:
        """Yield the texts painted by a widget and all its parts."""
        self.texts.clear()
        widget.grab()
        for text in dict.fromkeys(self.texts):
            yield "painted", text


def data_words(session: Session) -> list[str]:
    """Return the texts of a session that no language translates."""
    task = session.task
    found = [*(role.title for role in ROLES), "PyTorch", *map(str, session.files)]
    found += chain(*chain(*(role.files for role in ROLES)))
    found += (f"{OPTION} {role.id}" for role in ROLES)
    if not session.has_task:
        return found
    found += [session.title, *declared_names(task)]
    declared = {metric.name for metric in registry().tasks[task.id].scoring.metrics}
    for summary in session.profile_systems():
        evaluation = session.evaluation(summary.system)
        found += [summary.system, summary.about]
        if evaluation is None:
            continue
        found += [*evaluation.items.ids, *evaluation.items.columns, "item"]
        found += (one.source for one in stamped_metrics(evaluation.stamp))
        # The columns of a table name its metrics; a name follows a text without a break.
        own = [one.metric for one in evaluation.scores if one.metric not in declared]
        found += own
        found += task.presentation.attributes(evaluation.items)
        found += resampling_units(task, evaluation.items, evaluation.profile).columns
        for row in range(min(len(evaluation.items), MOST_ITEMS)):
            texts = [*strings(evaluation.items.show(row))]
            found += [*texts, *(f"{text} {name}" for text in texts for name in own)]
    return [*dict.fromkeys(found)]


def column_names(top: QWidget) -> list[str]:
    """Return the names that the columns of all tables have in the filter lines."""
    models = [table.model() for table in top.findChildren(QTableView)]
    columns = chain(*(model.columns for model in models if isinstance(model, TableModel)))
    offered = chain(*(line.columns for line in top.findChildren(FilterLine)))
    return [column.name for column in chain(columns, offered)]


def declared_names(task: AnyTask) -> list[str]:
    """Return the names and sources of metrics, and the names and values of options."""
    options = options_json(task.scoring.options())
    choices = [one.metadata.get("choices", ()) for one in fields(task.scoring.options)]
    return [
        *registry().tasks,
        *(metric.name for metric in task.scoring.metrics),
        *(metric.source for metric in task.scoring.metrics),
        *options,
        *(str(value) for value in (*options.values(), *chain(*choices))),
    ]


def strings(data: Any) -> Iterator[str]:
    """Yield the strings in JSON or in a dataclass, without names of fields."""
    if is_dataclass(data):
        data = to_json(data)
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from strings(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from strings(value)


class Data:
    """Texts that stay as they are; `has` says whether a run of words is from one of them."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = f" {' | '.join(' '.join(WORD.findall(text)) for text in texts)} "

    def has(self, words: list[str], *, is_cut: bool) -> bool:
        """Return whether the words follow each other in the data; a cut word can be a part."""
        run = " ".join(words)
        return run in self._text if is_cut else f" {run} " in self._text


def untranslated(texts: Iterable[tuple[str, str]], data: Data) -> list[str]:
    """Return each text with English words that are not data, with its place."""
    return [f"{place}: {text}" for place, text in dict.fromkeys(texts) if english_words(text, data)]


def is_name(word: str, *, is_cut: bool) -> bool:
    """Return whether a word is one that every language writes so, or the start of one."""
    return word in NAMES or (is_cut and any(name.startswith(word) for name in NAMES))


def english_words(text: str, data: Data) -> list[str]:
    """Return the words of a text that are neither pseudo text nor data."""
    found: list[str] = []
    for line in re.split(r"<[^<>]*>|\n|, ", text):
        plain = KEYS.sub(" ", re.sub(r"&(?:lt|gt|amp|quot|#x27);", " ", line))
        plain = NUMBER.sub(" ", FILES.sub(" ", plain)).replace("&", "")
        run: list[str] = []
        for word in [*PARTS.findall(plain), ""]:
            if LETTERS & set(word) and not is_name(word, is_cut="…" in plain):
                run.append(word)
                continue
            if run and not data.has(run, is_cut="…" in plain):
                found += run
            run = []
    return found
