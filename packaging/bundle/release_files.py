"""Files beside the programs of a release: checksums, list of components, text; and its tag.

    python3 packaging/bundle/release_files.py tag v0.2.0
    python3 packaging/bundle/release_files.py sbom dist/desk/jurydesk
    python3 packaging/bundle/release_files.py checksums FOLDER
    python3 packaging/bundle/release_files.py notes v0.2.0 --out notes.md

Only the standard library is used.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bundle.build import system_name  # noqa: E402 - found beside this script alone

SUMS = "SHA256SUMS"
BLOCK = 1 << 20


def main(arguments: list[str]) -> int:
    """Do one of the four; returns 1, with the reason, for a tag that is not the program's."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    kinds.add_parser("tag", help="compare a tag with the program's version").add_argument("tag")
    kinds.add_parser("sbom", help="list the components of a built folder").add_argument("folder")
    kinds.add_parser("checksums", help="hash all files of a folder").add_argument("folder")
    notes = kinds.add_parser("notes", help="write the changelog's entry of a version")
    notes.add_argument("tag")
    notes.add_argument("--out", type=Path, help="a file; standard output by default")
    wanted = parser.parse_args(arguments)
    try:
        if wanted.kind == "tag":
            require_tag(wanted.tag)
        elif wanted.kind == "sbom":
            print(write_components(Path(wanted.folder)))
        elif wanted.kind == "checksums":
            print(write_checksums(Path(wanted.folder)))
        else:
            text = changes(require_tag(wanted.tag))
            if wanted.out:
                wanted.out.write_text(text, encoding="utf-8")
            else:
                print(text, end="")
    except ValueError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def require_tag(tag: str) -> str:
    """Return the version of a tag; raises ValueError if it is not that of the sources."""
    text = (PROJECT / "core" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    version = found[1] if found else ""
    if tag.removeprefix("v") != version:
        raise ValueError(f"The tag is {tag}, but core/version.py has {version}.")
    return version


def changes(version: str) -> str:
    """Return the entry of a version in the changelog; raises ValueError without one."""
    text = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *entries = re.split(r"^## (?=\S)", text, flags=re.MULTILINE)
    for entry in entries:
        title, _, body = entry.partition("\n")
        if title.split()[0] == version:
            return body.strip() + "\n"
    raise ValueError(f"CHANGELOG.md has no entry for {version}.")


def write_components(folder: Path) -> Path:
    """Write the components of a built folder beside it, in CycloneDX's format; return the file."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    system = system_name(*manifest["platform"].split())
    name = f"jurydesk-{manifest['version']}-{manifest['flavour']}-{system}.cdx.json"
    path = folder.parent / name
    path.write_text(json.dumps(components(manifest), indent=1) + "\n", encoding="utf-8")
    return path


def components(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the bill of materials of a manifest: the program, Python, and every package."""
    listed = [
        ("python", manifest["python"]),
        *(one.split("==") for one in manifest["requirements"]),
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": manifest["program"],
                "version": manifest["version"],
                "bom-ref": "jurydesk",
            }
        },
        "components": [
            {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:{'generic' if name == 'python' else 'pypi'}/{name}@{version}",
            }
            for name, version in listed
        ],
    }


def write_checksums(folder: Path) -> Path:
    """Write the SHA-256 of every file of a folder, as `sha256sum --check` reads them."""
    sums = folder / SUMS
    files = sorted(path for path in folder.iterdir() if path.is_file() and path != sums)
    if not files:
        raise ValueError(f"{folder} has no files.")
    sums.write_text("".join(f"{digest(path)}  {path.name}\n" for path in files), encoding="utf-8")
    return sums


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            found.update(block)
    return found.hexdigest()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
