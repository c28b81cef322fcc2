"""Reader of untrusted packets, which validates everything before use."""

from __future__ import annotations

import hashlib
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
from jurydesk.core.language import LANGUAGES, failure_reason, fill
from jurydesk.core.model.defects import Place, error
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.system.zip_members import TooManyMembersError, has_other_bytes, open_zip

MAX_MEMBERS = 100_000
MAX_BYTES = 4 << 30
MAX_JSON_BYTES = 256 << 20
MAX_PHOTO_BYTES = 32 << 20
MEMBER = re.compile(r"(?:items|questionnaire|manifest)\.json|photos/[0-9a-f]{20}\.jpg")
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
KEY = re.compile("[0-9a-f]{64}")
JPEG = b"\xff\xd8\xff"

TOO_LARGE = "The packet is too large."
ASK_AGAIN = "Ask the organiser for it again."


class _RefusedError(Exception):
    """Refusal of a packet, with a message for the user."""


class _Photos(Mapping[str, bytes]):
    """Photos of a validated packet, each read on request."""

    def __init__(self, archive: zipfile.ZipFile, hashes: Mapping[str, str]) -> None:
        self._archive = archive
        self._hashes = hashes

    def __getitem__(self, name: str) -> bytes:
        member = f"photos/{name}.jpg"
        return _read(self._archive, member, self._hashes[member], MAX_PHOTO_BYTES)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> list[str]:
        return [name[7:-4] for name in self._hashes if name.startswith("photos/")]


def read_packet(path: Path) -> Reading[PacketContent]:
    """Read a packet, with photos on request, or return why it is refused."""
    try:
        return Reading(_open_packet(path), (), path.stem)
    except (_RefusedError, TooManyMembersError) as refusal:
        found = str(refusal) if isinstance(refusal, _RefusedError) else TOO_LARGE
        return Reading(None, (error(Place(str(path)), found, hint=ASK_AGAIN),))
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, UnicodeError, struct.error):
        found = "The packet is damaged or incomplete."
        return Reading(None, (error(Place(str(path)), found, hint=ASK_AGAIN),))
    except OSError as problem:
        found = fill("The packet cannot be read: {value}.", failure_reason(problem))
        return Reading(None, (error(Place(str(path)), found),))


def _open_packet(path: Path) -> PacketContent:
    archive = open_zip(path, MAX_MEMBERS)
    try:
        if has_other_bytes(path, archive):
            raise _RefusedError("The packet was altered: it has bytes that belong to no file.")
        return _check_packet(archive)
    except BaseException:
        archive.close()
        raise


def _check_packet(archive: zipfile.ZipFile) -> PacketContent:
    _check_members(archive)
    written = _read(archive, MANIFEST, None, MAX_JSON_BYTES)
    manifest = _json(written, MANIFEST)
    hashes = _hashes(manifest)
    members = {info.filename for info in archive.infolist()} - {MANIFEST}
    if members != hashes.keys():
        other = min(members ^ hashes.keys())
        name = other if MEMBER.fullmatch(other) else ascii(other)
        raise _RefusedError(fill("The packet was altered: {name} was added or removed.", name))
    for name in sorted(members):
        limit = MAX_PHOTO_BYTES if name.endswith(".jpg") else MAX_JSON_BYTES
        content = _read(archive, name, hashes[name], limit)
        if name.endswith(".jpg") and not content.startswith(JPEG):
            raise _RefusedError(
                fill("The packet contains a file that is not a photo: {name}.", name)
            )
    try:
        questionnaire = questionnaire_from_json(_json(archive.read(QUESTIONS), QUESTIONS))
    except ValueError as problem:
        raise _RefusedError(
            fill("The packet's questionnaire is invalid: {problem}", problem)
        ) from problem
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
        _key(manifest.get("key")),
        _language(manifest.get("language", "en")),
    )


def _check_members(archive: zipfile.ZipFile) -> None:
    infos = archive.infolist()
    names = [info.filename for info in infos]
    if MANIFEST not in names:
        raise _RefusedError("This is not a packet: it has no manifest.")
    if sum(info.file_size for info in infos) > MAX_BYTES:
        raise _RefusedError(TOO_LARGE)
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise _RefusedError(fill("The packet was altered: it contains {twice} twice.", twice))
    if any(info.compress_type not in COMPRESSIONS for info in infos):
        raise _RefusedError("The packet uses an unsupported compression method.")
    odd = [name for name in names if MEMBER.fullmatch(name) is None]
    if odd:
        raise _RefusedError(fill("The packet contains an unexpected file: {odd}.", repr(odd[0])))


def _read(archive: zipfile.ZipFile, name: str, sha256: str | None, limit: int) -> bytes:
    if archive.getinfo(name).file_size > limit:
        raise _RefusedError(fill("The packet's file {name} is too large.", name))
    with archive.open(name) as file:
        content = file.read(limit + 1)
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        raise _RefusedError(
            fill("The packet was altered: {name} does not match its manifest.", name)
        )
    return content


def _json(content: bytes, name: str) -> Json:
    try:
        return parse_json(content, unique=True)
    except ValueError as problem:
        raise _RefusedError(fill("The packet's {name} is not valid JSON.", name)) from problem


def _hashes(manifest: Json) -> Mapping[str, str]:
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise _RefusedError("This is not a packet of Jurydesk.")
    version = manifest.get("version")
    if version not in VERSIONS:
        raise _RefusedError(
            fill(
                "The packet has version {version}; this program reads {versions}. Install "
                "the newest version.",
                repr(version),
                VERSIONS[-1],
            )
        )
    files = manifest.get("files")
    rater = manifest.get("rater")
    if not isinstance(files, dict) or not isinstance(rater, str) or not RATER_CODE.fullmatch(rater):
        raise _RefusedError("The packet's manifest is invalid.")
    if not {ITEMS, QUESTIONS} <= files.keys():
        raise _RefusedError("The packet is incomplete: its items or its questions are missing.")
    return {name: str(sha256) for name, sha256 in files.items()}


def _words(data: Json) -> tuple[Noun, Noun]:
    """Return the nouns for entries and pictures; stories and photos by default."""
    if data is None:
        return STORIES.entry, STORIES.picture
    try:
        return noun_from_json(data["entry"]), noun_from_json(data["picture"])
    except (KeyError, TypeError, ValueError) as problem:
        raise _RefusedError("The packet's manifest is invalid.") from problem


def _key(data: Json) -> str:
    """Return the key that signs answers."""
    if not isinstance(data, str) or KEY.fullmatch(data) is None:
        raise _RefusedError("The packet's manifest is invalid.")
    return data


def _language(data: Json) -> str:
    """Return the packet's language; English if this program does not have it."""
    return data if isinstance(data, str) and data in LANGUAGES else "en"


def _photos(data: Json) -> tuple[PacketPhoto, ...]:
    return tuple(PacketPhoto(str(name), str(missing)) for name, missing in data)


def _items(data: Json, hashes: Mapping[str, str], stories: int) -> tuple[PacketItem, ...]:
    items = tuple(map(_item, data)) if isinstance(data, list) else ()
    ids = {item.id for item in items}
    if not items or len(ids) < len(items):
        raise _RefusedError("The packet's list of items is invalid.")
    for item in items:
        missing = [
            photo.name
            for photo in item.all_photos
            if photo.name and f"photos/{photo.name}.jpg" not in hashes
        ]
        if missing or len(item.stories) != stories or len(item.pictures) not in (0, stories):
            raise _RefusedError("The packet's list of items is invalid.")
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
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise _RefusedError("The packet's list of items is invalid.") from problem
    texts = all(isinstance(text, str) for text in item.stories)
    if not texts or not isinstance(item.id, str) or not TASK_ID.fullmatch(item.id):
        raise _RefusedError("The packet's list of items is invalid.")
    return item
