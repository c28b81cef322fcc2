"""Errors of desk files, with messages for the user."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from jurydesk.core.language import Message, fill, translatable
from jurydesk.core.system.file_lock import has_locks


class DeskError(Exception):
    """Desk that cannot be read or written; the message is for the user."""


class EvaluationGoneError(DeskError):
    """Evaluation that was removed or scored again, or whose desk was closed."""


class DeskExistsError(DeskError):
    """Desk that another program created first."""


class DeskGoneError(DeskError):
    """Desk whose file was deleted or replaced after it was opened."""


GONE = translatable("{name} was deleted or replaced by another program.")
NO_LOCKS = translatable(
    "{name} cannot be written: its file system has no locks. Copy it to another."
)
INTERRUPTED = "{name} has an interrupted write. Open it once where it can be written."
LONGEST_PATH = 470
"""Bytes of a path for which SQLite has room, with the endings of journals."""

SENTENCES = {
    "SQLITE_NOTADB": "{name} is not a desk: it is not an SQLite file.",
    "SQLITE_CORRUPT": "{name} is damaged and cannot be read. Open a copy made before the damage.",
    "SQLITE_BUSY": "{name} is being written by another program. Try again when it is done.",
    "SQLITE_LOCKED": "{name} is being written by another program. Try again when it is done.",
    "SQLITE_READONLY_ROLLBACK": INTERRUPTED,
    "SQLITE_READONLY": "{name} cannot be written: the file or its folder is write-protected.",
    "SQLITE_CANTOPEN": "{name} cannot be opened: check that its folder exists and is readable.",
    "SQLITE_PERM": "{name} cannot be opened: permission denied.",
    "SQLITE_AUTH": "{name} cannot be opened: permission denied.",
    "SQLITE_FULL": "{name} cannot be written: the disk is full. Nothing of the desk was lost.",
    "SQLITE_IOERR": "{name} cannot be read or written: the disk reported an error.",
    "SQLITE_TOOBIG": "{name} cannot store a result of this size (more than 1 GB in one column).",
}
"""Messages by prefix of SQLite's result codes (https://www.sqlite.org/rescode.html)."""


@contextlib.contextmanager
def translate_sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite errors of the file into a DeskError with a message for the user."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        if name == "SQLITE_READONLY_DBMOVED":
            raise DeskGoneError(GONE.format(name=path.name)) from error
        if name.startswith("SQLITE_CANTOPEN") and is_too_long(path):
            raise DeskError(
                fill(
                    "The path of {name} is longer than {longest} bytes, for which SQLite has no "
                    "room. Choose a shorter one.",
                    path.name,
                    LONGEST_PATH,
                )
            ) from error
        if is_busy(error) and not has_locks(path):
            raise DeskError(NO_LOCKS.format(name=path.name)) from error
        for code, sentence in SENTENCES.items():
            if name.startswith(code):
                raise DeskError(translatable(sentence).format(name=path.name)) from error
        if str(error).startswith("no such table"):  # all were there when it was opened
            fault = translatable("it was overwritten while it was open")
            raise damage_error(path, fault) from error
        if name in {"", "SQLITE_ERROR"}:  # a bug of this program: the schema was validated
            raise
        raise DeskError(
            fill("{name} cannot be read or written ({error}).", path.name, Message(str(error)))
        ) from error
    except UnicodeDecodeError as error:  # Python decodes SQLite's messages as UTF-8
        raise damage_error(path, translatable("its schema is not UTF-8")) from error


def is_too_long(path: Path) -> bool:
    """Return whether SQLite has no room for a path."""
    return len(os.fsencode(path.absolute())) > LONGEST_PATH


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether SQLite could not lock a file."""
    name = getattr(error, "sqlite_errorname", None) or ""
    return name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR_LOCK"))


def damage_error(path: Path, fault: str) -> DeskError:
    """Return the error of a readable SQLite file with invalid content."""
    return DeskError(
        fill(
            "{name} is damaged: {fault}. Open a copy made before the damage.",
            path.name,
            Message(fault),
        )
    )
