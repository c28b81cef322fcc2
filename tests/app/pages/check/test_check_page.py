"""Check page: roles, defects, places, options."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit

from jurydesk.app.pages.check import file_table
from jurydesk.app.pages.check.check_page import LEAST_SHARE
from jurydesk.app.pages.check.defect_list import Group
from jurydesk.app.style.visible_text import elide
from jurydesk.core.competition.task import Input
from jurydesk.core.intake.deadlines import parse_deadline
from jurydesk.core.intake.submission import IntakeRules
from jurydesk.core.model.defects import Place, Severity, Transformation, warning
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.statistics.group_intervals import METHODS
from jurydesk.core.statistics.inference import CORRECTIONS
from support.windows import toy_competition
from support.windows.layout_reset import assert_sizes_are_reset_and_restored
from support.windows.waiting import until_checked

Key = Qt.Key


def cells(table, *names: str) -> list[list[str]]:
    """Return the texts of the columns of these names, for each visible row."""
    columns = {column.name: column for column in table.table_model.columns}
    rows = table.table_model.rows.tolist()
    return [[columns[name].text(row) for name in names] for row in rows]


def index(table, place: int, name: str):
    sections = [column.name for column in table.table_model.columns]
    return table.table_model.index(place, sections.index(name))


def place(table, path: Path) -> int:
    return table.table_model.place([file.path for file in table.files].index(path))


@pytest.fixture
def page(qtbot, window, files):
    """Return the page with a broken system and one that lacks items."""
    lines = files[2].read_text().splitlines()
    lines[7], lines[20] = "n6 abc", "n19 x y"
    files[2].write_text("\n".join(lines) + "\n")
    files[3].write_text("\n".join(files[3].read_text().splitlines()[:-3]) + "\n")
    window.files.open_paths(files)
    until_checked(qtbot, window)
    window.page.folded.click()
    return window.page


def test_reference_files_have_rows_beside_submissions_only_on_request(qtbot, window, files):
    window.files.open_paths(files)
    until_checked(qtbot, window)
    page = window.page
    assert [file.path for file in page.files.files] == files[1:]
    assert page.folded.text() == "1 reference file: no defects"
    page.folded.click()
    assert [file.path for file in page.files.files] == files
    page.folded.click()
    assert [file.path for file in page.files.files] == files[1:]


def test_a_reference_file_with_defects_has_a_row(qtbot, window, files):
    files[0].write_text(f"{files[0].read_text()}n1 no number\n")
    window.files.open_paths(files)
    until_checked(qtbot, window)
    assert files[0] in [file.path for file in window.page.files.files]
    assert window.page.folded.isHidden()


def test_a_reset_layout_has_the_initial_sizes_of_parts_and_can_be_restored(qtbot, page):
    assert len(page.files.files) == 4  # the click of the fixture showed the reference file
    needed = page.view._left.widget(0).sizeHint().height()
    qtbot.waitUntil(lambda: page.view._left.sizes()[0] == needed)
    assert_sizes_are_reset_and_restored(page, page.view._left)


def test_all_defects_are_listed_under_their_file(page):
    rows = page.defects.list.rows
    shown = [row.name if isinstance(row, Group) else str(row.place) for row in rows]
    assert shown == [
        "s1.txt",
        "s1.txt, line 8",
        "s1.txt, line 21",
        "s2.txt",
        *["s2.txt"] * 3,
    ]
    assert rows[0].summary == "2 errors"
    assert page.finding == "2 of 3 submissions can be scored. With errors: s1."


class TestStatistics:
    """Groups, kind of interval and correction, chosen beside the options."""

    @pytest.fixture
    def card(self, scored):
        scored.show_page("check")
        return scored.page.statistics

    @staticmethod
    def choose(qtbot, window, box, key: Key) -> None:
        before = window.session.statistics_version
        box.setFocus()
        qtbot.keyClick(box, key)
        qtbot.waitUntil(lambda: window.session.statistics_version > before)

    @staticmethod
    def stored(window) -> list[dict]:
        session = window.session
        return [session.evaluation(one.system).stamp for one in session.systems]

    def test_another_kind_of_interval_recomputes_every_interval_and_stamp(
        self, qtbot, scored, card
    ):
        assert card.interval.currentText() == "studentized bootstrap"
        assert "studentized bootstrap" in card.interval.toolTip()
        self.choose(qtbot, scored, card.interval, Key.Key_Down)
        assert card.interval.currentText() == "Student's t"
        assert "Student&#x27;s t" in card.interval.toolTip()
        for summary in scored.session.systems:
            assert summary.scores[0].interval.method == "Student's t, 39 degrees of freedom"
        for stamp in self.stored(scored):
            assert stamp["policies"]["interval method"] == "t"
            assert "Student" in str(stamp["scores"])

    def test_the_last_of_several_quick_choices_is_used(self, qtbot, scored, card):
        card.interval.setFocus()
        qtbot.keyClick(card.interval, Key.Key_Down)
        self.choose(qtbot, scored, card.interval, Key.Key_Down)
        qtbot.waitUntil(lambda: scored.evaluator.jobs.idle)
        (closeness, *_) = scored.session.systems[0].scores
        assert closeness.interval.method == "percentile bootstrap, 1000 resamples"

    def test_the_board_uses_the_chosen_correction(self, qtbot, scored, card):
        self.choose(qtbot, scored, card.correction, Key.Key_Down)
        scored.show_page("board")
        page = scored.page
        qtbot.waitUntil(lambda: bool(page.significance.significance.significance_tests))
        significance = page.significance.significance.significance_tests["published"]
        assert significance.correction == "holm"

    def test_a_file_of_groups_is_named_and_can_be_removed(
        self, qtbot, scored, card, tmp_path, monkeypatch
    ):
        path = tmp_path / "words.tsv"
        path.write_text("".join(f"n{n}\tword {n // 4}\n" for n in range(40)), encoding="utf-8")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *asked: (str(path), ""))
        self.choose(qtbot, scored, card.groups, Key.Key_End)
        assert card.groups.currentText() == "of words.tsv"
        (made, *_) = scored.session.systems[0].scores
        assert made.interval.method.endswith("of 10 groups")
        assert self.stored(scored)[0]["groups"]["path"] == str(path)
        self.choose(qtbot, scored, card.groups, Key.Key_Home)
        assert card.groups.currentText() == "of the competition"
        assert "groups" not in self.stored(scored)[0]

    def test_a_file_that_assigns_nothing_is_refused(
        self, qtbot, scored, card, tmp_path, monkeypatch
    ):
        path = tmp_path / "empty.tsv"
        path.write_text("\n", encoding="utf-8")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *asked: (str(path), ""))
        with qtbot.waitSignal(scored.evaluator.message) as said:
            self.choose(qtbot, scored, card.groups, Key.Key_End)
        assert said.args == [f"{path} does not assign any item to a group."]
        assert card.groups.currentText() == "of the competition"

    def test_the_lists_contain_every_interval_and_correction(self, card):
        for box, every in ((card.interval, METHODS), (card.correction, CORRECTIONS)):
            assert [box.itemData(row) for row in range(box.count())] == list(every)


def test_the_filter_shows_one_severity(qtbot, page):
    qtbot.mouseClick(page.defects.filters[Severity.WARNING], Qt.MouseButton.LeftButton)
    rows = page.defects.list.rows
    assert len(rows) == 4
    assert rows[0].name == "s2.txt"
    assert not page.defects.filters[Severity.NOTE].isVisible()


def test_a_chosen_defect_shows_the_lines_around_it(qtbot, page):
    page.defects.list.setCurrentIndex(page.defects.list.table_model.index(1, 0))
    qtbot.waitUntil(lambda: "abc" in page.excerpt.text.toPlainText())
    cursor = page.excerpt.text.textCursor()
    assert cursor.block().text().split() == ["8", "n6", "abc"]
    assert page.excerpt.where.text() == "s1.txt, line 8"


def test_enter_opens_the_file_of_a_defect(qtbot, page, opened):
    page.defects.list.setCurrentIndex(page.defects.list.table_model.index(1, 0))
    qtbot.keyClick(page.defects.list, Key.Key_Return)
    assert [path.rsplit("/", 1)[-1] for path in opened] == ["s1.txt"]


def test_defects_are_copied_as_the_command_line_prints_them(page):
    page.defects.copy.click()
    text = QGuiApplication.clipboard().text()
    assert text.startswith(
        'error  s1.txt, line 8: "abc" is no number.\n       A line is: id value.'
    )
    assert len([line for line in text.splitlines() if line.startswith("warning")]) == 3


def test_defects_are_exported_as_text(page, tmp_path):
    (export,) = page.exports()
    export.write(tmp_path / "defects.txt")
    assert (tmp_path / "defects.txt").read_text().count("\n") == 2 * 2 + 3


def test_the_table_shows_the_team_or_role_and_the_state_of_each_file(page):
    assert cells(page.files, "file", "role", "state") == [
        ["truth.txt", "Truth", "read"],
        ["s1.txt", "s1", "has errors"],
        ["s2.txt", "s2", "ready"],
        ["s0.txt", "s0", "ready"],
    ]
    assert cells(page.files, "errors", "warnings") == [["", ""], ["2", ""], ["", "3"], ["", ""]]


def test_submissions_are_sorted_by_a_click_on_a_title_or_by_s(qtbot, page):
    table = page.files
    header = table.horizontalHeader()
    title = QPoint(header.sectionViewportPosition(1) + 20, 10)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=title)
    assert cells(table, "file") == [["truth.txt"], ["s0.txt"], ["s1.txt"], ["s2.txt"]]
    table.setCurrentIndex(index(table, 3, "file"))
    table.setFocus()
    qtbot.keyClick(table, Key.Key_S)
    assert cells(table, "file") == [["truth.txt"], ["s2.txt"], ["s1.txt"], ["s0.txt"]]
    assert table.current_file().path.name == "s2.txt"


def test_the_first_row_is_shown_until_a_row_is_chosen(qtbot, window, files, monkeypatch):
    window.files.open_paths([files[0], *files[2:]])
    until_checked(qtbot, window)
    table = window.page.files
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    first = table.current_file()
    assert table.currentIndex().row() == 0
    faulty = warning(Place(str(table.files[-1].path)), "Odd.")
    monkeypatch.setattr(type(window.session), "defects", [faulty])
    table.reload()
    assert table.current_file().path != first.path
    assert table.currentIndex().row() == 0
    qtbot.keyClick(table, Key.Key_Down)
    chosen = table.current_file()
    twice = [warning(Place(str(chosen.path)), "Odd.")] * 2
    monkeypatch.setattr(type(window.session), "defects", twice)
    table.reload()
    assert table.current_file() == chosen


def test_late_submissions_and_copies_are_to_be_decided(qtbot, window, files, tmp_path):
    for team, time in (("north", 1_000_000_000), ("south", 1_500_000_000)):
        folder = tmp_path / "all" / team
        folder.mkdir(parents=True)
        (folder / "run.txt").write_bytes(files[1].read_bytes())
        os.utime(folder / "run.txt", (time, time))
    window.files.open_paths([files[0], tmp_path / "all"])
    until_checked(qtbot, window)
    window.organiser.set_rules(IntakeRules(parse_deadline("2010-01-01 00:00 UTC")))
    table = window.page.files
    qtbot.waitUntil(lambda: any(late for (late,) in cells(table, "late")))
    row = place(table, tmp_path / "all" / "south" / "run.txt")
    late, copy, state = cells(table, "late", "copy_of", "state")[row]
    assert (late, copy) == ("2,751 days 2 h", "north")
    assert state.endswith("to decide")
    table.resize(260, 300)
    assert index(table, row, "state").data() == ("late by 2,751 days 2 h; same as north; to decide")


def test_a_file_that_its_own_evidence_contradicts_is_not_ready(qtbot, window, files, monkeypatch):
    """Its boxes fit in another frame: that is a warning of the reader with what they need."""
    misread = warning(Place(str(files[1])), "Boxes lie elsewhere.")
    misread = replace(misread, transformation=Transformation("xcycwh", "pixels"))
    plain = warning(Place(str(files[2])), "Odd.")
    window.files.open_paths(files)
    until_checked(qtbot, window)
    monkeypatch.setattr(type(window.session), "defects", [misread, plain])
    window.page.files.reload()
    states = {row[0]: row[1] for row in cells(window.page.files, "file", "state")}
    assert states["s0.txt"] == "to decide"
    assert states["s1.txt"] == "ready"


def test_the_message_to_a_team_has_its_defects_and_no_other_team(qtbot, page, window):
    page.files.selectRow(1)
    text = page.team.text.toPlainText()
    assert text.startswith("Submission: s1.txt (received ")
    assert "It cannot be scored yet: 2 errors.\n\nTo correct:\n1. line 8: " in text
    assert "s2" not in text
    top = page.defects.list.indexAt(QPoint(5, 5)).data()
    assert top == "s1.txt: 2 errors"
    qtbot.waitUntil(lambda: page.team.text.verticalScrollBar().maximum() == 0)
    page.team.copy.setFocus()
    qtbot.keyClick(page.team.copy, Key.Key_Space)
    assert QGuiApplication.clipboard().text() == text
    assert window.toast.text.text() == "The message to s1 was copied."
    page.files.selectRow(0)
    assert page.team.isHidden()


def test_a_missing_folder_of_pictures_keeps_its_role(page, window):
    task = window.session.task
    photos = Input("photos", "Photos", "folder", (), required=False)
    task = replace(task, inputs=(*task.inputs, photos))
    window.session.state = replace(window.session.state, task=task)
    path = Path("/a/<b>folder</b>")
    window.session.set_files([InputFile(path, "photos", 0, "missing"), *window.session.files])
    row = place(page.files, path)
    assert cells(page.files, "role", "state")[row] == ["Photos", "missing"]
    tip = index(page.files, row, "file").data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;folder" in tip


def test_delete_removes_a_file_and_undo_brings_it_back(qtbot, page, window):
    page.files.selectRow(1)
    qtbot.keyClick(page.files, Key.Key_Delete)
    assert len(window.session.files) == 3
    assert window.toast.text.text() == "s1.txt was removed."
    qtbot.keyClick(window, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(window.session.files) == 4
    qtbot.keyClick(
        window, Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    assert len(window.session.files) == 3
    window.toast.button.click()


def test_ctrl_z_brings_a_reference_and_a_folder_back_with_their_roles(
    qtbot, page, window, tmp_path
):
    task = window.session.task
    photos = Input("photos", "Photos", "folder", (), required=False)
    task = replace(task, inputs=(*task.inputs, photos))
    window.session.state = replace(window.session.state, task=task)
    (tmp_path / "photos").mkdir()
    folder = InputFile(tmp_path / "photos", "photos", 0, pictures=3)
    window.session.set_files([folder, *window.session.files])
    before = window.session.files
    for name in ("truth.txt", "photos"):
        path = next(file.path for file in page.files.files if file.path.name == name)
        page.files.selectRow(place(page.files, path))
        page.files.setFocus()
        qtbot.keyClick(page.files, Key.Key_Delete)
    assert not {"truth.txt", "photos"} & {file.path.name for file in window.session.files}
    for _ in range(2):
        qtbot.keyClick(page.files, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert {(file.path, file.role, file.pictures) for file in window.session.files} == {
        (file.path, file.role, file.pictures) for file in before
    }
    until_checked(qtbot, window)
    assert page.finding.startswith("2 of 3 submissions can be scored.")


def test_a_role_is_chosen_from_a_menu(qtbot, page, window, tmp_path):
    odd = tmp_path / "odd.txt"
    odd.write_text("n0 0.5\n")
    window.files.open_paths([odd])
    qtbot.waitUntil(lambda: len(window.session.files) == 5)
    assert window.session.files[0].path == odd
    chosen = ["Choose a role", "Not recognized as a file of Toy."]
    assert cells(page.files, "role", "state")[0] == chosen
    menu = page.files.roles_menu(window.session.files[0])
    next(action for action in menu.actions() if action.text() == "Guesses").trigger()
    assert {file.path: file.role for file in window.session.files}[odd] == "guesses"


def test_a_role_for_one_file_leaves_the_file_that_had_it(page, window):
    system = window.session.files[1]
    window.file_list.set_role(system, "truth")
    roles = {file.path.name: file.role for file in window.session.files}
    assert roles["s0.txt"] == "truth"
    assert roles["truth.txt"] == ""
    reason = next(file.reason for file in window.session.files if file.path.name == "truth.txt")
    assert reason == "s0.txt took its place."


def test_another_reference_file_is_chosen_and_undo_brings_the_old_one_back(
    qtbot, page, window, files, tmp_path
):
    new = shutil.copy(files[0], tmp_path / "new.txt")
    window.files.open_paths([Path(new)])
    qtbot.waitUntil(lambda: len(window.session.files) == 5)
    before = window.session.files
    assert before[0].reason == "Truth was already given: truth.txt."
    window.file_list.set_role(before[0], "truth")
    assert window.toast.text.text() == "truth.txt was replaced by new.txt."
    assert window.actions_["edit.undo"].text() == "Undo replacing truth.txt"
    qtbot.mouseClick(window.toast.button, Qt.MouseButton.LeftButton)
    assert [(file.path, file.role) for file in window.session.files] == [
        (file.path, file.role) for file in before
    ]
    until_checked(qtbot, window)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_menu_opens_at_a_click_on_the_role(qtbot, page):
    rect = page.files.visualRect(index(page.files, 0, "role"))
    qtbot.mouseClick(
        page.files.viewport(), Qt.MouseButton.LeftButton, pos=rect.topLeft() + QPoint(20, 10)
    )
    menu = QApplication.activePopupWidget()
    texts = [action.text() for action in menu.actions()]
    assert texts == ["Truth", "Guesses", "", "Open the file", "Remove from the competition"]
    menu.close()


class TestOptions:
    def test_options_and_statistics_lie_in_a_drawer_beside_which_the_table_is_wide(self, page):
        width = page.files.width()
        assert not page.options.isVisible()
        page.drawer.click()
        assert page.options.isVisible()
        assert page.statistics.isVisible()
        assert page.files.width() <= width
        page.drawer.click()
        assert not page.statistics.isVisible()
        assert page.files.width() == width

    def test_each_option_has_a_widget_with_its_help(self, page):
        assert list(page.options.fields) == ["profile", "missing", "level", "strict", "words"]
        missing = page.options.fields["missing"].widget
        assert isinstance(missing, QComboBox)
        assert "What a missing item counts." in missing.toolTip()
        assert [missing.itemText(n) for n in range(missing.count())] == ["skip", "zero"]

    def test_an_option_has_the_name_that_it_declares_or_that_of_its_field(self, page):
        titles = {
            name: field.widget.accessibleName() for name, field in page.options.fields.items()
        }
        assert titles["level"] == "From value"
        assert titles["words"] == "Words"
        assert page.options.fields["strict"].widget.text() == "Strict"

    def test_a_choice_changes_the_options_and_checks_again(self, qtbot, page, window):
        box = page.options.fields["missing"].widget
        box.setFocus()
        qtbot.keyClick(box, Key.Key_Down)
        assert window.session.options.missing == "zero"
        until_checked(qtbot, window)

    def test_a_number_is_read_and_invalid_text_is_reverted(self, qtbot, page, window):
        line = page.options.fields["level"].widget
        assert isinstance(line, QLineEdit)
        line.setFocus()
        qtbot.keyClicks(line, "0.5")
        qtbot.keyClick(line, Key.Key_Return)
        assert window.session.options.level == 0.5
        line.setText("much")
        line.editingFinished.emit()
        assert window.session.options.level == 0.5
        assert line.text() == "0.5"
        line.setText("")
        line.editingFinished.emit()
        assert window.session.options.level is None


def test_the_published_checks_are_listed(page):
    names = [child.accessibleName() for child in page.checklist.children() if child.isWidgetType()]
    assert "failed: Every line is an id and a value. Failed: s1.txt." in names


def test_an_empty_page_says_what_to_do(window):
    window.show_page("check")
    assert window.page.finding == (
        "Drop the reference data and the submissions here, or press Ctrl+O."
    )


def test_files_of_the_same_name_are_distinguished_by_team(qtbot, window, files, tmp_path):
    for team in ("north", "south"):
        folder = tmp_path / "all" / team
        folder.mkdir(parents=True)
        (folder / "run.txt").write_text(files[1].read_text().replace("n3 ", f"n3 {team} "))
    window.files.open_paths([files[0]])
    qtbot.waitUntil(lambda: bool(window.session.files))
    window.files.open_paths([tmp_path / "all"])
    until_checked(qtbot, window)
    page = window.page
    assert cells(page.files, "file") == [["north/run.txt"], ["south/run.txt"]]
    rows = page.defects.list.rows
    assert [row.name for row in rows if isinstance(row, Group)] == [
        *("north/run.txt", "south/run.txt")
    ]
    assert "error  south/run.txt, line 5:" in page.selection_text(headers=False)
    assert (
        page.defects.list.table_model.index(1, 0).data().startswith("error  north/run.txt, line 5:")
    )
    names = [child.accessibleName() for child in page.checklist.children() if child.isWidgetType()]
    failed = "Failed: north/run.txt, south/run.txt."
    assert any(name.startswith("failed: ") and name.endswith(failed) for name in names)
    page.defects.list.setCurrentIndex(page.defects.list.table_model.index(1, 0))
    assert page.excerpt.where.text() == "north/run.txt, line 5"


def test_scored_files_are_not_offered_for_scoring(qtbot, checked, tmp_path):
    page = checked.page
    assert page.finding == "4 files without defects. Press Ctrl+R to score."
    checked.evaluator.score()
    qtbot.waitUntil(
        lambda: checked.evaluator.scoring is None and bool(checked.session.scored_systems)
    )
    assert page.finding == "4 files without defects."
    checked.session.set_options({"strict": True})
    qtbot.waitUntil(lambda: page.finding == "4 files without defects. Press Ctrl+R to score.")


def test_files_of_no_competition_cannot_be_scored(qtbot, window, tmp_path):
    odd = tmp_path / "odd.txt"
    odd.write_text("? what\n")
    window.files.open_paths([odd])
    qtbot.waitUntil(lambda: len(window.session.files) == 1)
    assert window.page.finding.startswith("No competition accepts these files.")
    assert not window.actions_["run.score"].isEnabled()


def test_without_defects_the_card_is_as_high_as_its_text(qtbot, checked):
    card = checked.page.defects
    qtbot.waitUntil(lambda: 0 < card.height() <= card.sizeHint().height())
    assert card.empty.y() - card.title.geometry().bottom() < 2 * card.title.height()
    table = checked.page.table
    assert table.height() <= table.sizeHint().height()


class TestFilter:
    """The filter line above many files."""

    @pytest.fixture
    def many(self, qtbot, window, files, tmp_path):
        """Return the page with twelve systems, of which the last has an error."""
        systems = []
        for number in range(12):
            system = tmp_path / f"team{number:02d}.txt"
            text = files[2].read_text()
            system.write_text(text if number < 11 else text.replace("n6 ", "n6 abc ", 1))
            systems.append(system)
        window.files.open_paths([*files[:2], *systems])
        until_checked(qtbot, window)
        return window.page

    def test_ctrl_f_and_a_condition_show_the_files_with_errors(self, qtbot, window, many):
        total = many.files.table_model.rowCount()
        qtbot.keyClick(many.files, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert many.filtered.line.field.hasFocus()
        qtbot.keyClicks(many.filtered.line.field, "errors > 0")
        assert cells(many.files, "file") == [["team11.txt"]]
        assert many.filtered.line.counted.text() == f"1 of {total}"

    def test_words_find_files_by_name_and_escape_shows_all(self, qtbot, many):
        total = many.files.table_model.rowCount()
        many.filtered.line.focusInside()
        qtbot.keyClicks(many.filtered.line.field, "team03")
        assert cells(many.files, "file") == [["team03.txt"]]
        qtbot.keyClick(many.filtered.line.field, Key.Key_Escape)
        assert many.files.table_model.rowCount() == total

    def test_few_files_have_no_filter_line(self, page):
        assert not page.filtered.line.isVisible()


@pytest.mark.parametrize("size", [(1024, 700), (1366, 768), (1440, 900)])
def test_twelve_rows_are_in_sight(qtbot, window, files, tmp_path, size):
    window.resize(*size)
    systems = [tmp_path / f"team{number:02d}.txt" for number in range(11)]
    for number, system in enumerate(systems):
        system.write_text(files[2].read_text() + "\n" * number)
    window.files.open_paths([*files[:2], *systems])
    until_checked(qtbot, window)
    page, table = window.page, window.page.files

    def rows_in_sight():
        below = table.viewport().height()
        ends = (table.rowViewportPosition(n) + table.rowHeight(n) for n in range(table.row_count()))
        return sum(0 < end <= below for end in ends)

    qtbot.waitUntil(lambda: rows_in_sight() == 12)
    assert table.row_count() == 12
    # Some of a defect is in sight below them.
    assert page.defects.list.isHidden() or page.defects.list.viewport().height() > 24


def test_a_file_and_the_system_scored_from_it_may_have_like_names(qtbot, checked, monkeypatch):
    page, session = checked.page, checked.session
    names = [one.team or one.system for one in session.files]
    scored = [next(filter(None, names)).upper()]
    monkeypatch.setattr(type(session), "scored_systems", scored)
    assert "look alike" not in page._verdict()
    scored.append(scored[0].lower())
    assert "These names look alike" in page._verdict()


def test_fewer_files_leave_their_height_to_the_defects(qtbot, window, files, tmp_path):
    window.resize(1280, 800)
    more = []
    for number in range(9):
        more.append(tmp_path / f"copy{number}.txt")
        more[-1].write_text(files[2].read_text() + "\n" * number)
    window.files.open_paths([*files, *more])
    until_checked(qtbot, window)
    page = window.page
    qtbot.waitUntil(lambda: page.table.height() > 200)
    window.files.new()
    window.files.open_paths(files[:3])
    until_checked(qtbot, window)
    window.show_page("check")
    qtbot.waitUntil(lambda: page.table.height() == page.table.sizeHint().height())
    shown = page.files.mapTo(page.table, QPoint(0, 0))
    assert shown.y() < 20
    assert page.files.height() == page.files.maximumHeight()


def test_cut_names_show_what_tells_submissions_apart_and_use_the_room(
    qtbot, window, files, tmp_path, monkeypatch
):
    painted = []
    monkeypatch.setattr(
        file_table, "_paint_elided", lambda p, rect, text, a: painted.append((text, rect.width()))
    )
    long = "spring2026_final_submission_of_the_team_with_the_number_{}.txt"
    for number in range(2):
        (tmp_path / long.format(number)).write_text(files[1].read_text() + "\n" * number)
    others = [tmp_path / "notes.txt", tmp_path / "remarks.txt"]
    for path in others:
        path.write_text("no file of the competition\n")
    window.files.open_paths([files[0], *others, *(tmp_path / long.format(n) for n in range(2))])
    until_checked(qtbot, window)
    table = window.page.files
    width_of, middle = QFontMetricsF(table.font()).horizontalAdvance, Qt.TextElideMode.ElideMiddle
    for width in range(484, 490):
        painted.clear()
        table.setFixedWidth(width)
        table.grab()
        cut = {text: room for text, room in painted if text.endswith(("_0.txt", "_1.txt"))}
        assert len(cut) == 2
        for text, room in cut.items():
            assert text.startswith("…")
            assert room - 2 * width_of("m") < width_of(text) <= room
            assert elide(table.fontMetrics(), text, middle, room) == text
        assert {"notes.txt", "remarks.txt"} <= {text for text, _ in painted}


def test_many_files_have_the_height_that_the_defects_leave_and_most_of_it_beside_many(
    qtbot, window, tmp_path
):
    window.resize(1280, 760)
    paths = toy_competition.files(tmp_path, systems=26)
    window.files.open_paths(paths)
    until_checked(qtbot, window)
    page = window.page
    defects = page.defects
    qtbot.waitUntil(lambda: defects.height() <= defects.sizeHint().height())
    assert defects.height() < page.table.height() < page.table.sizeHint().height()
    for path in paths[1:]:
        path.write_text(path.read_text().replace("n6 ", "n6 abc ", 1))
    window.evaluator.check_anew()
    whole = defects.height() + page.table.height()
    qtbot.waitUntil(lambda: abs(page.table.height() - LEAST_SHARE * whole) <= 2)
