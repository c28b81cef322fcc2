"""Rate page: plan, packets, answers and results."""

from __future__ import annotations

import csv
import json
import shutil
from contextlib import suppress
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from jurydesk.app.commands.file_commands import RatingProcesses
from jurydesk.app.pages.rate import rate_jobs
from jurydesk.app.pages.rate.rate_cells import cut_name
from jurydesk.app.style.theme import font, theme
from jurydesk.app.tables.left_out_label import LeftOutLabel
from jurydesk.core.cli import main
from jurydesk.core.desk import Desk
from jurydesk.core.human_evaluation.answers.answers_file import answers_bytes, make_answers
from jurydesk.core.human_evaluation.answers.rating_session import EventStore, store_path
from jurydesk.core.human_evaluation.design.study_store import RatingStore
from jurydesk.core.human_evaluation.packets.packet_reader import read_packet
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.input_file import InputFile
from jurydesk.core.system.paths import resources_folder
from support.language import shown_in
from support.rating import rated_examples, studies
from support.rating.random_answers import PAIR
from support.windows.accessible_names import nameless_controls
from support.windows.waiting import until_checked, use_desk

EXAMPLE = resources_folder() / "examples" / "vist"
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def only_the_toy() -> None:
    """Keep all competitions: stories are rated in the competition of stories."""


@pytest.fixture
def page(qtbot, window):
    """Return the page with the example's stories, which have no ratings."""
    from jurydesk.core.tasks.vist.vist_task import TASK

    window.desks.ensure()
    window.session.set_task(TASK)
    paths = [
        *(("submission", EXAMPLE / f"{name}.json") for name in ("storyteller", "labels", "happy")),
        ("references", EXAMPLE / "human-stories.json"),
        ("images", EXAMPLE / "images"),
    ]
    window.session.set_files([InputFile(path, role, 1) for role, path in paths])
    window.show_page("rate")
    qtbot.waitUntil(lambda: window.jobs.idle)
    return window.page


@pytest.fixture
def planned(qtbot, page, window):
    """Return the page with a plan of 6 sequences for 4 raters, made with the keyboard."""
    for name, value in (("sequences", 6), ("raters", 4), ("ratings", 2)):
        page.form.numbers[name].setValue(value)
    page.form.seed.setText("7")
    QTest.keyClick(page, Qt.Key.Key_B, CONTROL)
    qtbot.waitUntil(lambda: page.study_state.study is not None and window.jobs.idle)
    return page


@pytest.fixture
def packed(qtbot, planned, window, tmp_path):
    """Return a folder with the packets of the plan."""
    folder = tmp_path / "packets"
    planned.write_packets(folder)
    qtbot.waitUntil(lambda: len(planned.study_state.packed) == 4 and window.jobs.idle)
    return folder


def answers(packets: Path, study, number: int, count: int | None = None, seed: int = 0) -> Path:
    """Return the answers file of a rater."""
    rater = study.raters[number]
    content = read_packet(packets / f"{rater.code}.jurypacket").data
    events = studies.events_of(study, rater, seed)[:count]
    path = packets / f"{rater.code}-{seed}.juryanswers"
    path.write_bytes(answers_bytes(make_answers(content.sha256, rater.code, events, content.key)))
    return path


@pytest.fixture
def answered(qtbot, planned, packed, window):
    """Return the page with the answers of all raters but the last, dropped on the window."""
    study = planned.study_state.study
    window.files.open_paths([answers(packed, study, number) for number in range(3)])
    qtbot.waitUntil(lambda: window.session.study_findings is not None and window.jobs.idle)
    qtbot.waitUntil(lambda: len(planned.study_state.answered) == 3 and window.jobs.idle)
    return planned


def read_csv(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def cells(page, column: str) -> list[str]:
    models = [card.table.table_model for card in (page.raters, page.results)]
    (found, model), *_ = [
        (one, model) for model in models for one in model.columns if one.name == column
    ]
    return [found.text(row) for row in model.rows]


REPORTED = {
    "seconds": 8.0, "straight": 0.4, "severity": -0.25, "drift": 0.31, "consistency": 0.8,
    "missing": 2, "attention": (3, 4),
}  # fmt: skip
"""Every report of care on a rater."""
LONG_NAME = "Maximiliane of the northern annotators {}"


@pytest.fixture
def reported(qtbot, answered, window):
    """Return the page with every report of care on its raters, who have long names."""
    for number in range(1, 5):
        answered.jobs.name_rater(f"r{number:02d}", LONG_NAME.format(number))
        qtbot.waitUntil(lambda: window.jobs.idle)
    session = answered.session
    people = session.study_findings
    raters = tuple(replace(one, **REPORTED) for one in people.raters)
    session.study_findings = replace(people, raters=raters)
    return answered


@pytest.mark.parametrize("zoom", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [(1024, 700), (1366, 768), (1440, 900)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_table_scrolls_sideways_and_what_has_no_room_is_told(
    qtbot, reported, window, size, zoom, language
):
    theme().set_zoom(zoom)
    window.resize(*size)
    with shown_in(language):
        reported._show()
        for place in range(2):
            reported.results.words.choose(place)
            assert_fits(qtbot, reported.results)
        assert_fits(qtbot, reported.raters)


def assert_fits(qtbot, card) -> None:
    """Assert that a table soon fits, and tells each column without room."""
    found = []

    def has_no_fault() -> bool:
        found[:] = misfits(card)
        return not found

    with suppress(qtbot.TimeoutError):
        qtbot.waitUntil(has_no_fault, timeout=2000)
    assert found == []


def misfits(card) -> list[str]:
    """Return what is wrong with the width of a table: scrolling, columns that nothing tells."""
    table, roles = card.table, Qt.ItemDataRole
    columns, cell = table.table_model.columns, table.table_model.index(0, 0)
    left_out = [
        one.heading
        for n, one in enumerate(columns)
        if table.isColumnHidden(n) and one.name not in table.hidden
    ]
    sentence = card.findChild(LeftOutLabel)
    said = sentence.text() if sentence.isVisible() else ""
    texts = {
        role: unescape(cell.data(role)) for role in (roles.ToolTipRole, roles.AccessibleTextRole)
    }
    return [
        *(["scrolls"] if table.horizontalScrollBar().maximum() else []),
        *(f"{title} not in {role}" for title in left_out for role, text in texts.items()
          if f"{title}: " not in text),
        *(f"{title} not in {said!r}" for title in left_out[:3] if title not in said),
        *([said] if said and not left_out else []),
        *(one.name for n, one in enumerate(columns[:2]) if table.isColumnHidden(n)),
    ]  # fmt: skip


def test_long_names_of_raters_stay_distinct_where_they_are_cut(reported):
    table, shown_font = reported.raters.table, font()
    (names,) = (one for one in table.table_model.columns if one.name == "rater")
    metrics = QFontMetrics(shown_font)
    shown = [cut_name(names, row, metrics, shown_font, 100) for row in range(4)]
    assert len(set(shown)) == 4
    assert max(map(metrics.horizontalAdvance, shown)) <= 100


@pytest.mark.parametrize("size", [(1366, 768), (1024, 700)])
def test_the_heads_of_raters_are_whole_in_russian_without_scrolling(qtbot, answered, window, size):
    window.resize(*size)
    with shown_in("ru"):
        answered.raters.show_raters(answered.study_state)
        table = answered.raters.table
        titles = table.horizontalHeader()

        def sections() -> list[int]:
            return [n for n in range(titles.count()) if not titles.isSectionHidden(n)]

        qtbot.waitUntil(lambda: len(sections()) == 8, timeout=2000)
        shown = sections()
        qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0, timeout=2000)
        heads = [" ".join(titles.shown_lines(section)) for section in shown]
        assert heads == [titles.title(section) for section in shown]


class TestBeforeAPlan:
    def test_without_a_desk_the_page_offers_the_example(self, qtbot, window, monkeypatch):
        asked = []
        monkeypatch.setattr(window.files, "open_example", lambda task: asked.append(task.id))
        window.show_page("rate")
        assert window.page.finding.startswith("People rate stories, captions or answers")
        QTest.mouseClick(window.page.example, Qt.MouseButton.LeftButton)
        assert asked == ["vist"]

    def test_another_competition_is_scored_first(self, window):
        from jurydesk.core.competition.task_registry import registry

        window.desks.ensure()
        window.session.set_task(registry().tasks["densecap"])
        window.show_page("rate")
        assert window.page.finding.startswith("Score the systems first (Ctrl+R)")
        assert not window.page.form.isVisible()

    def test_missing_stories_are_requested(self, window):
        from jurydesk.core.tasks.vist.vist_task import TASK

        window.desks.ensure()
        window.session.set_task(TASK)
        window.show_page("rate")
        assert window.page.finding.startswith("Drop the systems' stories onto the window")
        assert not window.page.form.isVisible()

    def test_the_form_offers_the_files_of_the_desk(self, page):
        assert [tick.text() for tick in page.form.systems] == ["storyteller", "labels", "happy"]
        assert page.form.human.isEnabled()
        assert str(EXAMPLE / "images") in page.form.photos.text()
        assert page.form.systems[0].hasFocus()

    def test_the_form_has_the_names_of_the_board_once_there_is_one(self, qtbot, page, window):
        window.evaluator.score()
        qtbot.waitUntil(lambda: window.evaluator.scoring is None and window.jobs.idle)
        names = [tick.text() for tick in page.form.systems]
        assert names == ["storyteller", "labels", "everyone-happy"]
        window.evaluator.rename_system("labels", "object labels")
        qtbot.waitUntil(lambda: page.form.systems[1].text() == "object labels")
        page.plan()
        qtbot.waitUntil(lambda: page.study_state.study is not None and window.jobs.idle)
        assert sorted(page.study_state.study.pool.systems) == [
            "everyone-happy",
            "object labels",
            "storyteller",
        ]

    def test_the_teams_of_a_folder_have_the_names_of_the_board(self, qtbot, page, window, tmp_path):
        for team in ("north", "south & west"):
            (tmp_path / team).mkdir()
            shutil.copy(EXAMPLE / "storyteller.json", tmp_path / team / "run.json")
        before = [file for file in window.session.files if file.path.name != "storyteller.json"]
        page.form.systems[1].click()
        window.session.set_files(before)
        window.files.open_paths([tmp_path])
        until_checked(qtbot, window)
        qtbot.waitUntil(lambda: window.jobs.idle)
        window.show_page("rate")
        called = {tick.text(): tick.isChecked() for tick in page.form.systems}
        assert called == {"labels": False, "happy": True, "north": True, "south && west": True}
        page.form.numbers["sequences"].setValue(6)
        page.plan()
        qtbot.waitUntil(lambda: page.study_state.study is not None and window.jobs.idle)
        assert set(page.study_state.study.pool.systems) == {
            "everyone-happy",
            "north",
            "south & west",
        }

    def test_a_system_with_errors_is_excluded_until_it_is_ticked(self, page, window):
        (wrong,) = (f.path for f in window.session.files if f.path.name == "labels.json")
        window.session.set_intake_defects([], [error(Place(str(wrong)), "Wrong.", "Mend it.")])
        called = {tick.text(): tick for tick in page.form.systems}
        assert [tick.isChecked() for tick in called.values()] == [True, False, True]
        assert "Its file has errors" in called["labels"].toolTip()
        called["labels"].click()
        page.activate()
        assert called["labels"].isChecked()
        called["labels"].click()
        window.session.set_intake_defects([wrong], [])
        assert called["labels"].isChecked()
        assert "errors" not in called["labels"].toolTip()

    def test_files_of_the_same_name_are_distinguished(self, page, window, tmp_path):
        paths = [tmp_path / f"team{n}" / "run.json" for n in range(40)]
        window.session.set_files([InputFile(path, "submission", 1) for path in paths])
        assert len({tick.text() for tick in page.form.systems}) == 40

    def test_the_form_shows_the_amount_of_work(self, page):
        page.form.human.setChecked(True)
        page.form.numbers["sequences"].setValue(10)
        assert page.form.summary.text() == (
            "4 systems × 10 sequences = 40 stories; with 3 ratings of each, about 20 for each of "
            "6 raters."
        )

    def test_a_rater_of_few_stories_has_one_at_most(self, page):
        page.form.numbers["sequences"].setValue(1)
        assert page.form.summary.text() == (
            "3 systems × 1 sequence = 3 stories; with 3 ratings of each, about 2 for each of "
            "6 raters."
        )
        page.form.numbers["raters"].setValue(20)
        assert "about 1 for each of 20 raters" in page.form.summary.text()

    def test_a_plan_needs_a_system(self, page):
        for tick in page.form.systems:
            tick.click()
        assert not page.form.make.isEnabled()
        assert page.form.summary.text() == "Choose at least one system."
        page.plan()
        assert not page.jobs.busy

    def test_contradictory_numbers_are_refused_with_the_nearest_possible_ones(self, page):
        page.form.numbers["raters"].setValue(2)
        page.form.numbers["ratings"].setValue(5)
        assert "The nearest feasible plan: ratings 2." in page.form.problem.text()
        QTest.mouseClick(page.form.use_nearest, Qt.MouseButton.LeftButton)
        assert page.form.numbers["ratings"].value() == 2
        assert not page.form.problem.isVisible()
        assert not page.form.use_nearest.isVisible()

    def test_too_many_sequences_are_detected_in_the_files(self, qtbot, page, window):
        page.form.numbers["sequences"].setValue(99)
        page.plan()
        qtbot.waitUntil(lambda: page.form.problem.isVisible() and window.jobs.idle)
        assert page.form.problem.text() == (
            "99 sequences were requested, but there are only 12 sequences. The nearest feasible "
            "plan: sequences 12."
        )
        page.form.take_nearest()
        assert page.form.numbers["sequences"].value() == 12

    def test_files_with_errors_are_listed(self, qtbot, page, window):
        careless = InputFile(EXAMPLE / "careless.json", "submission", 1)
        window.session.set_files([*window.session.files, careless])
        page.plan()
        qtbot.waitUntil(lambda: page.defects.isVisible() and window.jobs.idle)
        assert page.form.problem.text() == rate_jobs.FAULTY
        assert any("the story is missing" in d.found for d in page.defects._all)
        assert page.study_state.study is None

    def test_a_custom_questionnaire_can_be_chosen(self, qtbot, page, window, tmp_path, monkeypatch):
        own = json.loads(
            (resources_folder() / "questionnaires" / "vist2018.json").read_text("utf-8")
        )
        own["questions"], own["title"] = own["questions"][:2], "Two statements"
        path = studies.write_json(tmp_path / "own.json", own)
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(path), ""))
        form = page.form
        form.questions.setCurrentIndex(form.questions.count() - 1)
        form.questions.activated.emit(form.questions.currentIndex())
        assert form.questions.currentText() == "own.json"
        form.numbers["sequences"].setValue(4)
        page.plan()
        qtbot.waitUntil(lambda: page.study_state.study is not None and window.jobs.idle)
        assert page.study_state.study.questionnaire.title == "Two statements"

    def test_an_invalid_questionnaire_is_refused(self, qtbot, page, window, tmp_path):
        form = page.form
        form.questions.insertItem(1, "bad.json", studies.write_json(tmp_path / "bad.json", [1]))
        form.questions.setCurrentIndex(1)
        page.plan()
        qtbot.waitUntil(lambda: page.defects.isVisible() and window.jobs.idle)
        assert page.study_state.study is None

    def test_cancelling_the_dialog_keeps_the_questionnaire(self, page, monkeypatch):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: ("", ""))
        form = page.form
        form.questions.setCurrentIndex(1)
        form.questions.activated.emit(1)
        assert form.questions.currentIndex() == 0
        assert form.request().questionnaire is None


class TestPlan:
    def test_the_plan_is_that_of_the_command_line(self, planned, tmp_path):
        desk = tmp_path / "cli.jurydesk"
        files = [EXAMPLE / f"{name}.json" for name in ("storyteller", "labels", "happy")]
        code = main([str(word) for word in (
            "ratings", "plan", "--submission", *files, "--references",
            EXAMPLE / "human-stories.json", "--images", EXAMPLE / "images", "--sequences", 6,
            "--raters", 4, "--ratings-per-story", 2, "--seed", 7, "--desk", desk,
        )])  # fmt: skip
        assert code == 0
        with Desk.open(desk) as opened:
            other = RatingStore(opened).study()
        mine = planned.study_state.study
        assert mine.pool == other.pool
        assert [[t.item for t in r.tasks] for r in mine.raters] == [
            [t.item for t in r.tasks] for r in other.raters
        ]

    def test_the_plan_card_describes_the_plan(self, planned):
        assert planned.plan_card.sentence.text() == (
            "18 stories of 6 sequences, each rated by 2 raters."
        )
        assert planned.finding == "No answers are in yet: 36 items to rate."
        assert cells(planned, "rater") == ["r01", "r02", "r03", "r04"]
        assert set(cells(planned, "state")) == {"no packet yet"}

    def test_a_plan_without_answers_can_be_replaced(self, qtbot, planned, window):
        QTest.mouseClick(planned.plan_card.plan_again, Qt.MouseButton.LeftButton)
        assert planned.form.isVisible()
        QTest.mouseClick(planned.form.keep, Qt.MouseButton.LeftButton)
        assert not planned.form.isVisible()
        planned.plan_again()
        planned.form.numbers["raters"].setValue(3)
        planned.plan()
        qtbot.waitUntil(lambda: len(planned.study_state.study.raters) == 3 and window.jobs.idle)
        assert not planned.form.isVisible()

    def test_a_plan_with_answers_cannot_be_replaced(self, answered):
        assert not answered.plan_card.plan_again.isEnabled()
        assert answered.plan_card.plan_again.toolTip() == (
            "Answers to this plan are in: plan again in another desk."
        )

    def test_another_desk_has_its_own_plan(self, qtbot, planned, window):
        window.files.new()
        assert planned.study_state.study is None
        assert not planned.plan_card.isVisible()
        qtbot.waitUntil(lambda: window.jobs.idle)


class TestPackets:
    def test_packets_are_written_for_all(self, planned, packed):
        assert sorted(path.name for path in packed.iterdir()) == [
            f"r0{n}.jurypacket" for n in range(1, 5)
        ]
        assert set(cells(planned, "state")) == {"packet is made"}
        assert planned.packets.state.text() == "Packets made: 4 of 4. Answers back: 0."

    def test_pages_for_browsers_can_be_written_too(self, qtbot, planned, window, tmp_path):
        planned.packets.html.setChecked(True)
        planned.write_packets(tmp_path / "out")
        qtbot.waitUntil(lambda: len(planned.study_state.packed) == 4 and window.jobs.idle)
        assert len(list((tmp_path / "out").glob("*.html"))) == 4

    def test_the_folder_is_asked_for_and_shown(
        self, qtbot, planned, window, tmp_path, monkeypatch, opened
    ):
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *a: str(tmp_path / "p"))
        assert not planned.packets.show_folder.isVisible()
        QTest.keyClick(planned, Qt.Key.Key_P, CONTROL)
        qtbot.waitUntil(lambda: len(planned.study_state.packed) == 4 and window.jobs.idle)
        QTest.mouseClick(planned.packets.show_folder, Qt.MouseButton.LeftButton)
        assert opened == [str(tmp_path / "p")]

    def test_cancelling_the_dialog_writes_nothing(self, planned, monkeypatch):
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *a: "")
        planned.make_packets()
        assert not planned.jobs.busy

    def test_an_unwritable_folder_is_reported(self, qtbot, planned, window, tmp_path):
        (tmp_path / "file").write_text("no folder")
        planned.write_packets(tmp_path / "file")
        qtbot.waitUntil(lambda: window.notice.isVisible() and window.jobs.idle)
        assert "file" in window.notice.text.text()


class TestAnswers:
    def test_dropped_answers_are_merged(self, answered):
        assert cells(answered, "state") == [*["answers are in"] * 3, "packet is made"]
        assert answered.packets.state.text() == "Packets made: 4 of 4. Answers back: 3."
        assert answered.finding.startswith("27 of 36 items are rated, by 3 raters of 4. ")

    def test_merging_twice_changes_nothing(self, qtbot, answered, packed, window):
        before = cells(answered, "done")
        window.files.open_paths([answers(packed, answered.study_state.study, 0)])
        qtbot.waitUntil(lambda: answered.defects.isVisible() and window.jobs.idle)
        assert [d.found for d in answered.defects._all] == ["These answers were merged already."]
        assert cells(answered, "done") == before

    def test_answers_are_chosen_in_a_dialog(self, qtbot, planned, packed, window, monkeypatch):
        path = answers(packed, planned.study_state.study, 1, count=20)
        monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *args: ([str(path)], ""))
        QTest.keyClick(planned, Qt.Key.Key_M, CONTROL)
        qtbot.waitUntil(lambda: cells(planned, "state")[1] == "some answers are in")
        qtbot.waitUntil(lambda: window.jobs.idle)

    def test_foreign_and_damaged_files_are_listed_and_rejected(
        self, qtbot, planned, packed, window, tmp_path
    ):
        other = studies.study()
        foreign = studies.write_answers(tmp_path, other, 0)
        cut = tmp_path / "cut.juryanswers"
        cut.write_bytes(answers(packed, planned.study_state.study, 0).read_bytes()[:-40])
        window.files.open_paths([foreign, cut])
        qtbot.waitUntil(lambda: planned.defects.isVisible() and window.jobs.idle)
        found = {d.found for d in planned.defects._all}
        assert len(found) == 2
        assert not planned.study_state.answered

    def test_contradictions_are_reported_and_one_history_can_be_removed(
        self, qtbot, answered, packed, window
    ):
        study = answered.study_state.study
        window.files.open_paths([answers(packed, study, 0, seed=5)])
        qtbot.waitUntil(lambda: cells(answered, "state")[0] == "answers contradict each other")
        qtbot.waitUntil(lambda: window.jobs.idle)
        answered.raters.table.set_current_row(0)
        QTest.keyClick(answered.raters.table, Qt.Key.Key_Delete)
        qtbot.waitUntil(lambda: cells(answered, "state")[0] == "packet is made")
        QTest.keyClick(answered.raters.table, Qt.Key.Key_Z, CONTROL)
        qtbot.waitUntil(lambda: cells(answered, "state")[0] == "answers contradict each other")
        qtbot.waitUntil(lambda: window.jobs.idle)

    def test_a_rater_without_answers_has_none_to_remove(self, answered):
        said = []
        answered.message.connect(said.append)
        answered.raters.table.set_current_row(3)
        answered.forget()
        assert said == ["r04 has no answers in this desk."]

    def test_answers_without_a_desk_are_reported(self, window, tmp_path):
        window.files.open_paths([studies.write_answers(tmp_path, studies.study(), 0)])
        assert window.page.id == "rate"
        assert "Open the desk of the study first" in window.toast.text.text()

    def test_other_dropped_files_are_not_merged(self, qtbot, answered, packed, window, tmp_path):
        path = answers(packed, answered.study_state.study, 3)
        window.files.open_paths([path, EXAMPLE / "careless.json"])
        qtbot.waitUntil(lambda: len(answered.study_state.answered) == 4)
        qtbot.waitUntil(lambda: "careless.json" in {f.path.name for f in window.session.files})
        qtbot.waitUntil(lambda: window.jobs.idle)


def test_pictures_that_are_gone_are_taken_from_a_chosen_folder(
    qtbot, planned, window, tmp_path, monkeypatch
):
    assert not planned.packets.pictures.isVisible()
    store = RatingStore(window.session.desk)
    store.set_study(replace(store.required_study(), images=str(tmp_path / "gone")))
    planned.jobs.reload()
    qtbot.waitUntil(planned.packets.pictures.isVisible)
    assert planned.packets.state.text().endswith("gone: choose their folder.")
    chosen = str(EXAMPLE / "images")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *args: chosen)
    QTest.mouseClick(planned.packets.pictures, Qt.MouseButton.LeftButton)
    assert planned.packets.state.text().endswith(f"Pictures are taken from {chosen}.")
    planned.write_packets(tmp_path)
    qtbot.waitUntil(lambda: len(planned.study_state.packed) == 4 and window.jobs.idle)
    content = read_packet(min(tmp_path.glob("*.jurypacket"))).data
    assert not any(photo.missing for item in content.items for photo in item.all_photos)


def test_one_rater_is_called_one_persons_opinion(qtbot, page, window, tmp_path, monkeypatch):
    """Plan and answers come in by keys; the page then says what a single rater is worth."""
    for name, value in (("raters", 1), ("sequences", 6), ("ratings", 1)):
        page.form.numbers[name].setFocus()
        page.form.numbers[name].selectAll()
        qtbot.keyClicks(page.form.numbers[name], str(value))
        qtbot.keyClick(page.form.numbers[name], Qt.Key.Key_Return)
    QTest.keyClick(page, Qt.Key.Key_B, CONTROL)
    qtbot.waitUntil(lambda: page.study_state.study is not None and window.jobs.idle)
    study = page.study_state.study
    assert len(study.raters) == 1
    page.write_packets(tmp_path)
    qtbot.waitUntil(lambda: len(page.study_state.packed) == 1 and window.jobs.idle)
    path = answers(tmp_path, study, 0)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *args: ([str(path)], ""))
    QTest.keyClick(page, Qt.Key.Key_M, CONTROL)
    qtbot.waitUntil(lambda: window.session.study_findings is not None and window.jobs.idle)
    opinion = "One rater: this is one person's opinion."
    qtbot.waitUntil(lambda: opinion in page.finding)
    assert "The ratings cannot say which" in page.finding
    assert "at 95 %" not in page.finding
    TestResults().choose(page, "Ranking")
    (overall,) = [one for one in page.results.table.table_model.columns if one.name == "overall"]
    systems = len(study.pool.systems)
    shown = [overall.text(row) for row in page.results.table.table_model.rows]
    assert all(text.endswith(f"(1–{systems})") for text in shown), shown


class TestResults:
    def choose(self, page, title):
        from jurydesk.app.pages.rate.rate_tables import TABLES

        page.results.words.choose(list(TABLES).index(title))

    def test_agreement_has_intervals_and_reasons(self, answered):
        self.choose(answered, "Agreement")
        people = answered.session.study_findings
        assert cells(answered, "question")[0] == "Focused"
        first = people.agreements[0].alpha
        assert cells(answered, "alpha")[0].startswith(f"{first.value:.2f}".replace("-", "−"))
        assert cells(answered, "interval")[1].count("–") == 1
        assert answered.results.remark.text().endswith(
            " of each system. ICC(2,k) is undefined: fewer than two items were rated by all."
        )

    def test_the_stopping_rule_knows_widths_alone(self, answered):
        self.choose(answered, "Agreement")
        people = answered.session.study_findings
        ends = [one.alpha.interval for one in people.agreements]
        widths = [one.high - one.low if one else None for one in ends]
        for width, said in zip(widths, cells(answered, "enough"), strict=True):
            if width is None:
                assert said == "no interval yet"
                continue
            more = int(said.removeprefix("about ").split()[0].replace(",", ""))
            needed = 27 * ((width / 0.2) ** 2 - 1)
            assert needed <= more <= 1.1 * needed
        answered.results.widest.setValue(2)
        known = sum(one is not None for one in widths)
        assert cells(answered, "enough").count("✓ narrow enough") == known
        assert answered.results.about.text() == (
            f"Agreement is known well enough for {known} of 6 statements."
        )

    def test_a_click_on_the_next_action_copies_a_reminder(self, qtbot, answered):
        table = answered.raters.table
        names = [one.name for one in table.table_model.columns]
        at = table.visualRect(table.table_model.index(3, names.index("next"))).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert QApplication.clipboard().text().startswith("Hello r04, 0 of 9 items")

    def test_ranking_has_means_and_shared_ranks(self, answered):
        self.choose(answered, "Ranking")
        people = answered.session.study_findings
        overall = people.outcomes[-1]
        best = cells(answered, "system")[0]
        at = people.systems.index(best)
        score, rank = overall.scores[at], overall.ranks[at]
        assert score.value == max(one.value for one in overall.scores)
        assert cells(answered, "overall")[0] == f"{score.value:.2f}  ({rank})"

    def test_correlations_need_metrics(self, qtbot, answered, window):
        self.choose(answered, "Correlations")
        assert not answered.results.table.isVisible()
        assert "Ctrl+R" in answered.results.empty.text()
        titles = [one.title for one in answered.exports()]
        assert titles == ["Raters as CSV …", "All results as JSON …", "Every rating as CSV …"]
        desk = window.session.desk
        for seed, system in enumerate(answered.study_state.study.pool.systems):
            desk.add(studies.evaluation_of(answered.study_state.study, system, seed))
        window.session.refresh()
        qtbot.waitUntil(lambda: answered.results.table.isVisible())
        assert cells(answered, "metric")[0] == "METEOR"
        assert cells(answered, "over")[1] == "each story of all systems"
        assert len(cells(answered, "kendall")) == 21
        qtbot.waitUntil(lambda: window.jobs.idle)

    def test_before_any_answer_the_tables_say_so(self, planned):
        self.choose(planned, "Ranking")
        assert planned.results.empty.text() == "No answers are in yet."
        assert not planned.results.isVisible()

    def test_tables_are_copied_and_exported(self, answered, tmp_path):
        answered.select_all()
        lines = answered.selection_text(headers=True).splitlines()
        assert lines[0].startswith("Rater\tDone\tState\tNext")
        assert len(lines) == 5
        first, _agreement, everything, ratings = answered.exports()
        first.write(tmp_path / "raters.csv")
        rows = read_csv(tmp_path / "raters.csv")
        assert [row["rater"] for row in rows] == ["r01", "r02", "r03", "r04"]
        everything.write(tmp_path / "all.json")
        written = json.loads((tmp_path / "all.json").read_text())
        assert len(written["agreements"]) == 6
        ratings.write(tmp_path / "ratings.csv")
        rows = read_csv(tmp_path / "ratings.csv")
        assert len(rows) == 27 * 6
        assert {row["systems"] for row in rows} == set(answered.study_state.study.pool.systems)

    def test_a_read_only_desk_shows_everything_and_changes_nothing(
        self, qtbot, answered, window, tmp_path
    ):
        path = tmp_path / "kept.jurydesk"
        window.files.save_to(path)
        use_desk(window, path, read_only=True)
        qtbot.waitUntil(lambda: window.session.study_findings is not None and window.jobs.idle)
        assert cells(answered, "state")[0] == "answers are in"
        handing = answered.packets
        for widget in (handing.pack, handing.merge, handing.rate, answered.plan_card.plan_again):
            assert not widget.isEnabled()
        answered.forget()
        answered.rate_now()
        assert not answered.jobs.busy


class TestRateNow:
    @pytest.fixture
    def started(self, monkeypatch):
        paths = []
        monkeypatch.setattr(RatingProcesses, "open", lambda self, path: paths.append(path))
        return paths

    def test_a_named_rater_who_has_begun_is_resumed_from_the_home_page(
        self, qtbot, packed, planned, window, started
    ):
        study = planned.study_state.study
        planned.jobs.rate_now("r02")
        qtbot.waitUntil(lambda: window.session.local_raters == {"r02"})
        window.files.open_paths([answers(packed, study, n, count=8) for n in (0, 1)])
        qtbot.waitUntil(lambda: window.session.study_findings is not None and window.jobs.idle)
        _, report = window.session.study_findings.raters
        planned.raters.table.set_current_row(1)
        qtbot.keyClick(planned, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
        qtbot.keyClicks(planned._sheet.name, "Anna")
        qtbot.keyClick(planned._sheet.name, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: cells(planned, "rater")[1] == "Anna (r02)")
        planned.raters.table.set_current_row(None)
        qtbot.waitUntil(lambda: window.jobs.idle)
        place = f"{report.done + 1} of {len(study.raters[1].tasks)}"
        assert planned.packets.rate.text() == f"Resume as Anna (r02) at {place}"
        window.show_page("home")
        step = window.page.next
        assert step.name.text() == "Go on rating as r02"
        qtbot.mouseClick(step.button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: [path.name for path in started] == 2 * ["r02.jurypacket"])
        qtbot.waitUntil(lambda: window.jobs.idle)
        assert b"Anna" not in started[0].read_bytes()

    def test_the_packet_of_the_chosen_rater_is_opened(self, qtbot, planned, window, started):
        planned.raters.table.set_current_row(2)
        assert planned.packets.rate.text() == "Rate now as r03"
        QTest.keyClick(planned, Qt.Key.Key_Return, CONTROL)
        qtbot.waitUntil(lambda: bool(started) and window.jobs.idle)
        assert read_packet(started[0]).data.rater == "r03"
        assert planned.study_state.packed == {"r03"}

    def test_local_answers_are_merged_when_the_rating_page_is_closed(
        self, qtbot, planned, window, started
    ):
        planned.rate_now()
        qtbot.waitUntil(lambda: bool(started) and window.jobs.idle)
        content = read_packet(started[0]).data
        store = EventStore(store_path(content.sha256), content.sha256)
        store.append(
            studies.events_of(planned.study_state.study, planned.study_state.study.raters[0])[:9]
        )
        store.close()
        window.files.rating_processes.ended.emit(started[0])
        qtbot.waitUntil(lambda: cells(planned, "state")[0] == "some answers are in")
        qtbot.waitUntil(lambda: window.jobs.idle)

    def test_a_rating_page_closed_without_an_answer_changes_nothing(
        self, qtbot, planned, window, started
    ):
        planned.rate_now()
        qtbot.waitUntil(lambda: bool(started) and window.jobs.idle)
        window.files.rating_processes.ended.emit(started[0])
        qtbot.waitUntil(lambda: window.jobs.idle)
        assert not planned.study_state.answered
        assert not planned.defects.isVisible()

    def test_a_packet_of_another_desk_changes_nothing(
        self, qtbot, planned, window, tmp_path, started
    ):
        window.files.rating_processes.ended.emit(tmp_path / "gone.jurypacket")
        qtbot.waitUntil(lambda: window.jobs.idle)
        assert not planned.study_state.answered


def test_another_desk_is_offered_the_usual_number_of_items(page, window):
    usual = page.form.numbers["sequences"].value()
    page.form.numbers["sequences"].setValue(1)
    window.files.new()
    assert usual == 20
    assert page.form.numbers["sequences"].value() == usual


def test_every_control_has_an_accessible_name(planned):
    assert nameless_controls(planned) == []


def test_word_images_have_no_human_entries(qtbot, window, tmp_path):
    use_desk(window, rated_examples.scored_desk("keyword-spotting", tmp_path))
    window.show_page("rate")
    form = window.page.form
    qtbot.waitUntil(lambda: form.isVisible() and window.jobs.idle)
    assert form.entries_title.text() == "Ranked lists of"
    assert not form.human.isVisible()
    assert "ranked lists that are pictures are left out" in form.photos.text()


class TestAnotherCompetition:
    """Answers of visual dialogue, rated from the desk with their scores."""

    @pytest.fixture
    def scored(self, qtbot, window, tmp_path):
        desk = rated_examples.scored_desk("visdial", tmp_path)
        use_desk(window, desk)
        window.show_page("rate")
        qtbot.waitUntil(lambda: window.page.form.isVisible() and window.jobs.idle)
        return window.page

    def test_another_competition_is_planned_rated_and_shown_on_the_board(
        self, qtbot, scored, window, tmp_path
    ):
        form = scored.form
        assert form.entries_title.text() == "Answers of"
        assert form.human.text() == "Include the human answers as a system"
        assert form.questions.itemText(0) == "Correct, relevant, detailed, fluent: 4 statements"
        form.human.click()
        for name, value in (("sequences", 3), ("raters", 2), ("ratings", 2)):
            form.numbers[name].setValue(value)
        QTest.keyClick(scored, Qt.Key.Key_B, CONTROL)
        qtbot.waitUntil(lambda: scored.study_state.study is not None and window.jobs.idle)
        assert "of 3 questions, each rated by 2 raters." in scored.plan_card.sentence.text()
        scored.write_packets(tmp_path / "packets")
        qtbot.waitUntil(lambda: len(scored.study_state.packed) == 2 and window.jobs.idle)
        study = scored.study_state.study
        window.files.open_paths(
            [answers(tmp_path / "packets", study, number) for number in range(2)]
        )
        qtbot.waitUntil(lambda: window.session.study_findings is not None and window.jobs.idle)
        board = window.session.leaderboard(rated=True)
        assert {"correct", "fluent", "overall"} <= {info.name for info in board.metrics}
        assert "human answers" in {row.summary.system for row in board.rows}


def test_the_least_height_of_the_results_follows_the_zoom(page):
    before = page.results.minimumHeight()
    theme().set_zoom(2.0)
    assert page.results.minimumHeight() == 2 * before


class TestPreferences:
    @pytest.fixture
    def compared(self, qtbot, window, tmp_path):
        """Return the page with a desk in which six raters compared stories."""
        made = studies.study(questionnaire=PAIR, raters=6, ratings=3)
        path = studies.rated_desk(tmp_path / "pairs.jurydesk", made, 6)
        use_desk(window, path)
        window.show_page("rate")
        qtbot.waitUntil(lambda: window.session.study_findings is not None and window.jobs.idle)
        return window.page

    def test_a_table_of_pairs_is_there_if_entries_were_compared(self, compared):
        words = compared.results.words
        words.setFocus()
        words.choose(0)
        for _ in range(3):
            QTest.keyClick(words.focusWidget() or words, Qt.Key.Key_Right)
        assert compared.results.visible_table == "Preferences"
        (found,) = compared.session.study_findings.preferences
        assert cells(compared, "preferred") == [str(one.preferred) for one in found.pairs]
        assert "(Romano-Wolf)" in compared.results.remark.text()
        assert "the entry shown first" in compared.results.remark.text()

    def test_strengths_are_ranked_beside_the_shares(self, compared):
        compared.results.words.choose(1)
        names = [one.name for one in compared.results.table.table_model.columns]
        assert names[:3] == ["system", "better-strength", "better"]


class TestImportedRatings:
    @pytest.fixture
    def dropped(self, qtbot, page, window, tmp_path):
        """Return the page after a table of ratings was dropped on it."""
        rows = [f"{rater},{item},{system},{3 + (system == 'A')}"
                for rater in ("ann", "bob") for item in range(5) for system in "AB"]  # fmt: skip
        path = tmp_path / "ratings.csv"
        path.write_text("\n".join(["rater,item,system,liked", *rows]) + "\n")
        window.dropped.emit([path])
        qtbot.waitUntil(lambda: page._sheet is not None and page._sheet.isVisible())
        return page

    def test_a_dropped_table_is_shown_before_it_is_taken(self, qtbot, dropped, window):
        sheet = dropped._sheet
        assert sheet.choices["rater"].currentText() == "rater"
        assert "liked" in sheet.answers.text()
        assert [one.name for one in sheet.table.table_model.columns][:2] == ["rater", "item"]
        assert not nameless_controls(sheet)
        QTest.keyClick(sheet.keep, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: window.session.study_findings is not None and window.jobs.idle)
        assert dropped.study_state.study.imported.startswith("ratings.csv, SHA-256 ")
        assert not dropped.packets.isVisible()
        assert window.session.study_findings.outcomes[0].scores[0].value == 4

    def test_the_sheet_asks_by_which_statement_less_is_better(self, qtbot, dropped, window):
        sheet = dropped._sheet
        assert list(sheet.less) == ["liked"]
        sheet.less["liked"].setFocus()
        QTest.keyClick(sheet.less["liked"], Qt.Key.Key_Space)
        sheet.keep.setFocus()
        QTest.keyClick(sheet.keep, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: window.session.study_findings is not None and window.jobs.idle)
        assert window.session.study_findings.metrics[0].better == "lower"

    def test_the_statements_of_the_sheet_are_those_of_the_chosen_column(self, dropped):
        choice = dropped._sheet.choices["statement"]
        choice.setFocus()
        for _ in range(choice.findText("system")):
            QTest.keyClick(choice, Qt.Key.Key_Down)
        assert choice.currentText() == "system"
        assert list(dropped._sheet.less) == ["A", "B"]

    def test_escape_takes_nothing(self, qtbot, dropped, window):
        QTest.keyClick(dropped._sheet.keep, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: window.jobs.idle)
        assert dropped.study_state.study is None

    def test_other_files_are_opened_as_elsewhere(self, page):
        assert not page.take_files([EXAMPLE / "happy.json"])
        assert not page.take_files([EXAMPLE / "happy.json", EXAMPLE / "labels.json"])


def test_the_plan_is_a_line_until_its_details_are_asked_for(planned):
    card = planned.plan_card
    assert card.title.isVisible()
    assert "rated by 2 raters" in card.sentence.text()
    folded = card.height()
    card.details.click()
    QApplication.processEvents()
    assert any(label.text() == "Seed" for label in card.findChildren(QLabel))
    assert card.height() > 2 * folded


def test_numbers_of_care_wait_for_answers(qtbot, planned, request):
    table = planned.raters.table

    def titles() -> set[str]:
        columns = enumerate(table.table_model.columns)
        return {one.title for n, one in columns if not table.isColumnHidden(n)}

    assert titles() == {"Rater", "Done", "State", "Next"}
    request.getfixturevalue("answered")
    assert {"Straight", "Severity"} <= titles()


def test_f2_names_the_rater_of_the_row(qtbot, planned, monkeypatch):
    asked = []
    monkeypatch.setattr(planned, "name_rater", lambda: asked.append(planned._chosen_rater()))
    planned.raters.table.setFocus()
    planned.raters.table.set_current_row(1)
    qtbot.keyClick(planned.raters.table, Qt.Key.Key_F2)
    assert asked == [planned.study_state.study.raters[1].code]
