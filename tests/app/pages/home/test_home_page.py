"""Home page: competitions, recent desks, and the drop area."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton

from jurydesk.app.pages.home.desks_card import DeskRow
from jurydesk.app.pages.home.guide_card import PARTS
from jurydesk.app.pages.home.installation import Installation, InstallationPart
from jurydesk.app.pages.home.installation_card import InstallationCard
from jurydesk.app.state.desks import unsaved_desks
from jurydesk.app.state.next_step import next_step
from jurydesk.app.style.theme import px, theme
from jurydesk.core.desk import Desk
from jurydesk.core.desk.hidden_scores import hide_scores
from jurydesk.core.workflow.desk_contents import read_contents
from support.windows.waiting import until_checked


def texts(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


def test_every_competition_is_listed_with_what_it_needs(qtbot, window):
    qtbot.waitUntil(lambda: "Toy" in texts(window.page.tasks))
    shown = texts(window.page.tasks)
    assert "Toy" in shown
    assert "How near numbers come." in shown
    assert "Needs: truth, guesses" in shown


def test_a_broken_plug_in_is_listed_with_its_error(qtbot, window):
    qtbot.waitUntil(lambda: "Toy" in texts(window.page.tasks))
    shown = texts(window.page.tasks)
    assert "lost could not be loaded" in shown
    assert "ImportError: no module named 'lost'" in shown


def test_without_desks_the_page_says_what_a_desk_is(window):
    assert any(text.startswith("No saved desk yet.") for text in texts(window.page.desks))


def test_only_the_first_start_welcomes(scored, tmp_path):
    scored.show_page("home")
    assert scored.page.heading.text() == "Home"
    scored.files.save_to(tmp_path / "kept.jurydesk")
    scored.files.close()
    scored.show_page("home")
    assert scored.page.heading.text() == "Home"


def test_home_shows_the_open_desk_and_folds_the_competitions_away(qtbot, scored, tmp_path):
    scored.files.save_to(tmp_path / "kept.jurydesk")
    scored.show_page("home")
    page = scored.page
    shown = texts(page.desk)
    facts = dict(zip(shown[2::2], shown[3::2], strict=True))
    assert (facts["File"], facts["Competition"]) == ("kept.jurydesk", "Toy")
    assert facts["Scored"] == "3 systems"
    assert page.finding == "3 systems scored."
    assert not page.tasks.isVisible()
    qtbot.mouseClick(page.examples, Qt.MouseButton.LeftButton)
    assert page.tasks.isVisible()
    scored.files.close()
    assert page.tasks.isVisible()
    assert not page.examples.isVisible()
    assert not page.desk.isVisible()


def test_home_names_no_best_of_results_that_are_of_other_options(qtbot, scored):
    scored.show_page("home")
    assert "Best score" in texts(scored.page.desk)
    scored.session.set_options({"missing": "zero"})
    shown = texts(scored.page.desk)
    sentence = "3 results are out of date: an input or option has changed since."
    assert f"3 systems. {sentence}" in shown
    assert "Best score" not in shown
    qtbot.waitUntil(lambda: scored.evaluator.checking is None)
    step = next_step(scored.session, scored.evaluator, unsaved=False)
    assert (step.title, step.command) == ("Score the outdated systems", "run.score")
    assert step.sentence == sentence
    assert read_contents(scored.session.desk).best == ""


def test_an_inspector_without_inputs_is_offered_verify_and_no_score(qtbot, scored, files):
    scored.show_page("home")
    for file in files:
        file.unlink()
    scored.file_list.look_again()
    assert not scored.actions_["run.score"].isEnabled()
    assert scored.actions_["run.verify"].isEnabled()
    scored.session.set_options({"missing": "zero"})
    qtbot.waitUntil(lambda: scored.evaluator.checking is None)
    assert next_step(scored.session, scored.evaluator, unsaved=False).command != "run.score"
    scored.session.set_options({"profile": "corrected"})
    qtbot.waitUntil(lambda: scored.evaluator.checking is None)
    step = next_step(scored.session, scored.evaluator, unsaved=False)
    assert (step.title, step.command) == ("Add the missing files", "view.check")


def test_the_open_desk_is_verified_from_home(qtbot, scored):
    scored.show_page("home")
    verify = next(
        one for one in scored.page.desk.findChildren(QPushButton) if "Verify" in one.text()
    )
    qtbot.mouseClick(verify, Qt.MouseButton.LeftButton)
    assert scored.views.sheet.accessibleName() == "Verify"


def test_the_card_lists_installed_and_missing_parts_with_their_folder(qtbot, window, monkeypatch):
    card = window.page.installed
    qtbot.waitUntil(lambda: any(text.startswith("Missing: ") for text in texts(card)))
    shown = texts(card)
    assert shown[shown.index("METEOR's aligner") + 1].startswith(("compiled", "Python: "))
    assert shown[shown.index("METEOR's language data") + 1].startswith(("ready", "prepared"))
    assert "Inception" in next(text for text in shown if text.startswith("Missing: "))
    assert any(text.startswith("A model's file goes into its folder in ") for text in shown)
    card.show_device("CPU · 2 cores · compiled aligner")
    assert texts(card)[texts(card).index("Device") + 1] == "CPU · 2 cores"


def test_with_an_open_desk_the_card_has_only_what_the_desk_lacks(qtbot):
    card = InstallationCard(lambda: None)
    qtbot.addWidget(card)
    models = (InstallationPart(name, False, "missing") for name in ("BERT", "CLIP"))
    torch = InstallationPart("PyTorch", True, "2.4")
    card.show_installed(Installation((torch,), tuple(models), Path("models")))
    card.show_for([])
    assert card.isHidden()
    card.show_for(["Not computed: There are no weights for BERT: a folder is expected."])
    assert not card.isHidden()
    assert "Missing: BERT. Only their metrics need them." in texts(card)
    assert "PyTorch" not in texts(card)
    card.show_for(None)
    assert "Missing: BERT, CLIP. Only their metrics need them." in texts(card)
    assert "PyTorch" in texts(card)


def test_a_desk_that_lacks_nothing_has_no_card_of_parts(scored):
    assert scored.page.id == "board"
    scored.show_page("home")
    assert not scored.page.installed.isVisible()
    scored.files.close()
    assert scored.page.installed.isVisible()


def test_the_button_of_the_card_opens_the_models_page(qtbot, window):
    card = window.page.installed
    qtbot.waitUntil(lambda: bool(card.findChildren(QPushButton)))
    (button,) = card.findChildren(QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.page.id == "models"


def test_a_recent_desk_opens_with_a_click(qtbot, scored, tmp_path):
    scored.files.save_to(tmp_path / "kept.jurydesk")
    scored.files.close()
    scored.show_page("home")
    (row,) = scored.page.desks.findChildren(DeskRow)
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: scored.jobs.idle)
    assert scored.session.desk.path == tmp_path / "kept.jurydesk"
    assert scored.page.id == "board"


def rows_of(window):
    window.show_page("home")
    return window.page.desks.findChildren(DeskRow)


def row_names(window):
    return [row.accessibleName() for row in rows_of(window)]


def test_a_closed_unsaved_desk_remains_on_the_list(qtbot, scored):
    scored.files.close()
    qtbot.waitUntil(lambda: [" Not saved · " in name for name in row_names(scored)] == [True])


def test_unsaved_desks_are_distinguished_by_their_contents(qtbot, scored, files):
    scored.files.close()
    scored.files.open_paths(files[:2])
    qtbot.waitUntil(lambda: len(scored.session.files) == 2)
    until_checked(qtbot, scored)
    scored.files.close()
    qtbot.waitUntil(lambda: all("system" in name for name in row_names(scored)))
    assert all(name.startswith("Toy, today ") for name in row_names(scored))
    assert {name.split(", ", 2)[2] for name in row_names(scored)} == {
        "Not saved · 1 system, not scored, s0",
        "Not saved · 3 systems · best Closeness 0.9918, system A, system B, system C",
    }


def test_a_saved_desk_shows_its_contents_and_folder(qtbot, scored, tmp_path):
    scored.files.save_to(tmp_path / "<b>kept.jurydesk")
    rows = []

    def known() -> bool:
        rows[:] = rows_of(scored)
        return "3 systems" in rows[0].accessibleName()

    qtbot.waitUntil(known)
    (row,) = rows
    assert row.accessibleName() == (
        f"<b>kept, open now, Toy · 3 systems · best Closeness 0.9918, {tmp_path}"
    )
    assert "system A, system B, system C<br>" in row.toolTip()
    assert "&lt;b&gt;kept.jurydesk" in row.toolTip()


def test_a_desk_with_hidden_scores_is_listed_without_its_best_score(qtbot, scored, tmp_path):
    path = tmp_path / "kept.jurydesk"
    scored.files.save_to(path)
    scored.files.close()
    with Desk.open(path) as desk:
        hide_scores(desk)
    qtbot.waitUntil(lambda: "3 systems" in row_names(scored)[0])
    assert f"Toy · 3 systems, {tmp_path}" in row_names(scored)[0]
    assert not row_names(scored)[0].startswith("kept, open now")


def test_a_desk_is_listed_without_looking_at_its_inputs(scored, tmp_path, monkeypatch):
    monkeypatch.setattr(Desk, "inputs", None)
    assert read_contents(scored.session.desk).best == "Closeness 0.9918"


def test_the_guide_opens_at_the_part_of_a_link(qtbot, window):
    for link in window.page.guide.findChildren(QPushButton):
        qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
        sheet = window.views.sheet
        if link.text() in PARTS:
            assert sheet.contents.currentItem().text() == link.text()
        else:
            assert sheet.accessibleName() == "Keyboard shortcuts"
        sheet.close()


def test_the_lines_of_a_desk_fit_at_any_zoom(qtbot, scored):
    scored.files.close()
    scored.show_page("home")

    def lines():
        return [line for row in scored.page.desks.findChildren(DeskRow) for line in texts_of(row)]

    for zoom in (1.5, 1.0):
        theme().set_zoom(zoom)
        qtbot.waitUntil(
            lambda: lines() and all(one.height() >= one.sizeHint().height() for one in lines())
        )


def test_the_columns_of_the_desks_are_aligned_with_a_space_between(qtbot, scored, tmp_path):
    for name in ("kept", "kept-too"):
        scored.files.save_to(tmp_path / f"{name}.jurydesk")
    os.utime(tmp_path / "kept.jurydesk", (1_000_000_000, 1_000_000_000))
    scored.resize(1440, 900)
    scored.show_page("home")

    def places():
        rows = scored.page.desks.findChildren(DeskRow)
        shown = [[one for one in texts_of(row) if one.isVisible()] for row in rows]
        return [[(one.x(), one.geometry().right()) for one in sorted(row, key=QLabel.x)]
                for row in shown]  # fmt: skip

    qtbot.waitUntil(lambda: [len(row) for row in places()] == [4, 4])
    qtbot.waitUntil(lambda: places()[0] == places()[1])
    first = places()[0]
    assert all(after[0] - before[1] >= px(16) for before, after in pairwise(first))


def test_the_next_step_does_not_repeat_the_sentence_of_the_page(scored, tmp_path):
    scored.files.save_to(tmp_path / "kept.jurydesk")
    scored.show_page("home")
    assert scored.page.finding == "3 systems scored."
    assert scored.page.finding not in texts(scored.page.next)


def texts_of(row):
    return row.findChildren(QLabel)


def test_a_file_that_is_no_longer_a_desk_is_marked_in_the_list(qtbot, scored, tmp_path):
    path = tmp_path / "kept.jurydesk"
    scored.files.save_to(path)
    scored.files.close()
    path.write_bytes(b"something else")
    qtbot.waitUntil(lambda: "is not a desk: it is not an SQLite file." in row_names(scored)[0])


@pytest.mark.parametrize("by_key", [False, True])
def test_a_desk_is_removed_by_the_menu_of_its_row_or_delete_and_undone(
    qtbot, scored, tmp_path, by_key
):
    path = tmp_path / "kept.jurydesk"
    scored.files.save_to(path)
    (row,) = rows_of(scored)
    assert [action.text() for action in row.actions()][2] == "Remove from this list"
    if by_key:
        qtbot.keyClick(row, Qt.Key.Key_Delete)
    else:
        row.actions()[2].trigger()
    assert rows_of(scored) == []
    assert path.is_file()
    qtbot.keyClick(scored, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(rows_of(scored)) == 1


def test_an_unsaved_desk_is_discarded_by_the_menu_of_its_row_and_undone(qtbot, scored):
    scored.files.close()
    (row,) = rows_of(scored)
    assert [action.text() for action in row.actions()] == ["Open", "Discard"]
    row.actions()[1].trigger()
    assert unsaved_desks() == []
    assert scored.toast.text.text() == "The desk was discarded."
    assert any(text.startswith("No saved desk yet.") for text in texts(scored.page.desks))
    qtbot.keyClick(scored, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(unsaved_desks()) == len(rows_of(scored)) == 1
    assert not scored.toast.isVisible()


def test_the_example_of_a_competition_opens(qtbot, window, monkeypatch, tmp_path):
    from support.windows import toy_competition

    folder = tmp_path / "examples" / "toy"
    toy_competition.files(folder, systems=2)
    monkeypatch.setattr("jurydesk.core.competition.examples.resources_folder", lambda: tmp_path)
    (folder / "example.json").write_text('{"title": "Forty numbers", "task": "toy"}')
    window.files.open_example(
        toy_competition.replace(
            toy_competition.TASK,
            presentation=toy_competition.replace(toy_competition.TASK.presentation, example="toy"),
        )
    )
    until_checked(qtbot, window)
    assert len(window.session.files) == 3
    assert window.session.title == "Forty numbers"


def test_all_spacing_follows_the_zoom(qtbot, window):
    window.resize(2000, 1400)  # a low page has smaller margins
    qtbot.waitUntil(lambda: "Toy" in texts(window.page.tasks))

    def distances():
        return [
            (layout.spacing(), layout.contentsMargins().left())
            for layout in window.page.findChildren(QBoxLayout)
        ]

    before = distances()
    theme().set_zoom(2.0)
    assert distances() == [(2 * spacing, 2 * margin) for spacing, margin in before]
