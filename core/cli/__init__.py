"""The command line: commands made from what the competitions declare of themselves."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.blas import rest_soon
from core.interrupt import CANCELLED, leave_at_once

if TYPE_CHECKING:
    from core.cli.command import OpenWindow


def main(argv: Sequence[str] | None = None, *, open_window: OpenWindow | None = None) -> int:
    """Do what the arguments ask (default: those of the process), and return the exit code.

    0 is done, 1 the input has errors, 2 wrong usage, 3 no metric could be computed because a
    resource is missing, 130 cancelled. `open_window` is how `open` and `demo` show a desk: this
    package knows no window itself.
    """
    if argv is None:
        leave_at_once()
        rest_soon()
    try:
        from core.cli.program import run_program

        return run_program(argv, open_window)
    except KeyboardInterrupt:  # before the program could say so
        return CANCELLED
    finally:
        if argv is None:
            # The process ends: whatever is unreachable by now need not be found one by one.
            gc.freeze()
