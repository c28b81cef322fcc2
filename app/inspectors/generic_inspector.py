"""Generic inspector: an item's explanation, pictures and numbers, for any competition."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout

from jurydesk.app.inspectors.card_column import fill_view
from jurydesk.app.inspectors.inspector import InspectedItem, Inspector
from jurydesk.app.inspectors.titled_images import TitledPicture, TitledPictures
from jurydesk.app.style.visible_text import display_text
from jurydesk.app.tables.item_columns import column_heading
from jurydesk.app.widgets.parts import Card, clear_layout, label, set_spacing
from jurydesk.core.competition.task import AnyTask, explain_json
from jurydesk.core.language import translate, translate_text
from jurydesk.core.model.evaluation import MetricInfo, Passage
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.tables.numbers import number

LONGEST_TEXT = 20_000
"""Length above which the middle of a text is cut, because a label lays out all of its text."""
MOST_PASSAGES = 200
SELECTABLE = (
    Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
)


class GenericInspector(Inspector):
    """Inspector of any evidence: its explanation and the item's row of the table."""

    def __init__(self) -> None:
        super().__init__()
        self.passages: tuple[Passage, ...] = ()
        self.pictures = TitledPictures()
        self.numbers = Card(translate("Numbers"))
        self._grid = QGridLayout()
        self._texts = QVBoxLayout()
        set_spacing(self._texts, 14)
        self.numbers.body.addLayout(self._grid)
        fill_view(self, self.pictures, self._texts, self.numbers)

    def show_item(self, item: InspectedItem) -> None:
        explain = explain_json if item.task is None else item.task.explain
        self.passages = explain(item.evidence)
        self.pictures.show_pictures(find_pictures(self.passages, item))
        clear_layout(self._texts)
        for passage in self.passages[:MOST_PASSAGES]:
            self._texts.addWidget(_card(passage))
        clear_layout(self._grid)
        for row, (name, value) in enumerate(item.values.items()):
            title, text = describe_number(item.task, name, value)
            self._grid.addWidget(label(title, "muted", wrap=True), row, 0)
            self._grid.addWidget(label(text), row, 1)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1)
        self.numbers.setVisible(bool(item.values))

    def selection_text(self, headers: bool) -> str:
        """Return the texts below their titles."""
        return "\n\n".join(f"{one.title}\n{one.text}".strip() for one in self.passages)


def _card(passage: Passage) -> Card:
    title = translate_text(passage.title)
    card = Card(display_text(title))
    lines = passage.text[:LONGEST_TEXT].splitlines() or [""]
    text = label("\n".join(display_text(line, LONGEST_TEXT) for line in lines), wrap=True)
    text.setTextInteractionFlags(SELECTABLE)
    text.setAccessibleName(title)
    card.body.addWidget(text)
    if passage.note:
        card.body.addWidget(
            label(display_text(translate_text(passage.note), LONGEST_TEXT), "muted", wrap=True)
        )
    return card


def find_pictures(passages: tuple[Passage, ...], item: InspectedItem) -> tuple[TitledPicture, ...]:
    """Return the pictures that the passages name, found in the given folders."""
    names = list(dict.fromkeys(name for one in passages for name in one.pictures))
    given = (folder for folders in item.folders.values() for folder in folders) if names else ()
    known = list(map(PictureFolder, given))
    return tuple(
        TitledPicture(name, next(filter(None, (one.find(name) for one in known)), None))
        for name in names
    )


def describe_number(task: AnyTask | None, name: str, value: float) -> tuple[str, str]:
    """Return the title of an item's column, and its value as text."""
    metric = _metric(task, name)
    statistic = task.presentation.statistics.get(name) if task else None
    decimals = metric.decimals if metric else 0 if value.is_integer() else 4
    title = translate_text(column_heading(name, metric, statistic)[0])
    return title, number(value, decimals)


def _metric(task: AnyTask | None, name: str) -> MetricInfo | None:
    try:
        return task.metric(name) if task else None
    except KeyError:
        return None
