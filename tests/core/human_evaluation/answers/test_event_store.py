from __future__ import annotations

import contextlib
import errno
import os
import sqlite3

import pytest

from jurydesk.core.desk.tables.rating_tables import AnswersError
from jurydesk.core.human_evaluation.answers.rater_state import RatingEvent
from jurydesk.core.human_evaluation.answers.rating_session import EventStore
from support.rating.random_answers import QUESTIONNAIRE, random_events


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.db"


def test_events_are_read_back_unchanged(path):
    events, _ = random_events(("a", "b"), QUESTIONNAIRE, 1, 50)
    store = EventStore(path, "hash")
    for event in events:
        store.append([event])
    assert store.events() == events
    store.close()
    store = EventStore(path, "hash")
    assert store.events() == events
    store.close()


def test_every_commit_is_synchronized_to_the_disk(path):
    store = EventStore(path, "hash")
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
    store.close()


def test_a_used_number_is_refused_with_its_whole_batch(path):
    store = EventStore(path, "hash")
    store.append([RatingEvent(1, "skip", "a")])
    with pytest.raises(AnswersError, match="cannot be used: UNIQUE"):
        store.append([RatingEvent(2, "skip", "b"), RatingEvent(1, "skip", "a")])
    assert [event.number for event in store.events()] == [1]
    store.close()


def test_a_second_window_is_refused(path):
    store = EventStore(path, "hash")
    with pytest.raises(AnswersError) as refusal:
        EventStore(path, "hash")
    assert str(refusal.value) == (
        "This packet is open in another window. Continue there, or close it first."
    )
    store.close()


def test_answers_to_another_packet_are_not_touched(path):
    EventStore(path, "hash").close()
    with pytest.raises(AnswersError, match=r"^answers\.db contains answers to another packet\.$"):
        EventStore(path, "other")


@pytest.mark.parametrize("content", [b"no database at all, but long enough for one" * 30])
def test_a_file_that_is_not_a_database_is_reported(path, content):
    path.write_bytes(content)
    with pytest.raises(AnswersError, match=r"^answers\.db is damaged: it is not an SQLite file\.$"):
        EventStore(path, "hash")


def test_a_database_of_another_program_is_not_changed(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA application_id = 7")
    connection.close()
    with pytest.raises(AnswersError, match="belongs to another program"):
        EventStore(path, "hash")


@pytest.mark.skipif(os.name == "nt", reason="Windows always has locks")
def test_without_locks_the_file_system_is_named_and_no_other_window(tmp_path, monkeypatch):
    path = tmp_path / "answers.db"
    with contextlib.closing(EventStore(path, "abc")):  # as a lock that is refused
        with pytest.raises(AnswersError, match="is open in another window"):
            EventStore(path, "abc")

        import fcntl

        def refuse(*_: object) -> None:
            raise OSError(errno.ENOLCK, "no locks")

        monkeypatch.setattr(fcntl, "lockf", refuse)
        with pytest.raises(AnswersError, match=r"has no locks\. Set JURYDESK_HOME"):
            EventStore(path, "abc")


def test_a_path_that_is_too_long_is_named(tmp_path):
    folder = tmp_path / ("a" * 250) / ("b" * 250)
    folder.mkdir(parents=True)
    with pytest.raises(AnswersError, match=r"is too long\. Set JURYDESK_HOME to a shorter one"):
        EventStore(folder / "answers.db", "abc")
