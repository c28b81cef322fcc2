"""Small downloads of competition platforms, made by hand."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from jurydesk.core.execution.run import Run
from jurydesk.core.intake.folder import FileListing, list_files


def zipped(members: Mapping[str, bytes]) -> bytes:
    """Return a zip archive."""
    with zipfile.ZipFile(content := io.BytesIO(), "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    return content.getvalue()


def bulk(folder: Path, names: Sequence[str], text: str = "# s\na {n}\n", **more: bytes) -> Path:
    """Write a bulk download of Codabench, whose submissions differ in a number."""
    inner = {
        name: zipped({"run.txt": text.format(n=number).encode()})
        for number, name in enumerate(names)
    }
    path = folder / "bulk_submissions (1).zip"
    path.write_bytes(zipped({**inner, **{f"{key}.txt": data for key, data in more.items()}}))
    return path


def listed(folder: Path, *given: Path, records: Sequence[Path] = ()) -> FileListing:
    """Return the listing of downloads."""
    return list_files(given, folder / "store", Run(), records=records)
