"""Replacement of files and locks where Windows' rules hold, by a simulated layer."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from jurydesk.core.system import paths, replacing
from jurydesk.core.system.file_lock import interprocess_lock, try_windows_lock
from jurydesk.core.system.replacing import PAUSES, replace_path

ROOT = Path(__file__).parents[3]
SHARING_VIOLATION, ACCESS_DENIED, NOT_SAME_DEVICE = 32, 5, 17


class Windows:
    """Layer that refuses to replace files which a program holds open, for some attempts."""

    def __init__(self, monkeypatch, refusals: int, winerror: int) -> None:
        self.refusals, self.winerror = refusals, winerror
        self.slept: list[float] = []
        self._replace = os.replace
        monkeypatch.setattr(os, "replace", self.replace)
        monkeypatch.setattr(replacing.time, "sleep", self.slept.append)

    def replace(self, source, target) -> None:
        if self.refusals:
            self.refusals -= 1
            error = PermissionError(13, "The process cannot access the file", str(source))
            error.winerror = self.winerror
            raise error
        self._replace(source, target)


@pytest.fixture
def two(tmp_path):
    """Return a new file, and the old one that it replaces."""
    for name in ("new", "old"):
        (tmp_path / name).write_text(name)
    return tmp_path / "new", tmp_path / "old"


@pytest.mark.parametrize("winerror", [SHARING_VIOLATION, ACCESS_DENIED])
def test_a_file_that_a_scanner_holds_is_replaced_when_it_is_free(monkeypatch, two, winerror):
    layer = Windows(monkeypatch, 3, winerror)
    replace_path(*two)
    assert two[1].read_text() == "new"
    assert layer.slept == list(PAUSES[:3])


def test_a_file_that_is_held_for_long_is_refused_with_the_old_one_in_place(monkeypatch, two):
    layer = Windows(monkeypatch, 100, SHARING_VIOLATION)
    with pytest.raises(PermissionError, match="cannot access"):
        replace_path(*two)
    assert two[1].read_text() == "old"
    assert layer.slept == list(PAUSES)
    assert sum(layer.slept) < 2


@pytest.mark.parametrize("winerror", [NOT_SAME_DEVICE, None])
def test_a_refusal_for_another_reason_is_told_at_once(monkeypatch, two, winerror):
    layer = Windows(monkeypatch, 1, winerror)
    with pytest.raises(PermissionError):
        replace_path(*two)
    assert layer.slept == []


def test_an_atomic_write_waits_for_a_scanner_and_leaves_nothing_behind(monkeypatch, tmp_path):
    Windows(monkeypatch, 2, SHARING_VIOLATION)
    target = tmp_path / "scores.json"
    target.write_bytes(b"old")
    paths.write_atomically(target, b"new")
    assert target.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [target]


def test_files_are_replaced_in_one_place():
    calls = re.compile(r"os\.(replace|rename|renames)\(|shutil\.move\(")
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder in ("core", "app")
        for path in (ROOT / folder).rglob("*.py")
    }
    used = {name for name, text in texts.items() if calls.search(text)}
    assert used == {"core/export/platforms/kaggle_export.py"}  # in a text for another program


class Locks:
    """Layer like `msvcrt`: a byte of a file is locked by one handle at a time."""

    LK_NBLCK = 2

    def __init__(self, errno: int | None = None) -> None:
        self.held: dict[int, tuple[int, int]] = {}
        self.errno = errno

    def locking(self, handle: int, mode: int, count: int) -> None:
        if self.errno is not None:
            raise OSError(self.errno, "no locks")
        wanted = os.fstat(handle).st_ino, os.lseek(handle, 0, os.SEEK_CUR)
        assert (mode, count) == (self.LK_NBLCK, 1)
        if wanted in self.held.values():
            raise PermissionError(13, "Permission denied")
        self.held[handle] = wanted


def test_a_lock_of_windows_excludes_a_second_handle_wherever_its_position_is(tmp_path):
    layer = Locks()
    path = tmp_path / "lock"
    with path.open("ab") as one, path.open("ab") as other:
        assert try_windows_lock(one, layer)
        other.write(b"more")
        other.flush()
        assert not try_windows_lock(other, layer)


def test_a_file_system_without_locks_locks_nothing(tmp_path):
    with (tmp_path / "lock").open("ab") as file:
        assert try_windows_lock(file, Locks(errno=38))


def test_a_lock_is_waited_for_until_its_holder_leaves(tmp_path):
    path, waited = tmp_path / "lock", []

    def give_up() -> None:
        waited.append(1)
        raise InterruptedError

    def nothing() -> None:
        return

    refused = pytest.raises(InterruptedError)
    with interprocess_lock(path, nothing), refused, interprocess_lock(path, give_up):
        pass
    with interprocess_lock(path, give_up):
        assert waited == [1]
