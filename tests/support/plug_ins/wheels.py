"""Wheels as strangers make them: of given members, and of the example plug-in."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from support.plug_ins.example import site

ANY = "py3-none-any"


def make_wheel(
    folder: Path,
    members: Mapping[str, str | bytes],
    *,
    name: str = "thing",
    entry_points: str = "",
    tags: str = ANY,
) -> Path:
    """Write a wheel of version 1.0 with these members, as they are, and return its path."""
    path = folder / f"{name}-1.0-{tags}.whl"
    about = {f"{name}-1.0.dist-info/METADATA": f"Name: {name}\nVersion: 1.0\n"}
    if entry_points:
        about[f"{name}-1.0.dist-info/entry_points.txt"] = entry_points
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in {**about, **members}.items():
            archive.writestr(member, content)
    return path


def example_wheel(folder: Path) -> Path:
    """Return a wheel of what pip installs of the example plug-in."""
    (record,) = site().glob("jurydesk_signs-*.dist-info/RECORD")
    path = folder / f"{record.parent.name.removesuffix('.dist-info')}-{ANY}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for line in record.read_text().splitlines():
            member = line.partition(",")[0]
            if "__pycache__" not in member:
                archive.write(site() / member, member)
    return path
