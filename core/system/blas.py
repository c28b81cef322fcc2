"""OpenBLAS, which comes with NumPy and with SciPy, and its threads."""

from __future__ import annotations

import os

PATIENCE_VARIABLE = "OPENBLAS_THREAD_TIMEOUT"
PATIENCE = 20
"""As a power of 2 of a processor's cycles: some 0.4 ms. OpenBLAS's own is 26, some 30 ms."""


def shorten_thread_timeout() -> None:
    """Let threads of OpenBLAS that have nothing to do rest soon; call it before NumPy is imported.

    There is one for every other processor, and after each of its jobs, the first of which is the
    import itself, it waits for the next at full speed. No number depends on how long. What the
    user has set stands.
    """
    os.environ.setdefault(PATIENCE_VARIABLE, str(PATIENCE))
