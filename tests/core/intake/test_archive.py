from __future__ import annotations

import errno
import importlib
import io
import lzma
import os
import stat
import struct
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jurydesk.core.execution.run import Cancelled, CancelToken, Run
from jurydesk.core.intake import archive
from jurydesk.core.intake.archive import UnpackedArchive, is_archive, unpack_archive
from jurydesk.core.intake.member_names import member_name
from jurydesk.core.model.defects import Defect
from jurydesk.core.readers import unpacking_limits
from jurydesk.core.readers.compression import zstd_module

FILES = {"north/run.json": b"{}", "south/run.json": b"[]"}


def write_archive(path: Path, members: list[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # duplicate names on purpose
        for name, content in members:
            file.writestr(name, content)
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def said(unpacked: UnpackedArchive) -> list[str]:
    return [str(defect) for defect in unpacked.defects]


def names(unpacked: UnpackedArchive) -> list[str]:
    return sorted("/".join(parts) for parts in unpacked.times)


def take(tmp_path: Path, store: Path, members) -> UnpackedArchive:
    return unpack_archive(write_archive(tmp_path / "all.zip", members), store, Run())


def test_each_archive_is_unpacked_into_a_folder_of_its_own_once_for_each_content(
    tmp_path: Path, store: Path
) -> None:
    found = take(tmp_path, store, list(FILES.items()))
    assert found.folder.relative_to(store).parts[1:] == ("all.zip",)
    assert names(found) == ["north/run.json", "south/run.json"]
    assert (found.folder / "south" / "run.json").read_bytes() == b"[]"
    assert found.defects == ()
    copy = write_archive(tmp_path / "copy.zip", list(FILES.items()))
    copy.write_bytes((tmp_path / "all.zip").read_bytes())
    assert unpack_archive(copy, store, Run()).folder != found.folder
    (found.folder / "south" / "run.json").write_bytes(b"kept")
    assert unpack_archive(tmp_path / "all.zip", store, Run()) == found
    assert (found.folder / "south" / "run.json").read_bytes() == b"kept"
    write_archive(tmp_path / "all.zip", [("north/run.json", b"{}")])
    assert unpack_archive(tmp_path / "all.zip", store, Run()).folder != found.folder


def test_unpacking_a_moved_archive_again_reports_the_same_defects_at_its_new_path(
    tmp_path: Path, store: Path
) -> None:
    first = take(tmp_path, store, [("../up.json", b"{}"), ("a.json", b"{}")])
    moved = (tmp_path / "all.zip").rename(tmp_path / "moved.zip")
    again = unpack_archive(moved, store, Run())
    assert again.times == first.times
    assert [one.found for one in again.defects] == [one.found for one in first.defects]
    assert again.defects[0].place.path == str(moved)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("../up.json", "Its name leads out of the archive (..)."),
        ("a/../../up.json", "Its name leads out of the archive (..)."),
        ("/etc/cron.d/up", "Its name is an absolute path."),
        ("C:/up.json", "Its name is an absolute path."),
        ("more/inner.zip", "The archive is damaged."),
        ("more/inner.tar.gz", "The archive is damaged."),
        ("more/inner.7z", "This archive format is not supported."),
        ("more/inner.rar", "This archive format is not supported."),
        ("more/inner.tar.xz", "The archive is damaged."),
    ],
)
def test_a_member_that_cannot_be_unpacked_is_an_error_with_its_name(
    tmp_path: Path, store: Path, name: str, sentence: str
) -> None:
    found = take(tmp_path, store, [(name, b"{}"), ("good.json", b"{}")])
    (reported,) = said(found)
    assert reported.startswith(f"error  all.zip, {name}: {sentence}\n       It was left out. ")
    assert names(found) == ["good.json"]
    everything = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert {one.name for one in everything} == {
        "all.zip",
        "good.json",
        f"{found.folder.parent.name}.json",
    }


def zipped(members: list[tuple[str, bytes]]) -> bytes:
    with zipfile.ZipFile(content := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members:
            file.writestr(name, data)
    return content.getvalue()


def test_archives_inside_an_archive_are_unpacked_and_those_inside_them_are_refused(
    tmp_path: Path, store: Path
) -> None:
    deep = zipped([("c.json", b"3")])
    inner = zipped([("b.json", b"2"), ("deep.zip", deep), ("../up.json", b"4")])
    found = take(tmp_path, store, [("a.json", b"1"), ("south/inner.zip", inner)])
    assert names(found) == ["a.json", "south/inner.zip/b.json"]
    assert found.inner == (("south", "inner.zip"),)
    assert said(found) == [
        "error  all.zip, south/inner.zip/deep.zip: It is an archive inside an archive.\n"
        "       It was left out. Unpack it, and pack its files.",
        "error  all.zip, south/inner.zip/../up.json: Its name leads out of the archive (..).\n"
        "       It was left out. Pack the files again from within their folder.",
    ]
    assert {one.name for one in found.folder.rglob("*") if one.is_file()} == {"a.json", "b.json"}


def test_both_levels_of_archives_share_the_limits(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = [(f"{n}.zip", zipped([("a", b"12"), ("b", b"34")])) for n in range(3)]
    monkeypatch.setattr(archive, "MAX_MEMBERS", 7)
    found = take(tmp_path, store, inner)
    assert [one.found for one in found.defects] == ["The archive has more than 7 files."]
    assert len(found.times) == 4
    monkeypatch.setattr(archive, "MAX_MEMBERS", 99)
    monkeypatch.setattr(archive, "MAX_BYTES", 3 * len(inner[0][1]))
    many = [(f"{n}.zip", zipped([("a", bytes(range(100)))])) for n in range(3)]
    found = unpack_archive(write_archive(tmp_path / "b.zip", many), store, Run())
    assert any("the limit is 0.0 GiB" in one for one in said(found))


def write_tar(path: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w:gz") as file:
        for member, content in members:
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))
    return path


def test_a_tar_archive_is_unpacked_with_the_same_guards(tmp_path: Path, store: Path) -> None:
    good = tarfile.TarInfo("north/run.json")
    good.mtime = 1525168800
    link, pipe = tarfile.TarInfo("link"), tarfile.TarInfo("pipe")
    link.type, link.linkname, pipe.type = tarfile.SYMTYPE, "/etc/passwd", tarfile.FIFOTYPE
    members = [(good, b"{}"), (link, b""), (pipe, b""), (tarfile.TarInfo("../up.json"), b"{}")]
    for name in ("all.tar.gz", "all.tgz"):
        found = unpack_archive(write_tar(tmp_path / name, members), store, Run())
        assert found.times == {("north", "run.json"): datetime(2018, 5, 1, 10, tzinfo=UTC)}
        assert [one.found for one in found.defects] == [
            "It is a link.",
            "It is a device or a pipe, not a file.",
            "Its name leads out of the archive (..).",
        ]


def test_a_tar_archive_that_grows_beyond_the_limits_is_refused(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_tar(tmp_path / "all.tar.gz", [(tarfile.TarInfo("a"), b"\0" * (8 << 20))])
    monkeypatch.setattr(unpacking_limits, "ZIP_RATIO_FROM", 1 << 20)
    assert [one.found for one in unpack_archive(path, store, Run()).defects] == [
        "The archive unpacks to more than the limit."
    ]


@pytest.mark.parametrize("size", [b"77777777777\0", b"\xff" * 12])
def test_a_tar_header_with_an_impossible_size_is_damage(
    tmp_path: Path, store: Path, size: bytes
) -> None:
    member = tarfile.TarInfo("././@LongLink")
    member.type = tarfile.GNUTYPE_LONGNAME
    header = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    header[124:136] = size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    (tmp_path / "all.tar").write_bytes(bytes(header) + bytes(1024))
    (reported,) = unpack_archive(tmp_path / "all.tar", store, Run()).defects
    assert reported.found == "The archive is damaged."


def test_links_and_devices_are_left_out(tmp_path: Path, store: Path) -> None:
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    pipe = zipfile.ZipInfo("pipe.json")
    pipe.external_attr = (stat.S_IFIFO | 0o644) << 16
    found = take(tmp_path, store, [(link, b"/etc/passwd"), (pipe, b""), ("good.json", b"{}")])
    assert [one.found for one in found.defects] == [
        "It is a link.",
        "It is a device or a pipe, not a file.",
    ]
    assert names(found) == ["good.json"]


def test_a_member_with_a_password_is_left_out(tmp_path: Path, store: Path) -> None:
    path = write_archive(tmp_path / "all.zip", [("locked.json", b"{}"), ("good.json", b"{}")])
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    path.write_bytes(content)
    found = unpack_archive(path, store, Run())
    assert said(found) == [
        "error  all.zip, locked.json: It is encrypted with a password.\n"
        "       It was left out. Pack it without a password."
    ]
    assert names(found) == ["good.json"]


def test_of_a_repeated_name_the_last_member_counts(tmp_path: Path, store: Path) -> None:
    found = take(tmp_path, store, [("a.json", b"1"), ("a.json", b"2")])
    assert said(found) == [
        "warning  all.zip, a.json: The archive contains this name twice.\n"
        "       The last one is used."
    ]
    assert (found.folder / "a.json").read_bytes() == b"2"


def test_names_that_differ_in_case_only_are_both_kept(tmp_path: Path, store: Path) -> None:
    found = take(tmp_path, store, [("a.json", b"1"), ("A.json", b"2")])
    assert names(found) == ["2-A.json", "a.json"]
    assert (found.folder / "2-A.json").read_bytes() == b"2"


def test_a_file_with_the_name_of_a_folder_is_reported(tmp_path: Path, store: Path) -> None:
    found = take(tmp_path, store, [("a", b"1"), ("a/b.json", b"2")])
    assert [one.found for one in found.defects] == ["A folder in the archive has the same name."]


def test_files_of_operating_systems_are_summarized_in_one_note(tmp_path: Path, store: Path) -> None:
    found = take(
        tmp_path,
        store,
        [
            ("__MACOSX/._a.json", b"x"),
            (".DS_Store", b"x"),
            ("a.json", b"{}"),
            ("__MACOSX/b.zip", b""),
        ],
    )
    (reported,) = found.defects
    assert reported.found == (
        "3 files created by operating systems: __MACOSX/._a.json, .DS_Store, __MACOSX/b.zip."
    )
    assert (reported.severity, reported.count) == ("note", 3)


def test_a_compression_bomb_is_stopped_while_it_grows(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking_limits, "ZIP_RATIO_FROM", 1 << 20)
    found = take(tmp_path, store, [("bomb.json", b"\0" * (8 << 20)), ("good.json", b"{}")])
    assert [one.found for one in found.defects] == ["It is more than 400 times its packed size."]
    assert names(found) == ["good.json"]
    assert not (found.folder / "bomb.json").exists()


def test_a_false_size_is_detected(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBER_BYTES", 1000)
    path = write_archive(tmp_path / "all.zip", [("a.json", bytes(range(256)) * 8)])
    content = path.read_bytes()
    path.write_bytes(content.replace(struct.pack("<I", 2048), struct.pack("<I", 900)))
    found = unpack_archive(path, store, Run())
    assert len(found.defects) == 1
    assert names(found) == []


def test_an_archive_that_is_too_large_is_not_unpacked(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 1 << 30)
    monkeypatch.setattr(archive, "MAX_MEMBERS", 1)
    found = take(tmp_path, store, list(FILES.items()))
    assert said(found) == ["error  all.zip: The archive has more than 1 files.\n       Split it."]
    monkeypatch.setattr(archive, "MAX_MEMBERS", 9)
    monkeypatch.setattr(archive, "MAX_BYTES", 3)
    found = unpack_archive(write_archive(tmp_path / "b.zip", [("a", b"1234")]), store, Run())
    assert found.defects[0].found.startswith("The unpacked archive would need 0.0 GiB;")
    assert names(found) == []


@pytest.mark.parametrize(("most", "refused"), [(1999, True), (2000, False)])
def test_files_and_those_of_archives_among_them_are_compared_together(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch, most: int, refused: bool
) -> None:
    inner = write_archive(tmp_path / "b.zip", [("b.txt", b"b" * 1000)]).read_bytes()
    monkeypatch.setattr(archive, "MAX_BYTES", most)
    found = take(tmp_path, store, [("a.txt", b"a" * 1000), ("b.zip", inner)])
    assert names(found) == (["a.txt"] if refused else ["a.txt", "b.zip/b.txt"])
    assert bool(found.defects) is refused


@pytest.mark.parametrize(
    ("most", "free", "refused"),
    [
        (7, 100, ""),
        (6, 100, "the limit is 0.0 GiB."),
        (100, 7, ""),
        (100, 6, "the disk has room for 0.0 GiB."),
    ],
)
def test_all_members_together_are_compared_with_the_limit_and_the_free_space(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch, most: int, free: int, refused: str
) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", most)
    monkeypatch.setattr(
        "jurydesk.core.intake.archive.shutil.disk_usage", lambda folder: SimpleNamespace(free=free)
    )
    found = take(tmp_path, store, [("a.json", b"123"), ("b.json", b"4567")])
    assert names(found) == ([] if refused else ["a.json", "b.json"])
    assert [one.found.endswith(refused) for one in found.defects] == ([True] if refused else [])


@pytest.mark.parametrize("keep", [4, 30, 120])
def test_a_truncated_archive_is_reported(tmp_path: Path, store: Path, keep: int) -> None:
    path = write_archive(tmp_path / "all.zip", list(FILES.items()))
    path.write_bytes(path.read_bytes()[:keep])
    (reported,) = unpack_archive(path, store, Run()).defects
    assert reported.found == "The archive is damaged."


def test_a_damaged_member_is_reported_and_the_others_are_unpacked(
    tmp_path: Path, store: Path
) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("bad.json", b"0123456789")
        file.writestr("good.json", b"{}")
    path.write_bytes(path.read_bytes().replace(b"0123456789", b"0123X56789", 1))
    found = unpack_archive(path, store, Run())
    assert [one.found[:24] for one in found.defects] == ["It cannot be unpacked (B"]
    assert names(found) == ["good.json"]


def test_an_archive_without_a_file_is_reported(tmp_path: Path, store: Path) -> None:
    found = take(tmp_path, store, [("folder/", b"")])
    assert [one.found for one in found.defects] == ["The archive contains no file."]


def test_an_empty_archive_inside_one_is_reported_beside_other_defects(
    tmp_path: Path, store: Path
) -> None:
    members = [("a.json", b"1"), ("../b.json", b"2"), ("empty.zip", zipped([]))]
    found = take(tmp_path, store, members)
    assert [(one.place.json_path, one.found) for one in found.defects] == [
        ("../b.json", "Its name leads out of the archive (..)."),
        ("empty.zip", "The archive contains no file."),
    ]


def test_a_name_in_undeclared_utf_8_is_decoded(tmp_path: Path, store: Path) -> None:
    member = zipfile.ZipInfo("xxxx.json")
    path = write_archive(tmp_path / "all.zip", [(member, b"{}")])
    path.write_bytes(path.read_bytes().replace(b"xxxx", "юг".encode()))
    assert names(unpack_archive(path, store, Run())) == ["юг.json"]


def test_a_time_in_utc_is_preferred_to_one_without_a_zone(tmp_path: Path, store: Path) -> None:
    reported = zipfile.ZipInfo("told.json", (2018, 5, 1, 12, 0, 0))
    reported.extra = struct.pack("<HHBi", 0x5455, 5, 1, 1525168800)
    plain = zipfile.ZipInfo("plain.json", (2018, 5, 1, 12, 0, 0))
    wrong = zipfile.ZipInfo("wrong.json", (1980, 0, 0, 0, 0, 0))
    found = take(tmp_path, store, [(reported, b""), (plain, b""), (wrong, b"")])
    assert found.times == {
        ("told.json",): datetime(2018, 5, 1, 10, tzinfo=UTC),
        ("plain.json",): datetime(2018, 5, 1, 12),
        ("wrong.json",): None,
    }


UTC_FIELD = struct.pack("<HHBi", 0x5455, 5, 1, 1525168800)
OWNER_FIELD = struct.pack("<HHBBIBI", 0x7875, 11, 1, 4, 1000, 4, 1000)
ACCESS_TIME_ALONE = struct.pack("<HHBi", 0x5455, 5, 2, 1525168800)
CUT_SHORT = struct.pack("<HHB", 0x5455, 1, 1)


@pytest.mark.parametrize(
    ("extra", "utc"),
    [
        (UTC_FIELD, 1525168800.0),
        (OWNER_FIELD + UTC_FIELD, 1525168800.0),
        (UTC_FIELD + OWNER_FIELD, 1525168800.0),
        (struct.pack("<HHBi", 0x5455, 5, 3, -86400), -86400.0),
        (struct.pack("<HHBii", 0x5455, 9, 3, 1525168800, 7), 1525168800.0),
        (OWNER_FIELD, None),
        (ACCESS_TIME_ALONE, None),
        (ACCESS_TIME_ALONE + UTC_FIELD, 1525168800.0),
        (CUT_SHORT, None),
        (b"", None),
    ],
)
def test_the_time_in_utc_is_read_from_a_member_s_extra_fields(
    tmp_path: Path, store: Path, extra: bytes, utc: float | None
) -> None:
    member = zipfile.ZipInfo("run.json", (2018, 5, 1, 12, 0, 0))
    member.extra = extra
    (found,) = take(tmp_path, store, [(member, b"")]).times.values()
    assert found is not None
    expected = datetime(2018, 5, 1, 12) if utc is None else datetime.fromtimestamp(utc, UTC)
    assert (found, found.tzinfo) == (expected, expected.tzinfo)


def test_unpacking_can_be_cancelled_and_leaves_no_partial_folder(
    tmp_path: Path, store: Path
) -> None:
    token = CancelToken()
    token.cancel()
    path = write_archive(tmp_path / "all.zip", list(FILES.items()))
    with pytest.raises(Cancelled):
        unpack_archive(path, store, Run(cancel=token))
    assert names(unpack_archive(path, store, Run())) == ["north/run.json", "south/run.json"]
    assert [one.suffix for one in store.iterdir() if one.is_dir()] == [""]


def test_any_bytes_give_defects_and_no_exception(tmp_path: Path, store: Path) -> None:
    whole = write_archive(tmp_path / "all.zip", list(FILES.items())).read_bytes()
    for place in range(0, len(whole), 3):
        path = tmp_path / "torn.zip"
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        found = unpack_archive(path, store, Run())
        assert all(isinstance(one, Defect) for one in found.defects)
        assert all(one.is_relative_to(store) for one in found.folder.rglob("*"))


def test_only_a_zip_is_an_archive(tmp_path: Path) -> None:
    assert is_archive(write_archive(tmp_path / "all.zip", []))
    (tmp_path / "text.zip").write_text("no archive")
    assert not is_archive(tmp_path / "text.zip")
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    (tmp_path / "stories.json").write_bytes(buffer.getvalue())
    assert not is_archive(tmp_path / "stories.json")


def test_a_member_without_a_name_is_reported_and_the_others_are_unpacked(
    tmp_path: Path, store: Path
) -> None:
    class Nameless(zipfile.ZipInfo):
        def is_dir(self) -> bool:  # Python's own method reads the last letter
            return False

    path = write_archive(tmp_path / "all.zip", [(Nameless(""), b"{}"), *FILES.items()])
    found = unpack_archive(path, store, Run())
    assert names(found) == ["north/run.json", "south/run.json"]
    assert any("It has no name." in one for one in said(found))


def test_a_full_disk_is_reported_with_the_file(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, member: object) -> Iterator[bytes]:
        yield b""
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archive._Unpacker, "_blocks", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*run\.json'"):
        take(tmp_path, store, list(FILES.items()))


LONG = "/".join(["folder" * 30] * 26) + "/run.json"
"""A path of 4,700 characters; Linux takes 4,095."""


def test_a_path_that_is_too_long_is_left_out_and_the_others_are_unpacked(
    tmp_path: Path, store: Path
) -> None:
    found = take(tmp_path, store, [(LONG, b"{}"), *FILES.items()])
    assert names(found) == [*FILES]
    (told,) = said(found)
    assert "run.json: Its path is too long for this system." in told
    assert told.endswith("Pack the files again, with shorter names of folders.")


class WindowsOf260Characters:
    """Layer of Windows whose setting for long paths is off: 247 characters for a folder."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
        self._root, self._mkdir, self._open = root, os.mkdir, io.open
        monkeypatch.setattr(os, "mkdir", self.mkdir)
        monkeypatch.setattr(io, "open", self.open)

    def _refuse(self, path: object, limit: int, winerror: int) -> None:
        inside = os.path.relpath(str(path), self._root)
        if len(rf"C:\Users\rater\AppData\Local\jurydesk\{inside}") >= limit:
            error = FileNotFoundError(errno.ENOENT, "The system cannot find the path", str(path))
            error.winerror = winerror  # type: ignore[attr-defined]
            raise error

    def mkdir(self, path: object, *more: Any, **others: Any) -> None:
        self._refuse(path, 248, 206)
        self._mkdir(path, *more, **others)  # type: ignore[arg-type]

    def open(self, path: object, *more: Any, **others: Any) -> Any:
        self._refuse(path, 260, 3)
        return self._open(path, *more, **others)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "name", ["n" * 190 + ".json", f"{'n' * 120}/{'m' * 80}.json", f"{'n' * 150}/{'m' * 60}/r.json"]
)
def test_of_windows_260_characters_a_longer_path_is_left_out(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    WindowsOf260Characters(monkeypatch, tmp_path)
    found = take(tmp_path, store, [(name, b"{}"), *FILES.items()])
    assert names(found) == [*FILES]
    (told,) = said(found)
    assert "Its path is too long for this system." in told


def tarred(members: dict[str, bytes]) -> bytes:
    with tarfile.open(fileobj=(content := io.BytesIO()), mode="w") as file:
        for name, data in members.items():
            header = tarfile.TarInfo(name)
            header.size = len(data)
            file.addfile(header, io.BytesIO(data))
    return content.getvalue()


def zstd() -> Any:
    name = zstd_module()
    return importlib.import_module(name) if name else pytest.skip("no module reads Zstandard")


@pytest.mark.parametrize("suffix", [".tar.xz", ".txz", ".tar.zst", ".tzst"])
def test_tar_archives_of_xz_and_zstandard_are_unpacked(
    tmp_path: Path, store: Path, suffix: str
) -> None:
    pack = lzma.compress if "x" in suffix else zstd().compress
    path = tmp_path / f"all{suffix}"
    path.write_bytes(pack(tarred({"north/run.json": b"{}", "../up.json": b"{}"})))
    found = unpack_archive(path, store, Run())
    assert names(found) == ["north/run.json"]
    assert [one.found for one in found.defects] == ["Its name leads out of the archive (..)."]
    path.write_bytes(path.read_bytes()[:-9])
    cut = unpack_archive(path, store, Run())
    assert (names(cut), [one.found for one in cut.defects]) == ([], ["The archive is damaged."])


@pytest.mark.parametrize("suffix", [".tar.xz", ".tar.zst"])
def test_a_small_archive_that_unpacks_to_gigabytes_is_refused(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    pack = lzma.compress if suffix == ".tar.xz" else zstd().compress
    monkeypatch.setattr(unpacking_limits, "ZIP_RATIO_FROM", 1 << 20)
    path = tmp_path / f"all{suffix}"
    path.write_bytes(pack(tarred({"run.json": bytes(8 << 20)})))
    found = unpack_archive(path, store, Run())
    assert names(found) == []
    assert [one.found for one in found.defects] == ["The archive unpacks to more than the limit."]


def test_a_window_of_gigabytes_is_damage(tmp_path: Path, store: Path) -> None:
    zstd()
    frame = b"\x28\xb5\x2f\xfd\x00" + bytes([(31 - 10) << 3]) + bytes(64)
    (tmp_path / "all.tar.zst").write_bytes(frame)
    found = unpack_archive(tmp_path / "all.tar.zst", store, Run())
    assert [one.found for one in found.defects] == ["The archive is damaged."]


def test_without_a_module_for_zstandard_the_message_says_what_to_install(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jurydesk.core.intake.archive.zstd_module", lambda: "")
    (tmp_path / "all.tar.zst").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(9))
    (found,) = unpack_archive(tmp_path / "all.tar.zst", store, Run()).defects
    assert (found.found, found.hint) == (
        "Reading Zstandard needs Python 3.14 or the package backports.zstd.",
        "Install it (pip install jurydesk[archives]), or pack it as zip.",
    )


def test_names_that_are_not_utf_8_are_told_once(tmp_path: Path, store: Path) -> None:
    content = zipped([("n_rd/run.json", b"{}"), ("s_d/run.json", b"{}")])
    content = content.replace(b"n_rd", b"n\xf6rd").replace(b"s_d", b"s\xfcd")
    (tmp_path / "all.zip").write_bytes(content)
    found = unpack_archive(tmp_path / "all.zip", store, Run())
    assert len(names(found)) == 2
    assert [one.found for one in found.defects] == [
        "2 files whose names are not UTF-8, such as n÷rd/run.json."
    ]


@pytest.mark.parametrize(
    ("page", "name", "read"),
    [
        ("cp866", "Команда/прогон.txt", "Команда/прогон.txt"),
        ("cp866", "КВАРК-2/a.txt", "КВАРК-2/a.txt"),
        ("cp866", "Європа/ответ №1.txt", "Європа/ответ №1.txt"),
        ("cp437", "Ünïon/rün.txt", "Ünïon/rün.txt"),
        ("cp437", "straße/a.txt", "straße/a.txt"),
        ("utf-8", "Команда/a.txt", "Команда/a.txt"),
    ],
)
def test_names_of_windows_archives_are_read_in_their_code_page(
    page: str, name: str, read: str
) -> None:
    member = zipfile.ZipInfo(name.encode(page).decode("cp437"))
    assert member_name(member) == (read, page != "utf-8")


@pytest.mark.parametrize(("checked", "wanted"), [(b"pr?", "прогон"), (b"other", "pr?")])
def test_a_name_in_the_extra_field_counts_if_it_is_of_the_header(
    checked: bytes, wanted: str
) -> None:
    member = zipfile.ZipInfo("pr?")
    body = b"\1" + struct.pack("<L", zlib.crc32(checked)) + "прогон".encode()
    member.extra = b"UT\1\0\0" + struct.pack("<HH", 0x7075, len(body)) + body
    assert member_name(member) == (wanted, False)


def test_no_more_of_a_member_is_read_than_its_declared_size(tmp_path: Path, store: Path) -> None:
    path = write_archive(tmp_path / "all.zip", [("a.json", bytes(range(256)) * 8)])
    content = path.read_bytes()
    crc = struct.pack("<I", zlib.crc32((bytes(range(256)) * 8)[:900]))
    true = struct.pack("<I", zlib.crc32(bytes(range(256)) * 8))
    content = content.replace(struct.pack("<I", 2048), struct.pack("<I", 900))
    path.write_bytes(content.replace(true, crc))
    found = unpack_archive(path, store, Run())
    written = [one.stat().st_size for one in found.folder.rglob("*") if one.is_file()]
    assert all(size <= 900 for size in written)


@pytest.mark.parametrize(("most", "free"), [(5 << 30, 99 << 30), (99 << 30, 5 << 30)])
def test_sizes_beyond_the_limit_are_told_in_gib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, free: int
) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", most)
    monkeypatch.setattr(
        "jurydesk.core.intake.archive.shutil.disk_usage", lambda folder: SimpleNamespace(free=free)
    )
    unpacker = archive._Unpacker(tmp_path / "a.zip", tmp_path, Run())
    half = archive.Member("a", 3 << 30, 1, None, io.BytesIO)
    assert not unpacker._exceeds_limit([half], "")
    assert unpacker._exceeds_limit([half, half], "")
    (defect,) = unpacker._defects
    end = "the limit is" if most < free else "the disk has room for"
    assert defect.found == f"The unpacked archive would need 6.0 GiB; {end} 5.0 GiB."
    assert (defect.expected, defect.place.json_path) == ("", None)


def test_a_member_at_a_limit_is_unpacked_and_one_beyond_it_is_refused(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBER_BYTES", 100)
    members = [("a", b"x" * 100), ("b", b"x" * 101)]
    found = take(tmp_path, store, members)
    assert names(found) == ["a"]
    assert [one.found for one in found.defects] == ["It is larger than 0 GiB."]


def test_a_ratio_at_the_limit_is_unpacked_and_one_beyond_it_is_refused(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_archive(tmp_path / "all.zip", [("a", b"x" * 5000)])
    packed = zipfile.ZipFile(path).infolist()[0].compress_size
    monkeypatch.setattr(unpacking_limits, "ZIP_RATIO_FROM", 0)
    monkeypatch.setattr(unpacking_limits, "ZIP_RATIO", 5000 / packed)
    assert names(unpack_archive(path, store, Run())) == ["a"]
    monkeypatch.setattr(unpacking_limits, "ZIP_RATIO", 4999 / packed)
    assert names(unpack_archive(path, store / "again", Run())) == []
    monkeypatch.setattr(unpacking_limits, "ZIP_RATIO_FROM", 5000)
    assert names(unpack_archive(path, store / "more", Run())) == ["a"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("/".join("a" * 32), ""),
        ("/".join("a" * 33), "It is more than 32 folders deep."),
        ("x" * 200, ""),
        ("\u00e9" * 100, ""),
        ("x" * 201, "Its name is longer than 200 bytes."),
        ("\u00e9" * 101, "Its name is longer than 200 bytes."),
        ("a/./b//c", ""),
        ("a\\..\\b", "Its name leads out of the archive (..)."),
        ("\\a", "Its name is an absolute path."),
        ("c:a", "Its name is an absolute path."),
        ("ab:c", ""),
        ("a\nb", "Its name contains control characters."),
        ("a\0", "Its name contains control characters."),
        ("./", "It has no name."),
        ("a..b", ""),
    ],
)
def test_a_name_is_unsafe_for_one_reason(name: str, reason: str) -> None:
    assert archive.unsafe_reason(name) == reason


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a\\b/./c", ("a", "b", "c")),
        ('a<>:"|?*b', ("a_______b",)),
        ("a. ./b ", ("a", "b")),
        ("con/LPT9.txt/com0/com1x", ("_con", "_LPT9.txt", "com0", "com1x")),
        ("cafe\u0301", ("caf\u00e9",)),
        ("...", ("_",)),
        ("a\u202eb", ("a_b",)),
    ],
)
def test_a_safe_path_is_one_for_every_file_system(name: str, parts: tuple[str, ...]) -> None:
    assert archive.safe_parts(name) == parts


@pytest.mark.parametrize(
    ("parts", "is_system"),
    [
        (("a", ".b"), True),
        (("__MacOSX", "a"), True),
        (("a", "Thumbs.db"), True),
        (("desktop.ini",), True),
        (("a.b", "thumbs.db.txt"), False),
    ],
)
def test_files_of_systems_are_known_by_name(parts: tuple[str, ...], is_system: bool) -> None:
    assert archive.is_system_file(parts) is is_system


@pytest.mark.parametrize(
    ("name", "suffix", "stem"),
    [
        ("a.TAR.gz", ".tar.gz", "a"),
        ("a.zip", ".zip", "a"),
        (".zip", ".zip", ".zip"),
        ("a.gz", "", "a.gz"),
        ("a.tzst", ".tzst", "a"),
    ],
)
def test_the_suffix_of_an_archive_is_known_in_any_case(name: str, suffix: str, stem: str) -> None:
    assert (archive.archive_suffix(name), archive.archive_stem(name)) == (suffix, stem)


def test_archives_that_are_not_read_are_known_by_suffix_or_content(tmp_path: Path) -> None:
    cases = {"a.7Z": b"", "a.rar": b"x", "a.zip": b"Rar!\x1a\x07x", "b.zip": b"7z\xbc\xaf\x27\x1c"}
    others = {"c.zip": b"PK", "d.txt": b"Rar!\x1a\x07x"}
    for name, content in {**cases, **others}.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.zip").mkdir()
    known = {path.name for path in tmp_path.iterdir() if archive.is_other_archive(path)}
    assert known == set(cases)
    assert not archive.is_archive(tmp_path / "folder.zip")
    assert not archive.is_archive(tmp_path / "none.zip")


def test_a_third_file_of_one_name_in_other_letters_has_the_next_number(
    tmp_path: Path, store: Path
) -> None:
    found = take(tmp_path, store, [("x/a", b"1"), ("x/A", b"2"), ("X/a", b"3"), ("x/b", b"4")])
    assert names(found) == ["X/3-a", "x/2-A", "x/a", "x/b"]


def test_the_header_of_a_tar_archive_at_the_limit_is_read(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tarfile.open(tmp_path / "all.tar", "w", format=tarfile.GNU_FORMAT) as file:
        file.addfile(tarfile.TarInfo("/".join(["x" * 99] * 20)), io.BytesIO())
        file.addfile(tarfile.TarInfo("a"), io.BytesIO())
    monkeypatch.setattr(archive, "MAX_HEADER_BYTES", 2048)
    assert len(unpack_archive(tmp_path / "all.tar", store, Run()).times) == 2
    monkeypatch.setattr(archive, "MAX_HEADER_BYTES", 2047)
    (defect,) = unpack_archive(tmp_path / "all.tar", store / "again", Run()).defects
    assert defect.found == "The archive is damaged."


def test_a_tar_archive_of_more_members_than_the_limit_is_refused(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_tar(tmp_path / "all.tgz", [(tarfile.TarInfo(name), b"") for name in "abc"])
    monkeypatch.setattr(archive, "MAX_MEMBERS", 3)
    assert names(unpack_archive(path, store, Run())) == ["a", "b", "c"]
    monkeypatch.setattr(archive, "MAX_MEMBERS", 2)
    (defect,) = unpack_archive(path, store / "again", Run()).defects
    assert defect.found == "The archive has more than 2 files."


def test_unpacking_is_reported_member_by_member(tmp_path: Path, store: Path) -> None:
    steps = []

    class Watched(Run):
        def report(self, done: int, total: int, text: str = "") -> None:
            steps.append((done, total, text))

    inner = zipped([("c", b"1"), ("d", b"1")])
    path = write_archive(tmp_path / "all.zip", [("a", b"1"), ("b.zip", inner), ("e/", b"")])
    unpack_archive(path, store, Watched())
    assert steps == [(number, 3, "Unpacking all.zip") for number in range(3)]


def test_a_long_member_can_be_cancelled_between_its_blocks(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Impatient(Run):
        checks = 0

        def check(self) -> None:
            self.checks += 1
            if self.checks > limit:
                raise Cancelled

    monkeypatch.setattr(archive, "BLOCK", 10)
    path = write_archive(tmp_path / "all.zip", [("a", os.urandom(95))])
    limit, run = 999, Impatient()
    unpack_archive(path, store / "whole", run)
    limit = run.checks - 1
    with pytest.raises(Cancelled):
        unpack_archive(path, store / "again", Impatient())
    assert run.checks >= 10
