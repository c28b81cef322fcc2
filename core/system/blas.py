"""Settings of OpenBLAS, which NumPy and SciPy contain, and a limit to one thread."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager

PATIENCE_VARIABLE = "OPENBLAS_THREAD_TIMEOUT"
PATIENCE = 20
"""Exponent of 2 in processor cycles, about 0.4 ms; OpenBLAS's default is 26, about 30 ms."""


def shorten_thread_timeout() -> None:
    """Shorten the busy waiting of idle OpenBLAS threads; call it before NumPy is imported.

    OpenBLAS has a thread for every other processor, and after each job (the first is the import)
    it waits actively for the next. No result depends on it. The user's own setting takes
    precedence.
    """
    os.environ.setdefault(PATIENCE_VARIABLE, str(PATIENCE))


def single_blas_thread() -> AbstractContextManager[object]:
    """Limit BLAS to one thread within the block.

    BLAS threads wait actively for each other: on a busy machine, a thousand small products take
    ten times the processor time that one thread needs.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(limits=1, user_api="blas")
    return limits
