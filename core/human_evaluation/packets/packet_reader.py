"""Opening a packet that came from elsewhere: everything is checked before anything is shown."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from jurydesk.core.competition.rating_design import STORIES, Noun, noun_from_json
from jurydesk.core.competition.task import Reading
from jurydesk.core.human_evaluation.design.questionnaire import questionnaire_from_json
from jurydesk.core.human_evaluation.design.study import RATER_CODE, TASK_ID
from jurydesk.core.human_evaluation.packets.packet import (
    FORMAT,
    ITEMS,
    MANIFEST,
    QUESTIONS,
    VERSIONS,
    PacketContent,
    PacketItem,
    PacketPhoto,
)
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.evaluation import Json

MOST_MEMBERS = 100_000
MOST_BYTES = 4 << 30
LARGEST_JSON = 256 << 20
LARGEST_PHOTO = 32 << 20
MEMBER = re.compile(r"(?:items|questionnaire|manifest)\.json|photos/[0-9a-f]{20}\.jpg")
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
KEY = re.compile("[0-9a-f]{64}")
JPEG = b"\xff\xd8\xff"

NEW = "Ask the organiser for it again."


class _RefusedError(Exception):
    """Why the packet is refused, as a sentence."""


class _Photos(Mapping[str, bytes]):
    """The photos of a checked packet, each read when it is asked for."""

    def __init__(self, archive: zipfile.ZipFile, hashes: Mapping[str, str]) -> None:
        self._archive = archive
        self._hashes = hashes

    def __getitem__(self, name: str) -> bytes:
        member = f"photos/{name}.jpg"
        return _read(self._archive, member, self._hashes[member], LARGEST_PHOTO)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> list[str]:
        return [name[7:-4] for name in self._hashes if name.startswith("photos/")]


def read_packet(path: Path) -> Reading[PacketContent]:
    """The packet, whose photos are read when they are asked for; or why it is refused."""
    try:
        return Reading(_open_packet(path), (), path.stem)
    except _RefusedError as refusal:
        return Reading(None, (error(Place(str(path)), str(refusal), hint=NEW),))
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, UnicodeError, struct.error):
        found = "This is no whole packet: the file is damaged or was cut off."
        return Reading(None, (error(Place(str(path)), found, hint=NEW),))
    except OSError as fault:
        found = f"The packet cannot be read: {fault.strerror or fault}."
        return Reading(None, (error(Place(str(path)), found),))


def _open_packet(path: Path) -> PacketContent:
    archive = zipfile.ZipFile(path)
    try:
        return _check_packet(archive)
    except BaseException:
        archive.close()
        raise


def _check_packet(archive: zipfile.ZipFile) -> PacketContent:
    _check_members(archive)
    written = _read(archive, MANIFEST, None, LARGEST_JSON)
    manifest = _json(written, MANIFEST)
    hashes = _hashes(manifest)
    there = {info.filename for info in archive.infolist()} - {MANIFEST}
    if there != hashes.keys():
        odd = min(there ^ hashes.keys())
        name = odd if MEMBER.fullmatch(odd) else ascii(odd)
        raise _RefusedError(f"The packet was altered: {name} was added or taken away.")
    for name in sorted(there):
        limit = LARGEST_PHOTO if name.endswith(".jpg") else LARGEST_JSON
        content = _read(archive, name, hashes[name], limit)
        if name.endswith(".jpg") and not content.startswith(JPEG):
            raise _RefusedError(f"The packet holds a file that is no photo: {name}.")
    try:
        questionnaire = questionnaire_from_json(_json(archive.read(QUESTIONS), QUESTIONS))
    except ValueError as fault:
        raise _RefusedError(f"The packet's questionnaire is not sound: {fault}") from fault
    items = _items(_json(archive.read(ITEMS), ITEMS), hashes, questionnaire.stories)
    digest = hashlib.sha256(written).hexdigest()
    entry, picture = _words(manifest.get("words"))
    return PacketContent(
        manifest["rater"],
        questionnaire,
        items,
        _Photos(archive, hashes),
        digest,
        entry,
        picture,
        _key(manifest.get("key", "")),
    )


def _check_members(archive: zipfile.ZipFile) -> None:
    infos = archive.infolist()
    names = [info.filename for info in infos]
    if MANIFEST not in names:
        raise _RefusedError("This is no packet: it has no manifest.")
    if len(infos) > MOST_MEMBERS or sum(info.file_size for info in infos) > MOST_BYTES:
        raise _RefusedError("The packet claims to hold more than any packet does.")
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise _RefusedError(f"The packet was altered: {twice} is in it twice.")
    if any(info.compress_type not in COMPRESSIONS for info in infos):
        raise _RefusedError("The packet is compressed in a way that no packet is.")
    odd = [name for name in names if MEMBER.fullmatch(name) is None]
    if odd:
        raise _RefusedError(f"The packet holds a file that is none of a packet: {odd[0]!r}.")


def _read(archive: zipfile.ZipFile, name: str, sha256: str | None, limit: int) -> bytes:
    if archive.getinfo(name).file_size > limit:
        raise _RefusedError(f"The packet's file {name} is too large.")
    with archive.open(name) as file:
        content = file.read(limit + 1)
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        raise _RefusedError(f"The packet was altered: {name} is not what its manifest says.")
    return content


def _json(content: bytes, name: str) -> Json:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as fault:
        raise _RefusedError(f"The packet's {name} is no JSON.") from fault


def _hashes(manifest: Json) -> Mapping[str, str]:
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise _RefusedError("This is no packet of Jurydesk.")
    version = manifest.get("version")
    if version not in VERSIONS:
        raise _RefusedError(
            f"The packet has version {version!r}; this program reads {VERSIONS[-1]}. "
            "Install the newest version."
        )
    files = manifest.get("files")
    rater = manifest.get("rater")
    if not isinstance(files, dict) or not isinstance(rater, str) or not RATER_CODE.fullmatch(rater):
        raise _RefusedError("The packet's manifest is not sound.")
    if not {ITEMS, QUESTIONS} <= files.keys():
        raise _RefusedError("The packet is not whole: its items or its questions are missing.")
    return {name: str(sha256) for name, sha256 in files.items()}


def _words(data: Json) -> tuple[Noun, Noun]:
    """What entries and pictures are called; stories and photos where the packet does not say."""
    if data is None:
        return STORIES.entry, STORIES.picture
    try:
        return noun_from_json(data["entry"]), noun_from_json(data["picture"])
    except (KeyError, TypeError, ValueError) as fault:
        raise _RefusedError("The packet's manifest is not sound.") from fault


def _key(data: Json) -> str:
    """The key that signs answers; empty in a packet that was written before there were any."""
    if not isinstance(data, str) or (data and KEY.fullmatch(data) is None):
        raise _RefusedError("The packet's manifest is not sound.")
    return data


def _photos(data: Json) -> tuple[PacketPhoto, ...]:
    return tuple(PacketPhoto(str(name), str(missing)) for name, missing in data)


def _items(data: Json, hashes: Mapping[str, str], stories: int) -> tuple[PacketItem, ...]:
    items = tuple(map(_item, data)) if isinstance(data, list) else ()
    ids = {item.id for item in items}
    if not items or len(ids) < len(items):
        raise _RefusedError("The packet's list of items is not sound.")
    for item in items:
        missing = [
            photo.name
            for photo in item.all_photos
            if photo.name and f"photos/{photo.name}.jpg" not in hashes
        ]
        if missing or len(item.stories) != stories or len(item.pictures) not in (0, stories):
            raise _RefusedError("The packet's list of items is not sound.")
    return items


def _item(data: Json) -> PacketItem:
    try:
        item = PacketItem(
            data["id"],
            _photos(data["photos"]),
            tuple(data["stories"]),
            bool(data["practice"]),
            tuple((str(title), str(text)) for title, text in data.get("context", ())),
            tuple(map(_photos, data.get("pictures", ()))),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise _RefusedError("The packet's list of items is not sound.") from fault
    texts = all(isinstance(text, str) for text in item.stories)
    if not texts or not isinstance(item.id, str) or not TASK_ID.fullmatch(item.id):
        raise _RefusedError("The packet's list of items is not sound.")
    return item
