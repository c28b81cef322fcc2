"""The command line: commands made from what the competitions declare of themselves."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurydesk.core.system.blas import shorten_thread_timeout
from jurydesk.core.system.interrupt import CANCELLED, exit_on_interrupt

if TYPE_CHECKING:
    from jurydesk.core.cli.command import OpenWindow


def main(argv: Sequence[str] | None = None, *, open_window: OpenWindow | None = None) -> int:
    """Do what the arguments ask (default: those of the process), and return the exit code.

    0 is done, 1 the input has errors, 2 wrong usage, 3 no metric could be computed because a
    resource is missing, 130 cancelled. `open_window` is how `open` and `demo` show a desk: this
    package knows no window itself.
    """
    if argv is None:
        exit_on_interrupt()
        shorten_thread_timeout()
    try:
        from jurydesk.core.cli.program import run_program

        return run_program(argv, open_window)
    except KeyboardInterrupt:  # before the program could say so
        return CANCELLED
    finally:
        # The process ends: whatever is unreachable by now need not be found one by one. PyTorch's
        # bindings would complain of what is left, at length and on standard error.
        if argv is None and "torch" not in sys.modules:
            gc.freeze()
