"""Unpacking of untrusted archives of submissions.

Every refused member is a defect with its name; nothing is written outside the archive's own folder,
and no archive can fill the disk.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import shutil
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, counted, fill, name_list
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note, warning
from jurydesk.core.model.input_file import Parts
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.readers import unpacking_limits as limits
from jurydesk.core.system.paths import fingerprint, name_os_errors, write_atomically

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_MEMBERS = 50_000
MAX_BYTES = 32 << 30
MAX_MEMBER_BYTES = 4 << 30
BLOCK = 1 << 20
ARCHIVES = (".zip",)
OTHER_ARCHIVES = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".7z", ".rar")
SYMBOLIC = "It is a link."
_EXTENDED_TIME = 0x5455
MAX_DEPTH = 32
MAX_PART_BYTES = 200
"""Limit on the bytes of a path part; file systems allow 255."""

_FORBIDDEN = re.compile(r'[<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]')
"""Characters refused by Windows, and direction controls, which can disguise a name."""
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10)))
)

Times = dict[Parts, datetime | None]
"""Time of each member, in UTC, or without a zone as the archive has it; None if it is invalid."""


@dataclass(frozen=True, slots=True)
class UnpackedArchive:
    """Folder of an unpacked archive, the times of its files, and defects of refused members."""

    folder: Path
    times: Times
    defects: tuple[Defect, ...]


def is_archive(path: Path) -> bool:
    """Return whether a file is a supported archive, by its suffix and first bytes."""
    if path.suffix.lower() not in ARCHIVES:
        return False
    with suppress(OSError), path.open("rb") as file:
        return file.read(2) == b"PK"
    return False


def unpack_archive(path: Path, store: Path, run: Run) -> UnpackedArchive:
    """Unpack an archive into a folder of `store` of its own, once for each content.

    Equal archives of two teams are two submissions. Raises Cancelled, and OSError if the folder
    cannot be written.
    """
    digest = fingerprint(path, run.check).sha256
    folder = store / hashlib.sha256(f"{digest} {path}".encode("utf-8", "replace")).hexdigest()[:24]
    record = folder.with_suffix(".json")
    if not (record.is_file() and folder.is_dir()):
        store.mkdir(parents=True, exist_ok=True)
        unfinished = folder.with_suffix(".part")
        for stale in (unfinished, folder):
            shutil.rmtree(stale, ignore_errors=True)
        unfinished.mkdir()
        times, defects = _Unpacker(path, unfinished, run).result()
        unfinished.replace(folder)
        write_atomically(record, _encode(times, defects))
    times, defects = _decode(record.read_bytes())
    return UnpackedArchive(folder, times, tuple(defects))


def _encode(times: Times, defects: list[Defect]) -> bytes:
    members = [[list(parts), str(one or "")] for parts, one in times.items()]
    return json.dumps([members, to_json(defects)]).encode()


def _decode(content: bytes) -> tuple[Times, list[Defect]]:
    members, defects = json.loads(content)
    times = {tuple(parts): datetime.fromisoformat(at) if at else None for parts, at in members}
    return times, list(from_json(tuple[Defect, ...], defects))


class UnreadableMemberError(Exception):
    """Member that cannot be read; the message is for the user."""


@contextmanager
def _report_damage() -> Iterator[None]:
    """Report any error that the libraries raise on damaged data as damage."""
    try:
        yield
    except (
        *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, struct.error, OSError),
        *(ValueError, RuntimeError, LookupError, OverflowError),
    ) as bad:
        raise UnreadableMemberError(
            fill("It cannot be unpacked ({bad}).", Message(str(bad)))
        ) from bad


class _Unpacker:
    """Unpacker of one archive into an empty folder."""

    def __init__(self, path: Path, folder: Path, run: Run) -> None:
        self._path = path
        self._folder = folder
        self._run = run
        self._times: Times = {}
        self._defects: list[Defect] = []
        self._system_files: list[str] = []
        self._used_names: set[str] = set()
        self._written = 0

    def result(self) -> tuple[Times, list[Defect]]:
        """Return the files by their path, and the defects."""
        with ExitStack() as stack:
            try:
                with _report_damage():
                    archive = stack.enter_context(zipfile.ZipFile(self._path))
            except UnreadableMemberError:
                self._refuse("", "The archive is damaged.", "Get the complete file again.")
                return self._times, self._defects
            if not self._exceeds_limit(archive.infolist()):
                self._unpack_members(archive, archive.infolist())
        if self._system_files:
            names = name_list(self._system_files)
            left = counted(len(self._system_files), "file")
            found = fill("{left} created by operating systems: {names}.", left, names)
            place, count = Place(str(self._path)), len(self._system_files)
            self._defects.append(note(place, found, "They were ignored.", count=count))
        if not self._times and not has_errors(self._defects):
            self._refuse("", "The archive contains no file.", "Check that it is the right one.")
        return self._times, self._defects

    def _exceeds_limit(self, members: list[zipfile.ZipInfo]) -> bool:
        """Return whether the whole archive exceeds a limit."""
        if len(members) > MAX_MEMBERS:
            found = fill(
                "The archive has {members:,} files; the limit is {max_members:,}.",
                len(members),
                MAX_MEMBERS,
            )
            self._refuse("", found, "Split it.")
            return True
        size = sum(member.file_size for member in members)
        room = shutil.disk_usage(self._folder).free
        if size > min(MAX_BYTES, room):
            needed, limit = size / 2**30, min(MAX_BYTES, room) / 2**30
            found = (
                fill(
                    "The unpacked archive would need {needed:,.1f} GiB; the disk has room "
                    "for {limit:,.1f} GiB.",
                    needed,
                    limit,
                )
                if size > room
                else fill(
                    "The unpacked archive would need {needed:,.1f} GiB; the limit is "
                    "{limit:,.1f} GiB.",
                    needed,
                    limit,
                )
            )
            self._refuse("", found, "Check that it is the right file.")
            return True
        return False

    def _unpack_members(self, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> None:
        names = [_name(member) for member in members]
        last = {name: number for number, name in enumerate(names)}
        for number, (member, name) in enumerate(zip(members, names, strict=True)):
            text = fill("Unpacking {file}", self._path.name)
            self._run.report(number, len(members), text)
            if name.endswith("/"):
                continue
            problem, hint = _problem(member, name)
            if unsafe := unsafe_reason(name):
                self._refuse(name, unsafe, "Pack the files again from within their folder.")
            elif is_system_file(safe_parts(name)):
                self._system_files.append(name)
            elif problem:
                self._refuse(name, problem, hint)
            elif last[name] != number:
                self._add_warning(
                    name, "The archive contains this name twice.", "The last one is used."
                )
            else:
                self._extract(archive, member, name)

    def _extract(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> None:
        parts = self._free_path(safe_parts(name))
        target = self._folder.joinpath(*parts)
        problem = ""
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with name_os_errors(target), target.open("xb") as file:
                for block in self._blocks(archive, member):
                    file.write(block)
        except UnreadableMemberError as bad:
            problem = str(bad)
        except (FileExistsError, NotADirectoryError):
            problem = "A folder in the archive has the same name."
        if problem:
            with suppress(OSError):
                target.unlink(missing_ok=True)
            self._refuse(name, problem, "Get the complete file again.")
        else:
            self._times[parts] = _member_time(member)

    def _blocks(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """Yield the member's content; raise UnreadableMemberError if it is damaged or too large."""
        size = 0
        with _report_damage(), archive.open(member) as source:
            while block := source.read(BLOCK):
                self._run.check()
                size += len(block)
                self._written += len(block)
                if size > MAX_MEMBER_BYTES or self._written > MAX_BYTES:
                    raise UnreadableMemberError("It is larger than the archive says.")
                if size > max(
                    limits.ZIP_RATIO_FROM, limits.ZIP_RATIO * max(1, member.compress_size)
                ):
                    raise UnreadableMemberError(
                        fill("It is more than {max_ratio} times its packed size.", limits.ZIP_RATIO)
                    )
                yield block

    def _free_path(self, parts: Parts) -> Parts:
        """Return a free path, numbered if it exists on a case-insensitive file system."""
        candidate, number = parts, 1
        while "/".join(candidate).casefold() in self._used_names:
            number += 1
            candidate = (*parts[:-1], f"{number}-{parts[-1]}")
        self._used_names.add("/".join(candidate).casefold())
        return candidate

    def _refuse(self, name: str, found: str, hint: str) -> None:
        place = Place(str(self._path), json_path=name or None)
        self._defects.append(error(place, found, "It was left out." if name else "", hint))

    def _add_warning(self, name: str, found: str, expected: str) -> None:
        self._defects.append(warning(Place(str(self._path), json_path=name), found, expected))


def _problem(member: zipfile.ZipInfo, name: str) -> tuple[str, str]:
    """Return why a member is not unpacked, and the advice."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return SYMBOLIC, "Pack the file itself."
    if kind not in (0, stat.S_IFREG):
        return "It is a device or a pipe, not a file.", "Pack regular files only."
    if member.flag_bits & 0x1:
        return "It is encrypted with a password.", "Pack it without a password."
    if name.lower().endswith((*ARCHIVES, *OTHER_ARCHIVES)):
        return "It is an archive inside an archive.", "Unpack it, and pack its files."
    if member.file_size > MAX_MEMBER_BYTES:
        return (
            fill("It is larger than {value} GiB.", MAX_MEMBER_BYTES >> 30),
            "Check that it is the right file.",
        )
    return "", ""


def _name(member: zipfile.ZipInfo) -> str:
    """Return the member's name; undeclared UTF-8 is detected."""
    if member.flag_bits & 0x800:
        return member.filename
    try:
        return member.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return member.filename


def _member_time(member: zipfile.ZipInfo) -> datetime | None:
    seconds = next(_extended_times(member.extra), None)
    try:
        if seconds is not None:
            return datetime.fromtimestamp(seconds, UTC)
        return datetime(*member.date_time)
    except (ValueError, OSError):  # before 1970 on Windows
        return None


def _extended_times(extra: bytes) -> Iterator[float]:
    """Yield the modification time in UTC, if the archive has it (Info-ZIP field `UT`)."""
    position = 0
    while position + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, position)
        body = extra[position + 4 : position + 4 + size]
        if kind == _EXTENDED_TIME and len(body) >= 5 and body[0] & 1:
            yield float(struct.unpack_from("<i", body, 1)[0])
        position += 4 + size


def unsafe_reason(name: str) -> str:
    """Return why a member must not be unpacked under its name; empty if it may."""
    if "\0" in name or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
        return "Its name contains control characters."
    slashed = name.replace("\\", "/")
    if slashed.startswith("/") or re.match(r"[A-Za-z]:", slashed):
        return "Its name is an absolute path."
    parts = [part for part in slashed.split("/") if part not in ("", ".")]
    if ".." in parts:
        return "Its name leads out of the archive (..)."
    if not parts:
        return "It has no name."
    if len(parts) > MAX_DEPTH:
        return fill("It is more than {max_depth} folders deep.", MAX_DEPTH)
    if any(len(part.encode()) > MAX_PART_BYTES for part in parts):
        return fill("Its name is longer than {max_part_bytes} bytes.", MAX_PART_BYTES)
    return ""


def safe_parts(name: str) -> Parts:
    """Return the path of a safe member in a form that every file system supports."""
    parts = name.replace("\\", "/").split("/")
    return tuple(portable_part(part) for part in parts if part not in ("", "."))


def portable_part(part: str) -> str:
    """Return a path part without characters that Windows or macOS refuse or change."""
    text = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", part)).rstrip(" .")
    return f"_{text}" if text.split(".")[0].casefold() in _DEVICES or not text else text


def is_system_file(parts: Parts) -> bool:
    """Return whether a file is created by an operating system: `__MACOSX`, hidden files."""
    known = ("__macosx", "thumbs.db", "desktop.ini")
    return any(part.startswith(".") or part.casefold() in known for part in parts)
