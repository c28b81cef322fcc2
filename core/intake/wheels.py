"""Reading and unpacking of wheels (PEP 427) whose makers are not known."""

from __future__ import annotations

import configparser
import hashlib
import lzma
import re
import stat
import struct
import sys
import sysconfig
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, cast

from jurydesk.core.intake.archive import (
    DEVICE,
    MAX_MEMBER_BYTES,
    SYMBOLIC,
    safe_parts,
    unsafe_reason,
)
from jurydesk.core.language import fill, translatable
from jurydesk.core.model.evaluation import UsageError
from jurydesk.core.model.input_file import Parts
from jurydesk.core.readers import unpacking_limits as limits
from jurydesk.core.system.paths import fingerprint, name_os_errors
from jurydesk.core.system.zip_members import TooManyMembersError, open_zip

NAME = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._]{0,99})-(?P<version>[A-Za-z0-9_.!+]{1,60})(-\d[^-]*)?"
    r"-(?P<python>[a-z0-9_.]+)-(?P<abi>[a-z0-9_.]+)-(?P<platform>[A-Za-z0-9_.]+)\.whl"
)
MAX_ENTRY_POINTS = 1 << 20
MAX_FILES = 100_000
LONGEST = 200
"""Characters of a name in a message."""
BLOCK = 1 << 20
LIBRARIES = ("purelib", "platlib")
"""Folders of `NAME.data` whose files belong among the modules; scripts and manuals do not."""

Check = Callable[[], None]


class AddOnError(UsageError):
    """Add-on, or wheel of one, that cannot be used; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """Wheel: file, SHA-256, distribution, unpacked bytes, and names of entry points by group."""

    path: Path
    sha256: str
    name: str
    version: str
    size: int
    entry_points: dict[str, tuple[str, ...]]


def read_wheel(path: Path, check: Check) -> Wheel:
    """Return what a wheel says of itself; raises AddOnError if it does not suit this Python."""
    found = NAME.fullmatch(path.name)
    if found is None:
        raise AddOnError(fill("{name} is not the name of a wheel.", path.name))
    if not is_for_this_python(found["python"], found["abi"], found["platform"]):
        wanted = f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"
        raise AddOnError(fill("{name} is for another system than {system}.", path.name, wanted))
    name = normal_name(found["name"])
    with path.open("rb") as file, _opened(file, path.name) as archive:
        size = sum(member.file_size for member in archive.infolist())
        first = {member.filename.partition("/")[0] for member in archive.infolist()}
        about = [one for one in first if one.endswith(".dist-info")]
        # As pip does: another distribution inside could bring what no list names.
        if len(about) != 1 or not normal_name(about[0]).startswith(f"{name}-"):
            text = "{name} does not have one folder .dist-info, with the name of the wheel."
            raise AddOnError(fill(text, path.name))
        groups = _entry_points(archive, f"{about[0]}/entry_points.txt")
    return Wheel(path, fingerprint(path, check).sha256, name, found["version"], size, groups)


def normal_name(name: str) -> str:
    """Return a distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def is_for_this_python(python: str, abi: str, platform: str) -> bool:
    """Return whether one of a wheel's tags suits: sets of pythons, ABIs and platforms (PEP 425)."""
    pairs = ((one, other) for one in python.split(".") for other in abi.split("."))
    suits = any(_suits_python(one, other) for one, other in pairs)
    return suits and any(map(_suits_platform, platform.split(".")))


def _suits_python(python: str, abi: str) -> bool:
    major, minor = sys.version_info[:2]
    own = f"cp{major}{minor}"
    since = {"none": "py", "abi3": "cp"}.get(abi)
    if since and (older := re.fullmatch(rf"{since}{major}([0-9]*)", python)):
        return int(older[1] or 0) <= minor
    return python == own and abi in (own, "none")


def _suits_platform(platform: str) -> bool:
    """Return whether a platform is this one; its version is left to the library's own loader."""
    kind, _, machine = sysconfig.get_platform().replace("-", "_").partition("_")
    if platform == "any":
        return True
    if kind == "linux":
        libc = "(linux|manylinux[0-9]*(_[0-9]+_[0-9]+)?)"
        return re.fullmatch(f"{libc}_{re.escape(machine)}", platform) is not None
    if kind == "macosx":
        arch = re.escape(machine.partition("_")[2])
        return re.fullmatch(f"macosx_[0-9]+_[0-9]+_({arch}|universal2)", platform) is not None
    return platform == f"{kind}_{machine}"


@contextmanager
def _opened(file: BinaryIO, name: str) -> Iterator[zipfile.ZipFile]:
    """Open a wheel; what the library raises of damaged data is an AddOnError."""
    try:
        with open_zip(file, MAX_FILES) as archive:
            yield archive
    except TooManyMembersError as bad:
        raise AddOnError(fill("{name} has more than {limit:,} files.", name, MAX_FILES)) from bad
    except (
        *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
        *(EOFError, ValueError, RuntimeError, LookupError),
    ) as bad:
        raise AddOnError(fill("{name} is damaged.", name)) from bad


def _entry_points(archive: zipfile.ZipFile, member: str) -> dict[str, tuple[str, ...]]:
    """Return the names of entry points by group; ValueError if they cannot be read."""
    if member not in archive.namelist():
        return {}
    with archive.open(member) as file:
        content = file.read(MAX_ENTRY_POINTS + 1)
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        if len(content) > MAX_ENTRY_POINTS:
            raise ValueError("entry points of more than 1 MiB")
        parser.read_string(content.decode())
    except configparser.Error as error:
        raise ValueError(str(error)) from error
    return {group: tuple(parser[group]) for group in parser.sections()}


def unpack_wheel(wheel: Wheel, folder: Path, check: Check) -> None:
    """Unpack a wheel's modules into a folder, from a copy of its own that has the wheel's hash.

    A file that another wheel has brought may be the same, never another. Raises AddOnError for
    what leads out of the folder, differs from the hash, or is too large; and OSError.
    """
    name = wheel.path.name
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as copy:
        if _copied(wheel.path, copy, check) != wheel.sha256:
            raise AddOnError(fill("{name} has changed while it was read.", name))
        with _opened(cast(BinaryIO, copy), name) as archive:
            for member in archive.infolist():
                if parts := _module_parts(wheel, member):
                    _extract(archive, member, folder.joinpath(*parts), check)


def _copied(path: Path, copy: IO[bytes], check: Check) -> str:
    """Copy a file that others may change meanwhile; return the SHA-256 of what was copied."""
    digest = hashlib.sha256()
    with path.open("rb") as file, name_os_errors(path):
        while block := file.read(BLOCK):
            check()
            digest.update(block)
            copy.write(block)
    return digest.hexdigest()


def _module_parts(wheel: Wheel, member: zipfile.ZipInfo) -> Parts:
    """Return the path of a member among the modules; empty for folders and other files."""
    if reason := _refusal(member):
        shown = member.filename.encode("ascii", "backslashreplace").decode()[:LONGEST]
        raise AddOnError(fill("{wheel}: {member}: {reason}", wheel.path.name, shown, reason))
    if member.is_dir():
        return ()
    first, *rest = parts = safe_parts(member.filename)
    is_installed = first.endswith(".data") and normal_name(first).startswith(f"{wheel.name}-")
    if rest and is_installed:
        return tuple(rest[1:]) if rest[0] in LIBRARIES else ()
    return parts


def _refusal(member: zipfile.ZipInfo) -> str:
    """Return why a member must not be unpacked; empty if it may."""
    name, kind = member.filename, stat.S_IFMT(member.external_attr >> 16)
    if reason := unsafe_reason(name):
        return reason
    if "/".join(safe_parts(name)) != name.removesuffix("/"):
        return translatable("Not every system has files of its name.")
    if kind == stat.S_IFLNK:
        return SYMBOLIC
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return DEVICE[0]
    if member.file_size > MAX_MEMBER_BYTES:
        return fill("It is larger than {value} GiB.", MAX_MEMBER_BYTES >> 30)
    ratio = limits.ZIP_RATIO * max(1, member.compress_size)
    if member.file_size > max(limits.ZIP_RATIO_FROM, ratio):
        return fill("It is more than {max_ratio} times its packed size.", limits.ZIP_RATIO)
    return ""


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, check: Check) -> None:
    """Write a member, of which the library reads no more than its declared size."""
    if target.exists():
        _require_same(archive, member, target)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(member) as source, name_os_errors(target), target.open("xb") as file:
        while block := source.read(BLOCK):
            check()
            file.write(block)


def _require_same(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    """Raise AddOnError if two wheels have different files of one name; namespaces share some."""
    with archive.open(member) as source:
        digest = hashlib.file_digest(source, "sha256").hexdigest()  # type: ignore[arg-type]
    if not target.is_file() or fingerprint(target).sha256 != digest:
        raise AddOnError(fill("Two wheels have different files {name}.", member.filename))
