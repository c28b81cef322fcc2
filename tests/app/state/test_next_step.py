"""Home and every empty page offer the next step as one button."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from support.windows import toy_competition
from support.windows.waiting import until_checked

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("page", ["check", "board", "items", "compare"])
def test_without_a_competition_every_page_offers_to_add_files(window, page):
    window.show_page(page)
    assert window.page.step.isVisible()
    assert window.page.step.text() == "Add files …"


@pytest.mark.parametrize("page", ["board", "items", "compare"])
def test_checked_files_are_scored_by_one_click(qtbot, checked, page):
    checked.show_page(page)
    shown = checked.page
    assert shown.step.text() == "Score"
    qtbot.mouseClick(shown.step, LEFT)
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None and bool(checked.session.systems))
    qtbot.waitUntil(shown.step.isHidden)


def test_during_scoring_no_page_offers_to_score(qtbot, checked, monkeypatch):
    monkeypatch.setattr(toy_competition, "SECONDS", 0.5)
    checked.show_page("items")
    checked.actions_.run("run.score")
    assert checked.page.finding == "The first system is being scored; its items will appear here."
    assert checked.page.step.text() == "Open the board"
    qtbot.mouseClick(checked.page.step, LEFT)
    assert checked.page.id == "board"
    assert checked.page.step.text() == "See the files"
    checked.cancel()
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None)


def test_home_follows_the_state(qtbot, window, files):
    window.show_page("home")
    card = window.page.next
    assert card.isHidden()
    window.files.open_paths(files[1:])
    qtbot.waitUntil(lambda: len(window.session.files) == len(files) - 1)
    window.show_page("home")
    assert card.name.text() == "Add what is missing: Truth"
    window.files.open_paths(files[:1])
    until_checked(qtbot, window)
    window.show_page("home")
    assert card.button.text() == "Score"
    qtbot.mouseClick(card.button, LEFT)
    qtbot.waitUntil(lambda: window.evaluator.scoring is None and bool(window.session.systems))
    window.show_page("home")
    assert (card.name.text(), card.button.text()) == ("Save the desk", "Save as …")


def test_errors_are_shown_before_anything_is_scored(qtbot, window, files):
    files[1].write_text("# system A\nn0 many\n", encoding="utf-8")
    window.files.open_paths(files[:2])
    qtbot.waitUntil(lambda: bool(window.session.defects) and window.evaluator.checking is None)
    window.show_page("board")
    assert window.page.step.text() == "See the errors"
    qtbot.mouseClick(window.page.step, LEFT)
    assert window.page.id == "check"


def test_nothing_can_be_scored_while_files_are_not_where_they_were(qtbot, checked, files):
    score = checked.actions_["run.score"]
    assert score.isEnabled()
    moved = files[0].rename(files[0].with_suffix(".moved"))
    checked.file_list.look_again()
    qtbot.waitUntil(lambda: not score.isEnabled())
    checked.show_page("board")
    assert checked.page.step.text() == "See the files"
    moved.rename(files[0])
    checked.file_list.look_again()
    qtbot.waitUntil(score.isEnabled)


@pytest.mark.parametrize("page", ["home", "board", "check"])
def test_a_page_has_one_filled_button_at_most(qtbot, checked, page):
    """Score is filled where it is the next step and the page itself does not offer it."""
    checked.show_page(page)
    assert (checked.top.score.property("kind") == "primary") == (page == "check")
    checked.actions_.run("run.score")
    qtbot.waitUntil(lambda: checked.evaluator.scoring is None and bool(checked.session.systems))
    checked.show_page(page)
    assert checked.top.score.property("kind") == ""
