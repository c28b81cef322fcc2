"""The window names its file, reports its actions, and asks before discarding work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

import jurydesk.app
from jurydesk.app.jobs.job import Job
from jurydesk.app.pages import PAGES
from jurydesk.app.sheets.help import guide_file, guide_parts
from jurydesk.core.language import translate
from support.language import shown_in
from support.windows import toy_competition

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


def test_the_title_bar_and_the_header_name_the_file(checked, tmp_path):
    assert checked.windowTitle() == "Toy – Jurydesk"
    checked.files.save_to(tmp_path / "spring.jurydesk")
    assert checked.windowTitle() == "Toy – spring.jurydesk – Jurydesk"
    assert "spring.jurydesk" in [chip.text() for chip in checked.top._chips]


def test_ctrl_s_reports_that_everything_is_saved(qtbot, checked, tmp_path):
    checked.files.save_to(tmp_path / "spring.jurydesk")
    qtbot.keyClick(checked, Key.Key_S, CONTROL)
    assert checked.toast.text.text() == "All changes are already saved in spring.jurydesk."


def test_ctrl_s_asks_for_a_file_name_where_the_desk_has_none(checked, monkeypatch, tmp_path):
    place = tmp_path / "new.jurydesk"
    monkeypatch.setattr(
        "PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_: (str(place), "")
    )
    checked.actions_.run("file.save")
    assert place.exists()


def test_every_menu_has_a_mnemonic(window):
    titles = [action.text() for action in window.menuBar().actions()]
    assert titles == ["&File", "&Edit", "&Run", "&View", "&Help"]


@pytest.fixture
def scoring(qtbot, checked, monkeypatch):
    monkeypatch.setattr(toy_competition, "SECONDS", 30.0)
    checked.evaluator.score()
    qtbot.waitUntil(lambda: checked.jobs.visible() is not None)
    yield checked
    checked.cancel()
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None)


def test_escape_cancels_a_short_run_at_once(qtbot, scoring):
    qtbot.keyClick(scoring, Key.Key_Escape)
    qtbot.waitUntil(lambda: scoring.evaluator.scoring is None)


def test_escape_asks_before_it_cancels_a_long_run(qtbot, scoring, monkeypatch):
    monkeypatch.setattr("jurydesk.app.jobs.job.LONG_SECONDS", 0.0)
    qtbot.keyClick(scoring, Key.Key_Escape)
    assert not scoring.evaluator.scoring.cancelling
    assert scoring.notice.text.text() == (
        "Cancel “Scoring”? It has run for a while. Work done so far is kept."
    )
    keep = next(one for one in scoring.notice.buttons if one.text() == "Keep running")
    qtbot.mouseClick(keep, Qt.MouseButton.LeftButton)
    assert not scoring.evaluator.scoring.cancelling
    qtbot.keyClick(scoring, Key.Key_Escape)
    stop = next(one for one in scoring.notice.buttons if one.text() == "Cancel it")
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scoring.evaluator.scoring is None)
    assert scoring.notice.isHidden()


def test_a_quiet_job_is_named_where_no_other_runs(qtbot, window):
    qtbot.waitUntil(lambda: window.jobs.idle)
    go_on = []

    def work(run, notify):
        while not go_on:
            run.check()

    window.jobs.start(Job("Looking around", work, quiet=True))
    assert window.strip.text.text() == "Looking around …"
    go_on.append(True)
    qtbot.waitUntil(lambda: window.jobs.idle)
    assert window.strip.text.text() == "Ready"


def test_an_exported_file_is_opened_by_one_click(qtbot, scored, tmp_path, opened):
    export = next(one for one in scored.page.exports() if one.pattern == "*.csv")
    scored.files.export(export, tmp_path / "board.csv")
    assert scored.toast.text.text() == "Written: board.csv"
    qtbot.mouseClick(scored.toast.folder, Qt.MouseButton.LeftButton)
    scored.files.export(export, tmp_path / "board.csv")
    qtbot.mouseClick(scored.toast.button, Qt.MouseButton.LeftButton)
    assert opened == [str(tmp_path), str(tmp_path / "board.csv")]


def test_f1_opens_the_guide_at_the_current_page(qtbot, window):
    window.show_page("board")
    qtbot.keyClick(window, Key.Key_F1)
    guide = window.views.sheet
    assert guide.contents.currentItem().text() == "Board"
    assert guide.text.toPlainText().startswith("Board. ")


def test_f1_opens_the_guide_at_the_part_of_the_focused_panel(qtbot, scored):
    scored.show_page("items")
    qtbot.waitUntil(lambda: scored.page.view.frames.is_empty)
    for widget, part in (
        (scored.page.view.list.line.field, "Filters"),
        (scored.page.view.figures.tools.save, "Plots"),
        (scored.page.view.table, "Items"),
    ):
        widget.setFocus()
        qtbot.keyClick(widget, Key.Key_F1)
        assert scored.views.sheet.contents.currentItem().text() == part
        scored.views.sheet.close()
    scored.actions_.run("help.guide")
    blocks = scored.views.sheet.text.document().toRawText()
    assert blocks.endswith("\N{OBJECT REPLACEMENT CHARACTER}")  # the picture of the page


def test_every_panel_that_names_a_part_of_the_guide_has_it_in_both_languages():
    app = Path(jurydesk.app.__file__).parent
    found = re.compile(r'guide_part = translatable\("([^"]+)"\)').findall
    named = {part for path in app.rglob("*.py") for part in found(path.read_text("utf-8"))}
    assert len(named) > 10
    assert named <= guide_parts(guide_file().read_text("utf-8")).keys()
    with shown_in("ru"):
        assert {translate(one) for one in named} <= guide_parts(
            guide_file().read_text("utf-8")
        ).keys()


def test_the_guide_is_in_the_language_of_the_window(qtbot, window):
    english = list(guide_parts(guide_file().read_text("utf-8")))
    with shown_in("ru"):
        window.show_page("board")
        window.actions_.run("help.guide")
        sheet = window.views.sheet
        titles = [sheet.contents.item(row).text() for row in range(sheet.contents.count())]
        assert len(titles) == len(english)
        pages = [page.title for page in PAGES]
        assert [translate(title) in titles for title in pages] == [
            title in english for title in pages
        ]
        assert sheet.text.toPlainText().startswith("Таблица. ")
    with shown_in("xx"):
        assert guide_file().name == "guide.md"


def test_the_guide_can_be_searched(qtbot, window):
    window.actions_.run("help.guide")
    guide = window.views.sheet
    qtbot.keyClicks(guide.search, "deadline time zone")
    rows = [guide.contents.item(row) for row in range(guide.contents.count())]
    assert [row.text() for row in rows if not row.isHidden()] == ["Many submissions"]
    assert "deadline" in guide.text.toPlainText()
    qtbot.keyClicks(guide.search, " xyzzy")
    assert "does not mention" in guide.text.toPlainText()


def test_ctrl_e_exports_from_a_search_line_too(qtbot, scored, monkeypatch):
    asked = []
    monkeypatch.setattr(scored.files, "show_exports", lambda: asked.append(True))
    scored.page.search()
    qtbot.keyClick(scored.page.slices.query, Key.Key_E, CONTROL)
    assert asked == [True]
