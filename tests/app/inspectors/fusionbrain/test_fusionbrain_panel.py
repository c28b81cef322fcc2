"""The panel of a whole submission, on the Items page of a read-only desk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.fusionbrain import fusionbrain_panel
from jurydesk.app.inspectors.fusionbrain.fusionbrain_panel import SubmissionPanel
from jurydesk.app.pages.items.items_page import ItemsPage
from jurydesk.app.state.session import Session
from jurydesk.core.competition.examples import example_folder, example_inputs, example_options
from jurydesk.core.desk import Desk, Summary
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.model.options import options_json
from jurydesk.core.tasks.fusionbrain.fusionbrain_task import TASK
from support.language import shown_in
from support.windows.item_pages import items_page

Key = Qt.Key


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a desk with the scored example."""
    path = tmp_path_factory.mktemp("desk") / "six.jurydesk"
    folder = example_folder(TASK)
    inputs = example_inputs(TASK, folder)
    options = replace(example_options(TASK, folder), weights=())
    result = score_submissions(TASK, files_by_role(inputs), options, Run(), resamples=0)
    with Desk.create(path) as desk:
        desk.set_competition(TASK.id, "Six", options_json(options))
        for evaluation in result.evaluations:
            desk.add(evaluation)
        desk.merge_inputs(result.sources, TASK.submission_input().role)
    return path


@pytest.fixture
def session(qapp: QApplication, kept: Path, tmp_path: Path, monkeypatch) -> Iterator[Session]:
    monkeypatch.setattr("jurydesk.core.competition.task_registry.registry", lambda: Known())
    path = tmp_path / "six.jurydesk"
    path.write_bytes(kept.read_bytes())
    session = Session()
    session.use(Desk.open(path))
    yield session
    session.use(None)


class Known:
    """Registry of this competition alone."""

    tasks = {TASK.id: TASK}  # noqa: RUF012 - never changed
    broken = ()


@pytest.fixture
def page(qtbot: QtBot, session: Session) -> ItemsPage:
    session.select("hasty")
    return items_page(qtbot, session)


@pytest.fixture
def panel(page: ItemsPage) -> SubmissionPanel:
    found = page.view.panel
    assert isinstance(found, SubmissionPanel)
    return found


def shown_keys(page: ItemsPage) -> list[str]:
    model = page.view.table.table_model
    return [page.evaluation.items.ids[row] for row in model.rows]


def test_tiles_show_score_and_threshold(panel: SubmissionPanel) -> None:
    tile = panel.tiles["textqa"]
    assert (tile.score.text(), tile.threshold.text()) == ("0.1000", "< 0.20")
    assert tile.threshold.property("kind") == "bad"
    assert panel.tiles["mathqa"].threshold.text() == "≥ 0.25"
    assert panel.tiles["mathqa"].threshold.property("kind") == "good"


def test_an_uncomputed_score_is_not_zero(panel: SubmissionPanel) -> None:
    tile = panel.tiles["generation"]
    assert (tile.score.text(), tile.items.text()) == ("–", "4 items, not computed")
    assert tile.threshold.property("kind") == "small"


def test_heading_and_finding_state_the_known_scores(
    page: ItemsPage, panel: SubmissionPanel
) -> None:
    assert page.heading.text() == "hasty: 0.2458 points so far"
    assert panel.total.text() == "Integral –"
    assert panel.sentence.text() == (
        "So far 0.2458 points, with 57 % of the integral score known. "
        "Missing: Image generation, Image captioning, hidden sub-tasks 4, 5, 6."
    )


def test_a_tile_filters_its_items_and_a_second_click_shows_all(
    page: ItemsPage, panel: SubmissionPanel
) -> None:
    QTest.mouseClick(panel.tiles["vqa"], Qt.MouseButton.LeftButton)
    assert shown_keys(page) == ["vqa/16", "vqa/17", "vqa/18", "vqa/19"]
    assert panel.tiles["vqa"].property("chosen") is True
    panel.tiles["vqa"].setFocus()
    QTest.keyClick(panel.tiles["vqa"], Key.Key_Space)
    assert len(shown_keys(page)) == 24


def test_a_score_of_the_board_opens_its_sub_task(page: ItemsPage, session: Session) -> None:
    session.select(metric="text_recognition_ned")
    assert shown_keys(page) == [f"text_recognition/{key}" for key in range(20, 24)]


def write(panel: SubmissionPanel, name: str, text: str) -> None:
    edit = panel.fields[name].edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Key.Key_Return)


def test_a_hidden_score_is_kept_with_the_desk_for_this_system(
    panel: SubmissionPanel, session: Session
) -> None:
    write(panel, "hidden4", "0.5")
    assert session.options.hidden[-1] == "hasty:hidden4=0.5"
    with Desk.open(session.desk.path, read_only=True) as desk:
        assert desk.competition.options["hidden"][-1] == "hasty:hidden4=0.5"
    assert panel.integral().so_far == pytest.approx(0.2458 + 0.05, abs=1e-4)
    assert panel.sentence.text().endswith("hidden sub-tasks 5, 6.")


def test_a_hidden_score_is_on_the_board_at_once(panel: SubmissionPanel, session: Session) -> None:
    before = {entry.system: so_far(entry) for entry in session.systems}
    write(panel, "hidden4", "0.5")
    after = {entry.system: so_far(entry) for entry in session.systems}
    assert after == {**before, "hasty": pytest.approx(before["hasty"] + 0.05)}
    assert not any(entry.stale for entry in session.systems)
    for name in ("hidden5", "hidden6"):
        write(panel, name, "0.5")
    session.select("careful")
    assert so_far(session.summary("careful")) == before["careful"]


def so_far(summary: Summary) -> float:
    return next(one.value for one in summary.scores if one.metric == "integral_so_far")


def test_another_system_keeps_its_own_hidden_scores(
    panel: SubmissionPanel, session: Session
) -> None:
    write(panel, "hidden4", "0.5")
    session.select("careful")
    assert panel.fields["hidden4"].edit.text() == ""
    assert panel.fields["hidden1"].edit.text() == "0.52"
    session.select("hasty")
    assert panel.fields["hidden4"].edit.text() == "0.5"


def test_an_emptied_field_removes_the_score(panel: SubmissionPanel, session: Session) -> None:
    write(panel, "hidden4", "0.5")
    edit = panel.fields["hidden4"].edit
    edit.clear()
    edit.editingFinished.emit()
    assert not any("hidden4" in text for text in session.options.hidden)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("text", ["0.5", "0,5", ",5"])
def test_a_hidden_score_has_a_decimal_point_or_comma(
    panel: SubmissionPanel, session: Session, text: str, language: str
) -> None:
    with shown_in(language):
        write(panel, "hidden4", text)
        assert session.options.hidden[-1] == "hasty:hidden4=0.5"


def test_numbers_of_tiles_and_fields_are_written_in_the_language(panel: SubmissionPanel) -> None:
    with shown_in("ru"):
        tile, field = panel.tiles["mathqa"], panel.fields["hidden4"]
        tile.show_score(0.5, 4, [])
        field.show_value(0.25)
        assert (tile.score.text(), tile.threshold.text()) == ("0,5000", "≥ 0,25")
        assert field.edit.text() == "0,25"
        assert field.value() == 0.25


@pytest.mark.parametrize("text", ["1.5", "-1", "abc"])
def test_an_invalid_score_is_rejected(panel: SubmissionPanel, session: Session, text: str) -> None:
    before = session.options.hidden
    write(panel, "hidden5", text)
    panel.fields["hidden5"].edit.clearFocus()
    assert all(0 <= session.options.hidden_scores("hasty").get(n, 0) <= 1 for n in panel.fields)
    assert session.options.hidden == before or "hidden5=1.0" in session.options.hidden[-1]


def test_the_table_has_a_column_of_the_items_own_scores(page: ItemsPage) -> None:
    names = [column.name for column in page.view.list.shown_columns()]
    assert names == ["item", "subtask", "score", "by_letter", "reused", "failed", "by_number"]


def test_an_item_opens_in_its_inspector(qtbot: QtBot, page: ItemsPage, session: Session) -> None:
    session.select(item="vqa/17")
    QTest.keyClick(page.view.table, Key.Key_Return)
    assert page.view.item.opened
    qtbot.waitUntil(lambda: "vqa/17" in page.view.item.name.toolTip())
    assert page.view.item.name.text() == "Какого цвета дом? → цветной"
    QTest.keyClick(page.view, Key.Key_Escape)
    assert not page.view.item.opened


def test_a_longer_sentence_gets_more_lines(
    qtbot: QtBot, panel: SubmissionPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sentence in ("Short.", "So many words that they fill several lines. " * 12):
        monkeypatch.setattr(panel, "_sentence", lambda found, said=sentence: said)
        panel.show_options(panel.options, editable=True)
        QApplication.processEvents()
    said, edit = panel.sentence, panel.fields["hidden1"].edit
    qtbot.waitUntil(lambda: said.height() >= said.heightForWidth(said.width()))
    assert edit.height() >= edit.sizeHint().height()


def test_beside_the_list_the_panel_has_two_tiles_in_a_row(panel: SubmissionPanel) -> None:
    panel.resize(panel.least_width, 600)
    first, second, third, *_ = panel.tiles.values()
    assert first.y() == second.y() < third.y()
    assert panel.minimumHeight() <= panel.least_height


def test_a_removed_panel_moves_no_splitter(qtbot: QtBot) -> None:
    panel = SubmissionPanel()
    panel.show()
    shiboken6.delete(panel)
    with qtbot.captureExceptions() as exceptions:
        qtbot.wait(10)
    assert exceptions == []


def test_scores_by_random_numbers_are_called_meaningless(
    page: ItemsPage, panel: SubmissionPanel
) -> None:
    assert "mean nothing" not in panel.sentence.text()
    stamp = {**page.evaluation.stamp, "options": {"weights": ["ruclip=random-numbers"]}}
    panel.show_evaluation(replace(page.evaluation, stamp=stamp), {})
    assert panel.sentence.text().endswith(
        "Scores of pictures are meaningless: the models have random weights."
    )


def test_a_tile_counts_the_pairs_that_failed(panel: SubmissionPanel, session: Session) -> None:
    assert "failed" not in panel.tiles["generation"].items.text()
    session.select("torn")
    assert panel.tiles["generation"].items.text() == "4 items, 1 failed"


def test_columns_have_plain_titles_and_tooltips(panel: SubmissionPanel) -> None:
    found = {column.name: column for column in panel.columns()}
    assert [column.title for column in found.values() if "_" in column.title] == []
    letter = found["by_letter"]
    assert letter.title == "Scored by letter"
    assert letter.tooltip == (
        "1 if the first letter of a to e was scored instead of the answer.\n"
        "In files and in the search line: by_letter"
    )


def test_a_score_of_random_models_is_in_parentheses_and_reaches_no_threshold(
    qtbot: QtBot, panel: SubmissionPanel
) -> None:
    tile = panel.tiles["generation"]
    tile.show_score(0.27, 4, [], doubt="Random numbers replaced the models.")
    assert tile.score.text() == "(0.2700)"
    assert tile.score.property("kind") != "title"
    assert tile.threshold.property("kind") == "small"
    assert "Random numbers replaced the models." in tile.toolTip()
    tile.show_score(0.27, 4, [])
    assert (tile.score.text(), tile.score.property("kind")) == ("0.2700", "title")


def test_scores_of_items_by_random_models_are_in_parentheses(
    page: ItemsPage, panel: SubmissionPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = frozenset({"mathqa_em"})
    monkeypatch.setattr(fusionbrain_panel, "meaningless_metrics", lambda evaluation: doubtful)
    columns = {column.name: column for column in panel.columns()}
    for row, name in enumerate(page.evaluation.items.ids):
        is_math = name.startswith("mathqa/")
        for column in (columns["score"], columns["mathqa_em"]):
            text = column.text(row)
            assert text.startswith("(") is (is_math and text != "–")
    assert "Not reliable" in columns["mathqa_em"].tooltip
    assert "Not reliable" not in columns["vqa_meteor"].tooltip


def test_sub_tasks_of_random_models_are_not_counted_for_a_prize_place(
    panel: SubmissionPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = [one for one in panel.tiles.values() if one.threshold.property("kind") == "good"]
    assert panel.tiles["mathqa"] in good
    assert panel.finding.startswith(f"{len(good)} of 6 open sub-tasks reach")
    doubtful = frozenset({panel.tiles["mathqa"].subtask.metric, "integral"})
    monkeypatch.setattr(fusionbrain_panel, "meaningless_metrics", lambda evaluation: doubtful)
    panel.show_evaluation(panel.evaluation, {})
    assert panel.finding.startswith(
        f"{len(good) - 1} of 5 open sub-tasks reach the lowest score for a prize place; the "
        "models of the others have random weights."
    )
    assert panel.heading == "hasty: (0.2458) points so far"
