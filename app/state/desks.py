"""Opening, saving and closing of desks; unsaved desks are kept and offered at the next start."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject

from jurydesk.app.state.session import Session
from jurydesk.app.state.settings import INPUTS, Settings
from jurydesk.core.system.paths import data_folder
from jurydesk.core.system.replacing import replace_path

if TYPE_CHECKING:
    from jurydesk.core.desk import Desk
    from jurydesk.core.execution.run import Run
    from jurydesk.core.workflow.desk_state import DeskState

SUFFIX = ".jurydesk"
DAY = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class UnsavedDesk:
    """A desk that was never saved, and the time when it was last written, in POSIX seconds."""

    path: Path
    when: float


@dataclass(frozen=True, slots=True, eq=False)
class OpenedDesk:
    """An open desk with its state."""

    desk: Desk
    state: DeskState


class Desks(QObject):
    """Creates, saves and closes the session's desk. Raises DeskError with a user's message."""

    def __init__(self, session: Session, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = settings
        self._lock: QLockFile | None = None

    @property
    def is_unsaved(self) -> bool:
        """Whether the open desk was never saved by the user."""
        return self._lock is not None

    def ensure(self) -> None:
        """Create an unsaved desk unless a desk is open."""
        if not self._session.has_desk:
            self.new()

    def new(self) -> None:
        from jurydesk.core.desk import Desk

        self.close()
        self.adopt(Desk.create(new_unsaved_path()))

    def adopt(self, desk: Desk) -> None:
        """Use a new unsaved desk, unless another desk was opened meanwhile."""
        if self._session.has_desk:
            desk.close()
            delete_unsaved(desk.path)
        else:
            self._session.use(desk)
            self._lock_desk(desk.path)

    def use(self, opened: OpenedDesk) -> None:
        """Close the desk in use, and use another one that was opened."""
        desk, path = opened.desk, opened.desk.path
        self.close()
        there = [one.path.parent for one in opened.state.files if one.state != "missing"]
        for folder in there[:1]:
            self._settings.keep_folder(INPUTS, folder)  # where file dialogs open
        self._session.use(desk, opened.state)
        if path.parent == unsaved_folder():
            self._lock_desk(path)
        else:
            self._settings.add_recent(path)

    def save_as(self, path: Path) -> None:
        """Copy the desk to `path`, and continue with it there."""
        from jurydesk.core.desk import Desk

        desk = self._session.desk
        desk.save_as(path)
        before = desk.path if self.is_unsaved else None
        self._release()  # before `move`, whose subscribers read `is_unsaved`
        self._session.move(Desk.open(path))
        if before is not None:
            delete_unsaved(before)
        self._settings.add_recent(path)

    def close(self) -> None:
        """Close the desk; an unsaved desk stays on the disk unless it is empty."""
        if not self._session.has_desk:
            return
        path, unsaved = self._session.desk.path, self.is_unsaved
        empty = not self._session.files and not self._session.systems
        self._session.use(None)
        self._release()
        if unsaved and empty:
            delete_unsaved(path)

    def _lock_desk(self, path: Path) -> None:
        self._lock = _lock(path)
        self._lock.tryLock(0)

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def open_with_state(
    path: Path, run: Run, notify: object = None, *, read_only: bool = False
) -> OpenedDesk:
    """Open a desk file, for reading only if it cannot be written, and read its state.

    A large file takes a while, as do inputs that must be hashed. Raises DeskError and Cancelled.
    """
    from jurydesk.core.desk import Desk, DeskError
    from jurydesk.core.workflow.desk_state import load_state

    running: list[Run] = [run]

    def check() -> None:  # later queries of the open desk must not follow the ended job
        for one in running:
            one.check()

    try:
        desk = Desk.open(path, read_only=read_only, check=check)
    except DeskError:
        if read_only:
            raise
        desk = Desk.open(path, read_only=True, check=check)
    try:
        state = load_state(desk, check)
        run.check()
    except BaseException:
        desk.close()
        raise
    running.clear()
    return OpenedDesk(desk, state)


def unsaved_folder() -> Path:
    """Return the folder of desks that were never saved."""
    folder = data_folder() / "unsaved"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def new_unsaved_path() -> Path:
    """Return an unused path for an unsaved desk."""
    from datetime import datetime  # not needed before the first paint

    name = f"{datetime.now():%Y-%m-%d %H.%M.%S} {time.monotonic_ns()}{SUFFIX}"
    return unsaved_folder() / name


def unsaved_desks() -> list[UnsavedDesk]:
    """Return the unsaved desks that no running program uses, the latest first."""
    found = []
    for path in unsaved_folder().glob(f"*{SUFFIX}"):
        lock = _lock(path)
        if lock.tryLock(0):
            lock.unlock()
            found.append(UnsavedDesk(path, path.stat().st_mtime))
    return sorted(found, key=lambda desk: desk.when, reverse=True)


def delete_unsaved(path: Path) -> None:
    """Delete an unsaved desk, unless a program, this one included, has it open."""
    with _unused(path) as is_free:
        for name in _files(path) if is_free else ():
            with contextlib.suppress(OSError):
                path.with_name(name).unlink(missing_ok=True)


def is_in_use(path: Path) -> bool:
    """Return whether a program, this one included, has an unsaved desk open."""
    with _unused(path) as is_free:
        return not is_free


def discard_unsaved(path: Path) -> None:
    """Put an unsaved desk aside for `restore_discarded`, unless a program has it open."""
    discarded_folder().mkdir(exist_ok=True)
    with _unused(path) as is_free:
        if is_free:
            _move(path, discarded_folder())


def restore_discarded(path: Path) -> None:
    """Put a discarded desk back in the list of unsaved ones, if it still exists."""
    _move(discarded_folder() / path.name, path.parent)


def delete_discarded() -> None:
    """Delete the desks that were discarded more than a day ago."""
    for path in discarded_folder().glob(f"*{SUFFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_ctime > DAY:
                path.unlink()


def discarded_folder() -> Path:
    """Return the folder of desks that were discarded lately, which may not exist."""
    return unsaved_folder() / "discarded"


def _files(path: Path) -> tuple[str, str, str]:
    return path.name, f"{path.name}-wal", f"{path.name}-shm"


def _move(path: Path, folder: Path) -> None:
    for name in reversed(_files(path)):  # the desk last: it is listed only with its other files
        with contextlib.suppress(FileNotFoundError):
            replace_path(path.with_name(name), folder / name)


@contextlib.contextmanager
def _unused(path: Path) -> Iterator[bool]:
    """Lock a desk, and give whether no other program has it open."""
    lock = _lock(path)
    is_free = lock.tryLock(0)
    try:
        yield is_free
    finally:
        if is_free:
            lock.unlock()


def _lock(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_name(f"{path.name}.lock")))
    lock.setStaleLockTime(0)
    return lock
