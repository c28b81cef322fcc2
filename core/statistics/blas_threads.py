"""Matrix products of many small blocks, which one thread makes sooner than several."""

from __future__ import annotations

from contextlib import AbstractContextManager


def single_blas_thread() -> AbstractContextManager[object]:
    """One thread for all matrix products meanwhile.

    BLAS lets its threads wait for each other actively: on a busy machine the products of a
    thousand small blocks take ten times the processor time that one thread needs for them.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(limits=1, user_api="blas")
    return limits
