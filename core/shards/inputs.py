"""The input files of a job where they are now."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.shards.manifest import JobError, Manifest
from core.verify import locate

if TYPE_CHECKING:
    from core.run.run import Run


def located(
    manifest: Manifest, folders: Sequence[Path], run: Run
) -> tuple[dict[str, list[Path]], dict[Path, str]]:
    """The job's inputs by role, and the systems' names by their files.

    Every file is looked for where it was, then by its name in `folders`. Raises JobError with the
    sentence about one that is missing or changed.
    """
    inputs: dict[str, list[Path]] = {}
    names: dict[Path, str] = {}
    for source in manifest.inputs:
        if not source.sha256:
            inputs.setdefault(source.role, []).append(_folder(source.path, folders))
            continue
        one = locate(source, folders, run)
        if one.path is None or one.difference is not None:
            raise JobError(one.difference.sentence if one.difference else source.path)
        inputs.setdefault(source.role, []).append(one.path)
        if source.path in manifest.names:
            names[one.path] = str(manifest.names[source.path])
    return inputs, names


def _folder(path: str, folders: Sequence[Path]) -> Path:
    """A folder of pictures where it was, or of its name elsewhere."""
    name = re.split(r"[/\\]", path.rstrip("/\\"))[-1]
    places = (Path(path), *(folder / name for folder in folders))
    return next((place for place in places if place.is_dir()), Path(path))
