"""Folders of the program, atomic writing, file fingerprints and display names of paths."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import re
import stat
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from jurydesk.core.system.replacing import replace_path

HOME_VARIABLE = "JURYDESK_HOME"
"""Environment variable of a folder that replaces the user's folders (portable installation)."""

HASH_BLOCK_BYTES = 8 << 20
"""Large, since hashing beside a busy reader waits for the interpreter lock after every block."""


def resources_folder() -> Path:
    """Return the folder of icons, styles, questionnaires and example competitions."""
    return Path(__file__).resolve().parents[2] / "resources"


def cache_folder() -> Path:
    """Return the folder of data that can be computed again, creating it if necessary."""
    return _user_folder("cache", "user_cache_path")


def data_folder() -> Path:
    """Return the folder of the user's data, creating it if necessary."""
    return _user_folder("data", "user_data_path")


def config_folder() -> Path:
    """Return the folder of settings, creating it if necessary."""
    return _user_folder("config", "user_config_path")


def _user_folder(name: str, function: str) -> Path:
    home = os.environ.get(HOME_VARIABLE)
    if home:
        folder = Path(home) / name
    else:
        import platformdirs

        folder = getattr(platformdirs, function)("jurydesk", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _temporary_folder(name, folder)
    return folder if os.access(folder, os.W_OK) else _temporary_folder(name, folder)


@functools.cache
def _temporary_folder(name: str, folder: Path) -> Path:
    """Return a folder of this process in place of one that cannot be written."""
    import logging
    import tempfile

    temporary = tempfile.TemporaryDirectory(prefix=f"jurydesk-{name}-", ignore_cleanup_errors=True)
    _TEMPORARY.append(temporary)
    logging.getLogger(__name__).warning(
        "%s cannot be written: a temporary folder serves until the program ends.", folder
    )
    return Path(temporary.name)


_TEMPORARY: list[object] = []
"""Temporary folders, which are deleted at the end of the program."""


def is_temporary_folder(folder: Path) -> bool:
    """Return whether a folder of this process stands in for one that cannot be written."""
    return str(folder) in {str(getattr(one, "name", "")) for one in _TEMPORARY}


def absolute_path(path: str | os.PathLike[str]) -> Path:
    """Return the absolute, normalized path; a link keeps its own name."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the link


def file_name_of(title: str, default: str) -> str:
    """Return a title as a name for a file that a dialog suggests: without folders and drives."""
    return re.sub(r'[\\/:*?"<>|\x00-\x1f]', "-", title)[:100].strip(". ") or default


def is_pipe_or_device(path: Path) -> bool:
    """Return whether a path exists but is neither file nor folder: opening it could block."""
    return not path.is_file() and path.exists() and not path.is_dir()


ABANDONED = 86_400.0
"""Age in seconds of a temporary file that no program still writes."""


def write_atomically(path: Path, content: bytes | Callable[[BinaryIO], None]) -> None:
    """Write `content` (bytes, or a function that writes to the open file) to `path` atomically.

    A temporary file beside the target is flushed to disk and replaces it, with its permissions.
    Links are followed. A target that is not a regular file (a pipe, a device) is written directly.
    Raises OSError if the target cannot be written.
    """
    write = content if callable(content) else lambda file: _write_all(file, content)
    if path.exists() and not path.is_file():
        # Not resolved: the target of `/dev/stdout` has no name.
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


def temporary_path(target: Path) -> Path:
    """Return an unused hidden path beside `target`, for a file that will replace it."""
    import secrets  # imports OpenSSL, which the first window does not wait for

    return target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")


def remove_abandoned(target: Path) -> None:
    """Remove temporary files of `target`, and their journals, that killed programs left.

    Only files of yesterday or earlier: a younger one may be that of a program on another machine.
    """
    pattern = re.compile(rf"\.{re.escape(target.name[:100])}\.[0-9a-f]{{12}}\.tmp(-journal)?")
    with contextlib.suppress(OSError):
        for path in target.parent.iterdir():
            if pattern.fullmatch(path.name) and path.stat().st_mtime < time.time() - ABANDONED:
                path.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_replacement(target: Path) -> Iterator[Path]:
    """Yield an unused path beside `target`; its file replaces the target if the block succeeds."""
    temporary = temporary_path(target)
    try:
        with name_os_errors(target):
            yield temporary
            with contextlib.suppress(FileNotFoundError):
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            replace_path(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


@contextlib.contextmanager
def name_os_errors(path: Path) -> Iterator[None]:
    """Add the file name to an OSError of this block: a full disk, for one, gives none."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = os.fspath(path)
        raise


PATH_NOT_FOUND, NAME_TOO_LONG = 3, 206
"""Errors of Windows for a path of 260 characters and more, where its setting forbids them."""


def is_path_too_long(error: OSError) -> bool:
    """Return whether a file whose folder was just made is refused for the length of its path."""
    windows = getattr(error, "winerror", None)
    return error.errno == errno.ENAMETOOLONG or windows in (PATH_NOT_FOUND, NAME_TOO_LONG)


def _sync_folder(folder: Path) -> None:
    """Flush a renaming to disk, if the system can open folders."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Fingerprint of a file's content: size in bytes and SHA-256."""

    size: int
    sha256: str


UNKNOWN = Fingerprint(0, "")
"""Fingerprint of anything that is not a regular file."""


def fingerprint(path: Path, check: Callable[[], None] = lambda: None) -> Fingerprint:
    """Return size and SHA-256 of a file, or `UNKNOWN` for anything but a regular file.

    Hashing releases the interpreter lock. `check` is called for every block, and may raise to
    stop. Raises OSError if the file cannot be read.
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


UNPACKED = re.compile(r"[0-9a-f]{24}")
"""Name of the folder of an unpacked archive in the store `submissions`.

The rest of the path leads to the archive among the submissions, then to the file inside it.
"""
STORE = "submissions"


def submissions_store() -> Path:
    """Return the folder of unpacked archives."""
    return data_folder() / STORE


def _unpacked_parts(parts: Sequence[str]) -> int:
    """Return how many of the last parts of a path name a file of an unpacked archive; else 0."""
    for start in range(1, len(parts) - 1):
        if parts[start - 1] == STORE and UNPACKED.fullmatch(parts[start]):
            return len(parts) - start - 1
    return 0


def distinct_names(paths: Collection[str]) -> dict[str, str]:
    """Return the shortest unique end of each path by path, such as `north/run.txt`.

    A file of an unpacked archive is named from its team's folder, or from the archive, on.
    """
    parts = {path: [part for part in re.split(r"[/\\]", path) if part] for path in paths}
    least = {path: _unpacked_parts(several) for path, several in parts.items()}
    names: dict[str, str] = {}
    open_paths, depth = list(parts), 1
    while open_paths:
        ends = {
            path: "/".join(parts[path][-max(depth, least[path]) :]) or path for path in open_paths
        }
        counts = Counter(ends.values())
        for path in open_paths:
            if counts[ends[path]] == 1 or depth >= len(parts[path]):
                names[path] = ends[path]
        open_paths, depth = [path for path in open_paths if path not in names], depth + 1
    return names
