from __future__ import annotations

import errno
import os
import random
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from jurydesk.core.desk import Desk, DeskError, errors, opening
from support.desks.toy_desk import evaluation

NAME = "made.jurydesk"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    with Desk.create(path) as desk:
        desk.set_competition("toy", "Toy", {})
        desk.cache.put("chunk", random.Random(1).randbytes(1 << 16))
    return path


def refusal(path: Path, read_only: bool = False) -> str:
    with pytest.raises(DeskError) as caught:
        Desk.open(path, read_only=read_only)
    return str(caught.value)


class TestRefusedFiles:
    def test_a_missing_file_is_refused(self, tmp_path: Path) -> None:
        assert refusal(tmp_path / NAME) == f"{NAME} does not exist."

    def test_a_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / NAME).mkdir()
        assert refusal(tmp_path / NAME) == f"{NAME} is a folder, not a desk."

    def test_an_empty_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / NAME).write_bytes(b"")
        assert refusal(tmp_path / NAME) == f"{NAME} is not a desk: it is empty."

    @pytest.mark.parametrize("content", [b"\0", b"<xml/>" * 500, bytes(range(256)) * 16])
    def test_another_file_is_refused(self, content: bytes, tmp_path: Path) -> None:
        (tmp_path / NAME).write_bytes(content)
        assert refusal(tmp_path / NAME) == f"{NAME} is not a desk: it is not an SQLite file."

    def test_another_program_s_database_is_refused(self, tmp_path: Path) -> None:
        connection = sqlite3.connect(tmp_path / NAME)
        connection.execute("CREATE TABLE places (url TEXT)")
        connection.close()
        expected = f"{NAME} is not a desk: it is an SQLite file of another program."
        assert refusal(tmp_path / NAME) == expected

    @pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
    def test_a_pipe_is_refused(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / NAME)
        assert refusal(tmp_path / NAME) == f"{NAME} is not a desk: it is not a regular file."

    def test_an_unreadable_file_is_refused(
        self, made: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.R_OK)
        assert refusal(made) == f"{NAME} cannot be opened: permission denied."

    def test_nothing_is_written_to_a_refused_file(self, tmp_path: Path) -> None:
        (tmp_path / NAME).write_bytes(b"<xml/>" * 500)
        refusal(tmp_path / NAME)
        assert (tmp_path / NAME).read_bytes() == b"<xml/>" * 500
        assert list(tmp_path.iterdir()) == [tmp_path / NAME]


class TestDamage:
    @pytest.mark.parametrize(
        "damage",
        [
            pytest.param(lambda content: content[:5000], id="truncated"),
            pytest.param(lambda content: content[:4096] + bytes(len(content) - 4096), id="zeroed"),
            pytest.param(
                lambda content: content[:100] + b"\xff" * 3000 + content[3100:], id="torn"
            ),
        ],
    )
    def test_damage_is_reported_in_a_sentence(
        self, damage: Callable[[bytes], bytes], made: Path
    ) -> None:
        made.write_bytes(damage(made.read_bytes()))
        with pytest.raises(DeskError, match=f"^{re.escape(NAME)} is damaged"):
            everything_of(made)

    @pytest.mark.parametrize("position", range(0, 90, 7))
    def test_a_changed_byte_of_the_header_never_crashes(self, position: int, made: Path) -> None:
        content = bytearray(made.read_bytes())
        content[position] ^= 0xFF
        made.write_bytes(content)
        try:
            everything_of(made)
        except DeskError as error:
            assert str(error).startswith(NAME)  # noqa: PT017 - some bytes do no harm

    def test_a_missing_table_is_damage(self, made: Path) -> None:
        connection = sqlite3.connect(made)
        connection.execute("DROP TABLE figure")
        connection.close()
        assert refusal(made) == (
            f"{NAME} is damaged: the table figure is missing. Open a copy made before the damage."
        )

    def test_a_text_that_is_not_json_is_damage(self, made: Path) -> None:
        connection = sqlite3.connect(made, isolation_level=None)
        connection.execute("UPDATE competition SET options = '{'")
        connection.close()
        with Desk.open(made) as desk, pytest.raises(DeskError, match="a text is not valid JSON"):
            _ = desk.competition


def everything_of(path: Path) -> None:
    with Desk.open(path) as desk:
        _ = desk.competition
        desk.inputs()
        desk.check_records()
        desk.evaluations()
        desk.cache.get("chunk")
        desk.cache.put("other", bytes(10))


class TestReadingOnly:
    def test_reading_only_can_be_requested(self, made: Path) -> None:
        with Desk.open(made, read_only=True) as desk:
            assert desk.read_only
            with pytest.raises(DeskError, match=r"^made\.jurydesk is open for reading only\.$"):
                desk.set_competition("toy", "Toy", {})

    @pytest.mark.parametrize("protected", ["file", "folder"])
    def test_a_write_protected_desk_is_opened_read_only(
        self, protected: str, made: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place = made if protected == "file" else made.parent
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK or path != place)
        with Desk.open(made) as desk:
            assert desk.read_only
            assert desk.competition is not None

    def test_no_file_is_created_beside_the_desk(self, made: Path) -> None:
        with Desk.open(made, read_only=True) as desk:
            assert desk.evaluations() == ()
            assert list(made.parent.iterdir()) == [made]

    def test_a_desk_is_a_single_file_between_writes(self, made: Path) -> None:
        with Desk.open(made) as desk:
            desk.set_competition("toy", "Other", {})
            copy = made.with_name("copy.jurydesk")
            copy.write_bytes(made.read_bytes())
            with Desk.open(copy) as other:
                assert other.competition == desk.competition
            assert {path.name for path in made.parent.iterdir()} == {NAME, copy.name}


class TestTwoPrograms:
    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)

    def test_each_program_sees_what_the_other_wrote(self, made: Path) -> None:
        with Desk.open(made) as one, Desk.open(made) as other:
            one.set_competition("toy", "First", {})
            other.cache.put("chunk", b"second")
            assert other.competition == one.competition
            assert one.cache.get("chunk") == b"second"

    def test_the_second_writer_gets_an_error(self, made: Path) -> None:
        sentence = f"^{NAME} is being written by another program. Try again when it is done.$"
        with Desk.open(made) as one, Desk.open(made) as other, one.writing():
            assert other.competition is not None
            with pytest.raises(DeskError, match=sentence):
                other.cache.put("chunk", b"")

    def test_opening_during_another_program_s_commit_is_reported(self, made: Path) -> None:
        blocker = sqlite3.connect(made, isolation_level=None)
        blocker.execute("BEGIN EXCLUSIVE")
        assert refusal(made).startswith(f"{NAME} is being written by another program.")
        blocker.execute("ROLLBACK")
        blocker.close()
        Desk.open(made).close()


class TestInterruptedWrites:
    @pytest.fixture
    def cut_off(self, made: Path) -> Path:
        """Return a copy of the files in the middle of a write, as a killed program leaves them."""
        copy = made.with_name("cut.jurydesk")
        connection = sqlite3.connect(made, isolation_level=None)
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("UPDATE competition SET title = 'half'")
        connection.execute("INSERT INTO chunk VALUES ('big', zeroblob(1000000))")
        journal = made.with_name(f"{NAME}-journal")
        copy.with_name("cut.jurydesk-journal").write_bytes(journal.read_bytes())
        copy.write_bytes(made.read_bytes())
        connection.execute("ROLLBACK")
        connection.close()
        return copy

    @pytest.mark.parametrize("read_only", [False, True])
    def test_interrupted_writes_are_undone_when_the_desk_is_opened(
        self, cut_off: Path, read_only: bool
    ) -> None:
        with Desk.open(cut_off, read_only=read_only) as desk:
            assert desk.competition is not None
            assert desk.competition.title == "Toy"
            assert desk.cache.get("big") is None

    def test_an_unwritable_desk_with_an_interrupted_write_is_refused(
        self, cut_off: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
        assert refusal(cut_off) == (
            "cut.jurydesk has an interrupted write. Open it once where it can be written."
        )

    def test_a_new_desk_does_not_use_an_old_journal(self, cut_off: Path) -> None:
        cut_off.unlink()
        with Desk.create(cut_off) as desk:
            assert desk.competition is None


class TestCreating:
    def test_an_existing_file_is_not_overwritten(self, made: Path) -> None:
        sentence = rf"^{NAME} already exists\. Open it, or choose another name\.$"
        with pytest.raises(DeskError, match=sentence):
            Desk.create(made)

    def test_a_desk_is_made_on_a_file_system_without_links(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_links(*given: object) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", no_links)
        path = tmp_path / "a.jurydesk"
        Desk.create(path).close()
        with Desk.open(path) as desk:
            assert desk.evaluations() == ()
        assert [one.name for one in tmp_path.iterdir()] == ["a.jurydesk"]
        with pytest.raises(DeskError, match="already exists"):
            Desk.create(path)

    def test_a_missing_folder_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(DeskError, match=rf"^{NAME} cannot be "):
            Desk.create(tmp_path / "nowhere" / NAME)

    @pytest.mark.parametrize("name", ["a b?c#d%41.jurydesk", "größe 100%.jurydesk"])
    @pytest.mark.skipif(os.name != "posix", reason="Windows forbids some of these letters")
    def test_any_file_name_is_allowed(self, name: str, tmp_path: Path) -> None:
        Desk.create(tmp_path / name).close()
        Desk.open(tmp_path / name).close()
        assert [path.name for path in tmp_path.iterdir()] == [name]

    def test_an_old_sqlite_is_reported(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
        monkeypatch.setattr(sqlite3, "sqlite_version", "3.34.1")
        sentence = r"^Desks need SQLite 3\.37\.0 or newer; this Python has 3\.34\.1\."
        for start in (Desk.create, Desk.open):
            with pytest.raises(DeskError, match=sentence):
                start(tmp_path / NAME)


def test_another_file_or_none_in_a_desk_s_place_is_noticed(tmp_path):
    path = tmp_path / "k.jurydesk"
    path.write_bytes(b"one")
    known = opening.file_identity(path)
    opening.require_same_file(path, known)
    (tmp_path / "other").write_bytes(b"two")
    (tmp_path / "other").replace(path)
    with pytest.raises(DeskError):
        opening.require_same_file(path, known)
    path.unlink()
    for identity in (known, opening.file_identity(path)):
        with pytest.raises(DeskError):
            opening.require_same_file(path, identity)


def test_a_format_that_sqlite_does_not_know_is_damage(tmp_path):
    path = tmp_path / "k.jurydesk"
    Desk.create(path).close()
    content = bytearray(path.read_bytes())
    content[44:48] = (9).to_bytes(4, "big")  # the format of the schema; SQLite knows 1 to 4
    path.write_bytes(content)
    for read_only in (True, False):
        with pytest.raises(DeskError, match="SQLite reports unsupported file format"):
            Desk.open(path, read_only=read_only).close()


def test_a_desk_that_loses_its_tables_while_it_is_open_is_damaged(made: Path) -> None:
    with Desk.open(made, read_only=True) as desk:
        with sqlite3.connect(made) as other:
            other.execute("PRAGMA foreign_keys = OFF")
            for table in ("evidence_part", "evaluation"):
                other.execute(f"DROP TABLE {table}")
        other.close()
        with pytest.raises(DeskError, match="it was overwritten while it was open"):
            desk.systems()


def test_a_desk_whose_path_is_too_long_for_sqlite_is_read(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("a" * 250) / ("b" * 200)
    folder.mkdir(parents=True)
    moved = made.rename(folder / NAME)
    assert "for which SQLite has no room" in refusal(moved)
    with Desk.open(moved, read_only=True) as desk:
        assert desk.competition is not None
        desk.save_as(tmp_path / "copy.jurydesk")
    with Desk.open(tmp_path / "copy.jurydesk") as copy:
        assert copy.competition is not None
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)
    (folder / f"{NAME}-journal").write_bytes(b"unfinished")
    assert "has an interrupted write" in refusal(moved, read_only=True)


def test_a_name_without_room_for_that_of_a_journal_is_refused_and_leaves_no_file(
    made: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"{'n' * 240}.jurydesk"
    with pytest.raises(DeskError, match="cannot be written: File name too long"):
        Desk.create(path)
    assert list(tmp_path.iterdir()) == [made]
    with Desk.open(made.rename(path), read_only=True) as desk:
        assert desk.competition is not None


@pytest.mark.parametrize("writes", [1, 99])
def test_a_desk_that_is_written_while_it_is_copied_into_memory_is_copied_again(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    folder = tmp_path / ("a" * 250) / ("b" * 200)
    folder.mkdir(parents=True)
    moved = made.rename(folder / NAME)
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.2)
    read, count = Path.read_bytes, iter(range(writes))

    def read_while_written(path: Path) -> bytes:
        """Return half of a file, of which another program writes the rest meanwhile."""
        content = read(path)
        if path != moved or next(count, None) is None:
            return content
        counter = int.from_bytes(content[24:28], "big") + 1
        path.write_bytes(content[:24] + counter.to_bytes(4, "big") + content[28:])
        return content[: len(content) // 2]

    monkeypatch.setattr(Path, "read_bytes", read_while_written)
    if writes == 1:
        with Desk.open(moved, read_only=True) as desk:
            assert desk.competition is not None
    else:
        assert "is being written by another program" in refusal(moved, read_only=True)


def test_a_temporary_desk_takes_no_locks_and_is_deleted() -> None:
    with Desk.temporary() as desk:
        with desk.writing() as connection:
            connection.execute("INSERT INTO chunk VALUES ('one', x'01')")
            other = sqlite3.connect(desk.path, isolation_level=None)
            other.execute("BEGIN EXCLUSIVE")  # refused while anybody holds a lock
            other.close()
        assert desk.cache.get("one") == b"\x01"
    assert not desk.path.parent.exists()


def test_what_is_unpacked_of_removed_results_is_forgotten(made: Path) -> None:
    with Desk.open(made) as desk:
        keys = [desk.add(evaluation(name)) for name in ("one", "two")]
        desk.evaluations()
        desk.remove(keys[0])
        desk.evaluations()
        assert {key for _, key in desk._unpacked} == {keys[1]}


class TestWithoutLocks:
    """A file system without locks: SQLite is busy for ever, and a reader needs none."""

    @pytest.fixture
    def busy(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Let SQLite refuse to read with locks; return the modes that were tried."""
        modes, connect = [], opening.open_connection

        def refuse(path: Path, mode: str) -> sqlite3.Connection:
            modes.append(mode)
            if "immutable" in mode:
                return connect(path, mode)
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorname = self.code
            raise error

        self.code, self.locks = "SQLITE_BUSY", False
        monkeypatch.setattr(opening, "open_connection", refuse)
        monkeypatch.setattr(opening, "has_locks", lambda path: self.locks)
        monkeypatch.setattr("jurydesk.core.desk.errors.has_locks", lambda path: self.locks)
        monkeypatch.setattr(opening, "_roll_back", lambda path: None)
        return modes

    def test_a_desk_is_read_as_one_that_nobody_changes(self, made: Path, busy: list[str]) -> None:
        with Desk.open(made, read_only=True) as desk:
            assert desk.read_only
            assert desk.competition.task_id == "toy"
        assert busy == ["ro", "ro&immutable=1"]

    def test_an_interrupted_one_is_not(self, made: Path, busy: list[str]) -> None:
        made.with_name(f"{made.name}-journal").write_bytes(b"x")
        assert refusal(made, read_only=True) == opening.INTERRUPTED.format(name=NAME)
        assert busy == ["ro"]

    def test_writing_and_every_other_fault_are_refused(self, made: Path, busy: list[str]) -> None:
        assert refusal(made) == errors.NO_LOCKS.format(name=NAME)
        self.locks = True
        assert "is being written by another program" in refusal(made, read_only=True)
        self.code, self.locks = "SQLITE_PERM", False
        assert refusal(made, read_only=True) == f"{NAME} cannot be opened: permission denied."
        assert busy == ["rw", "ro", "ro"]
