"""Several programs create one desk at once: what ended well is in it, whoever gave up."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk, DeskError
from jurydesk.core.desk import opening as desk_opening
from jurydesk.core.desk.errors import DeskExistsError, DeskGoneError
from jurydesk.core.execution.engine import score_submissions
from jurydesk.core.execution.run import Run
from jurydesk.core.model.evaluation import Evaluation
from jurydesk.core.model.input_file import files_by_role
from jurydesk.core.system.file_lock import has_locks
from jurydesk.core.workflow.target_desk import target_desk
from support import toy


@pytest.fixture
def evaluation(tmp_path: Path) -> Evaluation:
    truth = {f"i{number}": number / 8 for number in range(8)}
    files = [toy.write(tmp_path / f"{name}.txt", truth) for name in ("truth", "guesses")]
    inputs = {"truth": files[:1], "guesses": files[1:]}
    return score_submissions(toy.TASK, files_by_role(inputs), toy.Options(), Run()).evaluations[0]


def of_system(evaluation: Evaluation, name: str) -> Evaluation:
    submission = {**evaluation.stamp["submission"], "path": f"/{name}.txt"}
    stamp = {**evaluation.stamp, "system": name, "submission": submission}
    return replace(evaluation, system=name, stamp=stamp)


@pytest.mark.parametrize("writers", [2, 4, 8])
def test_no_result_is_lost_when_several_create_a_desk(tmp_path, evaluation, writers):
    for attempt in range(3):
        path = tmp_path / f"{attempt}.jurydesk"
        start, told = threading.Barrier(writers), []

        def write(number, path=path, start=start, told=told):
            start.wait()
            try:
                with target_desk(path, toy.TASK, toy.Options()) as desk:
                    if number % 2:  # the others have nothing to store, and delete their desk
                        desk.add(of_system(evaluation, f"s{number}"))
            except DeskError as error:  # the test fails below
                told.append(str(error))

        threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert told == []
        with Desk.open(path, read_only=True) as desk:
            found = sorted(one.system for one in desk.evaluations())
        assert found == [f"s{number}" for number in range(1, writers, 2)]
        assert [one.name for one in tmp_path.glob(".*")] == []


def test_a_desk_in_which_nothing_was_stored_is_deleted_unless_another_program_joined(tmp_path):
    path = tmp_path / "made.jurydesk"
    with target_desk(path, toy.TASK, toy.Options()):
        assert path.exists()
    assert not path.exists()
    with (
        target_desk(path, toy.TASK, toy.Options()),
        target_desk(path, toy.TASK, toy.Options()),
    ):
        pass
    assert path.exists()


def test_a_desk_is_created_once(tmp_path):
    path = tmp_path / "made.jurydesk"
    Desk.create(path).close()
    with pytest.raises(DeskExistsError, match="already exists"):
        Desk.create(path)
    with pytest.raises(FileExistsError):
        desk_opening._place_exclusively(path, path)


def test_without_links_a_desk_is_created_as_well(tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "made.jurydesk"
    Desk.create(path).close()
    Desk.open(path).close()
    with pytest.raises(FileExistsError):
        desk_opening._place_exclusively(path, path)


def test_writing_into_a_deleted_desk_is_refused_with_the_reason(tmp_path):
    path = tmp_path / "made.jurydesk"
    with Desk.create(path) as desk:
        path.unlink()
        with pytest.raises(DeskGoneError, match="was deleted or replaced by another program"):
            desk.set_competition("toy", "A toy", {})


def test_a_path_that_sqlite_has_no_room_for_is_refused_with_the_reason(tmp_path):
    folder = tmp_path / ("a" * 250) / ("b" * 200)
    folder.mkdir(parents=True)
    with pytest.raises(DeskError, match="for which SQLite has no room"):
        Desk.create(folder / "made.jurydesk")


def test_a_desk_on_a_file_system_without_locks_is_opened_for_reading(tmp_path, monkeypatch):
    path = tmp_path / "made.jurydesk"
    with Desk.create(path) as desk:
        desk.set_competition("toy", "A toy", {})
    holder = desk_opening.open_connection(path, "rw")
    holder.execute("BEGIN EXCLUSIVE")  # as a lock that is refused
    monkeypatch.setattr(desk_opening, "BUSY_SECONDS", 0.05)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    with pytest.raises(DeskError, match="is being written by another program"):
        Desk.open(path, read_only=True)
    monkeypatch.setattr(fcntl, "lockf", refuse)
    with Desk.open(path, read_only=True) as desk:
        assert desk.competition.title == "A toy"
    monkeypatch.setattr(desk_opening, "_roll_back", lambda path: None)  # as in a folder to read
    journal = path.with_name(f"{path.name}-journal")
    journal.write_bytes(b"unfinished")
    with pytest.raises(DeskError, match="has an interrupted write"):
        Desk.open(path, read_only=True)
    journal.unlink()
    with pytest.raises(DeskError, match="its file system has no locks"):
        Desk.open(path)
    holder.close()


def test_without_locks_nothing_waits_for_another_program(tmp_path, monkeypatch):
    path = tmp_path / "made.jurydesk"
    Desk.create(path).close()
    holder = desk_opening.open_connection(path, "rw")
    holder.execute("BEGIN EXCLUSIVE")  # as a lock that is refused

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "lockf", refuse)
    began = time.monotonic()
    Desk.open(path, read_only=True).close()
    for work in (Desk.open, Desk.open_or_create):
        with pytest.raises(DeskError, match="its file system has no locks"):
            work(path)
    assert time.monotonic() - began < desk_opening.BUSY_SECONDS
    holder.close()


def test_without_locks_no_desk_is_created_and_the_reason_is_told(tmp_path, monkeypatch):
    """The lock of a new file is refused, as SQLite says it; so is the one that tests why."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    def busy(*_: object) -> None:
        found = sqlite3.OperationalError("database is locked")
        found.sqlite_errorname = "SQLITE_BUSY"
        raise found

    monkeypatch.setattr(desk_opening, "create_tables", busy)
    with pytest.raises(DeskError, match="is being written by another program"):
        Desk.create(tmp_path / "made.jurydesk")
    monkeypatch.setattr(fcntl, "lockf", refuse)
    with pytest.raises(DeskError, match="its file system has no locks"):
        Desk.create(tmp_path / "made.jurydesk")
    assert not list(tmp_path.iterdir())


def test_locks_are_tested_through_one_open_file_however_often_and_never_fail(tmp_path):
    path = tmp_path / "busy.jurydesk"
    path.write_bytes(b"")
    opened = len([*Path("/dev/fd").iterdir()])
    assert all(has_locks(path) for _ in range(9))
    assert len([*Path("/dev/fd").iterdir()]) == opened + 1
    assert has_locks(tmp_path / "gone" / "busy.jurydesk")
