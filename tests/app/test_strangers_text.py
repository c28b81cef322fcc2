"""Text from files is plain text in every widget of every page, and starts no program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QGraphicsView,
    QLabel,
    QMessageBox,
    QTextEdit,
    QWidget,
)

from jurydesk.app.inspectors.boxes import Box, BoxesView
from jurydesk.app.jobs.job import Jobs
from jurydesk.app.pages import PAGES
from jurydesk.app.pages.check.file_excerpt import ExcerptCard
from jurydesk.app.style.visible_text import tip
from jurydesk.app.widgets import shown_files
from jurydesk.app.widgets.message import message_box
from jurydesk.core.competition.task_registry import registry
from jurydesk.core.desk import Desk
from jurydesk.core.model.checks import CheckRecord, DefectLog, FileCheck
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.options import options_json
from jurydesk.core.system import network_shares
from support import examples
from support.examples import TASKS_WITH_EXAMPLE
from support.suite.samples import sample
from support.windows import workloads
from support.windows.waiting import until_open

EVIL = '<img src="file:///etc/passwd"><b>bold</b>'
TIP = re.compile(r"(<div>([^<>]|<br>)*</div>)+")
MOST_ROWS = 50


def spoiled(path: Path, task_id: str) -> Path:
    """Return a desk of the task's example with markup in every free text."""
    task = registry().tasks[task_id]
    with Desk.create(path) as desk:
        desk.set_competition(task_id, EVIL, options_json(task.scoring.options()))
        for one in examples.score_example(task, resamples=20).evaluations:
            desk.add(one)
        defect = error(Place(EVIL, 1), EVIL, EVIL, EVIL)
        files = (FileCheck(EVIL, "submission", "failed", EVIL, "2026-11-22T00:00:00+00:00"),)
        desk.add_check(
            CheckRecord("2026-11-22T00:00:00+00:00", files, DefectLog(reading=(defect,)))
        )
        with desk.writing() as connection:
            change = "UPDATE evaluation SET system = system || ?, about = ?"
            connection.execute(change, (EVIL, EVIL))
    return path


def texts(model: QAbstractItemModel) -> Iterator[str]:
    """Return the tooltips of a model's headers and cells."""
    # Qt keeps the columns of a list to itself.
    count = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for column in range(min(count, MOST_ROWS)):
        yield model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        for row in range(min(model.rowCount(QModelIndex()), MOST_ROWS)):
            yield model.index(row, column).data(Qt.ItemDataRole.ToolTipRole)


def tooltips(top: QWidget) -> Iterator[tuple[str, str]]:
    """Return every tooltip of the window, with its place."""
    for action in top.findChildren(QAction):
        # Only menus with tooltips enabled show an action's own tooltip, which is its text.
        if action.toolTip() != action.text().replace("&", ""):
            yield f"action {action.text()}", action.toolTip()
    for widget in (top, *top.findChildren(QWidget)):
        yield type(widget).__name__, widget.toolTip()
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            for reported in texts(widget.model()):
                yield f"{type(widget).__name__}'s model", reported or ""
        if isinstance(widget, QGraphicsView) and widget.scene() is not None:
            for item in widget.scene().items():
                yield type(item).__name__, item.toolTip()


def wrong(top: QWidget) -> list[str]:
    """Return the texts from files that would be shown as rich text."""
    found = [
        f"{where}: {reported}"
        for where, reported in tooltips(top)
        if ("<" in reported or "&" in reported) and not TIP.fullmatch(reported)
    ]
    for label in top.findChildren(QLabel):
        # A word of pyqtgraph's own menu is the only other label.
        if label.textFormat() is not Qt.TextFormat.PlainText and label.text() != "Opacity":
            found.append(f"{type(label).__name__}: {label.textFormat()}: {label.text()}")
    for edit in top.findChildren(QTextEdit):
        if "<img" in edit.toHtml():
            found.append(f"{type(edit).__name__} holds a picture")
    return found


@pytest.mark.parametrize("task_id", sample(TASKS_WITH_EXAMPLE, 2))
def test_no_page_shows_strangers_text_as_rich_text(
    task_id: str, qtbot, tmp_path: Path, monkeypatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    desk = spoiled(tmp_path / "a.jurydesk", task_id)
    with workloads.prepared_window(qtbot, tmp_path) as window:
        until_open(qtbot, window, desk)
        qtbot.waitUntil(lambda: window.jobs.idle)
        reported: set[str] = set()
        for page in PAGES:
            window.show_page(page.id)
            qtbot.wait(30)
            qtbot.waitUntil(lambda: window.jobs.idle)
            found = [one for top in QApplication.topLevelWidgets() for one in wrong(top)]
            assert not found, (page.id, found[:5])
            reported |= {tooltip for _, tooltip in tooltips(window) if TIP.fullmatch(tooltip)}
        assert any("&lt;img src" in one for one in reported)  # it was shown, as the text that it is
        window.files.close()
    assert not opened


def test_a_tooltip_is_plain_text_on_lines_of_its_own() -> None:
    assert tip(EVIL, "", "a\nb") == (
        "<div>&lt;img src=&quot;file:///etc/passwd&quot;&gt;&lt;b&gt;bold&lt;/b&gt;<br>a<br>b</div>"
    )
    assert TIP.fullmatch(tip(EVIL))
    assert tip("", "") == ""


def test_a_message_box_shows_strangers_text_unchanged(qtbot) -> None:
    box = message_box(EVIL, EVIL)
    qtbot.addWidget(box)
    box.show()
    said = [one for one in box.findChildren(QLabel) if one.text() == EVIL]
    assert len(said) == 2
    assert not wrong(box)
    assert isinstance(box, QMessageBox)


class TestFiles:
    @pytest.fixture
    def opened(self, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
        found: list[Path] = []
        monkeypatch.setattr(
            QDesktopServices, "openUrl", lambda url: found.append(Path(url.toLocalFile()))
        )
        return found

    @pytest.mark.parametrize("name", ["gold.json", "RUN.TXT", "results.xml", "photo.jpg"])
    def test_a_data_file_is_opened(self, name: str, tmp_path: Path, opened: list[Path]) -> None:
        (tmp_path / name).write_text("")
        shown_files.show_file(tmp_path / name)
        assert opened == [tmp_path / name]

    @pytest.mark.parametrize(
        "name",
        ["calc.exe", "run.sh", "a.desktop", "a.py", "a.html", "a.svg", "program", "a.json.lnk"],
    )
    def test_a_possible_program_is_shown_in_its_folder_instead(
        self, name: str, tmp_path: Path, opened: list[Path]
    ) -> None:
        (tmp_path / name).write_text("")
        shown_files.show_file(tmp_path / name)
        assert opened == [tmp_path]

    def test_a_link_is_treated_as_its_target(self, tmp_path: Path, opened: list[Path]) -> None:
        (tmp_path / "program.sh").write_text("")
        try:
            (tmp_path / "gold.json").symlink_to(tmp_path / "program.sh")
        except OSError:  # Windows without the permission to make links
            (tmp_path / "gold.json").mkdir()
        shown_files.show_file(tmp_path / "gold.json")
        assert opened == [tmp_path]

    def test_a_folder_that_is_a_program_is_not_opened(
        self, tmp_path: Path, opened: list[Path]
    ) -> None:
        inner = tmp_path / "Calculator.app" / "Contents"
        inner.mkdir(parents=True)
        shown_files.show_file(inner / "gone.json")
        shown_files.show_folder(tmp_path / "Calculator.app")
        shown_files.show_folder(tmp_path / "gone")
        assert opened == [tmp_path, tmp_path]

    def test_nothing_on_a_strange_share_is_opened(
        self, tmp_path: Path, opened: list[Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(network_shares.SHARES, "")
        monkeypatch.setattr(network_shares, "IS_WINDOWS", True)
        (tmp_path / "gold.json").write_text("")
        for path in (f"/{tmp_path}/gold.json", f"/{tmp_path}/gone.exe"):
            shown_files.show_file(path)
        shown_files.show_folder(f"/{tmp_path}")
        assert opened == []

    def test_only_this_module_opens_the_inputs_of_a_desk(self) -> None:
        sources = Path(shown_files.__file__).parent.parent.rglob("*.py")
        using = {one.name for one in sources if "openUrl(" in one.read_text(encoding="utf-8")}
        assert using == {"shown_files.py", "view_commands.py"}  # the latter: the log's folder


def test_an_excerpt_shows_its_defect_unchanged(qtbot) -> None:
    card = ExcerptCard(Jobs())
    qtbot.addWidget(card)
    card.show_defect(error(Place(EVIL, 1), EVIL, EVIL, EVIL))
    qtbot.waitUntil(lambda: bool(card.text.toPlainText()))
    reported = {tooltip for _, tooltip in tooltips(card) if tooltip}
    assert any("&lt;img src" in one for one in reported)
    assert not wrong(card)


def test_the_label_of_a_box_is_shown_unchanged(qtbot) -> None:
    view = BoxesView("Boxes")
    qtbot.addWidget(view)
    view.show_boxes([Box(0, 0, 0, 10, 10, "hit", EVIL)])
    assert [reported for _, reported in tooltips(view) if reported] == [tip(EVIL)]
