"""Add-ons of the program: wheels that are unpacked where it finds them at its next start.

The neural add-on consists of the wheels that `resources/add_ons/neural.txt` lists, by hash. Any
other is a plug-in: a wheel with entry points of this program, with the wheels that it needs. It is
foreign code, and installed only with the user's consent. What is unpacked is tried in a process of
its own before it is installed.
"""

from __future__ import annotations

import csv
import importlib
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jurydesk.core.competition.plug_ins import load_plug_in
from jurydesk.core.intake.archive import MAX_BYTES
from jurydesk.core.intake.wheels import AddOnError, Check, Wheel, read_wheel, unpack_wheel
from jurydesk.core.language import fill, name_list, translatable
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.json_codec import from_json, to_json
from jurydesk.core.system.add_ons import add_on_folders, add_ons_folder
from jurydesk.core.system.file_lock import interprocess_lock
from jurydesk.core.system.paths import (
    data_folder,
    is_temporary_folder,
    resources_folder,
    temporary_path,
)
from jurydesk.core.system.replacing import replace_path
from jurydesk.core.system.this_program import program_command

NEURAL = "neural"
MODULES = ("torch", "torchvision", "open_clip", "transformers", "safetensors")
"""What the neural add-on must let the program import."""
RECORD = "add-on.json"
MAX_RECORD = 1 << 20
MAX_WHEELS = 200
GROUP = "jurydesk."
COLUMNS = 3
"""Name, hash and size of a file in the record of a wheel."""
TRIAL_SECONDS = 300
POLL_SECONDS = 0.1
LONGEST = 300
"""Characters of a foreign message."""
LISTED = re.compile(r"^(?P<name>[^\s#=]+)==(?P<version>[^\s;]+)(?P<rest>[^\n]*)$", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class AddOn:
    """Installed add-on: packages with versions, entry points by group, bytes, and any trouble."""

    name: str
    packages: tuple[str, ...] = ()
    brings: tuple[tuple[str, tuple[str, ...]], ...] = ()
    size: int = 0
    trouble: str = ""


@cache
def listed_wheels() -> dict[str, str]:
    """Return the package of each wheel of the neural add-on by SHA-256."""
    text = (resources_folder() / "add_ons" / "neural.txt").read_text("utf-8").replace("\\\n", "")
    return {
        digest: found["name"]
        for found in LISTED.finditer(text)
        for digest in HASH.findall(found["rest"])
    }


def find_wheels(place: Path, check: Check) -> tuple[Wheel, ...]:
    """Return the wheels of a folder, or the wheel that was named.

    Raises AddOnError, and OSError.
    """
    paths = [place] if place.is_file() else sorted(place.glob("*.whl"))
    if not paths:
        place.stat()
        raise AddOnError(fill("{folder} has no wheels (*.whl).", place))
    if len(paths) > MAX_WHEELS:
        raise AddOnError(fill("{folder} has more than {limit} wheels.", place, MAX_WHEELS))
    wheels = tuple(read_wheel(path, check) for path in paths)
    names = [one.name for one in wheels]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise AddOnError(fill("{folder} has two wheels of {name}.", place, twice[0]))
    return wheels


def plug_in_name(wheels: Sequence[Wheel]) -> str:
    """Return the package that is a plug-in; empty for the listed wheels of the neural add-on.

    Raises AddOnError for wheels that are neither, and for several plug-ins.
    """
    strange = [one for one in wheels if listed_wheels().get(one.sha256) != one.name]
    if not strange:
        return ""
    names = [one.name for one in wheels if any(map(_is_own, one.entry_points))]
    if not names:
        text = "{wheel} is neither a plug-in nor, by its hash, a wheel of the neural add-on."
        raise AddOnError(fill(text, strange[0].path.name))
    if len(names) > 1:  # trust in one is none in another
        text = "The wheels are several plug-ins: {names}. Install each from a folder of its own."
        raise AddOnError(fill(text, name_list(names)))
    return names[0]


def _is_own(group: str) -> bool:
    return group.startswith(GROUP)


def install(place: Path, check: Check, *, trusted: bool) -> AddOn:
    """Unpack the wheels of a folder as one add-on, whole or not at all, and return it.

    A plug-in is refused unless it is `trusted`. Raises AddOnError, and OSError.
    """
    wheels = find_wheels(place, check)
    plug_in = plug_in_name(wheels)
    if plug_in and not trusted:
        text = "{name} is a plug-in, whose code may do all that you may: say --plug-in to trust it."
        raise AddOnError(fill(text, plug_in))
    name = plug_in or NEURAL
    with _alone(check) as store:
        target = store / name
        if target.exists():
            raise AddOnError(fill("{name} is installed: remove it first.", name))
        _require_room(wheels, store)
        unfinished = temporary_path(target)
        try:
            made = _unpack(name, wheels, unfinished, check)
            if reason := _tried(unfinished, check):
                raise AddOnError(fill("{name} does not work here: {reason}", name, reason))
            replace_path(unfinished, target)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return made


def _require_room(wheels: Sequence[Wheel], store: Path) -> None:
    # One wheel at a time is copied before it is unpacked.
    needed = sum(one.size for one in wheels) + max(one.path.stat().st_size for one in wheels)
    room = shutil.disk_usage(store).free
    if needed > min(room, MAX_BYTES):
        text = "The add-on needs {needed:,.1f} GiB; there is room for {room:,.1f} GiB."
        raise AddOnError(fill(text, needed / 2**30, min(room, MAX_BYTES) / 2**30))


@contextmanager
def _alone(check: Check) -> Iterator[Path]:
    """Yield the folder of add-ons, for this program alone, without leftovers of killed ones."""
    if is_temporary_folder(data_folder()):
        raise AddOnError(
            translatable("The folder of data cannot be written: an add-on would be lost.")
        )
    store = add_ons_folder()
    store.mkdir(parents=True, exist_ok=True)
    with interprocess_lock(store / ".lock", check):
        for left in store.glob(".*.tmp"):
            shutil.rmtree(left, ignore_errors=True)
        yield store


def _unpack(name: str, wheels: Sequence[Wheel], folder: Path, check: Check) -> AddOn:
    for wheel in wheels:
        unpack_wheel(wheel, folder, check)
    brings = tuple(
        (group.removeprefix(GROUP), names)
        for wheel in wheels
        for group, names in wheel.entry_points.items()
        if _is_own(group)
    )
    packages = tuple(f"{one.name} {one.version}" for one in wheels)
    made = AddOn(name, packages, brings, sum(one.size for one in wheels))
    (folder / RECORD).write_text(json.dumps(to_json(made), indent=1) + "\n", encoding="utf-8")
    return made


def _tried(folder: Path, check: Check) -> str:
    """Return why an unpacked add-on cannot be used, found by a process of its own; else empty."""
    command = [*program_command(), "--lang=en", "addon", "try", str(folder)]
    ends = time.monotonic() + TRIAL_SECONDS
    process = subprocess.Popen(  # noqa: S603 - this very program
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        try:
            while (said := _said(process)) is None:
                check()
                if time.monotonic() > ends:
                    return fill("It takes longer than {seconds} s to load.", TRIAL_SECONDS)
        finally:
            process.kill()
    lines = said.decode("utf-8", "replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    code = process.returncode
    return (last[:LONGEST] or f"exit code {code}") if code else ""


def _said(process: subprocess.Popen[bytes]) -> bytes | None:
    """Return all that a process has printed, once it has ended; None while it runs."""
    try:
        return b"".join(process.communicate(timeout=POLL_SECONDS))
    except subprocess.TimeoutExpired:
        return None


def try_out(folder: Path) -> None:
    """Import what an unpacked add-on is for; raises whatever that raises."""
    sys.path.append(str(folder))
    entries = [
        entry
        for package in importlib.metadata.distributions(path=[str(folder)])
        for entry in package.entry_points
        if _is_own(entry.group)
    ]
    for entry in entries:
        load_plug_in(entry)
    for module in () if entries else MODULES:
        importlib.import_module(module)


def installed() -> list[AddOn]:
    """Return the add-ons of this Python, with what is wrong with them."""
    return list(map(_read, add_on_folders()))


def _read(folder: Path) -> AddOn:
    try:
        with (folder / RECORD).open("rb") as file:
            found = from_json(AddOn, json.loads(file.read(MAX_RECORD)))
        lacking = list(_incomplete_files(folder))
    except (OSError, csv.Error, *DAMAGE):
        trouble = translatable("Its record is damaged: remove it, and add it again.")
        return AddOn(folder.name, trouble=trouble)
    trouble = ""
    if lacking:
        text = "Files are missing or cut off: {names}. Remove it, and add it again."
        trouble = fill(text, name_list(lacking))
    return replace(found, name=folder.name, trouble=trouble)


def _incomplete_files(folder: Path) -> Iterator[str]:
    """Yield the modules that the records of the wheels (PEP 376) list with another size."""
    files = (one for one in folder.rglob("*") if one.is_file())
    sizes = {one.relative_to(folder).as_posix(): one.lstat().st_size for one in files}
    for record in sorted(folder.glob("*.dist-info/RECORD")):
        with record.open(encoding="utf-8", errors="replace", newline="") as file:
            for name, _, size, *_ in (row for row in csv.reader(file) if len(row) >= COLUMNS):
                moved = ".data/" in name or name.startswith("../")
                if size.isdecimal() and not moved and str(sizes.get(name)) != size:
                    yield name


def remove(name: str, check: Check) -> None:
    """Remove an add-on; raises AddOnError if there is none of the name, and OSError."""
    names = {one.name: one for one in add_on_folders()}
    if name not in names:
        known = name_list(list(names)) or translatable("none")
        raise AddOnError(fill('There is no add-on "{name}"; installed: {names}.', name, known))
    with _alone(check):
        removed = temporary_path(names[name])
        replace_path(names[name], removed)
        shutil.rmtree(removed, ignore_errors=True)
