"""Limit of BLAS to one thread, for many products of small matrices."""

from __future__ import annotations

from contextlib import AbstractContextManager


def single_blas_thread() -> AbstractContextManager[object]:
    """Limit BLAS to one thread within the block.

    BLAS threads wait actively for each other: on a busy machine, a thousand small products take
    ten times the processor time that one thread needs.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(limits=1, user_api="blas")
    return limits
