"""Unpacking an archive of submissions without trusting it.

Every member that cannot be taken is a defect with its name; nothing is written outside the folder
that the archive gets, and no archive can fill the disk.
"""

from __future__ import annotations

import json
import lzma
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.intake.safe_names import Parts, is_system_file, safe_parts, unsafe_reason
from jurydesk.core.model.defects import (
    Defect,
    Place,
    counted,
    error,
    has_errors,
    name_list,
    note,
    warning,
)
from jurydesk.core.system.paths import fingerprint, name_os_errors, write_atomically

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MOST_MEMBERS = 50_000
MOST_BYTES = 32 << 30
MEMBER_BYTES = 4 << 30
MOST_GROWTH, GROWTH_BYTES = 400, 64 << 20
"""A member that is so many times its packed size, and so large, is no submission: real text
shrinks to a tenth, and the densest that deflate can pack is 1,032 times."""
BLOCK = 1 << 20
ARCHIVES = (".zip",)
OTHER_ARCHIVES = (".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".7z", ".rar")
SYMBOLIC = "It is a link."
_EXTENDED_TIME = 0x5455

Told = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MemberTime:
    """When a member was changed: seconds since 1970, or the local time of a zone nobody told."""

    utc: float | None = None
    local: Told = ()

    def moment(self, zone: tzinfo) -> datetime | None:
        """The moment in UTC, where a local time is one of `zone`; None where it is no time."""
        try:
            if self.utc is not None:
                return datetime.fromtimestamp(self.utc, UTC)
            return datetime(*self.local, tzinfo=zone).astimezone(UTC)  # type: ignore[misc, arg-type]
        except (TypeError, ValueError, OverflowError, OSError):
            return None


@dataclass(frozen=True, slots=True)
class UnpackedArchive:
    """An archive's folder, its files by their path in it, and what was not taken."""

    folder: Path
    times: dict[Parts, MemberTime]
    defects: tuple[Defect, ...]


def is_archive(path: Path) -> bool:
    """Whether a file is an archive that can be unpacked here, by its name and its first bytes."""
    if path.suffix.lower() not in ARCHIVES:
        return False
    with suppress(OSError), path.open("rb") as file:
        return file.read(2) == b"PK"
    return False


def unpack_archive(path: Path, store: Path, run: Run) -> UnpackedArchive:
    """Unpack an archive into a folder of `store` that its content names; once for each content.

    Raises Cancelled, and OSError where the place cannot be written.
    """
    digest = fingerprint(path, run.check).sha256
    folder = store / digest[:24]
    kept = folder.with_suffix(".json")
    if not (kept.is_file() and folder.is_dir()):
        store.mkdir(parents=True, exist_ok=True)
        unfinished = folder.with_suffix(".part")
        for stale in (unfinished, folder):
            shutil.rmtree(stale, ignore_errors=True)
        unfinished.mkdir()
        times, defects = _Unpacker(path, unfinished, run).result()
        unfinished.replace(folder)
        write_atomically(kept, _encoded(times, defects))
    times, defects = _decoded(kept.read_bytes())
    return UnpackedArchive(folder, times, tuple(_at_archive(one, path) for one in defects))


def _encoded(times: dict[Parts, MemberTime], defects: list[Defect]) -> bytes:
    members = [[list(parts), one.utc, list(one.local)] for parts, one in times.items()]
    return json.dumps([members, [one.to_json() for one in defects]]).encode()


def _decoded(content: bytes) -> tuple[dict[Parts, MemberTime], list[Defect]]:
    members, defects = json.loads(content)
    times = {tuple(parts): MemberTime(utc, tuple(local)) for parts, utc, local in members}
    return times, [Defect.from_json(one) for one in defects]


def _at_archive(defect: Defect, path: Path) -> Defect:
    """The defect at the archive where it lies now."""
    return replace(defect, place=replace(defect.place, path=str(path)))


class UnreadableMemberError(Exception):
    """A member cannot be read; the text is a sentence for the user."""


@contextmanager
def _reading() -> Iterator[None]:
    """Whatever the libraries raise on damaged data is damage."""
    try:
        yield
    except (
        *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, struct.error, OSError),
        *(ValueError, RuntimeError, LookupError, OverflowError),
    ) as bad:
        raise UnreadableMemberError(f"It cannot be unpacked ({bad}).") from bad


class _Unpacker:
    """One archive being unpacked into an empty folder."""

    def __init__(self, path: Path, folder: Path, run: Run) -> None:
        self._path = path
        self._folder = folder
        self._run = run
        self._times: dict[Parts, MemberTime] = {}
        self._defects: list[Defect] = []
        self._litter: list[str] = []
        self._taken: set[str] = set()
        self._written = 0

    def result(self) -> tuple[dict[Parts, MemberTime], list[Defect]]:
        """The files by their path, and everything that was not taken."""
        with ExitStack() as stack:
            try:
                with _reading():
                    archive = stack.enter_context(zipfile.ZipFile(self._path))
            except UnreadableMemberError:
                self._tell("", "The archive is damaged.", "Get the complete file again.")
                return self._times, self._defects
            if not self._refused(archive.infolist()):
                self._take(archive, archive.infolist())
        if self._litter:
            names = name_list(self._litter)
            left = counted(len(self._litter), "file")
            found = f"{left} that systems leave behind: {names}."
            place = Place(str(self._path))
            told = note(place, found, "Nothing was taken from them.", count=len(self._litter))
            self._defects.append(told)
        if not self._times and not has_errors(self._defects):
            self._tell("", "The archive holds no file.", "Check that it is the right one.")
        return self._times, self._defects

    def _refused(self, members: list[zipfile.ZipInfo]) -> bool:
        """Whether the whole archive is more than can be taken."""
        if len(members) > MOST_MEMBERS:
            found = f"The archive holds {len(members):,} files; at most {MOST_MEMBERS:,} are taken."
            self._tell("", found, "Split it.")
            return True
        size = sum(member.file_size for member in members)
        room = shutil.disk_usage(self._folder).free
        if size > min(MOST_BYTES, room):
            why = "the disk has room for" if size > room else "are taken at most"
            found = (
                f"Unpacked, the archive would have {size / 2**30:,.1f} GiB; "
                f"{min(MOST_BYTES, room) / 2**30:,.1f} GiB {why}."
            )
            self._tell("", found, "Check that it is the right file.")
            return True
        return False

    def _take(self, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> None:
        names = [_name(member) for member in members]
        last = {name: number for number, name in enumerate(names)}
        for number, (member, name) in enumerate(zip(members, names, strict=True)):
            self._run.report(number, len(members), f"Unpacking {self._path.name}")
            if name.endswith("/"):
                continue
            problem, hint = _problem(member, name)
            if misplaced := unsafe_reason(name):
                self._tell(name, misplaced, "Pack the files anew, from within their folder.")
            elif is_system_file(safe_parts(name)):
                self._litter.append(name)
            elif problem:
                self._tell(name, problem, hint)
            elif last[name] != number:
                self._remark(name, "The name stands in the archive twice.", "The last one counts.")
            else:
                self._extract(archive, member, name)

    def _extract(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> None:
        parts = self._free(safe_parts(name))
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
            problem = "Its name is that of a folder in the archive."
        if problem:
            with suppress(OSError):
                target.unlink(missing_ok=True)
            self._tell(name, problem, "Get the complete file again.")
        else:
            self._times[parts] = _stamped(member)

    def _blocks(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """The member's content; UnreadableError where it is damaged or more than it says."""
        size = 0
        with _reading(), archive.open(member) as source:
            while block := source.read(BLOCK):
                self._run.check()
                size += len(block)
                self._written += len(block)
                if size > MEMBER_BYTES or self._written > MOST_BYTES:
                    raise UnreadableMemberError("It is larger than the archive says.")
                if size > max(GROWTH_BYTES, MOST_GROWTH * max(1, member.compress_size)):
                    raise UnreadableMemberError(
                        f"It grows to more than {MOST_GROWTH} times its packed size."
                    )
                yield block

    def _free(self, parts: Parts) -> Parts:
        """The path, numbered where it is taken on a file system that ignores case."""
        candidate, number = parts, 1
        while "/".join(candidate).casefold() in self._taken:
            number += 1
            candidate = (*parts[:-1], f"{number}-{parts[-1]}")
        self._taken.add("/".join(candidate).casefold())
        return candidate

    def _tell(self, name: str, found: str, hint: str) -> None:
        place = Place(str(self._path), json_path=name or None)
        self._defects.append(error(place, found, "It was left out." if name else "", hint))

    def _remark(self, name: str, found: str, expected: str) -> None:
        self._defects.append(warning(Place(str(self._path), json_path=name), found, expected))


def _problem(member: zipfile.ZipInfo, name: str) -> tuple[str, str]:
    """Why a member is not unpacked, and what to do about it."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return SYMBOLIC, "Pack the file itself."
    if kind not in (0, stat.S_IFREG):
        return "It is a device or a pipe, not a file.", "Pack regular files only."
    if member.flag_bits & 0x1:
        return "It is locked with a password.", "Pack it without one."
    if name.lower().endswith((*ARCHIVES, *OTHER_ARCHIVES)):
        return "It is an archive within an archive.", "Unpack it, and pack its files."
    if member.file_size > MEMBER_BYTES:
        return f"It has more than {MEMBER_BYTES >> 30} GiB.", "Check that it is the right file."
    return "", ""


def _name(member: zipfile.ZipInfo) -> str:
    """The member's name; UTF-8 that its archive does not declare is read all the same."""
    if member.flag_bits & 0x800:
        return member.filename
    try:
        return member.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return member.filename


def _stamped(member: zipfile.ZipInfo) -> MemberTime:
    seconds = next(_extended_times(member.extra), None)
    return MemberTime(utc=seconds) if seconds is not None else MemberTime(local=member.date_time)


def _extended_times(extra: bytes) -> Iterator[float]:
    """The change time in UTC, where the archive tells it (the Info-ZIP field `UT`)."""
    position = 0
    while position + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, position)
        body = extra[position + 4 : position + 4 + size]
        if kind == _EXTENDED_TIME and len(body) >= 5 and body[0] & 1:
            yield float(struct.unpack_from("<i", body, 1)[0])
        position += 4 + size
