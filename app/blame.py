"""Whose fault something is: what the user or the environment can mend is told, and no crash."""

from __future__ import annotations


def mendable(exception: BaseException) -> bool:
    """Whether the user can do something about it: its text is a sentence for him."""
    from core.desk import DeskError
    from core.model import ResourceMissing, UsageError
    from core.run.device import DeviceError
    from core.run.workers import WorkersLost
    from core.stamp import StampError

    return isinstance(
        exception,
        OSError | DeskError | DeviceError | ResourceMissing | StampError | UsageError | WorkersLost,
    )
