"""Sheets of the Help menu: guide, keyboard shortcuts, versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextImageFormat,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from jurydesk.app.jobs.crash_report import version_lines
from jurydesk.app.sheets.sheet import Sheet
from jurydesk.app.style.theme import px
from jurydesk.app.widgets.command import WindowCommand, shortcut_text
from jurydesk.app.widgets.parts import across, button, has_room, label, row_layout
from jurydesk.core.language import current_language, translatable, translate
from jurydesk.core.system.paths import resources_folder

PART = re.compile(r"^\*\*(?P<title>[^*]+)\.\*\*", re.MULTILINE)
HEIGHT, CONTENTS = 480, 168
GROUPS = (
    translatable("Items"),
    translatable("Compare"),
    translatable("Participant kit"),
    translatable("References"),
)
"""First parts of the groups after that of the main pages."""
GAP = 12
"""Room above a group."""
BESIDE = 96
"""Width of margins, gap and scroll bar beside a picture."""


def guide_file() -> Path:
    """Return the guide in the current language, else in English."""
    path = resources_folder() / f"guide_{current_language()}.md"
    return path if path.is_file() else resources_folder() / "guide.md"


def guide_parts(text: str) -> dict[str, str]:
    """Split the guide into parts by the bold titles at the beginning of a paragraph."""
    begins = list(PART.finditer(text))
    ends = [one.start() for one in begins[1:]] + [len(text)]
    return {
        one["title"]: text[one.start() : end].strip() for one, end in zip(begins, ends, strict=True)
    }


def guide_picture(page: str) -> Path | None:
    """Return the picture of a page in the current language, else in English; None without one."""
    folder = resources_folder() / "guide"
    paths = (folder / f"{page}_{current_language()}.png", folder / f"{page}.png")
    return next((path for path in paths if path.is_file()), None)


class GuideSheet(Sheet):
    """The guide, part by part; a search keeps the parts that contain all its words.

    `pages` are the ids of pages by title: their parts end with a picture.
    """

    def __init__(self, pages: Mapping[str, str], parent: QWidget) -> None:
        super().__init__(translate("Guide"), parent, width=820, top=48)
        self._parts = guide_parts(guide_file().read_text(encoding="utf-8"))
        self._wide = px(CONTENTS)
        """Width of a picture."""
        self._pages = {translate(title): page for title, page in pages.items()}
        self.search = QLineEdit()
        self.search.setAccessibleName(translate("Search the guide"))
        self.search.setPlaceholderText(translate("Search"))
        self.contents = QListWidget()
        self.contents.setAccessibleName(translate("Contents"))
        self.contents.addItems(list(self._parts))
        self._begin_groups()
        self.text = QTextBrowser()
        self.text.setAccessibleName(translate("Guide"))
        self.text.setOpenExternalLinks(False)
        self.text.setOpenLinks(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setStyleSheet("border: none; padding: 0")
        self.body.setContentsMargins(px(24), px(18), px(20), px(18))
        self.body.addWidget(label(translate("Guide"), "title"))
        left = QVBoxLayout()
        left.addWidget(self.search)
        left.addWidget(self.contents, 1)
        row = QHBoxLayout()
        row.setSpacing(px(18))
        row.addLayout(left)
        row.addWidget(self.text, 1)
        self.body.addLayout(row)
        self.body.addLayout(row_layout(None, button(translate("Close"), self.close, "primary")))
        for side in (self.search, self.contents):
            side.setFixedWidth(px(CONTENTS))
        self.search.textChanged.connect(self._find)
        self.contents.currentTextChanged.connect(self._show)
        self.contents.setCurrentRow(0)

    def _begin_groups(self) -> None:
        """Leave room above the first part of each group; the parts are in this order."""
        for part in GROUPS:
            for item in self.contents.findItems(translate(part), Qt.MatchFlag.MatchExactly):
                high = self.contents.sizeHintForRow(self.contents.row(item)) + px(GAP)
                item.setSizeHint(QSize(px(CONTENTS) // 2, high))
                item.setTextAlignment(Qt.AlignmentFlag.AlignBottom)

    def show_part(self, title: str) -> None:
        """Open the part with that title if there is one."""
        if title in self._parts:
            self.contents.setCurrentRow(list(self._parts).index(title))

    def _show(self, title: str) -> None:
        self.text.setMarkdown(self._parts.get(title, ""))
        _space_out(self.text.document())
        picture = guide_picture(self._pages.get(title, ""))
        if picture is not None:
            self._add_picture(picture, title)

    def _add_picture(self, path: Path, title: str) -> None:
        """Add a picture below the text, as wide as the text; Qt alone would not smooth it."""
        document = self.text.document()
        scale = self.devicePixelRatioF()
        smooth = Qt.TransformationMode.SmoothTransformation
        image = QImage(str(path)).scaledToWidth(round(self._wide * scale), smooth)
        image.setDevicePixelRatio(scale)
        document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(path.name), image)
        shown = QTextImageFormat()
        shown.setName(path.name)
        shown.setProperty(QTextFormat.Property.ImageAltText, title)
        shown.setWidth(self._wide)
        shown.setHeight(image.height() / scale)
        cursor = QTextCursor(document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertBlock()
        cursor.insertImage(shown)

    def _find(self, query: str) -> None:
        """List only the parts that contain every word, and open the first of them."""
        words = query.casefold().split()
        first = None
        for row, text in enumerate(self._parts.values()):
            fits = all(word in text.casefold() for word in words)
            self.contents.item(row).setHidden(not fits)
            first = row if first is None and fits else first
        current = self.contents.currentItem()
        if first is None:
            self.text.setPlainText(translate("The guide does not mention “{query}”.", query=query))
        elif current is None or current.isHidden() or words:
            self.contents.setCurrentRow(first)
            self._show(list(self._parts)[first])

    def fit(self, width: int) -> None:
        """Fit the text to the window, but keep a few lines visible in the smallest one."""
        room = self.window_height - px(180)
        high = max(px(120), min(px(HEIGHT), room))
        self.text.setFixedHeight(high)
        room = max(px(CONTENTS), width - px(CONTENTS + BESIDE))
        current = self.contents.currentItem()
        if room != self._wide and current is not None:
            self._wide = room
            self._show(current.text())

    def initial_focus(self) -> QWidget:
        return self.contents


def _space_out(document: QTextDocument) -> None:
    """Set the spacing of paragraphs and lines, which Markdown does not define."""
    spaced = QTextBlockFormat()
    spaced.setBottomMargin(px(10))
    spaced.setLineHeight(135, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(spaced)


class AboutSheet(Sheet):
    """Name, purpose and versions of the program."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(translate("About Jurydesk"), parent, width=420)
        self.body.setContentsMargins(px(24), px(20), px(24), px(18))
        self.body.addWidget(label("Jurydesk", "title"))
        summary = translate(
            "The offline evaluation desk for vision-language and retrieval competitions."
        )
        self.body.addWidget(label(summary, "finding", wrap=True))
        text = label(version_lines())
        text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.body.addWidget(text)
        self.copy_button = button(translate("Copy"), self._copy)
        close = button(translate("Close"), self.close, "primary")
        self.body.addLayout(row_layout(None, self.copy_button, close))

    def initial_focus(self) -> QWidget:
        return self.copy_button

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(version_lines())
        self.copy_button.setText(translate("Copied"))


COLUMNS = (
    (translatable("File"), translatable("Help"), translatable("Board"), translatable("Rate")),
    (
        translatable("Edit"),
        translatable("Run"),
        translatable("Items"),
        translatable("Compare"),
        translatable("References"),
        translatable("Explain"),
    ),
    (translatable("View"), translatable("Everywhere")),
)
"""Menus, and below them the pages with keys of their own."""
EVERYWHERE = (
    (translatable("Next part of the page"), "Tab"),
    (translatable("Open the selection"), "Enter"),
    (translatable("Close this sheet"), "Esc"),
)


class ShortcutsSheet(Sheet):
    """All shortcuts by menu and page (`pages`: titles by id), in three columns or one."""

    def __init__(
        self, commands: Iterable[WindowCommand], pages: Mapping[str, str], parent: QWidget
    ) -> None:
        super().__init__(translate("Keyboard shortcuts"), parent, width=980)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.body.setContentsMargins(px(24), px(18), px(24), px(22))
        self.body.addWidget(label(translate("Keyboard shortcuts"), "title"))
        self._columns = columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        columns.setSpacing(px(28))
        parts: dict[str, list[tuple[str, str]]] = {"Everywhere": list(EVERYWHERE)}
        for command in commands:
            if command.keys:
                row = command.title, shortcut_text(command.keys)
                owner = pages.get(command.id.partition(".")[0], command.menu)
                parts.setdefault(owner, []).append(row)
        for menus in COLUMNS:
            column = QGridLayout()
            column.setVerticalSpacing(px(5))
            column.setHorizontalSpacing(px(16))
            column.setColumnStretch(0, 1)
            for menu in menus:
                if menu in parts:
                    _add_part(column, menu, parts[menu])
            column.setRowStretch(column.rowCount(), 1)
            columns.addLayout(column, 1)
        self.body.addLayout(columns)

    def fit(self, width: int) -> None:
        """Place the columns below each other where there is no room beside."""
        across(self._columns, has_room(self._columns, width - 2 * px(24)))


def _add_part(grid: QGridLayout, title: str, rows: list[tuple[str, str]]) -> None:
    grid.addWidget(label(translate(title), "heading"), grid.rowCount(), 0)
    grid.setRowMinimumHeight(grid.rowCount() - 1, px(30))
    for text, keys in rows:
        row = grid.rowCount()
        grid.addWidget(label(translate(text), "muted"), row, 0)
        grid.addWidget(label(keys, "small"), row, 1, Qt.AlignmentFlag.AlignRight)
