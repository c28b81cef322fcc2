"""Where the program keeps its files, and how it reads and writes them safely."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

HOME_VARIABLE = "JURYDESK_HOME"
"""Names a folder that takes the place of the user's own ones (a portable installation)."""

HASH_BLOCK_BYTES = 8 << 20
"""Large, since a hash beside a busy reader waits for the interpreter after every block."""


def resources_folder() -> Path:
    """Return the folder of icons, styles, questionnaires and example competitions."""
    return Path(__file__).resolve().parents[2] / "resources"


def cache_folder() -> Path:
    """Return the folder of what can be computed again; it is made where it is missing."""
    return _user_folder("cache", "user_cache_path")


def data_folder() -> Path:
    """Return the folder of the user's own data; it is made where it is missing."""
    return _user_folder("data", "user_data_path")


def config_folder() -> Path:
    """Return the folder of settings; it is made where it is missing."""
    return _user_folder("config", "user_config_path")


def _user_folder(name: str, function: str) -> Path:
    home = os.environ.get(HOME_VARIABLE)
    if home:
        folder = Path(home) / name
    else:
        import platformdirs

        folder = getattr(platformdirs, function)("jurydesk", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def is_pipe_or_device(path: Path) -> bool:
    """Whether the path is there, but no file and no folder: to open it could wait for ever."""
    return not path.is_file() and path.exists() and not path.is_dir()


def write_atomically(path: Path, content: bytes | Callable[[BinaryIO], None]) -> None:
    """Put `content` (bytes, or what a function writes to the open file) at `path`, whole or not.

    The file is written beside its target, forced to the disk, and takes the target's place and
    permissions. A link is followed. A target that is no regular file (a pipe, a device) is
    written directly. Raises OSError where the place cannot be written.
    """
    write = content if callable(content) else lambda file: _write_all(file, content)
    if path.exists() and not path.is_file():
        # Opened by its own name: what `/dev/stdout` links to has none.
        with path.open("wb") as file:
            write(file)
        return
    target = Path(os.path.realpath(path))
    with atomic_replacement(target) as temporary, temporary.open("xb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


def _write_all(file: BinaryIO, content: bytes) -> None:
    file.write(content)


@contextlib.contextmanager
def atomic_replacement(target: Path) -> Iterator[Path]:
    """A free name beside `target`; the file made there takes its place when the block ends well."""
    import secrets  # with OpenSSL, which no first window waits for

    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        with name_os_errors(target):
            yield temporary
            with contextlib.suppress(FileNotFoundError):
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


@contextlib.contextmanager
def name_os_errors(path: Path) -> Iterator[None]:
    """Let an OSError of this block name the file: the system does not when the disk is full."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = os.fspath(path)
        raise


def _sync_folder(folder: Path) -> None:
    """Force a renaming to the disk, where the system lets a folder be opened for that."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells one content of a file from another: its size in bytes and its SHA-256."""

    size: int
    sha256: str


UNKNOWN = Fingerprint(0, "")
"""The fingerprint of what cannot be read twice: a pipe, a device, a folder."""


def fingerprint(path: Path, check: Callable[[], None] = lambda: None) -> Fingerprint:
    """Size and SHA-256 of a file, or `UNKNOWN` for what is no regular file.

    The hash lets other threads run, so that it can go beside the reading of the file. `check` is
    called for every block and may raise to stop. Raises OSError where the file cannot be read.
    """
    if not path.is_file():
        path.stat()
        return UNKNOWN
    import hashlib

    digest = hashlib.sha256()
    size = 0
    block = memoryview(bytearray(min(HASH_BLOCK_BYTES, 1 + path.stat().st_size)))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(block):
            check()
            digest.update(block[:count])
            size += count
    return Fingerprint(size, digest.hexdigest())


def distinct_names(paths: Collection[str]) -> dict[str, str]:
    """Of each path its last part, or the last few where others end alike: `north/run.txt`."""
    parts = {path: [part for part in re.split(r"[/\\]", path) if part] for path in paths}
    found: dict[str, str] = {}
    alike, depth = list(parts), 1
    while alike:
        names = {path: "/".join(parts[path][-depth:]) or path for path in alike}
        times = Counter(names.values())
        whole = [path for path in alike if depth >= len(parts[path])]
        found |= {path: names[path] for path in alike if times[names[path]] == 1 or path in whole}
        alike, depth = [path for path in alike if path not in found], depth + 1
    return found
