"""Real keys in the real page; the answers are read from the database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from support.rating import studies

Key, Modifier = Qt.Key, Qt.KeyboardModifier
DIGITS = {value: getattr(Key, f"Key_{value}") for value in range(1, 6)}
IDS = ("focused", "coherent", "share", "human", "grounded", "detailed")


def in_database(path) -> list[tuple]:
    """Return (act, question, value) of every event on the disk."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT act, question, value FROM event ORDER BY number").fetchall()
    connection.close()
    return rows


def test_digits_answer_and_move_to_the_next_statement(rater):
    rater.keys(Key.Key_1, Key.Key_2, Key.Key_3, Key.Key_4, Key.Key_5, Key.Key_1)
    rater.close()
    assert in_database(rater.path) == [
        ("answer", id, str(value)) for id, value in zip(IDS, (1, 2, 3, 4, 5, 1), strict=True)
    ]


def test_enter_continues_only_after_every_statement_is_answered(rater):
    rater.keys(Key.Key_3)
    rater.keys(Key.Key_Return, saved=False)
    rater.until("document.getElementById('message').textContent !== ''")
    assert rater.text("message") == ("Answer every statement first, or press S to skip the story.")
    rater.keys(*[Key.Key_3] * 5, Key.Key_Return)
    assert rater.text("place") == "2 of 9"
    rater.close()
    assert in_database(rater.path)[-1] == ("next", "", "null")


def test_right_and_left_step_forwards_and_back(rater):
    rater.keys(*[Key.Key_2] * 6, Key.Key_Right)
    assert rater.text("place") == "2 of 9"
    rater.keys(Key.Key_Left)
    assert rater.text("place") == "1 of 9"
    pressed = rater.run("document.querySelectorAll('.scale button[aria-pressed=true]').length")
    assert pressed == 6


def test_up_down_and_tab_choose_a_statement(rater):
    rater.keys(Key.Key_Down, Key.Key_Down, saved=False)
    rater.until("document.querySelector('.question.current').dataset.question === 'share'")
    rater.keys(Key.Key_5)
    rater.keys(Key.Key_Up, Key.Key_Up, saved=False)
    rater.until("document.querySelector('.question.current').dataset.question === 'coherent'")
    rater.keys(Key.Key_Tab, saved=False)
    rater.until("document.querySelector('.question.current').dataset.question === 'share'")
    rater.keys(Key.Key_1)
    rater.close()
    assert in_database(rater.path) == [("answer", "share", "5"), ("answer", "share", "1")]


@pytest.mark.parametrize("modifier", [None, Modifier.ControlModifier])
def test_u_and_ctrl_z_undo_the_last_answer(rater, modifier):
    rater.keys(Key.Key_4, Key.Key_5)
    before = rater.session.state.number
    if modifier is None:
        rater.press(Key.Key_U)
    else:
        rater.press(Key.Key_Z, modifier)
    rater.qtbot.waitUntil(lambda: rater.ready > before)
    assert rater.run("document.querySelector('.question.current').dataset.question") == "coherent"
    rater.close()
    assert in_database(rater.path)[-1] == ("undo", "", "null")
    assert rater.session.state.answers[rater.session.state.item] == {"focused": 4}


def test_s_skips_a_story_which_returns_at_the_end(rater):
    first = rater.session.state.item
    rater.keys(Key.Key_S)
    assert rater.text("place") == "1 of 9"
    assert rater.session.state.queue[-1] == first
    rater.close()
    assert in_database(rater.path) == [("skip", "", "null")]


def test_saved_appears_only_after_the_commit(rater):
    assert rater.text("saved") == ""
    rater.keys(Key.Key_4)
    assert rater.text("saved") == "✓ saved"
    rater.session._store.close()
    rater.keys(Key.Key_4, saved=False)
    rater.until("document.getElementById('message').textContent !== ''")
    assert rater.text("saved") == ""
    assert rater.text("message").startswith("answers.db cannot be used")


def test_a_reopened_packet_continues_at_the_same_statement(rater, open_rater, content):
    rater.keys(*[Key.Key_2] * 6, Key.Key_Return, Key.Key_5, Key.Key_4)
    item, current = rater.session.state.item, rater.session.state.current
    rater.close()
    again = open_rater(content)
    assert again.run("document.getElementById('sheet').open") is False
    assert again.text("place") == "2 of 9"
    assert again.session.state.item == item
    assert again.run("document.querySelector('.question.current').dataset.question") == current


def test_the_last_story_leads_to_the_review_and_the_answers_file(rater, content, tmp_path):
    for _ in content.items:
        rater.keys(*[Key.Key_4] * 6, Key.Key_Return)
    assert rater.run("document.getElementById('review').hidden") is False
    assert rater.text("place") == "9 of 9 done"
    assert "They are written to r01.juryanswers, beside the packet" in rater.text("review-text")
    rater.run("document.querySelectorAll('#items button')[3].click()")
    rater.until("document.getElementById('place').textContent === '4 of 9'")
    rater.qtbot.waitUntil(lambda: rater.ready >= 0)
    rater.keys(Key.Key_1, Key.Key_Return)
    assert rater.text("place") == "9 of 9 done"
    from jurydesk.core.human_evaluation.answers.answers_file import read_answers

    answers = read_answers(tmp_path / "r01.juryanswers").data
    assert answers.packet == content.sha256
    assert list(answers.events) == rater.session.events


def test_the_mouse_can_do_what_the_keys_do(rater):
    rater.run("document.querySelectorAll('.question')[2].querySelectorAll('button')[3].click()")
    rater.qtbot.waitUntil(lambda: rater.ready == 1)
    rater.run("document.getElementById('skip').click()")
    rater.qtbot.waitUntil(lambda: rater.ready == 2)
    rater.close()
    assert in_database(rater.path) == [("answer", "share", "4"), ("skip", "", "null")]


def test_enter_after_a_click_on_an_answer_still_continues(rater):
    rater.keys(*[Key.Key_4] * 6)
    rater.run("document.querySelectorAll('.question')[5].querySelectorAll('button')[2].focus()")
    rater.keys(Key.Key_Return)
    assert rater.text("place") == "2 of 9"


def with_photos(rater, wanted: bool) -> None:
    """Skip to a story with photos, or to one without."""
    while bool(rater.run("document.querySelectorAll('#photos img').length")) is not wanted:
        rater.keys(Key.Key_S)


def test_a_photo_is_enlarged_and_the_arrows_step_through_the_photos(rater):
    with_photos(rater, True)
    rater.run("document.querySelector('#photos button').focus()")
    rater.keys(Key.Key_Return, saved=False)
    rater.until("document.getElementById('enlarged').open")
    rater.keys(Key.Key_Right, saved=False)
    rater.until("document.getElementById('enlarged-place').textContent === 'Photo 2 of 5'")
    rater.keys(Key.Key_Left, saved=False)
    rater.until("document.getElementById('enlarged-place').textContent === 'Photo 1 of 5'")
    before = rater.session.state.number
    rater.keys(Key.Key_Escape, saved=False)
    rater.until("!document.getElementById('enlarged').open")
    assert rater.session.state.number == before


def test_all_photos_are_loaded(rater):
    with_photos(rater, True)
    rater.until("[...document.querySelectorAll('#photos img')].every((i) => i.naturalWidth > 0)")
    assert rater.run("document.querySelectorAll('#photos img').length") == 5


def test_missing_photos_are_named_and_count_as_an_answer(rater):
    with_photos(rater, False)
    assert rater.run("document.querySelector('.gap').textContent").startswith("Photo missing: 9005")
    rater.run("document.getElementById('missing').click()")
    rater.qtbot.waitUntil(lambda: rater.session.state.view()["complete"])
    rater.close()
    assert in_database(rater.path)[-1] == ("answer", "photos-missing", "true")


def test_the_question_mark_shows_keys_and_instructions(rater):
    rater.keys(Key.Key_Question, saved=False)
    rater.until("document.getElementById('sheet').open")
    assert "do not judge" in rater.text("instructions")
    rater.keys(Key.Key_1, Key.Key_S, Key.Key_U, saved=False)
    rater.keys(Key.Key_Escape, saved=False)
    rater.until("!document.getElementById('sheet').open")
    assert rater.session.state.number == 0


def test_the_button_that_starts_the_rating_is_seen_below_long_instructions(rater):
    rater.window.resize(900, 420)
    rater.keys(Key.Key_Question, saved=False)
    rater.until("document.getElementById('sheet').open")
    rater.until(
        "(({scrollHeight, clientHeight}) => scrollHeight > 1.5 * clientHeight)"
        "(document.getElementById('sheet'))"
    )
    rater.until(
        "(({left, top}) => document.elementFromPoint(left + 5, top + 5).id)"
        "(document.getElementById('sheet-close').getBoundingClientRect()) === 'sheet-close'"
    )
    below = rater.run(
        "(({left, bottom}) => document.elementFromPoint(left + 30, bottom - 5).className)"
        "(document.getElementById('sheet').getBoundingClientRect())"
    )
    assert below == "row"
    rater.keys(Key.Key_Return, saved=False)
    rater.until("!document.getElementById('sheet').open")
    assert rater.session.state.number == 0


def test_text_is_enlarged_and_reduced(rater):
    before = rater.run("getComputedStyle(document.querySelector('.story')).fontSize")
    rater.keys(Key.Key_Plus, saved=False)
    rater.until(f"getComputedStyle(document.querySelector('.story')).fontSize !== '{before}'")
    rater.keys(Key.Key_Minus, saved=False)
    rater.until(f"getComputedStyle(document.querySelector('.story')).fontSize === '{before}'")


def test_quick_key_presses_are_not_lost(rater):
    """Press all keys of a story at once, before the page has answered the first."""
    for key in (Key.Key_5, Key.Key_4, Key.Key_3, Key.Key_2, Key.Key_1, Key.Key_5, Key.Key_Return):
        rater.press(key)
    rater.qtbot.waitUntil(lambda: rater.ready == 7)
    values = [event.value for event in rater.session.events[:6]]
    assert values == [5, 4, 3, 2, 1, 5]
    assert rater.text("place") == "2 of 9"


def test_ten_stories_are_rated_with_the_keyboard_alone(open_rater):
    made = studies.study(sequences=10, raters=3, ratings=1)
    packet = studies.contents(made)[0]
    assert len(packet.items) == 10
    rater = open_rater(packet)
    rater.begin()
    for number, item in enumerate(packet.items):
        values = [(number + place) % 5 + 1 for place in range(len(IDS))]
        rater.keys(*[DIGITS[value] for value in values])
        rater.keys(Key.Key_Return)
        found = rater.session.state.answers[item.id]
        assert [found[name] for name in IDS] == values
    assert rater.text("place") == "10 of 10 done"
    rater.close()
    acts = [act for act, _, _ in in_database(rater.path)]
    assert (acts.count("answer"), acts.count("next")) == (60, 10)


def shown_box(rater) -> QMessageBox:
    box = rater.window.findChildren(QMessageBox)[-1]
    rater.qtbot.waitUntil(box.isVisible)
    return box


def press_button(box: QMessageBox, text: str) -> None:
    next(one for one in box.buttons() if one.text() == text).click()


def test_leaving_in_the_middle_offers_to_save_what_is_done(rater, tmp_path, monkeypatch):
    sent = tmp_path / "sent.juryanswers"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(sent), ""))
    rater.keys(*[Key.Key_3] * 6, Key.Key_Return)
    rater.window.leave()
    box = shown_box(rater)
    assert box.text() == "1 of 9 are answered."
    press_button(box, "Save answers …")
    assert sent.is_file()
    assert not rater.window.isVisible()


def test_a_declined_file_keeps_the_window_and_closing_without_one_is_possible(rater, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    rater.keys(*[Key.Key_3] * 6, Key.Key_Return)
    rater.window.leave()
    press_button(shown_box(rater), "Save answers …")
    assert rater.window.isVisible()
    rater.window.leave()
    press_button(shown_box(rater), "Close")
    assert not rater.window.isVisible()


def test_leaving_before_any_entry_is_done_asks_nothing(rater):
    rater.keys(Key.Key_3)
    rater.window.leave()
    assert not rater.window.isVisible()


IN_SIGHT = """
(() => {
  const isSeen = (one) => {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  };
  const ends = [...document.querySelectorAll('.question.current .end')];
  return [isSeen(document.getElementById('next')),
    ends.every(isSeen) || isSeen(document.getElementById('ends'))];
})()
"""
"""Whether Next, and the words at both ends of the current scale, can be seen."""


@pytest.mark.parametrize(
    ("width", "height", "zoom"),
    [(1024, 700, 1), (1024, 500, 1), (1024, 600, 1.5), (1024, 700, 2), (800, 600, 2)],
)
def test_next_and_the_words_of_the_scale_are_in_sight_without_scrolling(rater, width, height, zoom):
    rater.window.resize(width, height)
    rater.view.setZoomFactor(zoom)
    rater.until(f"innerHeight < {height / zoom}")
    rater.qtbot.waitUntil(lambda: rater.run(IN_SIGHT) == [True, True])
    assert rater.run("document.querySelector('main').scrollTop") == 0
    words = rater.run("[...document.querySelectorAll('.scale .end')].map((one) => one.textContent)")
    assert words[:2] == ["strongly disagree", "strongly agree"]
    assert len(words) == 2 * len(IDS)


def test_the_end_page_shows_the_folder_of_the_written_file(open_rater, tmp_path, monkeypatch):
    shown: list[Path] = []
    monkeypatch.setattr("jurydesk.app.rating_client.rating_window.show_folder", shown.append)
    packet = studies.contents(studies.study(sequences=1, raters=1, ratings=1))[0]
    rater = open_rater(packet, packet=tmp_path / "r01.jurypacket")
    rater.begin()
    for _ in packet.items:
        rater.keys(*[Key.Key_3] * 6, Key.Key_Return)
    assert rater.run("document.getElementById('review-show').hidden") is False
    rater.run("document.getElementById('review-show').click() || true")
    rater.qtbot.waitUntil(lambda: bool(shown))
    assert shown == [tmp_path]
    assert (tmp_path / "r01.juryanswers").is_file()
