"""What can be wrong with a desk file, said to the user; it is never the program's fault."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path


class DeskError(Exception):
    """The desk cannot be read or written; the message is a sentence for the user."""


class EvaluationGoneError(DeskError):
    """The desk was closed, or the result was scored again or removed: nobody asks for it now."""


SENTENCES = {
    "SQLITE_NOTADB": "{name} is not a desk: it is no SQLite file.",
    "SQLITE_CORRUPT": "{name} is damaged and cannot be read. Open a copy made before the damage.",
    "SQLITE_BUSY": "{name} is being written by another program. Try again when it is done.",
    "SQLITE_LOCKED": "{name} is being written by another program. Try again when it is done.",
    "SQLITE_READONLY_ROLLBACK": (
        "{name} holds a write that was cut off. Open it once where it can be written."
    ),
    "SQLITE_READONLY": "{name} cannot be written: the file or its folder is write-protected.",
    "SQLITE_CANTOPEN": "{name} cannot be opened: check that the folder is there and readable.",
    "SQLITE_PERM": "{name} cannot be opened: the permission is missing.",
    "SQLITE_AUTH": "{name} cannot be opened: the permission is missing.",
    "SQLITE_FULL": "{name} cannot be written: the disk is full. Nothing of the desk was lost.",
    "SQLITE_IOERR": "{name} cannot be read or written: the disk reported an error.",
    "SQLITE_TOOBIG": "{name} cannot hold a result of this size (more than 1 GB in one column).",
}
"""By the first match with SQLite's result codes (https://www.sqlite.org/rescode.html)."""


@contextlib.contextmanager
def translate_sqlite_errors(path: Path) -> Iterator[None]:
    """Turn whatever SQLite reports of the file into a DeskError with a sentence for the user."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        for code, sentence in SENTENCES.items():
            if name.startswith(code):
                raise DeskError(sentence.format(name=path.name)) from error
        if name in {"", "SQLITE_ERROR"}:  # our own mistake: the schema is one that we wrote
            raise
        raise DeskError(f"{path.name} cannot be read or written ({error}).") from error
    except UnicodeDecodeError as error:  # Python reads SQLite's own messages as UTF-8
        raise damage_error(path, "its schema is not UTF-8") from error


def damage_error(path: Path, what: str) -> DeskError:
    """The error for a file that SQLite can read, but whose content is not what a desk writes."""
    return DeskError(f"{path.name} is damaged: {what}. Open a copy made before the damage.")
