"""Version check of the Python that runs the set-up, with advice for an older one.

Only the standard library is used, in the syntax of Python 3.9, so that an old Python can say it.
"""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Sequence

from bootstrap_parts.commands import Trouble

OLDEST_PYTHON = (3, 11)


def require_python() -> None:
    """Refuse a Python that is too old, and name a newer one if there is one."""
    if sys.version_info >= OLDEST_PYTHON:
        return
    names = [f"python3.{minor}" for minor in range(20, OLDEST_PYTHON[1] - 1, -1)]
    newer = next((name for name in names if shutil.which(name)), None)
    advice = (
        f"Run: {newer} packaging/bootstrap.py"
        if newer
        else "Install a newer Python from your system's packages or https://www.python.org."
    )
    raise Trouble(
        f"Jurydesk needs Python {version(OLDEST_PYTHON)} or later; this is "
        f"{platform.python_version()} ({sys.executable}). {advice}"
    )


def version(numbers: Sequence[object]) -> str:
    """Return `3.11` for (3, 11, ...)."""
    return ".".join(str(number) for number in numbers[:2])
