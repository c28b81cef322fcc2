"""Exit codes, and errors that end a command with a message."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from jurydesk.core.language import failure_reason, fill, translatable

DONE, INPUT_ERRORS, WRONG_USAGE, NO_RESOURCE = 0, 1, 2, 3
IN_PART = 4
"""Code of `verify` if nothing differs, but not everything could be checked."""
PRINTED = translatable("Standard output")
"""Name of standard output in messages."""
NOTHING_SCORED = "Nothing was scored: fix the errors above first."


class CommandError(Exception):
    """Error that ends a command with a message and an exit code."""

    def __init__(self, sentence: str, code: int = WRONG_USAGE) -> None:
        super().__init__(sentence)
        self.code = code


def os_error_sentence(error: OSError) -> str:
    """Return the file and the reason of an operating system error."""
    reason = failure_reason(error)
    if not error.filename:
        return fill("{reason}.", reason)
    return fill("{path}: {reason}.", Path(os.fsdecode(error.filename)), reason)


@contextlib.contextmanager
def input_errors() -> Iterator[None]:
    """Report a missing or unreadable input as an error of the input, as `score` does."""
    try:
        yield
    except OSError as error:
        raise CommandError(os_error_sentence(error), INPUT_ERRORS) from error


@contextlib.contextmanager
def output_errors(target: Path | str) -> Iterator[None]:
    """Name the file that could not be written; a full disk's OSError does not."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if target == PRINTED:
            silence_standard_output()
        raise CommandError(
            fill("{target} could not be written: {reason}.", target, failure_reason(error))
        ) from error


def require_writable(target: Path | None, option: str) -> None:
    """Raise CommandError if the target cannot be written, before any work is done."""
    if target is None or target == Path("-"):
        return
    if target.is_dir():
        raise CommandError(
            fill("{option} {target} is a folder: give the name of a file.", option, target)
        )
    if not target.parent.is_dir():
        raise CommandError(
            fill(
                "{option} {target}: the folder {parent} does not exist.",
                option,
                target,
                target.parent,
            )
        )
    place = target if target.exists() else target.parent
    if not os.access(place, os.W_OK):
        raise CommandError(fill("{option} {target}: no permission to write there.", option, target))


def silence_standard_output() -> None:
    """Redirect standard output to the null device, so that a later flush cannot fail."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
