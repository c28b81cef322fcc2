"""Opening of desk files: file type, permissions and schema.

The journal is a rollback journal, not a write-ahead log: between two writes the desk is one file
that can be copied, and it opens in a folder without write permission.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from jurydesk.core.desk.errors import (
    GONE,
    INTERRUPTED,
    SENTENCES,
    DeskError,
    DeskExistsError,
    DeskGoneError,
    damage_error,
    is_busy,
    is_too_long,
    translate_sqlite_errors,
)
from jurydesk.core.desk.schema import MINIMUM_SQLITE, create_tables
from jurydesk.core.desk.trust import Check, GuardedConnection, raise_interruption, require_desk
from jurydesk.core.language import Message, failure_reason, fill, translatable
from jurydesk.core.system.file_lock import has_locks
from jurydesk.core.system.paths import (
    atomic_replacement,
    name_os_errors,
    remove_abandoned,
    temporary_path,
)
from jurydesk.core.system.replacing import replace_path

MAGIC = b"SQLite format 3\0"
"""First bytes of every SQLite file (https://www.sqlite.org/fileformat.html)."""

MOST_LOADED = 1 << 30
"""Bytes of a desk that is read into memory, where its path is too long for SQLite."""
BUSY_SECONDS = 5.0
"""Time that a write waits for another program's write."""
POLL_SECONDS = 0.05
CHANGE_COUNTER = slice(24, 28)
"""Bytes of a file that every transaction changes (https://www.sqlite.org/fileformat.html)."""


def create_file(path: Path) -> None:
    """Create an empty desk at `path`, atomically; raise DeskExistsError if the path exists.

    Of several programs that create a desk at once, one succeeds.
    """
    require_sqlite()
    if os.path.lexists(path):
        raise _exists(path)
    remove_abandoned(path)
    temporary = temporary_path(path)
    try:
        with name_os_errors(path), translate_sqlite_errors(path):
            with contextlib.suppress(FileNotFoundError):
                _journal(path).lstat()  # no name that is too long
            connection = open_connection(temporary, "rwc")
            try:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                create_tables(connection)
                # Nobody can write, or apply the journal of an earlier desk, until it is removed.
                connection.execute("BEGIN EXCLUSIVE")
                _place_exclusively(temporary, path)
                _journal(path).unlink(missing_ok=True)
            finally:
                connection.close()
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        raise DeskError(
            fill("{name} cannot be written: {value}.", path.name, failure_reason(error))
        ) from error
    finally:
        for name in (temporary, _journal(temporary)):
            name.unlink(missing_ok=True)


def _exists(path: Path) -> DeskExistsError:
    sentence = "{name} already exists. Open it, or choose another name."
    return DeskExistsError(fill(sentence, path.name))


def _place_exclusively(temporary: Path, path: Path) -> None:
    """Give a file its name; raise FileExistsError if another file has it."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        path.open("xb").close()
        replace_path(temporary, path)


@contextlib.contextmanager
def alone_in_folder(path: Path) -> Iterator[None]:
    """Let no other program create, join or delete a desk in the folder of `path` meanwhile.

    SQLite would apply the journal of a new desk to a deleted one that is still open. Where folders
    cannot be locked, nothing is.
    """
    if sys.platform == "win32":  # a file in use is not deleted there
        yield
        return
    import fcntl

    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            folder = os.open(path.absolute().parent, os.O_RDONLY)
            stack.callback(os.close, folder)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield


SHARED = "shared"
"""Setting of a desk that another program than its creator uses."""


def delete_unused(connection: sqlite3.Connection, path: Path) -> None:
    """Delete a desk without results that only its creator uses.

    Who opens it meanwhile finds out at the first write: see `require_same_file`.
    """
    connection.execute("BEGIN EXCLUSIVE")
    try:
        used = "SELECT EXISTS (SELECT * FROM evaluation) OR EXISTS "
        used += "(SELECT * FROM setting WHERE name = ?)"
        if not connection.execute(used, (SHARED,)).fetchone()[0]:
            with contextlib.suppress(PermissionError):  # on Windows, if another program has it open
                path.unlink(missing_ok=True)
    finally:
        connection.execute("ROLLBACK")


def file_identity(path: Path) -> tuple[int, int]:
    """Return what identifies a file whatever its name; zeros if it is gone."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def require_same_file(path: Path, identity: tuple[int, int]) -> None:
    """Raise DeskGoneError if the file of an open desk was deleted or replaced."""
    if not any(identity) or file_identity(path) != identity:
        raise DeskGoneError(GONE.format(name=path.name))


@contextlib.contextmanager
def create_in_place(path: Path) -> Iterator[sqlite3.Connection]:
    """Provide a connection to an empty file that is moved to `path` when the block succeeds."""
    try:
        with translate_sqlite_errors(path), atomic_replacement(path) as temporary:
            connection = open_connection(temporary, "rwc")
            # Chunks of a run are deleted later. This must be set before the first table exists.
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            try:
                yield connection
            finally:
                connection.close()
            # SQLite would apply the journal of an earlier desk at this path.
            _journal(path).unlink(missing_ok=True)
    except OSError as error:
        raise DeskError(
            fill("{name} cannot be written: {value}.", path.name, failure_reason(error))
        ) from error


def open_file(
    path: Path, *, read_only: bool, check: Check = lambda: None
) -> tuple[GuardedConnection, bool]:
    """Open a desk and return the connection, and whether it is read-only.

    It is read-only if requested, or if the file or its folder is write-protected. Raises DeskError
    unless the file is a desk that this version can read. `check` may raise to cancel this and every
    later statement.
    """
    require_sqlite()
    _require_file(path)
    writable = os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)
    with translate_sqlite_errors(path):
        if read_only and _is_for_memory(path):
            return _checked(_load, path, check), True
        if writable and read_only:
            _roll_back(path)
        read_only = read_only or not writable
        mode = "ro" if read_only else "rw"
        try:
            return _checked(partial(open_connection, mode=mode), path, check), read_only
        except sqlite3.OperationalError as error:
            if not read_only or not is_busy(error) or has_locks(path):
                raise
        if os.path.lexists(_journal(path)):  # an immutable file would be read without it
            raise DeskError(translatable(INTERRUPTED).format(name=path.name))
        return _checked(partial(open_connection, mode="ro&immutable=1"), path, check), True


def _is_for_memory(path: Path) -> bool:
    """Return whether SQLite has no room for a path, but a reader has for the file."""
    target = path.resolve()
    return is_too_long(target) and target.stat().st_size <= MOST_LOADED


def _load(path: Path) -> GuardedConnection:
    """Return a connection to a copy in memory of a file that SQLite cannot open by its path.

    Nothing of another program's write is read: it would change the file, or leave a journal.
    """
    connection = _connect(":memory:")
    end = time.monotonic() + BUSY_SECONDS
    while True:
        before = _state(path)
        content = path.read_bytes()
        if before == _state(path) and not before.has_journal:
            connection.deserialize(content)
            return connection
        if time.monotonic() > end:
            connection.close()
            sentence = INTERRUPTED if before.has_journal else SENTENCES["SQLITE_BUSY"]
            raise DeskError(translatable(sentence).format(name=path.name))
        time.sleep(POLL_SECONDS)


class FileState(NamedTuple):
    """What every write to a desk changes: time, size, SQLite's counter of changes, or a journal."""

    time: int
    size: int
    counter: bytes
    has_journal: bool


def _state(path: Path) -> FileState:
    with path.open("rb") as file:
        head, status = file.read(CHANGE_COUNTER.stop), os.fstat(file.fileno())
    has_journal = os.path.lexists(_journal(path))
    return FileState(status.st_mtime_ns, status.st_size, head[CHANGE_COUNTER], has_journal)


def open_temporary(path: Path) -> GuardedConnection:
    """Return a connection to a new desk that no other program can know, and so without locks."""
    require_sqlite()
    connection = open_connection(path, "rwc&nolock=1")
    create_tables(connection)
    return connection


def _checked(
    connect: Callable[[Path], GuardedConnection], path: Path, check: Check
) -> GuardedConnection:
    try:
        connection = connect(path)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "") != "SQLITE_ERROR":
            raise
        # Nothing of ours was asked yet: the header has a format that SQLite does not know.
        raise damage_error(path, fill("SQLite reports {problem}", Message(str(error)))) from error
    try:
        connection.watch(check)
        with raise_interruption(connection):
            require_desk(connection, path)
        return connection
    except BaseException:
        connection.close()
        raise


def open_connection(path: Path, mode: str) -> GuardedConnection:
    """Open a connection with explicit transactions, usable from any thread."""
    return _connect(f"{path.resolve().as_uri()}?mode={mode}", path)


def _connect(address: str, path: Path | None = None) -> GuardedConnection:
    connection = sqlite3.connect(
        address,
        uri=True,
        timeout=0,
        isolation_level=None,
        check_same_thread=False,
        factory=GuardedConnection,
    )
    try:
        connection.guard()
        if path is not None:
            _require_locks(connection, path)
        connection.execute(f"PRAGMA busy_timeout = {round(BUSY_SECONDS * 1000)}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        # A long write keeps its pages in memory, so that others can read meanwhile.
        connection.execute("PRAGMA cache_spill = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def _require_locks(connection: sqlite3.Connection, path: Path) -> None:
    """Raise SQLite's error at once where the file system has no locks: waiting does not help.

    Every other fault is told by the statements of the work.
    """
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.Error) and is_busy(error) and not has_locks(path):
            raise


def require_sqlite() -> None:
    """Raise DeskError if this Python's SQLite has no strict tables."""
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        needed = ".".join(map(str, MINIMUM_SQLITE))
        raise DeskError(
            fill(
                "Desks need SQLite {needed} or newer; this Python has {sqlite_version}. Use "
                "a newer Python.",
                needed,
                sqlite3.sqlite_version,
            )
        )


def _require_file(path: Path) -> None:
    if path.is_dir():
        raise DeskError(fill("{name} is a folder, not a desk.", path.name))
    if not path.exists():
        raise DeskError(fill("{name} does not exist.", path.name))
    if not path.is_file():
        raise DeskError(fill("{name} is not a desk: it is not a regular file.", path.name))
    if not os.access(path, os.R_OK):
        raise DeskError(fill("{name} cannot be opened: permission denied.", path.name))
    with path.open("rb") as file:
        head = file.read(len(MAGIC))
    if not head:
        raise DeskError(fill("{name} is not a desk: it is empty.", path.name))
    if head != MAGIC:
        raise DeskError(fill("{name} is not a desk: it is not an SQLite file.", path.name))


def _journal(path: Path) -> Path:
    target = path.resolve()
    return target.with_name(f"{target.name}-journal")


def _roll_back(path: Path) -> None:
    """Undo an interrupted write, which a read-only connection cannot do."""
    if not os.path.exists(_journal(path)):  # noqa: PTH110 - False for a name that is too long
        return
    connection = open_connection(path, "rw")
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    finally:
        connection.close()
