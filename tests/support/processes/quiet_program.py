"""The program in this process, or in a fork of it, with its output as a text."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from jurydesk.core.cli.program import run_program


def run_quietly(arguments: Sequence[object]) -> tuple[int, str]:
    """Run a command of the program; return its exit code and all that it printed."""
    files = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(one, "utf-8", errors="backslashreplace") for one in files)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run_program([str(one) for one in arguments], None)
        out.flush()
        err.flush()
    return code, b"".join(one.getvalue() for one in files).decode()


def fork_program(
    arguments: Sequence[object], told: Path, prepare: Callable[[], object] = lambda: None
) -> int:
    """Start a command in a fork; return its id. What it printed is written into `told`."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        prepare()
        code, output = run_quietly(arguments)
        told.write_text(output)
    finally:
        os._exit(code)
    raise AssertionError
