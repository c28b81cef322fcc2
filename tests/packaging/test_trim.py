"""What a package leaves out: items of ICU's data, libraries that nothing asks for, twins."""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QLibraryInfo

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def trim(monkeypatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    from bundle import trim

    return trim


def items_of(data: bytes) -> dict[str, bytes]:
    """Read ICU's common data (ucmndata.h), each item up to the next one."""
    (size,) = struct.unpack_from("<H", data)
    (count,) = struct.unpack_from("<I", data, size)
    places = [struct.unpack_from("<II", data, size + 4 + 8 * number) for number in range(count)]
    ends = [size + place for _, place in places[1:]] + [len(data)]
    return {
        data[size + name : data.index(b"\0", size + name)].decode(): data[size + place : end]
        for (name, place), end in zip(places, ends, strict=True)
    }


@pytest.fixture(scope="module")
def engine_data() -> bytes:
    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.DataPath)) / "resources"
    return (folder / "icudtl.dat").read_bytes()


def test_the_web_engine_s_data_keep_their_items_but_names_in_other_languages(trim, engine_data):
    before, after = items_of(engine_data), items_of(trim.smaller_icu_data(engine_data, is_qt=False))
    assert list(after) == sorted(after)  # ICU seeks by halves
    assert len(after) < len(before) * 2 / 3
    for name, content in after.items():
        assert content.rstrip(b"\0") == before[name].rstrip(b"\0")
    gone = {name.split("/", 1)[1] for name in before.keys() - after.keys()}
    assert {"de.res", "lang/de.res", "curr/ja.res"} <= gone
    kept = {name.split("/", 1)[1] for name in after}
    assert {"root.res", "ru.res", "lang/ru.res", "brkitr/cjdict.dict", "coll/root.res"} <= kept


def test_data_of_another_form_are_refused(trim):
    with pytest.raises(ValueError, match="another form"):
        trim.smaller_icu_data(bytes(200), is_qt=True)


needs_linux = pytest.mark.skipif(
    not (sys.platform.startswith("linux") and shutil.which("gcc") and shutil.which("readelf")),
    reason="gcc is not installed",
)


@needs_linux
def test_the_library_of_the_data_is_linked_anew(trim, engine_data, tmp_path):
    header = (
        f".globl icudt73_dat\n.section .rodata\n.balign 16\nicudt73_dat:\n"
        f'.incbin "{tmp_path / "all.dat"}"\n'
    )
    (tmp_path / "all.dat").write_bytes(engine_data)
    (tmp_path / "all.s").write_text(header)
    library = tmp_path / "libicudata.so.73"
    subprocess.run(["gcc", "-shared", "-nostdlib", "-o", library, tmp_path / "all.s"], check=True)
    trim.link_smaller_icu(library)
    wanted = trim.smaller_icu_data(engine_data, is_qt=True)
    found = (ctypes.c_char * len(wanted)).in_dll(ctypes.CDLL(str(library)), "icudt73_dat")
    assert found.raw == wanted


@needs_linux
def test_libraries_that_nothing_or_only_qt_asks_for_are_removed(trim, tmp_path):
    """`a` is Python's and needs `b`; Qt alone needs `c1`, and nothing `libTwo`."""
    qt = tmp_path / "PySide6" / "Qt" / "lib"
    qt.mkdir(parents=True)
    source = tmp_path / "empty.s"
    source.write_text(".globl _start\n_start:\n")

    def link(path: Path, *needed: Path) -> Path:
        names = [f"-L{one.parent}" for one in needed] + [f"-l:{one.name}" for one in needed]
        command = ["gcc", "-shared", "-nostdlib", f"-Wl,-soname,{path.name}", "-o", path, source]
        subprocess.run([*command, "-Wl,--no-as-needed", *names], check=True)
        return path

    b = link(tmp_path / "libb.so.1")
    link(tmp_path / "a.abi3.so", b)
    c, python = link(tmp_path / "libc1.so.1"), link(tmp_path / "libpython3.11.so.1.0")
    one, two = link(qt / "libOne.so.6", c), link(qt / "libTwo.so.6")
    link(tmp_path / "PySide6" / "QtCore.abi3.so", one)
    (tmp_path / "libc1.so").symlink_to(c)
    cxx = link(tmp_path / "libstdc++.so.6")
    link(tmp_path / "d.abi3.so", cxx)
    trim.remove_orphans(tmp_path)
    assert not cxx.exists()  # the system's is as new as its drivers
    assert [path.exists() for path in (b, c, python, one, two)] == [True, False, True, True, False]
    assert not (tmp_path / "libc1.so").is_symlink()


def test_of_equal_libraries_one_is_a_link(trim, tmp_path):
    for name, content in (("x/liba.so", b"1"), ("y/liba.so", b"1"), ("y/libb.so", b"2")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    trim.link_twins(tmp_path)
    assert (tmp_path / "y/liba.so").readlink() == Path("../x/liba.so")
    assert not (tmp_path / "y/libb.so").is_symlink()
