"""Command line, with commands generated from the declarations of the competitions."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurydesk.core.system.blas import shorten_thread_timeout
from jurydesk.core.system.interrupt import CANCELLED, exit_on_interrupt

if TYPE_CHECKING:
    from jurydesk.core.cli.command import OpenWindow

GARBAGE_THRESHOLD = 200_000
"""Number of new containers after which cycles are looked for; with the usual 700, scans of millions
of parsed records take up to a tenth of a command's time."""

SWITCH_SECONDS = 0.0005
"""Time after which a thread of `score` gives way to others. With the usual 5 ms, threads that score
outside the interpreter wait for those that read and write: 40 teams took 4 % longer on two
processors. `meteor`, which does one thing at a time, would take 5 % more processor time."""


def main(argv: Sequence[str] | None = None, *, open_window: OpenWindow | None = None) -> int:
    """Run the command in `argv` (default: that of the process) and return the exit code.

    0: done; 1: the input has errors; 2: wrong usage; 3: no metric could be computed because a
    resource is missing; 130: cancelled. `open_window` opens a desk for `open` and `demo`; this
    package has no window.
    """
    if argv is None:
        exit_on_interrupt()
        shorten_thread_timeout()
        gc.set_threshold(GARBAGE_THRESHOLD)
        if "score" in sys.argv:  # also after an option such as --lang
            sys.setswitchinterval(SWITCH_SECONDS)
    try:
        from jurydesk.core.cli.program import run_program

        return run_program(argv, open_window)
    except KeyboardInterrupt:  # before `run_program` handles it
        return CANCELLED
    finally:
        # The process ends: a last garbage collection is wasted time. PyTorch's bindings, however,
        # print long warnings about objects that are left.
        if argv is None and "torch" not in sys.modules:
            gc.freeze()
