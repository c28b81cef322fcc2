"""Small downloads of competition platforms, made by hand."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

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


def picture() -> bytes:
    """Return a small picture."""
    Image.new("RGB", (2, 2)).save(content := io.BytesIO(), "PNG")
    return content.getvalue()


BUNDLE: dict[str, Any] = {
    "version": "2",
    "title": "Retrieval",
    "image": "logo.png",
    "terms": "terms.md",
    "docker_image": "python:3.12",
    "pages": [{"title": "Overview", "file": "pages/a.md"}],
    "tasks": [{"index": 0, "name": "Dev", "scoring_program": "p.zip", "reference_data": "r.zip"}],
    "phases": [{"name": "Dev", "start": "2029-01-19 00:00:00", "tasks": [0]}],
    "leaderboards": [
        {"title": "R", "key": "main", "columns": [{"title": "MAP", "key": "map", "index": 0}]}
    ],
}
BUNDLE_FILES = {
    "logo.png": picture(),
    "terms.md": b"t",
    "pages/a.md": b"a",
    "p.zip": zipped({"metadata.yaml": b"command: x"}),
    "r.zip": zipped({"a": b""}),
}


def codabench_bundle(bundle: Mapping[str, Any] = BUNDLE) -> dict[str, bytes]:
    """Return the members of a bundle."""
    return {"competition.yaml": json.dumps(bundle).encode(), **BUNDLE_FILES}
