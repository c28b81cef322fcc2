"""Trimming of a collected program: symbols, orphaned libraries, ICU's data, twins of libraries."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

STRIPPED = (
    *("jurydesk/**/*.so", "libpython3*.so*", "python3*/lib-dynload/*.so"),
    *("cryptography/**/*.so", "msgpack/*.so", "regex/*.so", "yaml/*.so"),
)
"""Libraries that carry symbols which nobody asks for, a quarter of their size; not those that
`auditwheel` has changed, such as NumPy's, which `strip` would damage."""
OF_THE_SYSTEM = {"libstdc++.so.6", "libgcc_s.so.1"}
"""Libraries that the system's own drivers of graphics use, too: where they are newer than the one
of the machine that built the package, its older copy would keep them from loading."""
NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]")

ICU_FOLDERS = ("curr", "lang", "rbnf", "region", "translit", "unit", "zone")
"""Names of currencies, languages, regions, units and zones, and transliterations: Qt has names of
its own, and the pages of raters ask for those of the program's languages."""
ICU_KEPT = re.compile(r"(root|pool|res_index|supplementalData|tzdbNames|(en|ru)(_\w+)?)\.\w+")
ICU_LOCALE = re.compile(r"[a-z]{2,3}(_\w+)?\.res")
ICU_OF_QT = re.compile(r".*\.(cnv|dict)")
"""Old encodings and dictionaries of Asian words, which Qt does not ask ICU for; the web engine has
and needs its own."""
ICU_MAGIC = b"\xda\x27"
ICU_HEADER = struct.Struct("<HBB")
ICU_ENTRY = struct.Struct("<II")
ICU_ALIGNMENT = 16


def trim(folder: Path) -> None:
    """Trim a collected program; what needs a missing tool of the system is left as it is."""
    inner = folder / "_internal"
    for data in inner.glob("PySide6/**/icudtl.dat"):
        data.write_bytes(smaller_icu_data(data.read_bytes(), is_qt=False))
    if not sys.platform.startswith("linux"):
        return
    if shutil.which("readelf"):
        remove_orphans(inner)
    if shutil.which("gcc"):
        for library in inner.glob("PySide6/Qt/lib/libicudata.so.*"):
            link_smaller_icu(library)
    if shutil.which("strip"):
        for library in (path for pattern in STRIPPED for path in inner.glob(pattern)):
            subprocess.run(["strip", library], check=True)
    link_twins(inner)


# ---- Libraries ----------------------------------------------------------------------------------


def remove_orphans(inner: Path) -> None:
    """Remove Qt's libraries that nothing here needs, and the system's that Qt alone asks for.

    Every desktop has the latter, and mends them; `bootstrap_parts/system.py` lists them.
    """
    files = [path for path in inner.rglob("*") if is_elf(path)]
    of_system, of_qt = libraries(files, inner), libraries(files, inner / "PySide6" / "Qt" / "lib")
    others = [path for path in files if path.parent != inner or path.name not in of_system]
    of_python = [path for path in others if "PySide6" not in path.parts]
    roots = [path for path in others if path.name not in of_qt]
    for found, asking in ((of_system, of_python), (of_qt, roots)):
        for name in found.keys() - (reached(asking, found) - OF_THE_SYSTEM):
            found[name].unlink()
    for link in inner.rglob("*.so*"):
        if link.is_symlink() and not link.exists():
            link.unlink()


def is_elf(path: Path) -> bool:
    """Return whether a file is a program or library of Linux."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def libraries(files: Iterable[Path], folder: Path) -> dict[str, Path]:
    """Return the libraries of a folder by name, but for Python's, which its starter loads."""
    name = re.compile(r"lib(?!python).*\.so(\.|$)")
    return {path.name: path for path in files if path.parent == folder and name.match(path.name)}


def reached(roots: Iterable[Path], libraries: dict[str, Path]) -> set[str]:
    """Return the names of the libraries that these files need, and those that they need."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        names = needed(waiting) & (libraries.keys() - found)
        found |= names
        waiting = [libraries[name] for name in names]
    return found


def needed(files: Iterable[Path]) -> set[str]:
    """Return the names of the libraries that these files name."""
    command = ["readelf", "-dW", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(NEEDED.findall(done.stdout))


def link_twins(inner: Path) -> None:
    """Put a link in the place of each library that is there twice."""
    twins: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(inner.rglob("*.so*")):
        if path.is_file() and not path.is_symlink():
            twins[hashlib.sha256(path.read_bytes()).hexdigest()].append(path)
    for first, *others in twins.values():
        for other in others:
            other.unlink()
            other.symlink_to(os.path.relpath(first, other.parent))


# ---- ICU's data ---------------------------------------------------------------------------------


def smaller_icu_data(data: bytes, *, is_qt: bool) -> bytes:
    """Return a common data file of ICU (its header, `CmnD`, a table of contents) with fewer items.

    Raises ValueError if it has another form.
    """
    size, *magic = ICU_HEADER.unpack_from(data)
    if bytes(magic) != ICU_MAGIC or data[12:16] != b"CmnD":
        raise ValueError("ICU's data have another form.")
    body = data[size:]
    (count,) = struct.unpack_from("<I", body)
    entries = [ICU_ENTRY.unpack_from(body, 4 + 8 * number) for number in range(count)]
    ends = [*(place for _, place in entries[1:]), len(body)]
    items = [
        (body[name : body.index(b"\0", name)], body[place:end])
        for (name, place), end in zip(entries, ends, strict=True)
    ]
    kept = [(name, content) for name, content in items if is_asked_for(name.decode(), is_qt)]
    return data[:size] + contents(kept)


def is_asked_for(name: str, is_qt: bool) -> bool:
    """Return whether an item of ICU's data, `icudt73l/lang/de.res`, has a caller here."""
    folder, file = name.split("/")[1:-1], name.split("/")[-1]
    if ICU_KEPT.fullmatch(file) and folder != ["translit"]:
        return True
    if folder:
        return folder[0] not in ICU_FOLDERS and not (is_qt and ICU_OF_QT.fullmatch(file))
    return not (ICU_LOCALE.fullmatch(file) or (is_qt and ICU_OF_QT.fullmatch(file)))


def contents(items: list[tuple[bytes, bytes]]) -> bytes:
    """Return a table of contents with its items, each of which begins at a multiple of 16."""
    table = 4 + ICU_ENTRY.size * len(items)
    names = b"".join(name + b"\0" for name, _ in items)
    places, body = [], b""
    start = table + len(names)
    start += -start % ICU_ALIGNMENT
    name_place, place = table, start
    for name, content in items:
        places.append(ICU_ENTRY.pack(name_place, place))
        name_place += len(name) + 1
        place += len(content) + -len(content) % ICU_ALIGNMENT
    body = b"".join(content + bytes(-len(content) % ICU_ALIGNMENT) for _, content in items)
    head = struct.pack("<I", len(items)) + b"".join(places) + names
    return head + bytes(start - len(head)) + body


def link_smaller_icu(library: Path) -> None:
    """Link the library of ICU's data anew, with fewer items: it has one symbol, its data."""
    content = library.read_bytes()
    start = content.find(b"CmnD") - 12
    version = library.name.rpartition(".")[2]
    with tempfile.TemporaryDirectory() as place:
        data, source = Path(place) / "data", Path(place) / "data.s"
        data.write_bytes(smaller_icu_data(content[start:], is_qt=True))
        source.write_text(
            f".globl icudt{version}_dat\n.type icudt{version}_dat, %object\n"
            f'.section .rodata\n.balign 16\nicudt{version}_dat:\n.incbin "{data}"\n'
            f".size icudt{version}_dat, .-icudt{version}_dat\n"
            '.section .note.GNU-stack,"",%progbits\n'
        )
        options = ("-shared", "-nostdlib", f"-Wl,-soname,{library.name}", "-Wl,--build-id=none")
        subprocess.run(["gcc", *options, "-o", library, source], check=True)
