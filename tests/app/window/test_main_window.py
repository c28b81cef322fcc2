"""The main window: real files, real keys, real numbers."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QUrl,
)
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from jurydesk.app.commands.catalogue import MENU_COMMANDS, ON_PAGES
from jurydesk.app.pages import PAGES
from jurydesk.app.state.session import SessionPart
from jurydesk.app.style import theme as look
from jurydesk.app.style.theme import DARK, LIGHT, theme
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.json_codec import to_json
from support import toy
from support.windows import toy_competition
from support.windows.waiting import until_checked, use_desk

Key, Modifier = Qt.Key, Qt.KeyboardModifier


def drop(window, paths) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPointF(300, 300), action, data, button, Modifier.NoModifier)
    window.dropEvent(event)


TIP = Qt.ItemDataRole.ToolTipRole


class Windows(QObject):
    """Records every window that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.names.append(watched.objectName() or type(watched).__name__)
        return False


def comparable_scores(scores):
    """Return scores that can be compared: an undefined number is None."""
    return to_json(scores)


def test_dropped_files_are_checked_and_scored_as_by_the_core(qtbot, window, files):
    drop(window, files)
    until_checked(qtbot, window)
    assert window.page.id == "check"
    assert [file.role for file in window.session.files] == ["truth", *["guesses"] * 3]

    qtbot.keyClick(window, Key.Key_R, Modifier.ControlModifier)
    qtbot.waitUntil(lambda: window.page.id == "board")
    qtbot.waitUntil(lambda: window.evaluator.scoring is None)

    inputs = {"truth": files[:1], "guesses": files[1:]}
    expected = score_submissions(
        toy_competition.TASK, files_by_role(inputs), toy_competition.Options(), Run()
    )
    shown = {
        summary.system: comparable_scores(summary.scores)
        for summary in window.session.profile_systems()
    }
    assert shown == {
        entry.system: comparable_scores(entry.evaluation.scores) for entry in expected.entries
    }
    model = window.page.view.board_model
    texts = [model.index(row, 2).data() for row in range(model.rowCount())]
    values = sorted((e.evaluation.score("closeness").value for e in expected.entries), reverse=True)
    assert texts == [f"{value:.4f}" for value in values]


def test_a_page_opens_inside_the_window_and_keys_continue_to_work(qtbot, scored, qapp):
    shown = Windows()
    qapp.installEventFilter(shown)
    for number, page in enumerate(PAGES, start=1):
        key = Key(Key.Key_0.value + number)
        before = scored.page.id
        qtbot.keyClick(scored, key, Modifier.ControlModifier)
        # Keyword spotting has no use for the optional pages.
        assert scored.page.id == (before if page.is_optional else page.id)
        qtbot.wait(20)
    qapp.removeEventFilter(shown)
    assert shown.names == []


# PySide6 6.12 deprecates the only constructor that 6.8 has.
@pytest.mark.filterwarnings("ignore:Function.*QDragEnterEvent:DeprecationWarning")
def test_while_files_are_dragged_over_the_window_it_describes_what_dropping_does(window, files):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(files[0]))])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDragEnterEvent(QPoint(300, 300), action, data, button, Modifier.NoModifier)
    window.dragEnterEvent(event)
    assert event.isAccepted()
    assert window.drop_overlay.isVisible()
    window.dragLeaveEvent(QDragLeaveEvent())
    assert not window.drop_overlay.isVisible()


def test_files_dropped_on_a_read_only_desk_are_answered(scored, files, tmp_path):
    scored.files.save_to(tmp_path / "kept.jurydesk")
    use_desk(scored, tmp_path / "kept.jurydesk", read_only=True)
    before = scored.session.files
    assert scored.acceptDrops()
    drop(scored, files)
    assert scored.toast.text.text().startswith("This desk is open for reading only: ")
    assert scored.jobs.visible() is None
    assert scored.session.files == before


def test_another_desk_dropped_on_a_read_only_one_is_opened(qtbot, scored, tmp_path):
    first, second = tmp_path / "first.jurydesk", tmp_path / "second.jurydesk"
    scored.files.save_to(first)
    scored.files.save_to(second)
    use_desk(scored, first, read_only=True)
    scored.session.changed.emit(~SessionPart(0))
    drop(scored, [second])
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert scored.session.desk.path == second
    assert not scored.session.read_only
    assert scored.acceptDrops()


def test_a_dropped_example_is_recognized(qtbot, window, files):
    manifest = files[0].with_name("example.json")
    manifest.write_text('{"title": "Forty numbers", "task": "toy", "options": {"missing": "zero"}}')
    (files[0].with_name("images")).mkdir()
    (files[0].with_name("images") / "1.png").write_bytes(b"\x89PNG")
    drop(window, [files[0].parent])
    until_checked(qtbot, window)
    session = window.session
    assert session.title == "Forty numbers"
    assert session.options.missing == "zero"
    assert {file.path.name: file.role for file in session.files} == {
        "truth.txt": "truth",
        "images": "images",
        **{f"s{number}.txt": "guesses" for number in range(3)},
    }


def test_a_dropped_folder_adds_all_its_files(qtbot, window, files):
    drop(window, [files[0].parent])
    until_checked(qtbot, window)
    assert len(window.session.files) == 4


def test_a_dropped_desk_is_opened(qtbot, scored, tmp_path):
    scored.files.save_to(tmp_path / "kept.jurydesk")
    scored.files.close()
    assert not scored.session.has_desk
    drop(scored, [tmp_path / "kept.jurydesk"])
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert [summary.system for summary in scored.session.profile_systems()] == [
        "system A",
        "system B",
        "system C",
    ]
    assert scored.page.id == "board"


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.id)
def test_each_page_opens_with_its_digit_and_has_a_finding(qtbot, window, entry):
    digit = Key(Key.Key_1 + PAGES.index(entry))
    qtbot.keyClick(window, digit, Modifier.ControlModifier)
    assert window.page.id == entry.id
    assert window.page.finding.endswith((".", "?"))
    assert window.sidebar.currentIndex().data() == entry.title


def has_handler(window, command) -> bool:
    owners = {"window": window, "files": window.files, "edit": window.edits, "": window.page}
    owners |= {"undo": window.evaluator.undo}
    owners |= {"view": window.views, "run": window.evaluator, "organiser": window.organiser}
    owners |= {"entries": window.entries}
    owner, _, method = command.callback.rpartition(".")
    return callable(getattr(owners[owner], method, None))


def test_every_command_has_a_handler(window):
    assert [command.id for command in MENU_COMMANDS if not has_handler(window, command)] == []


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.id)
def test_every_command_of_a_page_has_a_handler(window, entry):
    window.show_page(entry.id)
    commands = ON_PAGES.get(entry.id, ())
    assert [command.id for command in commands if not has_handler(window, command)] == []


@pytest.mark.parametrize("key", [Key.Key_W, Key.Key_N])
def test_home_follows_a_desk_that_is_closed(qtbot, scored, key):
    scored.show_page("items")
    qtbot.keyClick(scored, key, Modifier.ControlModifier)
    assert not scored.session.has_desk
    assert scored.page.id == "home"


def test_nothing_waits_while_devices_are_detected(qtbot, window, files, monkeypatch):
    found = Event()

    def detect(run, notify):
        assert found.wait(20)
        return "a device"

    monkeypatch.setattr("jurydesk.app.jobs.job_functions.describe_device", detect)
    window.find_device()
    assert window.jobs.visible() is None
    window.files.open_paths(files)
    until_checked(qtbot, window)
    window.evaluator.score()
    qtbot.waitUntil(lambda: window.page.id == "board" and window.evaluator.scoring is None)
    assert "a device" not in window.strip.device.text()
    found.set()
    qtbot.waitUntil(lambda: "a device" in window.strip.device.text())


def test_keys_step_from_item_to_item_in_the_window(qtbot, scored):
    scored.show_page("items")
    table = scored.page.view.table
    table.setFocus()
    qtbot.keyClick(table, Key.Key_J)
    assert table.currentIndex().row() == 1
    qtbot.keyClick(table, Key.Key_BracketLeft)
    assert table.currentIndex().row() == 0


@pytest.mark.parametrize("page", ON_PAGES)
def test_no_two_commands_of_a_page_and_the_menus_share_a_key(page):
    keys = [key for command in (*MENU_COMMANDS, *ON_PAGES[page]) for key in command.keys]
    assert len(keys) == len(set(keys))


def test_a_page_that_is_built_ahead_takes_no_key_of_the_page_in_front(qtbot, scored):
    assert scored.page.id == "board"
    assert "items" not in scored.pages
    scored.page_stack.build("items")
    scored.page.view.setFocus()
    qtbot.waitUntil(lambda: bool(scored.session.selection.system))
    qtbot.keyClick(scored.page.view, Key.Key_Return, Modifier.ControlModifier)
    assert scored.page.id == "items"


def test_scoring_needs_the_required_files(qtbot, window, files):
    assert not window.actions_["run.score"].isEnabled()
    window.files.open_paths(files[1:])
    qtbot.waitUntil(lambda: len(window.session.files) == 3)
    assert not window.actions_["run.score"].isEnabled()
    assert window.page.finding == "Still missing: Truth. Drop the file here, or press Ctrl+O."
    window.files.open_paths(files[:1])
    qtbot.waitUntil(window.actions_["run.score"].isEnabled)


class TestWhileAJobRuns:
    @pytest.fixture
    def scoring(self, qtbot, checked, monkeypatch):
        monkeypatch.setattr(toy_competition, "SECONDS", 3.0)
        self.score(qtbot, checked)
        return checked

    def score(self, qtbot, window):
        """Start scoring and wait for the first system: files are read before."""
        window.evaluator.score()
        qtbot.waitUntil(lambda: window.strip.text.text().endswith(" of 300"))

    def test_the_strip_shows_progress_and_a_cancel_button(self, qtbot, scoring):
        qtbot.waitUntil(lambda: scoring.strip.bar.value() > 0)
        assert scoring.strip.cancel.isVisible()
        assert scoring.strip.cancel.text() == "Cancel  Esc"

    def test_esc_cancels_in_the_middle_of_a_system(self, qtbot, scoring):
        qtbot.keyClick(scoring, Key.Key_Escape)
        qtbot.waitUntil(lambda: scoring.jobs.visible() is None)
        qtbot.waitUntil(lambda: scoring.strip.text.text() == "Ready")
        assert "Cancelled" in scoring.toast.text.text()
        assert len(scoring.session.systems) == 0

    def test_systems_scored_before_a_cancellation_are_kept(self, qtbot, checked):
        slow_value = float(checked.session.files[3].path.read_text().splitlines()[2].split()[1])

        def evaluate(references, submission, options, run):
            if submission["n1"] == slow_value:
                while True:
                    run.check()
                    time.sleep(0.005)
            return toy.evaluate(references, submission, options, run)

        task = replace(
            toy_competition.TASK, scoring=replace(toy_competition.TASK.scoring, evaluate=evaluate)
        )
        checked.session.state = replace(checked.session.state, task=task)
        checked.evaluator.score()
        qtbot.waitUntil(lambda: len(checked.session.systems) == 2)
        checked.cancel()
        qtbot.waitUntil(lambda: checked.evaluator.scoring is None)
        assert [s.system for s in checked.session.systems] == ["system A", "system B"]

    def test_closing_asks_with_the_name_of_the_job(self, qtbot, scoring):
        scoring.close()
        box = scoring.findChild(QMessageBox, "close-question")
        assert box is not None
        assert box.text() == "“Scoring” is still running."
        assert scoring.isVisible()
        next(b for b in box.buttons() if b.text() == "Keep running").click()
        assert scoring.isVisible()
        assert scoring.evaluator.scoring is not None
        scoring.close()
        box = scoring.findChildren(QMessageBox, "close-question")[-1]
        next(b for b in box.buttons() if b.text() == "Cancel it and close").click()
        qtbot.waitUntil(lambda: not scoring.isVisible())

    def test_saving_waits_for_the_end_of_scoring(self, scoring):
        assert not scoring.actions_["file.save_as"].isEnabled()


class TestTheme:
    def test_a_command_changes_all_colours_and_is_remembered(self, window, settings):
        window.actions_.run("view.theme.dark")
        assert theme().colours is DARK
        assert QGuiApplication.palette().window().color().name() == DARK.background
        assert settings.text("theme") == "dark"
        assert window.actions_["view.theme.dark"].isChecked()
        assert not window.actions_["view.theme.light"].isChecked()
        window.actions_.run("view.theme.light")
        assert theme().colours is LIGHT

    def test_zoom_scales_type_and_spacing(self, qtbot, window):
        before = window.top.height()
        qtbot.keyClick(window, Key.Key_Plus, Modifier.ControlModifier)
        assert window.top.height() > before
        assert look.font().pixelSize() > look.BASE
        qtbot.keyClick(window, Key.Key_0, Modifier.ControlModifier)
        assert window.top.height() == before


class TestSheets:
    def test_the_command_palette_finds_and_runs_a_command(self, qtbot, window):
        qtbot.keyClick(window, Key.Key_P, Modifier.ControlModifier | Modifier.ShiftModifier)
        palette = window.views.sheet
        qtbot.keyClicks(palette.search, "dark")
        model = palette.list.model()
        assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["Dark theme"]
        qtbot.keyClick(palette.search, Key.Key_Return)
        assert theme().colours is DARK
        assert window.views.sheet is None

    def test_the_command_palette_says_that_nothing_was_found(self, qtbot, window):
        window.views.show_palette()
        palette = window.views.sheet
        qtbot.keyClicks(palette.search, "xyzzy")
        assert (palette.list.isVisible(), palette.nothing.isVisible()) == (False, True)
        assert palette.nothing.text() == "Nothing found."
        qtbot.keyClick(palette.search, Key.Key_Return)
        palette.search.setText("dark")
        assert (palette.list.isVisible(), palette.nothing.isVisible()) == (True, False)

    def test_arrow_keys_move_through_the_command_palette(self, qtbot, window):
        window.views.show_palette()
        palette = window.views.sheet
        qtbot.keyClicks(palette.search, "page")
        qtbot.keyClick(palette.search, Key.Key_Down)
        qtbot.keyClick(palette.search, Key.Key_Return)
        assert window.page.id == PAGES[1].id

    def test_esc_closes_a_sheet(self, qtbot, window):
        qtbot.keyClick(window, Key.Key_Slash, Modifier.ControlModifier)
        assert window.views.sheet.isVisible()
        qtbot.keyClick(window.views.sheet, Key.Key_Escape)
        assert window.views.sheet is None

    @pytest.mark.parametrize("name", ["help.guide", "help.about", "edit.preferences", "help.keys"])
    def test_every_sheet_opens(self, window, name):
        window.actions_.run(name)
        assert window.views.sheet.isVisible()
        assert window.views.sheet.height() > 100

    def test_about_copies_the_versions(self, window):
        window.actions_.run("help.about")
        window.views.sheet.copy_button.click()
        text = QGuiApplication.clipboard().text()
        assert text.startswith("Jurydesk ")
        assert "PySide6" in text

    def test_the_log_folder_is_opened(self, window, opened):
        window.actions_.run("help.log")
        assert opened
        assert opened[0].endswith("log")


class TestWhatIsRemembered:
    def test_page_and_size_are_restored(self, make_window, settings):
        first = make_window()
        first.resize(1000, 700)
        first.close()
        assert make_window().size() != first.size() or not settings.blob("geometry").isEmpty()

    def test_recent_desks_are_listed_on_home(self, scored, tmp_path, settings):
        scored.files.save_to(tmp_path / "first.jurydesk")
        assert settings.recent() == [tmp_path / "first.jurydesk"]
        scored.show_page("home")
        names = [label.text() for label in scored.page.desks.findChildren(QLabel)]
        assert "first" in names


def test_calls_of_void_functions_keep_the_references_to_none(qtbot):
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for number in range(2000):
        label.setText(str(number))
    assert before - sys.getrefcount(None) < 1000


def visible_rows(window) -> list[str]:
    """Return the ids of the pages in the sidebar."""
    shown = [page.id for row, page in enumerate(PAGES) if not window.sidebar.isRowHidden(row)]
    pages = window.top.pages
    assert [pages.itemData(number) for number in range(pages.count())] == shown
    return shown


def test_pages_that_the_competition_has_no_use_for_are_not_listed(qtbot, scored):
    everything = [page.id for page in PAGES]
    used = [name for name in everything if name not in ("references", "models")]
    assert visible_rows(scored) == used
    scored.files.close()
    assert visible_rows(scored) == everything


def test_a_page_without_use_is_listed_while_it_is_shown(qtbot, scored):
    scored.show_page("models")
    assert "models" in visible_rows(scored)
    assert "references" not in visible_rows(scored)
    assert scored.top.pages.currentData() == "models"
    scored.show_page("board")
    assert "models" not in visible_rows(scored)


def test_the_keys_of_pages_do_not_change_with_the_competition(qtbot, scored):
    tips = {
        scored.top.pages.itemData(number): scored.top.pages.itemData(number, TIP)
        for number in range(scored.top.pages.count())
    }
    assert tips["why"].endswith("Ctrl+9")


def test_a_desk_without_a_name_has_the_translated_name_of_its_competition(checked, monkeypatch):
    session = checked.session
    assert session.title == session.task.title
    monkeypatch.setattr("jurydesk.app.window.main_window.translate_text", str.upper)
    checked._update()
    assert checked.windowTitle().startswith(session.task.title.upper())
    session.rename("Visual stories")
    checked._update()
    assert checked.windowTitle().startswith("Visual stories – ")
