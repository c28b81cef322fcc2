"""The window names its file, reports its actions, and asks before discarding work."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

import jurydesk.app
from jurydesk.app.commands import file_commands
from jurydesk.app.jobs.job import Job
from jurydesk.app.pages import PAGES
from jurydesk.app.sheets.help import guide_file, guide_parts
from jurydesk.core.analysis.robustness import assessment
from jurydesk.core.execution.run import Run
from jurydesk.core.language import translate
from jurydesk.core.neural.weights.weight_roles import ROLES
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
        "Cancel “Scoring”? It has run for a while. "
        "Work done so far is kept, and the next run continues there."
    )
    keep = next(one for one in scoring.notice.buttons if one.text() == "Keep running")
    qtbot.mouseClick(keep, Qt.MouseButton.LeftButton)
    assert not scoring.evaluator.scoring.cancelling
    qtbot.keyClick(scoring, Key.Key_Escape)
    stop = next(one for one in scoring.notice.buttons if one.text() == "Cancel it")
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scoring.evaluator.scoring is None)
    assert scoring.notice.isHidden()


@pytest.mark.parametrize("key", [Key.Key_W, Key.Key_N])
def test_a_desk_is_not_closed_over_a_long_run_without_a_question(qtbot, scoring, monkeypatch, key):
    monkeypatch.setattr("jurydesk.app.jobs.job.LONG_SECONDS", 0.0)
    qtbot.keyClick(scoring, key, CONTROL)
    assert scoring.session.has_desk
    assert scoring.notice.text.text().startswith("Cancel “Scoring”?")
    assert not scoring.evaluator.scoring.cancelling
    scoring.cancel()
    qtbot.waitUntil(lambda: scoring.evaluator.scoring is None)


@pytest.fixture
def endless(monkeypatch):
    """Let every job run until it is cancelled, and count as long."""
    monkeypatch.setattr("jurydesk.app.jobs.job.LONG_SECONDS", 0.0)

    def work(*given, **options):
        run = next(one for one in given if isinstance(one, Run))
        while True:
            run.check()
            time.sleep(0.005)

    return work


def assert_esc_asks(qtbot, window, title: str, *, continues: bool) -> None:
    """Press Esc twice and cancel by the question, which says what becomes of the work."""
    qtbot.waitUntil(lambda: window.jobs.visible() is not None)
    job = window.jobs.visible()
    assert job.title == title
    for _ in range(2):
        qtbot.keyClick(window, Key.Key_Escape)
        assert not job.cancelling
    kept = "Work done so far is kept" if continues else "Its work so far is lost."
    assert window.notice.text.text().startswith(f"Cancel “{title}”? It has run for a while. {kept}")
    stop = next(one for one in window.notice.buttons if one.text() == "Cancel it")
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.jobs.visible() is None)
    assert window.notice.isHidden()


def test_escape_asks_before_it_ends_building_references(qtbot, window, monkeypatch, endless):
    monkeypatch.setattr("jurydesk.app.pages.references.references_page.build", endless)
    window.show_page("references")
    for name in ("dialogs", "embeddings", "out"):
        window.page.files.lines[name].setText(f"/nowhere/{name}")
    qtbot.keyClick(window.page, Key.Key_B, CONTROL)
    assert_esc_asks(qtbot, window, "Building reference sets", continues=True)
    assert window.page.finding == "Stopped. Build again to continue where it stopped."


def test_escape_asks_before_it_ends_an_explanation(qtbot, scored, monkeypatch, endless):
    monkeypatch.setattr("jurydesk.app.pages.explain.explain_page.find_explanations", endless)
    scored.show_page("why")
    scored.page.number.number.setText("0.5")
    qtbot.keyClick(scored.page.number.number, Key.Key_Return)
    assert_esc_asks(qtbot, scored, "Trying other options", continues=False)


def test_escape_asks_before_it_ends_scoring_with_new_references(
    qtbot, scored, monkeypatch, endless, tmp_path
):
    monkeypatch.setattr("jurydesk.app.pages.explain.errata_pane.score_with_references", endless)
    scored.show_page("why")
    scored.page.show_errata()
    scored.page.errata.prepare([tmp_path / "truth.txt"])
    assert_esc_asks(qtbot, scored, "Scoring with new reference data", continues=False)


def test_escape_asks_before_it_ends_a_plan_and_a_check(qtbot, scored, monkeypatch, endless):
    scored.show_page("rate")
    qtbot.waitUntil(lambda: scored.jobs.idle)
    monkeypatch.setattr("jurydesk.core.workflow.ratings.plan_ratings", endless)
    scored.page.jobs.plan(scored.page.form.request())
    assert_esc_asks(qtbot, scored, "Planning", continues=False)
    monkeypatch.setattr("jurydesk.core.workflow.score.check_competition", endless)
    qtbot.keyClick(scored, Key.Key_F5)
    assert_esc_asks(qtbot, scored, "Checking", continues=False)


def test_escape_asks_before_it_ends_a_report_and_a_check_of_a_model(
    qtbot, scored, monkeypatch, endless, tmp_path
):
    monkeypatch.setattr(file_commands, "write_export", endless)
    export = next(one for one in scored.page.exports() if one.slow)
    scored.files.export(export, tmp_path / "report.html")
    assert_esc_asks(qtbot, scored, "Writing report.html", continues=False)
    scored.show_page("models")
    qtbot.waitUntil(lambda: scored.jobs.idle)
    monkeypatch.setattr("jurydesk.app.pages.models.models_page.check_one", endless)
    scored.page.check(ROLES[0])
    assert_esc_asks(qtbot, scored, f"Checking {ROLES[0].title}", continues=False)


def test_escape_closes_the_sheet_of_other_choices_and_keeps_what_it_scores(
    qtbot, scored, monkeypatch
):
    go_on = threading.Event()
    real = assessment.assess_robustness

    def wait(*given, rescoring, tested):
        while rescoring and not go_on.wait(0.01):
            given[-1].check()
        return real(*given, rescoring=False, tested=tested)

    monkeypatch.setattr(assessment, "assess_robustness", wait)
    page = scored.page
    page.show_robustness()
    qtbot.waitUntil(lambda: "(published)" in page._sheet.finding.text())
    page._sheet.rescore.click()
    qtbot.keyClick(page._sheet, Key.Key_Escape)
    assert scored.jobs.visible().title == "Scoring the submissions again under other choices"
    page.show_robustness()
    assert page._sheet.finding.text() == "Scoring the submissions again under other choices …"
    assert not page._sheet.rescore.isEnabled()
    qtbot.keyClick(page._sheet, Key.Key_Escape)
    with qtbot.waitSignal(page.message) as said:
        go_on.set()
    assert said.args == ["The ranks under other choices are there: press Other choices."]
    page.show_robustness()
    assert "(published)" in page._sheet.finding.text()
    assert not page._sheet.rescore.isEnabled()


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


def test_f1_opens_the_guide_at_every_page_with_its_picture(qtbot, scored):
    for page in PAGES:
        scored.show_page(page.id)
        assert scored.page.id == page.id
        scored.setFocus()
        qtbot.keyClick(scored, Key.Key_F1)
        guide = scored.views.sheet
        assert guide.contents.currentItem().text() == page.title
        assert guide.text.document().toRawText().endswith("\N{OBJECT REPLACEMENT CHARACTER}")
        guide.close()


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
