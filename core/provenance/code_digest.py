"""The SHA-256 of the modules that compute a competition's numbers: which code made a result."""

from __future__ import annotations

import functools
import hashlib
import inspect
from pathlib import Path

from jurydesk.core.competition.task import AnyTask

SHARED = ("metrics", "statistics")
"""The folders of code that several competitions share."""

SUFFIXES = (".py", ".pyx")
"""Of compiled modules it is the source that counts: compilers differ, numbers do not."""


def code_digest(task: AnyTask) -> str:
    """One hash over the sources of shared metrics, statistics and the task's own package.

    Empty where they are not there to read, as in a packed program.
    """
    try:
        own = inspect.getsourcefile(inspect.unwrap(task.scoring.evaluate))
    except TypeError:  # no function of Python's
        own = None
    return "" if own is None else _digest(Path(own).resolve().parent)


@functools.cache
def _digest(own: Path) -> str:
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for folder in (*(root / name for name in SHARED), own):
        sources = sorted(one for one in folder.rglob("*") if one.suffix in SUFFIXES)
        if not sources:
            return ""
        for source in sources:
            content = source.read_bytes().replace(b"\r\n", b"\n")
            name = source.relative_to(folder).as_posix()
            digest.update(f"{folder.name}/{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()
