from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
import time
from pathlib import Path
from typing import BinaryIO

import pytest

from jurydesk.core.system import paths

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions, links and pipes")


class TestFolders:
    @pytest.mark.parametrize("name", ["cache", "data", "config"])
    def test_a_portable_home_contains_every_folder(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("JURYDESK_HOME", str(tmp_path / "home"))
        folder = getattr(paths, f"{name}_folder")()
        assert folder == tmp_path / "home" / name
        assert folder.is_dir()

    def test_otherwise_the_folders_are_those_of_the_system(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("JURYDESK_HOME")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        if sys.platform == "linux":
            assert paths.cache_folder() == tmp_path / "jurydesk"

    def test_resources_are_beside_the_packages(self) -> None:
        assert paths.resources_folder() == Path(paths.__file__).resolve().parents[2] / "resources"


class TestAtomicWriting:
    def test_bytes_replace_the_existing_content(self, tmp_path: Path) -> None:
        target = tmp_path / "scores.json"
        target.write_bytes(b"old")
        paths.write_atomically(target, b"new")
        assert target.read_bytes() == b"new"
        assert list(tmp_path.iterdir()) == [target]

    def test_a_function_writes_to_the_open_file(self, tmp_path: Path) -> None:
        def write(file: BinaryIO) -> None:
            file.write(b"one\n")
            file.write(b"two\n")

        paths.write_atomically(tmp_path / "lines", write)
        assert (tmp_path / "lines").read_bytes() == b"one\ntwo\n"

    def test_a_full_disk_is_reported_with_its_file(self, tmp_path: Path) -> None:
        def fill(file: BinaryIO) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with pytest.raises(OSError, match=r"No space left on device: '.*scores\.json'"):
            paths.write_atomically(tmp_path / "scores.json", fill)

    def test_an_error_keeps_the_old_file_and_leaves_nothing_else(self, tmp_path: Path) -> None:
        target = tmp_path / "scores.json"
        target.write_bytes(b"old")

        def fail(file: BinaryIO) -> None:
            file.write(b"half")
            raise RuntimeError("stopped")

        with pytest.raises(RuntimeError, match="stopped"):
            paths.write_atomically(target, fail)
        assert target.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [target]

    def test_a_missing_folder_is_left_to_the_caller(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            paths.write_atomically(tmp_path / "nowhere" / "file", b"")

    @posix
    def test_permissions_are_kept(self, tmp_path: Path) -> None:
        target = tmp_path / "shared"
        target.write_bytes(b"")
        target.chmod(0o664)
        paths.write_atomically(target, b"new")
        assert stat.S_IMODE(target.stat().st_mode) == 0o664

    @posix
    def test_a_new_file_has_the_usual_permissions(self, tmp_path: Path) -> None:
        paths.write_atomically(tmp_path / "ours", b"")
        (tmp_path / "plain").write_bytes(b"")
        assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode

    @posix
    def test_a_link_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "real").write_bytes(b"old")
        (tmp_path / "link").symlink_to("real")
        paths.write_atomically(tmp_path / "link", b"new")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real").read_bytes() == b"new"

    @posix
    def test_a_pipe_is_written_directly(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            paths.write_atomically(pipe, b"through")
            assert os.read(reader, 100) == b"through"
        finally:
            os.close(reader)
        assert stat.S_ISFIFO(pipe.stat().st_mode)


class TestFingerprints:
    @pytest.mark.parametrize("size", [0, 1, paths.HASH_BLOCK_BYTES, 2 * paths.HASH_BLOCK_BYTES + 7])
    def test_size_and_hash_are_those_of_the_content(self, size: int, tmp_path: Path) -> None:
        content = os.urandom(size)
        (tmp_path / "file").write_bytes(content)
        expected = paths.Fingerprint(size, hashlib.sha256(content).hexdigest())
        assert paths.fingerprint(tmp_path / "file") == expected

    def test_a_folder_has_no_fingerprint(self, tmp_path: Path) -> None:
        assert paths.fingerprint(tmp_path) == paths.UNKNOWN

    @posix
    def test_a_pipe_has_no_fingerprint_and_is_not_read(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert paths.fingerprint(tmp_path / "pipe") == paths.UNKNOWN

    def test_a_missing_file_is_an_os_error(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            paths.fingerprint(tmp_path / "missing")

    def test_hashing_can_be_cancelled(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"content")

        def stop() -> None:
            raise InterruptedError

        with pytest.raises(InterruptedError):
            paths.fingerprint(tmp_path / "file", stop)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["/a/run.txt"], ["run.txt"]),
        (["/a/run.txt", "/b/other.txt"], ["run.txt", "other.txt"]),
        (["/in/a/run.txt", "/in/b/run.txt", "/in/c.txt"], ["a/run.txt", "b/run.txt", "c.txt"]),
        (
            ["/a/x/run.txt", "/b/x/run.txt", "/x/run.txt"],
            ["a/x/run.txt", "b/x/run.txt", "x/run.txt"],
        ),
        (["C:\\a\\run.txt", "C:\\b\\run.txt"], ["a/run.txt", "b/run.txt"]),
        (["C:\\run.txt", "D:\\run.txt"], ["C:/run.txt", "D:/run.txt"]),
        (["\\\\host\\share\\a\\run.txt", "D:\\b\\run.txt"], ["a/run.txt", "b/run.txt"]),
        (
            ["/data/submissions/0123456789abcdef01234567/north/all.zip/out/run.txt", "/b/c.txt"],
            ["north/all.zip/out/run.txt", "c.txt"],
        ),
        (["run.txt", "/run.txt", ""], ["run.txt", "run.txt", ""]),
    ],
)
def test_paths_of_the_same_name_are_distinguished_by_their_folders(
    given: list[str], names: list[str]
) -> None:
    assert paths.distinct_names(given) == dict(zip(given, names, strict=True))


def test_a_home_that_cannot_be_written_is_replaced_by_a_temporary_folder(
    tmp_path, monkeypatch, caplog
):
    home = tmp_path / "home"
    home.write_text("no folder")
    monkeypatch.setenv("JURYDESK_HOME", str(home))
    folder = paths.data_folder()
    (folder / "answers").mkdir()
    assert paths.data_folder() == folder
    assert [str(home / "data") in one.message for one in caplog.records] == [True]
    caplog.clear()


def test_temporary_files_that_killed_programs_left_are_removed_a_day_later(tmp_path):
    target, old = tmp_path / "o.json", time.time() - 2 * 86_400
    left = [".o.json.0123456789ab.tmp", ".o.json.0123456789ab.tmp-journal"]
    kept = [".o.json.tmp", "o.json", ".other.0123456789ab.tmp", ".o.json.0123456789xy.tmp"]
    for name in (*left, *kept):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (old, old))
    (tmp_path / ".o.json.ba9876543210.tmp").write_bytes(b"")  # of a program that writes now
    paths.remove_abandoned(target)
    found = {path.name for path in tmp_path.iterdir()}
    assert found == {*kept, ".o.json.ba9876543210.tmp"}
    paths.remove_abandoned(tmp_path / "absent" / "o.json")
