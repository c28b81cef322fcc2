"""Digest of the code that computes a competition's scores."""

from __future__ import annotations

import functools
import hashlib
import inspect
from pathlib import Path

from jurydesk.core.competition.task import AnyTask

SHARED = ("metrics", "statistics")
"""Folders of code shared by several competitions."""

SUFFIXES = (".py", ".pyx")
"""Source files; binaries differ between compilers without affecting scores."""


def code_digest(task: AnyTask) -> str:
    """Return the SHA-256 over the sources of shared metrics, statistics and the task's package.

    It is empty if the sources are not available, as in a packaged program.
    """
    try:
        own = inspect.getsourcefile(inspect.unwrap(task.scoring.evaluate))
    except TypeError:  # not a Python function
        own = None
    return "" if own is None else digest_sources(Path(own).resolve().parent)


@functools.cache
def digest_sources(own: Path) -> str:
    """Return the SHA-256 over the sources of shared metrics, statistics and a folder; see above."""
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
