"""Entry after the deadline (`*.juryentry`): files of a team, signed, and encrypted if wanted.

A zip of `entry.json`, the signed document, and the files: `files.enc`, or `files/NAME` for each.
Sizes, names and members are limited before the signature is trusted, files are compared with
their signed hashes after it.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import secrets
import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from jurydesk.core.intake.archive import (
    BLOCK,
    MAX_BYTES,
    MAX_MEMBER_BYTES,
    portable_part,
    unsafe_reason,
)
from jurydesk.core.language import failure_reason, fill, translatable
from jurydesk.core.model.canonical_json import canonical_sha256
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.system_names import LONGEST_NAME, clean_system_name
from jurydesk.core.sealed.encryption import DecryptionError, decrypt_content, encrypt_content
from jurydesk.core.sealed.key_store import KeyPair
from jurydesk.core.sealed.public_keys import key_text
from jurydesk.core.sealed.signed_document import (
    MAX_DOCUMENT_BYTES,
    SignedDocumentError,
    message_sha256,
    read_signed,
    require_sealing,
    sign_document,
    signed_message,
)
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.system.zip_members import has_other_bytes

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

SUFFIX = ".juryentry"
DOCUMENT, ENCRYPTED, PLAIN = "entry.json", "files.enc", "files/"
MAX_FILES = 10_000
MAX_DIRECTORY_BYTES = 16 << 20
"""Limit on a zip's list of members, which `zipfile` reads whole before any can be counted."""
LONGEST_STATEMENT = 4_000
HEX = re.compile("[0-9a-f]{64}")
NONCE = re.compile("[0-9a-f]{32}")
MADE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
BODY = {"competition", "reference", "team", "statement", "nonce", "made", "files"}


class EntryError(Exception):
    """Entry that cannot be made, read or trusted; the message is for the user."""


@dataclass(frozen=True, slots=True)
class EntryFile:
    """File of an entry: name with folders, size, and hash of the whole content."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Entry whose signature is valid.

    `sha256` identifies the signed body, `contents` its files alone. `made` is the participant's
    claim. `reference` is the hash of the kit.
    """

    path: Path
    competition: str
    reference: str
    team: str
    statement: str
    nonce: str
    made: str
    files: tuple[EntryFile, ...]
    key: bytes
    sha256: str
    is_encrypted: bool

    @property
    def contents(self) -> str:
        """Hash of what the files contain; names count where there are several."""
        if len(self.files) == 1:
            return self.files[0].sha256
        return canonical_sha256(sorted([one.name, one.sha256] for one in self.files))

    @property
    def key_text(self) -> str:
        """Text of the team's public key."""
        return key_text(self.key)


@dataclass(frozen=True, slots=True)
class EntryClaims:
    """What a team says with its entry, and what ties it to a kit."""

    competition: str
    reference: str
    team: str
    statement: str = ""


def seal_entry(
    target: Path,
    files: Mapping[str, Path],
    claims: EntryClaims,
    key: KeyPair,
    recipient: bytes | None,
    run: Run,
) -> Entry:
    """Write an entry, encrypted for a recipient if there is one. Raises EntryError and OSError.

    `files` are the paths by the names that they have in the entry.
    """
    require_sealing()
    listed = [_listed_file(name, path, run) for name, path in sorted(files.items())]
    body: dict[str, Json] = {
        "competition": claims.competition,
        "reference": claims.reference,
        "team": claims.team,
        "statement": claims.statement,
        "nonce": secrets.token_hex(16),
        "made": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "files": [{"name": one.name, "size": one.size, "sha256": one.sha256} for one in listed],
    }
    require_body(body)
    document = sign_document("entry", body, key.signing)
    text = f"{json.dumps(document, ensure_ascii=False, indent=1)}\n".encode()
    content = _content([files[one.name] for one in listed], run)

    def write(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w", allowZip64=True) as archive:
            archive.writestr(DOCUMENT, text)
            if recipient is None:
                for one in listed:
                    member = zipfile.ZipInfo(PLAIN + one.name)
                    member.compress_type = zipfile.ZIP_DEFLATED
                    _write_member(archive, member, _content([files[one.name]], run))
            else:
                info = info_of_body(body)
                encrypted = encrypt_content(content, recipient, info)
                _write_member(archive, zipfile.ZipInfo(ENCRYPTED), encrypted)

    write_atomically(target, write)
    sha256 = message_sha256("entry", body)
    return _entry(target, body, key.public, sha256, is_encrypted=recipient is not None)


def _write_member(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, blocks: Iterable[bytes]
) -> None:
    with archive.open(member, "w", force_zip64=True) as file:
        for block in blocks:
            file.write(block)


def info_of_body(body: Json) -> bytes:
    """Return what ties encrypted files to the signed body."""
    return hashlib.sha256(signed_message("entry", body)).digest()


def _listed_file(name: str, path: Path, run: Run) -> EntryFile:
    digest, size = hashlib.sha256(), 0
    for block in _content([path], run):
        digest.update(block)
        size += len(block)
    return EntryFile(name, size, digest.hexdigest())


def _content(paths: Sequence[Path], run: Run) -> Iterator[bytes]:
    for path in paths:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                run.check()
                yield block


def require_body(body: Mapping[str, Json]) -> None:
    """Raise EntryError unless a body has the members of an entry, with permitted values."""
    try:
        texts = all(isinstance(body[name], str) for name in BODY - {"files"})
        files = [EntryFile(**one) for one in body["files"]]
        valid = texts and {*body} == BODY and all(_is_valid(one) for one in files)
    except (KeyError, TypeError):
        valid, files = False, []
    if not valid or not files or len(files) > MAX_FILES or sum(f.size for f in files) > MAX_BYTES:
        raise EntryError("The entry is damaged: its list of files is not valid.")
    forms = {"reference": HEX, "nonce": NONCE, "made": MADE}
    if not all(form.fullmatch(body[name]) for name, form in forms.items()):
        raise EntryError("The entry is damaged: a hash or the time in it is not valid.")
    team = body["team"]
    if not team.strip() or len(team) > LONGEST_NAME or clean_system_name(team, Path("x")) != team:
        raise EntryError(
            "A team needs a name of 1 to 120 letters, without control characters or double blanks."
        )
    if len(body["statement"]) > LONGEST_STATEMENT or len(body["competition"]) > LONGEST_STATEMENT:
        raise EntryError("The statement has more than 4,000 characters.")
    try:
        canonical_sha256(dict(body))
    except ValueError as error:
        raise EntryError("A text of the entry is not valid Unicode.") from error
    names = [folded_name(one.name) for one in files]
    if len({*names}) != len(names):
        raise EntryError("Two files of the entry have the same name.")
    for one in files:
        if reason := unsafe_reason(one.name):
            raise EntryError(fill("A file of the entry cannot be unpacked: {reason}", reason))


def _is_valid(one: EntryFile) -> bool:
    return (
        isinstance(one.name, str)
        and type(one.size) is int
        and 0 <= one.size <= MAX_MEMBER_BYTES
        and isinstance(one.sha256, str)
        and HEX.fullmatch(one.sha256) is not None
    )


def folded_name(name: str) -> str:
    """Return a file's name as file systems compare it, whatever its capitals and accents."""
    parts = name.replace("\\", "/").split("/")
    return unicodedata.normalize("NFC", "/".join(map(portable_part, parts)).casefold())


def _entry(
    path: Path, body: Mapping[str, Json], key: bytes, sha256: str, *, is_encrypted: bool
) -> Entry:
    texts = {name: body[name] for name in BODY - {"files"}}
    files = tuple(EntryFile(**one) for one in body["files"])
    return Entry(path, **texts, files=files, key=key, sha256=sha256, is_encrypted=is_encrypted)


def read_entry(path: Path) -> Entry:
    """Read an entry without its files; raise EntryError unless its signature is valid."""
    with _opened(path) as archive:
        members = {one.filename: one for one in archive.infolist()}
        is_odd = len(members) != len(archive.infolist()) or any(map(_is_odd, members.values()))
        if is_odd or has_other_bytes(path, archive):
            raise EntryError(fill("{name} is damaged: it has a wrong member.", path.name))
        document = members.pop(DOCUMENT, None)
        if document is None or len(members) > MAX_FILES:
            raise EntryError(fill("{name} is not an entry.", path.name))
        with archive.open(document) as file:
            content = file.read(MAX_DOCUMENT_BYTES + 1)
        try:
            found = read_signed("entry", content)
        except SignedDocumentError as error:
            raise EntryError(fill("{name}: {problem}", path.name, error)) from error
        require_body(found.body)
        is_encrypted = ENCRYPTED in members
        entry = _entry(path, found.body, found.key, found.sha256, is_encrypted=is_encrypted)
        wanted = {ENCRYPTED} if is_encrypted else {PLAIN + one.name for one in entry.files}
        if {*members} != wanted:
            raise EntryError(fill("{name} lacks a file, or has another one.", path.name))
        return entry


def _is_odd(member: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(member.external_attr >> 16)
    return kind not in (0, stat.S_IFREG) or bool(member.flag_bits & 1)


class _EntryReader(io.BufferedReader):
    """File that reads no more at once than a zip of an entry needs."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_DIRECTORY_BYTES:
            raise zipfile.BadZipFile
        return super().read(size)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with _EntryReader(io.FileIO(path)) as file, zipfile.ZipFile(file) as archive:
            yield archive
    except OSError as error:
        reason = failure_reason(error)
        raise EntryError(fill("{name}: {reason:lower}.", path.name, reason)) from error
    except (*DAMAGE, zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
        raise EntryError(fill("{name} is not an entry, or it is damaged.", path.name)) from error


OTHER_CONTENT = translatable("The file {name} is not the one that was signed.")


def unpack_entry(entry: Entry, secret: bytes, folder: Path, run: Run) -> list[Path]:
    """Write the files of an entry into an empty folder; raise EntryError unless all are signed.

    `secret` is the organiser's private key for encryption.
    """
    require_sealing()
    if sum(one.size for one in entry.files) > shutil.disk_usage(folder).free:
        raise EntryError("The disk has no room for the files of the entry.")
    body = {name: getattr(entry, name) for name in BODY - {"files"}}
    listed = [{"name": one.name, "size": one.size, "sha256": one.sha256} for one in entry.files]
    info = info_of_body({**body, "files": listed})
    with _opened(entry.path) as archive:
        if not entry.is_encrypted:
            return [_unpack_plain(archive, one, folder, run) for one in entry.files]
        with archive.open(ENCRYPTED) as source:
            blocks = _Blocks(_decrypted(source, secret, info))
            found = [_write_file(one, folder, blocks.take(one.size), run) for one in entry.files]
            if blocks.rest():
                raise EntryError(fill("{name} has more content than it signs.", entry.path.name))
            return found


def _decrypted(source: IO[bytes], secret: bytes, info: bytes) -> Iterator[bytes]:
    try:
        yield from decrypt_content(source, secret, info)
    except DecryptionError as error:
        raise EntryError(str(error)) from error


def _unpack_plain(archive: zipfile.ZipFile, one: EntryFile, folder: Path, run: Run) -> Path:
    with archive.open(PLAIN + one.name) as source:
        # One byte more than signed is read, and differs then.
        return _write_file(one, folder, _limited(source, one.size + 1), run)


def _limited(source: IO[bytes], size: int) -> Iterator[bytes]:
    while size > 0 and (block := source.read(min(BLOCK, size))):
        size -= len(block)
        yield block


def _write_file(one: EntryFile, folder: Path, blocks: Iterable[bytes], run: Run) -> Path:
    """Write one file and return its path; raise EntryError unless it is the signed one."""
    target = folder.joinpath(*map(portable_part, one.name.replace("\\", "/").split("/")))
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with target.open("xb") as file:
        for block in blocks:
            run.check()
            digest.update(block)
            size += len(block)
            file.write(block)
    if (size, digest.hexdigest()) != (one.size, one.sha256):
        raise EntryError(OTHER_CONTENT.format(name=one.name))
    return target


class _Blocks:
    """Stream of blocks, of which parts of a given size are taken."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._left = blocks, b""

    def take(self, size: int) -> Iterator[bytes]:
        """Yield the next `size` bytes, fewer at the end."""
        while size > 0:
            block = self._left or next(self._blocks, b"")
            if not block:
                return
            yield block[:size]
            self._left = block[size:]
            size -= len(block[:size])

    def rest(self) -> bool:
        """Return whether anything is left."""
        return bool(self._left or next(self._blocks, b""))
