"""A rater's session: actions of the page are checked, saved and shown."""

from __future__ import annotations

import pytest

from jurydesk.core.desk.tables.rating_tables import AnswersError
from jurydesk.core.human_evaluation.answers.answers_file import read_answers
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.answers.rating_session import (
    EventStore,
    RatingSession,
    local_answers,
    packets_folder,
    store_path,
)
from jurydesk.core.human_evaluation.packets.packet import write_packet
from support.rating import studies


@pytest.fixture(scope="module")
def content():
    return studies.contents(studies.study())[0]


@pytest.fixture
def session(content, tmp_path):
    store = EventStore(tmp_path / "a.db", content.sha256)
    found = RatingSession(content, store, tmp_path / "r01.jurypacket")
    yield found
    found.close()


def answer_all(session) -> None:
    for question in session.content.questionnaire.questions:
        assert session.do("answer", session.state.item, question.id, 3, 1.0)["saved"]


def test_an_answer_is_on_the_disk_before_it_is_reported_as_saved(session):
    reply = session.do("answer", session.state.item, "focused", 4, 2.5)
    assert reply["saved"]
    (event,) = session._store.events()
    assert (event.value, event.seconds) == (4, 2.5)
    assert event.at.endswith("Z")


def test_an_answer_that_cannot_be_saved_is_not_reported_as_saved(session):
    session._store.close()
    reply = session.do("answer", session.state.item, "focused", 4, 2.5)
    assert reply["saved"] is False
    assert "cannot be used" in reply["why"]
    assert reply["view"]["answers"] == {}


def test_the_view_shows_photos_by_address_and_missing_ones_by_id(session):
    photos = session.view()["content"]["photos"]
    assert all(photo["src"] == "" and photo["missing"].startswith("90") for photo in photos)


def test_a_session_continues_where_it_ended(content, tmp_path):
    path = tmp_path / "a.db"
    first = RatingSession(content, EventStore(path, content.sha256))
    answer_all(first)
    first.do("next", first.state.item, "", None, 1.0)
    view = first.view()
    first.close()
    second = RatingSession(content, EventStore(path, content.sha256))
    assert second.view() == view
    second.close()


def test_the_review_writes_the_answers_beside_the_packet(session, tmp_path):
    for _ in session.content.items:
        answer_all(session)
        reply = session.do("next", session.state.item, "", None, 1.0)
    assert reply["view"]["handed"] == (
        "They are written to r01.juryanswers, beside the packet: send that file."
    )
    assert (reply["view"]["written"], session.folder) == (True, tmp_path)
    answers = read_answers(tmp_path / "r01.juryanswers").data
    assert list(answers.events) == session.events


def test_entries_are_unsent_until_a_file_has_all_answers(session, tmp_path):
    assert session.unsent == 0
    answer_all(session)
    assert session.unsent == 1
    session.do("next", session.state.item, "", None, 1.0)
    session.save(tmp_path / "mine.juryanswers")
    assert session.unsent == 0
    answer_all(session)
    assert session.unsent == 2


def test_the_review_of_a_packet_from_the_open_desk_asks_to_close_the_window(content, tmp_path):
    packet = packets_folder() / "study" / "r01.jurypacket"
    session = RatingSession(content, EventStore(tmp_path / "a.db", content.sha256), packet)
    for _ in content.items:
        answer_all(session)
        reply = session.do("next", session.state.item, "", None, 1.0)
    said = "Close this window: the answers are then merged into the desk."
    assert (reply["view"]["handed"], reply["view"]["written"]) == (said, False)
    assert session.unsent == 0
    assert not packet.parent.exists()
    session.close()


def test_an_unwritable_folder_is_reported(content, tmp_path):
    store = EventStore(tmp_path / "a.db", content.sha256)
    session = RatingSession(content, store, tmp_path / "nowhere" / "r01.jurypacket")
    for _ in content.items:
        answer_all(session)
        reply = session.do("next", session.state.item, "", None, 1.0)
    assert reply["view"]["handed"] == "Save them by the menu: File, Save answers."
    assert (reply["view"]["written"], session.unsent) == (False, len(content.items))
    session.close()


def test_invalid_events_are_reported(content, tmp_path):
    store = EventStore(tmp_path / "a.db", content.sha256)
    store.append([RatingEvent(1, "next", "elsewhere")])
    with pytest.raises(AnswersError, match=r"^a\.db is damaged: event 1 \(next\) cannot follow"):
        RatingSession(content, store)
    store.close()


def test_an_answer_to_an_unknown_question_is_not_saved(session):
    reply = session.do("answer", session.state.item, "no such question", 4, 1.0)
    assert not reply["saved"]
    assert reply["view"] == session.view()
    assert list(session._store.events()) == []


def test_answers_on_this_computer_are_those_of_the_packet_s_store(content, tmp_path, monkeypatch):
    monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
    packet = tmp_path / "r01.jurypacket"
    with packet.open("wb") as file:
        write_packet(content, file)
    assert local_answers(packet) is None
    session = RatingSession(content, EventStore(store_path(content.sha256), content.sha256))
    answer_all(session)
    events = session.events
    session.close()
    found = local_answers(packet)
    assert found is not None
    assert (list(found.events), found.rater) == (events, content.rater)


def test_where_answers_would_be_lost_no_session_begins(monkeypatch):
    monkeypatch.setattr(
        "jurydesk.core.human_evaluation.answers.rating_session.is_temporary_folder",
        lambda folder: True,
    )
    with pytest.raises(AnswersError, match="the folder of data cannot be written"):
        store_path("0" * 64)
