"""Packet: a rater's items, pictures and questions in one file.

It is a zip with `manifest.json`, which has the SHA-256 of every other member; the packet's own hash
is that of its manifest. Members have fixed dates and random names, so that equal packets are equal
bytes and nothing reveals the system of an entry.

Version 4 adds a language other than English to version 3.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import BinaryIO

from jurydesk.core.competition.rating_design import STORIES, Noun, PictureRef
from jurydesk.core.human_evaluation.design.questionnaire import (
    Questionnaire,
    translate_questionnaire,
)
from jurydesk.core.human_evaluation.design.study import Rater, RatingStudy
from jurydesk.core.human_evaluation.packets.photos import PhotoFolder
from jurydesk.core.language import translate_text
from jurydesk.core.model.evaluation import Json

SUFFIX = ".jurypacket"
FORMAT, VERSIONS = "jurydesk packet", (3, 4)
MANIFEST, ITEMS, QUESTIONS = "manifest.json", "items.json", "questionnaire.json"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Earliest date in a zip; a real date would make equal packets differ."""

NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class PacketPhoto:
    """Picture by its name in the packet or, if it is missing, by its own id."""

    name: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class PacketItem:
    """Screen of the rating page: an item and the entries to be rated.

    `photos` and `context` (titles and texts) are of the item, `stories` are the texts of the
    entries, `pictures` each entry's own ones, if there are any.
    """

    id: str
    photos: tuple[PacketPhoto, ...]
    stories: tuple[str, ...]
    practice: bool = False
    context: tuple[tuple[str, str], ...] = ()
    pictures: tuple[tuple[PacketPhoto, ...], ...] = ()

    @property
    def all_photos(self) -> tuple[PacketPhoto, ...]:
        """Pictures of the item and of its entries."""
        return (*self.photos, *chain.from_iterable(self.pictures))

    def to_json(self) -> dict[str, Json]:
        """Return the item as JSON values."""
        whole: dict[str, Json] = {
            "id": self.id,
            "photos": _photos_json(self.photos),
            "stories": list(self.stories),
            "practice": self.practice,
        }
        if self.context:
            whole["context"] = [list(part) for part in self.context]
        if self.pictures:
            whole["pictures"] = list(map(_photos_json, self.pictures))
        return whole


def _photos_json(photos: Iterable[PacketPhoto]) -> Json:
    return [[photo.name, photo.missing] for photo in photos]


@dataclass(frozen=True, slots=True)
class PacketContent:
    """Content of a packet; `photos` are JPEG bytes by name, and `sha256` is the packet's hash.

    `entry` and `picture` are the nouns that the rater sees. The answers are signed with the `key`.
    `language` is that of the page and of the questionnaire.
    """

    rater: str
    questionnaire: Questionnaire
    items: tuple[PacketItem, ...]
    photos: Mapping[str, bytes]
    sha256: str = ""
    entry: Noun = STORIES.entry
    picture: Noun = STORIES.picture
    key: str = ""
    language: str = "en"

    @property
    def version(self) -> int:
        """First version of the format that supports this content."""
        return 3 if self.language == "en" else 4

    @property
    def has_words(self) -> bool:
        """True if the packet has more than stories and their photos."""
        words = (self.entry, self.picture) != (STORIES.entry, STORIES.picture)
        return words or any(one.context or one.pictures for one in self.items)

    @property
    def words(self) -> dict[str, Json]:
        """Nouns as JSON values."""
        return {"entry": list(self.entry), "picture": list(self.picture)}


def packet_members(content: PacketContent) -> Iterator[tuple[str, bytes]]:
    """Yield the members of the zip without the manifest, by name."""
    yield ITEMS, canonical_json([item.to_json() for item in content.items])
    yield QUESTIONS, canonical_json(content.questionnaire.to_json())
    for name in sorted(content.photos):
        yield f"photos/{name}.jpg", content.photos[name]


def canonical_json(value: Json) -> bytes:
    """Encode JSON in the canonical form that is hashed."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode("utf-8", "replace")


def packet_content(
    study: RatingStudy, rater: Rater, photos: PhotoFolder, language: str = "en"
) -> PacketContent:
    """Return the content of a rater's packet, with its instructions in a language."""
    found: dict[str, bytes] = {}

    def packed(pictures: Iterable[PictureRef], missing: str = "") -> tuple[PacketPhoto, ...]:
        shown = []
        for picture in pictures:
            jpeg = photos.get(picture)
            name = study.photo_name(rater.code, picture.key)
            if jpeg is not None:
                found[name] = jpeg
            shown.append(
                PacketPhoto("", missing or picture.id) if jpeg is None else PacketPhoto(name)
            )
        return tuple(shown)

    items = []
    for task in rater.tasks:
        whole = study.rated_item(task.item)
        # The name of an entry's picture may reveal the system.
        pictures = tuple(packed(one.pictures, NOT_FOUND) for one in whole.entries)
        item = PacketItem(
            task.id,
            packed(whole.pictures),
            tuple(
                translate_text(one.text, language) if task.item.kind == "attention" else one.text
                for one in whole.entries
            ),
            task.item.kind == "practice",
            whole.context,
            pictures if any(pictures) else (),
        )
        items.append(item)
    content = PacketContent(
        rater.code,
        translate_questionnaire(study.questionnaire, language),
        tuple(items),
        found,
        entry=_translated_noun(study.words.entry, language),
        picture=_translated_noun(study.words.picture, language),
        key=study.answer_key(rater.code),
        language=language,
    )
    return replace(content, sha256=make_manifest(content)[1])


def _translated_noun(noun: Noun, language: str) -> Noun:
    return translate_text(noun[0], language), translate_text(noun[1], language)


def make_manifest(content: PacketContent) -> tuple[bytes, str]:
    """Return the manifest of a packet, and its SHA-256, which identifies the packet."""
    files = {name: hashlib.sha256(data).hexdigest() for name, data in packet_members(content)}
    manifest: dict[str, Json] = {
        "format": FORMAT,
        "version": content.version,
        "rater": content.rater,
        "title": content.questionnaire.title,
        "files": files,
        "key": content.key,
    }
    if content.has_words:
        manifest["words"] = content.words
    if content.language != "en":
        manifest["language"] = content.language
    encoded = canonical_json(manifest)
    return encoded, hashlib.sha256(encoded).hexdigest()


def write_packet(content: PacketContent, file: BinaryIO) -> None:
    """Write the packet to an open file."""
    with zipfile.ZipFile(file, "w") as archive:
        _add(archive, MANIFEST, make_manifest(content)[0])
        for name, data in packet_members(content):
            _add(archive, name, data)


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, EPOCH)
    info.create_system = 3  # Unix everywhere: equal packets are equal bytes
    info.compress_type = zipfile.ZIP_DEFLATED if name.endswith(".json") else zipfile.ZIP_STORED
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)
