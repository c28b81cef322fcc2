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
import tarfile
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from jurydesk.core.intake.member_names import member_name
from jurydesk.core.language import Message, counted, fill, name_list, translatable
from jurydesk.core.model.defects import Defect, Place, error, note, warning
from jurydesk.core.model.input_file import Parts
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.readers import unpacking_limits as limits
from jurydesk.core.readers.compression import (
    LONGEST_MAGIC,
    ZSTD,
    unpacked_stream,
    zstd_module,
)
from jurydesk.core.system.paths import (
    fingerprint,
    is_path_too_long,
    name_os_errors,
    write_atomically,
)
from jurydesk.core.system.replacing import replace_path
from jurydesk.core.system.zip_members import TooManyMembersError, open_zip

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_MEMBERS = 50_000
MAX_BYTES = 32 << 30
MAX_MEMBER_BYTES = 4 << 30
BLOCK = 1 << 20
ARCHIVES = {
    ".zip": b"PK",
    ".tar": b"",
    ".tgz": b"\x1f\x8b",
    ".tar.gz": b"\x1f\x8b",
    ".tar.bz2": b"BZh",
    ".txz": b"\xfd7zXZ",
    ".tar.xz": b"\xfd7zXZ",
    ".tzst": b"\x28\xb5\x2f\xfd",
    ".tar.zst": b"\x28\xb5\x2f\xfd",
}
"""First bytes of archives by their suffix."""
COMPRESSIONS = {
    **dict.fromkeys((".tgz", ".tar.gz"), "gzip"),
    **dict.fromkeys((".tar.bz2",), "bzip2"),
    **dict.fromkeys((".txz", ".tar.xz"), "xz"),
    **dict.fromkeys((".tzst", ".tar.zst"), ZSTD),
}
"""Compression of a tar archive by its suffix."""
OTHER_ARCHIVES = (".7z", ".rar")
OTHER_MAGICS = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")
UNSUPPORTED = "This archive format is not supported.", "Unpack it, or pack it as zip."
NO_ZSTD = (
    "Reading Zstandard needs Python 3.14 or the package backports.zstd.",
    "Install it (pip install jurydesk[archives]), or pack it as zip.",
)
MAX_HEADER_BYTES = 1 << 20
"""Limit on what tarfile reads at once, such as a long name."""
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
    """Folder of an unpacked archive, the times of its files, and defects of refused members.

    `inner` are the archives inside it, each of which became a folder of its name.
    """

    folder: Path
    times: Times
    defects: tuple[Defect, ...]
    inner: tuple[Parts, ...] = ()


def archive_suffix(name: str) -> str:
    """Return the suffix of a supported archive that a name has; empty if it has none."""
    return next((one for one in ARCHIVES if name.lower().endswith(one)), "")


def archive_stem(name: str) -> str:
    """Return the name without the suffix of an archive."""
    return name[: len(name) - len(archive_suffix(name))] or name


def is_archive(path: Path) -> bool:
    """Return whether a file is a supported archive, by its suffix and first bytes."""
    suffix = archive_suffix(path.name)
    with suppress(OSError):
        if suffix and path.is_file():
            with path.open("rb") as file:
                return file.read(LONGEST_MAGIC).startswith(ARCHIVES[suffix])
    return False


def is_other_archive(path: Path) -> bool:
    """Return whether a file is an archive that is not read, by its suffix.

    First bytes count only under the suffix of another archive: not every file is opened.
    """
    if path.name.lower().endswith(OTHER_ARCHIVES):
        return True
    with suppress(OSError):
        if archive_suffix(path.name) and path.is_file():
            with path.open("rb") as file:
                return file.read(LONGEST_MAGIC).startswith(OTHER_MAGICS)
    return False


def unpack_archive(path: Path, store: Path, run: Run, parts: Parts = ()) -> UnpackedArchive:
    """Unpack an archive into a folder of `store` of its own, once for each content.

    Archives inside it are unpacked as well, those inside them are refused. `parts` are its path
    among the submissions, by which messages name its files. Equal archives of two teams are two
    submissions. Raises Cancelled, and OSError if the folder cannot be written.
    """
    parts = tuple(map(portable_part, parts or (path.name,)))
    digest = fingerprint(path, run.check).sha256
    key = "\0".join((digest, str(path), *parts))
    root = store / hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:24]
    record = root.with_suffix(".json")
    if not (record.is_file() and root.is_dir()):
        store.mkdir(parents=True, exist_ok=True)
        unfinished = root.with_suffix(".part")
        for stale in (unfinished, root):
            shutil.rmtree(stale, ignore_errors=True)
        folder = unfinished.joinpath(*parts)
        folder.mkdir(parents=True)
        found = _Unpacker(path, folder, run).result()
        replace_path(unfinished, root)
        write_atomically(record, _encode(found))
    times, inner, defects = _decode(record.read_bytes())
    return UnpackedArchive(root.joinpath(*parts), times, defects, inner)


def _encode(found: UnpackedArchive) -> bytes:
    members = [[list(parts), str(one or "")] for parts, one in found.times.items()]
    inner = [list(parts) for parts in found.inner]
    return json.dumps([members, inner, to_json(found.defects, messages=True)]).encode()


def _decode(content: bytes) -> tuple[Times, tuple[Parts, ...], tuple[Defect, ...]]:
    members, inner, defects = json.loads(content)
    times = {tuple(parts): datetime.fromisoformat(at) if at else None for parts, at in members}
    return times, tuple(map(tuple, inner)), from_json(tuple[Defect, ...], defects)


class UnreadableMemberError(Exception):
    """Member that cannot be read; the message is for the user."""


class NoReaderError(UnreadableMemberError):
    """Archive whose compression needs a package that is not installed."""


class TooLargeError(UnreadableMemberError):
    """Archive that unpacks to more than a limit."""


@contextmanager
def _report_damage() -> Iterator[None]:
    """Report any error that the libraries raise on damaged data as damage."""
    try:
        yield
    except TooManyMembersError:
        raise
    except (
        *(
            zipfile.BadZipFile,
            tarfile.TarError,
            zlib.error,
            lzma.LZMAError,
            EOFError,
            struct.error,
            OSError,
        ),
        *(ValueError, RuntimeError, LookupError, OverflowError),
    ) as bad:
        raise UnreadableMemberError(
            fill("It cannot be unpacked ({bad}).", Message(str(bad)))
        ) from bad


class _Unpacker:
    """Unpacker of one archive, and of those inside it, into an empty folder."""

    def __init__(self, path: Path, folder: Path, run: Run) -> None:
        self._path = path
        self._folder = folder
        self._run = run
        self._times: Times = {}
        self._inner: list[Parts] = []
        self._defects: list[Defect] = []
        self._system_files: list[str] = []
        self._used_names: set[str] = set()
        self._members = 0
        self._written = 0

    def result(self) -> UnpackedArchive:
        """Return the files by their path, and the defects."""
        self._unpack(self._path, ())
        if self._system_files:
            names = name_list(self._system_files)
            left = counted(len(self._system_files), "file")
            found = fill("{left} created by operating systems: {names}.", left, names)
            place, count = Place(str(self._path)), len(self._system_files)
            self._defects.append(note(place, found, "They were ignored.", count=count))
        return UnpackedArchive(self._folder, self._times, tuple(self._defects), tuple(self._inner))

    def _unpack(self, path: Path, inside: Parts) -> None:
        """Unpack the archive at `path`, which lies in the outer one at `inside`, if anywhere."""
        name, before = "/".join(inside), len(self._times) + len(self._defects)
        with ExitStack() as stack:
            try:
                with _report_damage():
                    members = stack.enter_context(self._open(path, inside))
            except TooManyMembersError:
                self._refuse(name, *_too_many())
                return
            except TooLargeError as bad:
                self._refuse(name, str(bad), "Check that it is the right file.")
                return
            except NoReaderError:
                self._refuse(name, *NO_ZSTD)
                return
            except UnreadableMemberError:
                self._refuse(name, "The archive is damaged.", "Get the complete file again.")
                return
            if not self._exceeds_limit(members, name):
                self._unpack_members(members, inside)
        if len(self._times) + len(self._defects) == before and not self._system_files:
            self._refuse(name, "The archive contains no file.", "Check that it is the right one.")

    @contextmanager
    def _open(self, path: Path, inside: Parts) -> Iterator[list[Member]]:
        """Yield the members of an archive of any supported format."""
        name = inside[-1] if inside else path.name
        if archive_suffix(name) == ".zip":
            with open_zip(path, MAX_MEMBERS) as archive:
                yield [_zip_member(archive, one) for one in archive.infolist()]
            return
        with ExitStack() as stack:
            file: BinaryIO = stack.enter_context(path.open("rb"))
            if kind := COMPRESSIONS.get(archive_suffix(name)):
                if kind == ZSTD and not zstd_module():
                    raise NoReaderError
                stream = stack.enter_context(unpacked_stream(file, kind))
                file = self._unpacked_tar(stream, path, stack)
            headers = _HeaderReader(file, self._run)
            tar = stack.enter_context(
                tarfile.TarFile(name, fileobj=cast(BinaryIO, headers), tarinfo=_SafeTarInfo)
            )
            yield list(islice((_tar_member(tar, one) for one in tar), MAX_MEMBERS + 1))

    def _unpacked_tar(self, source: IO[bytes], path: Path, stack: ExitStack) -> BinaryIO:
        """Return a temporary file of a tar archive without its compression."""
        file = stack.enter_context(tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115
        ratio, size = limits.ZIP_RATIO * max(1, path.stat().st_size), 0
        room = min(MAX_BYTES, shutil.disk_usage(self._folder).free) - self._written
        while block := source.read(BLOCK):
            self._run.check()
            size += len(block)
            if size > min(max(limits.ZIP_RATIO_FROM, ratio), room):
                raise TooLargeError(translatable("The archive unpacks to more than the limit."))
            file.write(block)
        file.seek(0)
        return cast(BinaryIO, file)  # on Windows a wrapper of one

    def _exceeds_limit(self, members: list[Member], name: str) -> bool:
        """Return whether the archive, with what is unpacked already, exceeds a limit."""
        self._members += len(members)
        if self._members > MAX_MEMBERS:
            self._refuse(name, *_too_many())
            return True
        size = self._written + sum(member.size for member in members)
        room = shutil.disk_usage(self._folder).free + self._written
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
            self._refuse(name, found, "Check that it is the right file.")
            return True
        return False

    def _unpack_members(self, members: list[Member], inside: Parts) -> None:
        last = {member.name: number for number, member in enumerate(members)}
        if odd := [member.name for member in members if member.has_odd_name]:
            text = fill("{files} whose names are not UTF-8, such as {name}.",
                        counted(len(odd), "file"), odd[0])  # fmt: skip
            place = Place(str(self._path), json_path="/".join(inside) or None)
            outcome = "Teams of these names may be misspelled."
            hint = "Pack the files again, with names in UTF-8."
            self._defects.append(warning(place, text, outcome, hint, count=len(odd)))
        for number, member in enumerate(members):
            if not inside:
                text = fill("Unpacking {file}", self._path.name)
                self._run.report(number, len(members), text)
            if member.name.endswith("/"):
                continue
            name = "/".join((*inside, member.name))
            problem, hint = member.problem or _problem(member, is_inner=bool(inside))
            if unsafe := unsafe_reason(member.name):
                self._refuse(name, unsafe, "Pack the files again from within their folder.")
            elif is_system_file(safe_parts(member.name)):
                self._system_files.append(name)
            elif problem:
                self._refuse(name, problem, hint)
            elif last[member.name] != number:
                self._add_warning(
                    name, "The archive contains this name twice.", "The last one is used."
                )
            else:
                self._extract(member, (*inside, *safe_parts(member.name)), name)

    def _extract(self, member: Member, parts: Parts, name: str) -> None:
        parts = self._free_path(parts)
        is_inner = bool(archive_suffix(parts[-1]))
        target = self._folder.joinpath(*parts)
        if is_inner:
            target = target.with_name(f"{target.name[:MAX_PART_BYTES]}.packed")
        problem, hint, before = "", "Get the complete file again.", self._written
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with name_os_errors(target), target.open("xb") as file:
                for block in self._blocks(member):
                    file.write(block)
        except UnreadableMemberError as bad:
            problem = str(bad)
        except (FileExistsError, NotADirectoryError):
            problem = "A folder in the archive has the same name."
        except OSError as refusal:
            if not is_path_too_long(refusal):
                raise
            problem = "Its path is too long for this system."
            hint = "Pack the files again, with shorter names of folders."
        if problem:
            self._refuse(name, problem, hint)
        elif is_inner:
            self._written = before
            self._inner.append(parts)
            self._unpack(target, parts)
        else:
            self._times[parts] = member.time
            return
        with suppress(OSError):
            target.unlink(missing_ok=True)

    def _blocks(self, member: Member) -> Iterator[bytes]:
        """Yield the member's content; raise UnreadableMemberError if it is damaged or too large.

        No more than the declared size is read, which was compared with the limits.
        """
        size = 0
        with _report_damage(), member.open() as source:
            while block := source.read(BLOCK):
                self._run.check()
                size += len(block)
                self._written += len(block)
                if size > max(limits.ZIP_RATIO_FROM, limits.ZIP_RATIO * max(1, member.packed)):
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


@dataclass(frozen=True, slots=True)
class Member:
    """Member of an archive: sizes in bytes, time, and why it is not unpacked, with the advice.

    A name is odd if its encoding was guessed.
    """

    name: str
    size: int
    packed: int
    time: datetime | None
    open: Callable[[], IO[bytes]]
    problem: tuple[str, str] | None = None
    has_odd_name: bool = False


def _problem(member: Member, *, is_inner: bool) -> tuple[str, str]:
    """Return why the content of a member is not unpacked, and the advice."""
    if member.name.lower().endswith(OTHER_ARCHIVES):
        return UNSUPPORTED
    if is_inner and archive_suffix(member.name):
        return "It is an archive inside an archive.", "Unpack it, and pack its files."
    if member.size > MAX_MEMBER_BYTES:
        return (
            fill("It is larger than {value} GiB.", MAX_MEMBER_BYTES >> 30),
            "Check that it is the right file.",
        )
    return "", ""


def _too_many() -> tuple[str, str]:
    found = fill("The archive has more than {max_members:,} files.", MAX_MEMBERS)
    return found, "Split it."


LINK = SYMBOLIC, "Pack the file itself."
DEVICE = "It is a device or a pipe, not a file.", "Pack regular files only."
LOCKED = "It is encrypted with a password.", "Pack it without a password."


def _zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Member:
    kind, problem = stat.S_IFMT(member.external_attr >> 16), None
    if kind == stat.S_IFLNK:
        problem = LINK
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        problem = DEVICE
    elif member.flag_bits & 0x1:
        problem = LOCKED
    name, is_odd = member_name(member)
    return Member(
        name,
        member.file_size,
        member.compress_size,
        _member_time(member),
        partial(archive.open, member),
        problem,
        is_odd,
    )


def _tar_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Member:
    problem = None
    if member.issym() or member.islnk():
        problem = LINK
    elif not (member.isreg() or member.isdir()) or member.issparse():
        problem = DEVICE
    name = member.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        time = datetime.fromtimestamp(member.mtime, UTC)
    except (ValueError, OSError, OverflowError):
        time = None
    return Member(
        f"{name}/" if member.isdir() else name,
        member.size,
        member.size,
        time,
        lambda: cast(IO[bytes], archive.extractfile(member)),
        problem,
        "\N{REPLACEMENT CHARACTER}" in name,
    )


class _SafeTarInfo(tarfile.TarInfo):
    """Header of a tar archive; negative sizes, at which Python reads forever, are damage."""

    def _block(self, count: int) -> int:
        if count < 0:
            raise tarfile.ReadError("negative size")
        return int(super()._block(count))  # type: ignore[misc]


class _HeaderReader:
    """File of a tar archive, of which little is read at once."""

    def __init__(self, file: BinaryIO, run: Run) -> None:
        self._file, self._run = file, run
        self.tell, self.seek = file.tell, file.seek

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes. Raises ValueError for more than the limit."""
        self._run.check()
        if not 0 <= size <= MAX_HEADER_BYTES:
            raise ValueError(f"header of {size} bytes")
        return self._file.read(size)


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
