"""Self-test of files that affect scores: libraries, METEOR's index and chosen weights."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from jurydesk.core.language import Message, fill, name_list, translatable
from jurydesk.core.metrics.meteor.language_data import source_files
from jurydesk.core.metrics.meteor.language_data.index_file import IndexDamaged, open_index
from jurydesk.core.metrics.meteor.language_data.index_location import present_index_path
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.selftest.check import Check

PART = "files"
MANIFEST = "manifest.json"
"""File of a packaged program with the hash of every other file."""
LIBRARIES = (
    "jurydesk",
    "numpy",
    "scipy",
    "polars",
    "lxml",
    "rapidfuzz",
    "snowballstemmer",
    "pycocoevalcap",
    "pymorphy3",
    "pymorphy3-dicts-ru",
    "razdel",
    "nltk",
    "inflect",
    "Pillow",
)
"""Packages whose files affect scores; those of PyTorch are too large to read each time."""
OF_EXTRAS = ("polars", "pycocoevalcap")
"""Those of them that not every installation has."""


def installation_checks() -> Iterator[Check]:
    """Compare all files with the hashes recorded when they were installed or built."""
    if getattr(sys, "frozen", False):
        yield package_check(Path(sys.executable).parent)
    else:
        yield from map(library_check, (name for name in LIBRARIES if name not in missing_extras()))
    yield index_check()
    yield from weight_checks()


def missing_extras() -> set[str]:
    """Return the packages of extras that are not installed."""
    return {name for name in OF_EXTRAS if importlib.util.find_spec(name) is None}


def library_check(name: str) -> Check:
    """Compare the files of a package with the hashes in its record (PEP 376)."""
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return Check(PART, name, "absent", "The package has no record of its files here.")
    changed, compared = [], 0
    for file in distribution.files or ():
        if file.hash is None or file.hash.mode != "sha256" or ".." in file.parts:
            continue  # start scripts stand outside of the packages, and installers rewrite them
        compared += 1
        if digest_of(Path(str(distribution.locate_file(file)))) != file.hash.value:
            changed.append(str(file))
    if changed:
        text = fill(
            "Files differ from those installed: {name_list}. Install {name} again.",
            name_list(changed),
            name,
        )
        return Check(PART, name, "differs", text)
    return Check(
        PART,
        name,
        "ok",
        fill("{version}: {compared:,} files as installed.", distribution.version, compared),
    )


def package_check(folder: Path) -> Check:
    """Compare the files of the packaged program with the hashes in its manifest."""
    name = "jurydesk"
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        files, version = dict(manifest["files"]), str(manifest["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return Check(PART, name, "absent", "The package has no record of its files here.")
    changed = [
        file
        for file, recorded in files.items()
        if ".." not in Path(file).parts and sha256(folder / file).hex() != recorded
    ]
    if changed:
        text = fill(
            "Files differ from those installed: {name_list}. Install {name} again.",
            name_list(changed),
            name,
        )
        return Check(PART, name, "differs", text)
    compared = len(files)
    return Check(
        PART, name, "ok", fill("{version}: {compared:,} files as installed.", version, compared)
    )


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in the format of package records; empty if it is missing."""
    return base64.urlsafe_b64encode(sha256(path)).rstrip(b"=").decode()


def sha256(path: Path) -> bytes:
    """Return the SHA-256 of a file; empty if it is missing."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b""


def index_check() -> Check:
    """Compare METEOR's index with its checksum."""
    name = translatable("METEOR's index")
    try:
        path = present_index_path()
    except source_files.LanguageDataMissing as missing:
        return Check(PART, name, "absent", str(missing))
    if path is None:
        return Check(PART, name, "absent", "It is built at the first use of METEOR.")
    try:
        opened = open_index(path, check=True)
    except (OSError, IndexDamaged) as wrong:
        text = fill(
            "{path} is damaged ({wrong}): delete it, and it is built again.",
            path,
            Message(str(wrong)),
        )
        return Check(PART, name, "differs", text)
    return Check(
        PART,
        name,
        "ok",
        fill("{name}: {synset_count:,} synonym sets.", path.name, opened.synset_count),
    )


def weight_checks() -> Iterator[Check]:
    """Compare chosen weights with the hashes computed at their last use."""
    from jurydesk.core.neural.weights.weight_hashes import recorded_sha256
    from jurydesk.core.neural.weights.weight_roles import ROLES, find_weights
    from jurydesk.core.system.paths import fingerprint

    for role in ROLES:
        try:
            found = find_weights(role.id, {}).found
        except (ResourceMissing, OSError):
            found = None
        for path in found.files if found else ():
            before = recorded_sha256(path)
            if path.is_dir() or not before:
                continue
            if fingerprint(path).sha256 == before:
                yield Check(
                    PART, f"{role.id}/{path.name}", "ok", "The file is the one used before."
                )
            else:
                text = fill(
                    "{path} is not the file that was used before: choose its weights again.", path
                )
                yield Check(PART, f"{role.id}/{path.name}", "differs", text)
