"""What goes wrong outside the program, said in a sentence, and the exit codes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

DONE, INPUT_ERRORS, WRONG_USAGE, NO_RESOURCE = 0, 1, 2, 3
PRINTED = "Standard output"
"""How the target of what is printed is called."""


class CommandError(Exception):
    """A sentence for the user, and the exit code that goes with it."""

    def __init__(self, sentence: str, code: int = WRONG_USAGE) -> None:
        super().__init__(sentence)
        self.code = code


def os_error_sentence(error: OSError) -> str:
    """What the system refused, and where."""
    reason = (error.strerror or str(error)).rstrip(".")
    place = f"{Path(os.fsdecode(error.filename))}: " if error.filename else ""
    return f"{place}{reason}."


@contextlib.contextmanager
def input_errors() -> Iterator[None]:
    """Let an input that is not there or cannot be read be an error of the input, as for `score`."""
    try:
        yield
    except OSError as error:
        raise CommandError(os_error_sentence(error), INPUT_ERRORS) from error


@contextlib.contextmanager
def output_errors(target: Path | str) -> Iterator[None]:
    """Name the file whose writing failed: the system does not when the disk is full."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if target == PRINTED:
            silence_standard_output()
        reason = (error.strerror or str(error)).rstrip(".")
        raise CommandError(f"{target} could not be written: {reason}.") from error


def require_writable(target: Path | None, option: str) -> None:
    """Refuse a target that cannot be written before the work that is meant for it begins."""
    if target is None or target == Path("-"):
        return
    if target.is_dir():
        raise CommandError(f"{option} {target}: this is a folder; give the name of a file in it.")
    if not target.parent.is_dir():
        raise CommandError(f"{option} {target}: the folder {target.parent} does not exist.")
    place = target if target.exists() else target.parent
    if not os.access(place, os.W_OK):
        raise CommandError(f"{option} {target}: you may not write there.")


def silence_standard_output() -> None:
    """Send the rest nowhere when a reader has gone or a disk is full; else a flush complains."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
