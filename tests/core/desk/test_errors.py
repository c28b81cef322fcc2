"""Errors of SQLite in the words of a desk: each code has its own sentence."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from jurydesk.core.desk import errors
from jurydesk.core.desk.errors import DeskError, DeskGoneError, is_too_long, translate_sqlite_errors

DESK = Path("/data/a.jurydesk")


def raised(code: str, text: str = "text", path: Path = DESK) -> Exception:
    error = sqlite3.OperationalError(text)
    if code:
        error.sqlite_errorname = code
    with pytest.raises(Exception) as found, translate_sqlite_errors(path):  # noqa: PT011
        raise error
    return found.value


@pytest.mark.parametrize("code", list(errors.SENTENCES))
def test_each_code_has_its_sentence(monkeypatch, code):
    monkeypatch.setattr(errors, "has_locks", lambda path: True)
    sentence = str(errors.SENTENCES[code]).format(name="a.jurydesk")
    for name in (code, f"{code}_MORE"):
        found = raised(name)
        assert isinstance(found, DeskError)
        if name == code:
            assert str(found) == sentence


@pytest.mark.parametrize(
    ("code", "beginning"),
    [
        ("SQLITE_BUSY", "a.jurydesk"),
        ("SQLITE_LOCKED_SHAREDCACHE", "a.jurydesk"),
        ("SQLITE_IOERR_LOCK", "a.jurydesk"),
    ],
)
def test_without_locks_a_busy_file_is_told_as_such(monkeypatch, code, beginning):
    monkeypatch.setattr(errors, "has_locks", lambda path: False)
    assert str(raised(code)) == str(errors.NO_LOCKS.format(name=DESK.name))
    assert str(raised("SQLITE_FULL")).startswith("a.jurydesk cannot be written: the disk is full.")


def test_what_is_no_fault_of_the_file_stays_an_error_of_the_program():
    for code in ("", "SQLITE_ERROR"):
        assert type(raised(code)) is sqlite3.OperationalError
    assert str(raised("", "no such table: x")).startswith("a.jurydesk is damaged: it was overwr")
    assert str(raised("SQLITE_ODD", "odd")) == "a.jurydesk cannot be read or written (odd)."
    assert isinstance(raised("SQLITE_READONLY_DBMOVED"), DeskGoneError)


def test_a_path_longer_than_sqlite_s_room_is_told_from_the_first_byte_on(tmp_path):
    room = errors.LONGEST_PATH - len(str(tmp_path)) - 1
    fits, long = tmp_path / ("x" * room), tmp_path / ("x" * (room + 1))
    assert [is_too_long(fits), is_too_long(long)] == [False, True]
    assert "is longer than" in str(raised("SQLITE_CANTOPEN", path=long))
    assert "is longer than" not in str(raised("SQLITE_CANTOPEN", path=fits))


def test_a_schema_that_is_not_utf_8_is_damage():
    with pytest.raises(DeskError, match="its schema is not UTF-8"), translate_sqlite_errors(DESK):
        b"\xff".decode()
