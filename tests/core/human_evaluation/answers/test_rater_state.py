from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurydesk.core.human_evaluation.answers.rater_state import RaterState, RatingEvent
from jurydesk.core.human_evaluation.design.questionnaire import PHOTOS_MISSING
from support.rating.random_answers import QUESTIONNAIRE, random_events

ITEMS = ("a", "b", "c")
IDS = tuple(one.id for one in QUESTIONNAIRE.questions)


class Rater:
    """Performs one action after another."""

    def __init__(self) -> None:
        self.sitting = RaterState(ITEMS, QUESTIONNAIRE)
        self.events: list[RatingEvent] = []

    def do(self, act, question="", value=None) -> bool:
        number = self.sitting.number + 1
        event = RatingEvent(number, act, self.sitting.item, question, value, 1.0, "")
        if not self.sitting.possible(event):
            return False
        self.sitting.apply(event)
        self.events.append(event)
        return True

    def rate(self, value: int = 4) -> None:
        for id in IDS:
            assert self.do("answer", id, value)


@pytest.fixture
def rater() -> Rater:
    return Rater()


def test_an_answer_moves_the_cursor_to_the_next_open_statement(rater):
    assert rater.sitting.current == IDS[0]
    rater.do("answer", IDS[0], 4)
    assert rater.sitting.current == IDS[1]
    rater.do("answer", IDS[2], 4)
    assert rater.sitting.current == IDS[3]
    rater.do("answer", IDS[5], 4)
    assert rater.sitting.current == IDS[1]


def test_next_requires_answers_to_all_required_statements(rater):
    assert not rater.do("next")
    rater.rate()
    assert rater.do("next")
    assert rater.sitting.item == "b"


def test_a_skipped_item_returns_at_the_end(rater):
    assert rater.do("skip")
    assert rater.sitting.queue == ["b", "c", "a"]
    assert rater.sitting.item == "b"


def test_the_last_item_cannot_be_skipped(rater):
    for _ in ITEMS[1:]:
        rater.rate()
        rater.do("next")
    assert not rater.do("skip")


def test_the_item_before_the_last_is_skipped_to_the_end(rater):
    rater.rate()
    rater.do("next")
    assert rater.do("skip")
    assert rater.sitting.queue == ["a", "c", "b"]
    assert rater.sitting.item == "c"


def test_previous_goes_back_by_one_and_not_before_the_first(rater):
    assert not rater.do("previous")
    for _ in ITEMS[1:]:
        rater.rate()
        rater.do("next")
    assert rater.sitting.item == "c"
    assert rater.do("previous")
    assert rater.sitting.item == "b"
    assert rater.do("previous")
    assert rater.sitting.item == "a"
    assert not rater.do("previous")


def test_nothing_is_skipped_while_reviewing(rater):
    for _ in ITEMS:
        rater.rate()
        rater.do("next")
    assert rater.do("next", value="a")
    assert not rater.do("skip")
    assert rater.sitting.queue == ["a", "b", "c"]


def test_undo_removes_the_last_answer_wherever_it_was_given(rater):
    rater.rate()
    rater.do("next")
    assert rater.do("undo")
    assert rater.sitting.item == "a"
    assert rater.sitting.current == IDS[5]
    assert IDS[5] not in rater.sitting.answers["a"]
    assert not rater.sitting.view()["complete"]


def test_undo_restores_the_previous_answer(rater):
    rater.do("answer", IDS[0], 4)
    rater.do("answer", IDS[0], 2)
    rater.do("undo")
    assert rater.sitting.answers["a"] == {IDS[0]: 4}
    rater.do("undo")
    assert rater.sitting.answers["a"] == {}
    assert not rater.do("undo")


def test_missing_photos_count_as_an_answer(rater):
    assert rater.do("answer", PHOTOS_MISSING, True)
    assert rater.sitting.view()["complete"]
    assert rater.sitting.answers["a"] == {PHOTOS_MISSING: True}
    assert rater.do("next")


def test_the_review_lists_every_item_and_opens_any_of_them(rater):
    for _ in ITEMS:
        rater.rate()
        rater.do("next")
    view = rater.sitting.view()
    assert view["item"] == ""
    assert view["review"] == [["a", True, 6], ["b", True, 6], ["c", True, 6]]
    assert rater.do("next", value="b")
    assert rater.sitting.item == "b"
    assert rater.do("next")
    assert rater.sitting.item == ""


@pytest.mark.parametrize(
    ("act", "question", "value"),
    [
        ("answer", "focused", 6),
        ("answer", "focused", 0),
        ("answer", "focused", "4"),
        ("answer", "focused", True),
        ("answer", "focused", 2.5),
        ("answer", "nonsense", 3),
        ("answer", PHOTOS_MISSING, 3),
        ("next", "", "b"),
        ("previous", "", None),
        ("undo", "", None),
        ("undo", "focused", 3),
    ],
)
def test_an_impossible_action_changes_nothing(rater, act, question, value):
    before = rater.sitting.view()
    assert not rater.do(act, question, value)
    assert rater.sitting.view() == before


@given(st.integers(0, 2**32))
def test_the_view_is_a_function_of_the_events(seed):
    events, sitting = random_events(ITEMS, QUESTIONNAIRE, seed, 60)
    again = RaterState(ITEMS, QUESTIONNAIRE, events)
    assert again.view() == sitting.view()
    assert again.answers == sitting.answers


@given(st.integers(0, 2**32))
def test_as_many_undos_as_answers_remove_all_answers(seed):
    _events, sitting = random_events(ITEMS, QUESTIONNAIRE, seed, 40)
    while sitting.view()["undo"]:
        sitting.apply(RatingEvent(sitting.number + 1, "undo", sitting.item))
    assert all(answers == {} for answers in sitting.answers.values())


@given(st.integers(0, 2**32))
def test_events_are_written_as_json_and_read_back(seed):
    events, _ = random_events(ITEMS, QUESTIONNAIRE, seed, 20)
    assert [RatingEvent.from_json(event.to_json()) for event in events] == events


@pytest.mark.parametrize(
    "data",
    [[], {}, {"n": 1}, {**RatingEvent(1, "next").to_json(), "act": "fly"},
     {**RatingEvent(1, "next").to_json(), "n": "1"},
     {**RatingEvent(1, "next").to_json(), "n": True},
     {**RatingEvent(1, "next").to_json(), "more": 1}],
)  # fmt: skip
def test_an_invalid_event_is_refused(data):
    with pytest.raises(ValueError, match=r"is|act"):
        RatingEvent.from_json(data)
