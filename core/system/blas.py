"""Settings of OpenBLAS, which NumPy and SciPy contain."""

from __future__ import annotations

import os

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
