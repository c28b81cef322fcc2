"""Members of an archive are counted before they are listed, as Python would list them."""

from __future__ import annotations

import ast
import io
import struct
import zipfile
from pathlib import Path

import pytest

from jurydesk.core.system import zip_members
from jurydesk.core.system.zip_members import TooManyMembersError, has_other_bytes, open_zip
from support.files.odd_zip import with_other_bytes


def archive(count, comment=b"", before=b"", name="{}"):
    with zipfile.ZipFile(content := io.BytesIO(), "w") as file:
        for number in range(count):
            info = zipfile.ZipInfo(name.format(number))
            info.comment = b"c" * (number % 3)
            file.writestr(info, b"x")
        file.comment = comment
    return before + content.getvalue()


def wide(content):
    """Return an archive with the records of Zip64, whose sizes alone are right."""
    end = content.rindex(b"PK\5\6")
    head, record = content[:end], bytearray(content[end:])
    count, size, place = struct.unpack_from("<HLL", record, 10)
    long = struct.pack("<4sQHHLLQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, place)
    at = struct.pack("<4sLQL", b"PK\6\7", 0, end, 1)
    struct.pack_into("<HHLL", record, 8, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    return head + long + at + bytes(record)


SHAPES = {
    "plain": archive,
    "with a comment": lambda count: archive(count, b"some PK words"),
    "with the longest comment": lambda count: archive(count, b"c" * 0xFFFF),
    "after a program": lambda count: archive(count, before=b"#!python\n" * 9),
    "of Zip64": lambda count: wide(archive(count)),
    "of Zip64 with the longest comment": lambda count: wide(archive(count, b"c" * 0xFFFF)),
    "with long names": lambda count: archive(count, name="n" * 300 + "{}"),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [0, 1, 7])
def test_an_archive_of_the_limit_is_opened_and_one_beyond_it_is_never_listed(
    monkeypatch, shape, count
):
    content = SHAPES[shape](count)
    with open_zip(io.BytesIO(content), count) as file:
        assert len(file.infolist()) == count
        assert all(file.read(one) == b"x" for one in file.infolist())
    monkeypatch.setattr(zipfile, "ZipFile", None)
    if count:
        with pytest.raises(TooManyMembersError):
            open_zip(io.BytesIO(content), count - 1)


@pytest.mark.parametrize("kept", [0, 1, 3, 10, 21, 22, 60, -1, -20, -22])
def test_a_cut_archive_is_damaged_whatever_the_limit(kept):
    with pytest.raises(zipfile.BadZipFile) as raised:
        open_zip(io.BytesIO(archive(3)[:kept]), 1)
    assert type(raised.value) is zipfile.BadZipFile


def test_a_directory_that_claims_more_than_the_file_has_is_damaged():
    content = bytearray(archive(2))
    struct.pack_into("<L", content, len(content) - 10, 1 << 31)
    with pytest.raises(zipfile.BadZipFile):
        open_zip(io.BytesIO(bytes(content)), 5)


def test_no_more_members_are_counted_than_the_limit(monkeypatch):
    read, places = zip_members._read, []

    def watched(file, place, size):
        places.append(size)
        return read(file, place, size)

    monkeypatch.setattr(zip_members, "_read", watched)
    with pytest.raises(TooManyMembersError):
        open_zip(io.BytesIO(archive(500)), 10)
    assert places.count(zip_members.MEMBER_BYTES) == 11


def test_members_that_python_finds_elsewhere_are_counted_too(monkeypatch):
    monkeypatch.setattr(zip_members, "_members", lambda file, most: iter(()))
    with pytest.raises(TooManyMembersError):
        open_zip(io.BytesIO(archive(3)), 2)
    assert open_zip(io.BytesIO(archive(3)), 3).namelist() == ["0", "1", "2"]


def test_a_path_is_opened_and_closed_with_its_archive(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(archive(2))
    with open_zip(path, 2) as file:
        assert file.read("1") == b"x"
    with pytest.raises(TooManyMembersError):
        open_zip(path, 1)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        open_zip(path, 1)


READERS_OF_OTHERS = {
    "core/execution/sharded_jobs/shard_file.py": "after the file was opened within its limit",
    "core/metrics/meteor/language_data/fetching.py": "a package with a known hash",
    "core/sealed/entry_file.py": "through a reader that takes no more at once than its limit",
    "core/system/zip_members.py": "the guard",
}


def reads_zip(node: ast.AST) -> bool:
    """Return whether an expression opens an archive, and not to write it."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "zipfile.ZipFile":
        return False
    modes = (*node.args[1:2], *(one.value for one in node.keywords if one.arg == "mode"))
    return not any(ast.unparse(one) in ("'w'", "'x'") for one in modes)


def test_archives_of_others_are_opened_within_a_limit():
    root = Path(zip_members.__file__).parents[2]
    found = {
        path.relative_to(root).as_posix()
        for top in ("core", "app")
        for path in root.joinpath(top).rglob("*.py")
        if any(map(reads_zip, ast.walk(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert found == READERS_OF_OTHERS.keys()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [0, 1, 7])
def test_bytes_of_no_member_are_found_wherever_they_are(shape, count):
    content = SHAPES[shape](count)
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        is_odd = "comment" in shape or "after" in shape
        assert has_other_bytes(io.BytesIO(content), file) == is_odd
    for odd in [] if is_odd or "Zip64" in shape else with_other_bytes(content):
        try:
            file = zipfile.ZipFile(io.BytesIO(odd))
        except zipfile.BadZipFile:
            continue
        with file:
            assert has_other_bytes(io.BytesIO(odd), file)
