"""A packet: one rater's stories, photos and questions in one file, and nothing else.

A zip with `manifest.json`, which names the SHA-256 of every other member; the packet's own hash is
that of its manifest. Members have fixed dates and random names, so that equal packets are equal
bytes and nothing tells where a story comes from.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO

from core.model import Json
from core.rating.photos import Photos
from core.rating.questionnaire import Questionnaire
from core.rating.study import Rater, Study

SUFFIX = ".jurypacket"
FORMAT, VERSION = "jurydesk packet", 1
MANIFEST, ITEMS, QUESTIONS = "manifest.json", "items.json", "questionnaire.json"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first date that a zip knows; a real one would tell when a packet was made."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo of an item: its name in the packet, or, where it is missing, its own id."""

    name: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class PacketItem:
    """What the rater sees at once."""

    id: str
    photos: tuple[Photo, ...]
    stories: tuple[str, ...]
    practice: bool = False

    def to_json(self) -> Json:
        """The item as JSON values; `item_from_json` reads it back."""
        return {
            "id": self.id,
            "photos": [[photo.name, photo.missing] for photo in self.photos],
            "stories": list(self.stories),
            "practice": self.practice,
        }


@dataclass(frozen=True, slots=True)
class Content:
    """All of a packet; `photos` holds JPEG bytes by name, and `sha256` is the packet's hash."""

    rater: str
    questionnaire: Questionnaire
    items: tuple[PacketItem, ...]
    photos: Mapping[str, bytes]
    sha256: str = ""


def packet_members(content: Content) -> Iterator[tuple[str, bytes]]:
    """The members of the zip but the manifest, by name."""
    yield ITEMS, encoded([item.to_json() for item in content.items])
    yield QUESTIONS, encoded(content.questionnaire.to_json())
    for name in sorted(content.photos):
        yield f"photos/{name}.jpg", content.photos[name]


def encoded(value: Json) -> bytes:
    """JSON in the one form that is hashed."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode("utf-8", "replace")


def content_for(study: Study, rater: Rater, photos: Photos) -> Content:
    """What goes into a rater's packet."""
    found: dict[str, bytes] = {}
    items = []
    for task in rater.tasks:
        shown = []
        for photo in study.pool.sequences[task.item.sequence]:
            jpeg = photos.get(photo)
            name = study.photo_name(rater.code, photo)
            if jpeg is not None:
                found[name] = jpeg
            shown.append(Photo("", photo) if jpeg is None else Photo(name))
        practice = task.item.kind == "practice"
        items.append(PacketItem(task.id, tuple(shown), study.texts(task.item), practice))
    content = Content(rater.code, study.questionnaire, tuple(items), found)
    return replace(content, sha256=manifest_of(content)[1])


def manifest_of(content: Content) -> tuple[bytes, str]:
    """The manifest of a packet, and its SHA-256, which is the packet's."""
    files = {name: hashlib.sha256(data).hexdigest() for name, data in packet_members(content)}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "rater": content.rater,
        "title": content.questionnaire.title,
        "files": files,
    }
    written = encoded(manifest)
    return written, hashlib.sha256(written).hexdigest()


def write_packet(content: Content, file: BinaryIO) -> None:
    """Write the packet to an open file."""
    with zipfile.ZipFile(file, "w") as archive:
        _add(archive, MANIFEST, manifest_of(content)[0])
        for name, data in packet_members(content):
            _add(archive, name, data)


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, EPOCH)
    info.create_system = 3  # Unix everywhere: equal packets are equal bytes
    info.compress_type = zipfile.ZIP_DEFLATED if name.endswith(".json") else zipfile.ZIP_STORED
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)
