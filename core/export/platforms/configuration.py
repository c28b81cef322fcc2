"""Configuration of a competition in an archive: its files, its values, and what is wrong with them.

Rules of one platform are in a module of its own; the values are read as Django REST framework does,
on which both platforms are built.
"""

from __future__ import annotations

import io
import itertools
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import BinaryIO, cast

from jurydesk.core.language import Message, failure_reason, fill, translatable
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.defects import Defect, Place, error, has_errors, warning
from jurydesk.core.model.evaluation import Json
from jurydesk.core.readers import unpacking_limits as limits
from jurydesk.core.system.zip_members import TooManyMembersError, open_zip

MAX_MEMBERS = 50_000
MAX_MEMBER_BYTES = 32 << 20
"""Limit on a member that is read whole: texts and pictures."""
MAX_CONFIGURATION_BYTES, MAX_METADATA_BYTES = 1 << 18, 1 << 16
"""Limits on YAML, of which PyYAML reads 100 kB a second."""
YES, NO = ("true", "t", "yes", "y", "on", "1"), ("false", "f", "no", "n", "off", "0")
MISSING = translatable("{field} is missing.")
EMPTY = translatable("{field} is empty.")


@dataclass(slots=True)
class ConfigurationCheck:
    """Check of one archive: its members, and the defects found so far."""

    path: Path
    archive: zipfile.ZipFile
    defects: list[Defect] = field(default_factory=list)
    names: frozenset[str] = frozenset()

    def refuse(self, where: str, found: str, hint: str = "") -> None:
        """Report what the platform refuses."""
        self.defects.append(error(Place(str(self.path), json_path=where or None), found, "", hint))

    def warn(self, where: str, found: str, hint: str = "") -> None:
        """Report what the platform accepts to the organiser's harm."""
        place = Place(str(self.path), json_path=where or None)
        self.defects.append(warning(place, found, "", hint))

    # Files

    def has_file(self, name: object) -> bool:
        """Return whether the archive has a file of this path."""
        return isinstance(name, str) and _normal(name) in self.names

    def has_folder(self, name: object) -> bool:
        """Return whether the archive has files below this path."""
        start = f"{_normal(name)}/" if isinstance(name, str) else ""
        return bool(start) and any(one.startswith(start) for one in self.names)

    def read(self, name: str) -> bytes | None:
        """Return the content of a member; None if it is damaged or too large."""
        try:
            with self._open(name) as file:
                content = file.read(MAX_MEMBER_BYTES + 1)
        except (*DAMAGE, OSError):
            return None
        return content if len(content) <= MAX_MEMBER_BYTES else None

    def is_picture(self, name: str) -> bool:
        """Return whether a member is a raster picture that Pillow reads."""
        from PIL import Image

        try:
            with Image.open(io.BytesIO(self.read(name) or b"")) as picture:
                picture.verify()
        except (*DAMAGE, OSError, Image.DecompressionBombError):
            return False
        return True

    def is_zip(self, name: str, *members: str) -> bool:
        """Return whether a member is a zip archive with one of these members, if any are given."""
        try:
            with self._open(name) as file, _opened(file) as inner:
                found = set(inner.namelist())
        except TooManyMembersError:
            raise
        except (*DAMAGE, OSError):
            return False
        return not members or not found.isdisjoint(members)

    def has_command(self, name: str, members: Sequence[str]) -> bool:
        """Return whether the first of these members in a zip archive names a command."""
        try:
            with self._open(name) as file, _opened(file) as inner:
                member = next(one for one in members if one in inner.namelist())
                with inner.open(member) as metadata:
                    content = _load(metadata.read(MAX_METADATA_BYTES).decode("utf-8"))
        except (*DAMAGE, OSError, ValueError):
            return False
        return isinstance(content, dict) and bool(content.get("command"))

    def contents(self, path: Json) -> dict[tuple[int, int], str]:
        """Return the names of all files at a path, in a zip archive too, by size and checksum."""
        if not isinstance(path, str) or not path:
            return {}
        own = _normal(path)
        found = [
            one
            for one in self.archive.infolist()
            if _normal(one.filename) == own or _normal(one.filename).startswith(f"{own}/")
        ]
        if self.has_file(path) and self.is_zip(path):
            with self._open(path) as file, _opened(file) as inner:
                found += inner.infolist()
        return {(one.file_size, one.CRC): one.filename for one in found if one.file_size}

    def _open(self, name: str) -> BinaryIO:
        """Open a member by its path. Raises an error of `DAMAGE`."""
        wanted = _normal(name)
        found = next(one for one in self.archive.infolist() if _normal(one.filename) == wanted)
        ratio = limits.ZIP_RATIO * max(1, found.compress_size)
        if found.file_size > max(limits.ZIP_RATIO_FROM, ratio):
            raise zipfile.BadZipFile("a member that unpacks to far more than its size")
        return cast(BinaryIO, self.archive.open(found))

    # Values

    def text(
        self, where: str, value: Json, longest: int | None = None, *, required: bool = True
    ) -> str | None:
        """Return a text, or report that it is missing, empty, too long or of another type."""
        if value is None:
            if required:
                self.refuse(where, Message(MISSING).format(_last(where)))
            return None
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self.refuse(where, fill("{field} is {value}, not a text.", _last(where), _shown(value)))
            return None
        text = str(value).strip()
        if not text:
            self.refuse(where, Message(EMPTY).format(_last(where)))
        elif longest is not None and len(text) > longest:
            self.refuse(
                where,
                fill(
                    "{field} has {count:,} characters; the limit is {limit:,}.",
                    *(_last(where), len(text), longest),
                ),
            )
        return text

    def whole(
        self,
        where: str,
        value: Json,
        *,
        least: int | None = 0,
        required: bool = False,
        nullable: bool = False,
    ) -> int | None:
        """Return a whole number, or report that it is missing, none or too small."""
        if value is None:
            if required or not nullable:
                self.refuse(where, Message(MISSING).format(_last(where)))
            return None
        text = re.sub(r"\.0*\s*$", "", str(value))
        if isinstance(value, bool) or not re.fullmatch(r"\s*[+-]?\d{1,18}\s*", text):
            self.refuse(
                where, fill("{field} is {value}, not a whole number.", _last(where), _shown(value))
            )
            return None
        number = int(text)
        if least is not None and number < least:
            self.refuse(
                where, fill("{field} is {value}, less than {least}.", _last(where), number, least)
            )
        return number

    def flag(self, where: str, value: Json) -> bool | None:
        """Return a truth value, or report that it is none."""
        text = str(value).casefold()
        if value is None or text in YES or text in NO:
            return None if value is None else text in YES
        self.refuse(
            where, fill("{field} is {value}, not true or false.", _last(where), _shown(value))
        )
        return None

    def choice(self, where: str, value: Json, choices: Sequence[str]) -> None:
        """Report a value that is none of the choices."""
        if str(value) not in choices:
            self.refuse(
                where,
                fill("{field} is {value}.", _last(where), _shown(value)),
                fill("Allowed: {choices}.", ", ".join(choices)),
            )

    def entries(self, where: str, value: Json) -> list[tuple[str, dict[str, Json]]]:
        """Return the objects of a list with their places; report anything else."""
        if not isinstance(value, list):
            self.refuse(where, fill("{field} is {value}, not a list.", _last(where), _shown(value)))
            return []
        found = []
        for number, one in enumerate(value):
            if isinstance(one, dict):
                found.append((f"{where}[{number}]", one))
            else:
                text = fill("{value} is not an object with fields.", _shown(one))
                self.refuse(f"{where}[{number}]", text)
        return found

    def unique(self, where: str, values: Iterable[object], what: str) -> None:
        """Report values that occur twice."""
        seen: set[object] = set()
        for value in values:
            key = (type(value), str(value))
            if key in seen:
                self.refuse(where, fill("{what} {value} is there twice.", what, _shown(value)))
            seen.add(key)


def check_archive(
    path: Path, names: Sequence[str], rules: Callable[[ConfigurationCheck, dict[str, Json]], None]
) -> tuple[Defect, ...]:
    """Return what a platform says of an archive with a configuration of one of these names."""
    place = Place(str(path))
    try:
        with _opened(path) as archive:
            members = archive.namelist()
            found = ConfigurationCheck(
                path, archive, names=frozenset(_normal(one) for one in members if one[-1:] != "/")
            )
            document = _read(found, names)
            if document is not None:
                rules(found, document)
            return tuple(found.defects)
    except TooManyMembersError:
        text = fill("The archive has more than {max_members:,} files.", MAX_MEMBERS)
        return (error(place, text),)
    except zipfile.BadZipFile:
        return (error(place, "The archive is damaged.", "", "Get the complete file again."),)
    except OSError as fault:
        text = fill("The file cannot be read: {value}.", failure_reason(fault))
        return (error(place, text),)


def _opened(source: Path | BinaryIO) -> zipfile.ZipFile:
    """Return an archive; raise BadZipFile, whatever is wrong with its directory, or OSError."""
    try:
        return open_zip(source, MAX_MEMBERS)
    except TooManyMembersError:
        raise
    except DAMAGE as fault:
        raise zipfile.BadZipFile from fault


def _read(check: ConfigurationCheck, names: Sequence[str]) -> dict[str, Json] | None:
    """Read the configuration; report what keeps it from being read."""
    there = [name for name in names if name in check.names]
    if len(there) != 1:
        deeper = [one for one in check.names if one.rpartition("/")[2] in (*names, *OTHERS)]
        found = fill("{name} is not at the top of the archive.", names[0])
        if there:
            found = fill("The archive has {names}: one is expected.", ", ".join(there))
        hint = (
            fill("Pack {deeper} without its folder, under that name.", min(deeper))
            if (deeper and not there)
            else ""
        )
        check.refuse("", found, hint)
        return None
    content = check.read(there[0])
    if content is None or len(content) > MAX_CONFIGURATION_BYTES:
        check.refuse(there[0], translatable("The file is damaged or too large."))
        return None
    try:
        text = content.decode("utf-8")
        document = _load(text)
    except UnicodeDecodeError:
        check.refuse(there[0], translatable("The file is not UTF-8."))
        return None
    except ConfigurationError as problem:
        check.refuse(there[0], fill("The YAML is damaged: {problem}.", Message(str(problem))))
        return None
    if not isinstance(document, dict):
        check.refuse(there[0], translatable("The file holds no fields."))
        return None
    return document


OTHERS = ("competition.yml", "challenge_config.yaml", "competition.yaml")


class ConfigurationError(ValueError):
    """YAML that cannot be read."""


def _load(text: str) -> Json:
    """Read YAML as the platforms do. Raises ConfigurationError."""
    import yaml

    try:
        document = yaml.safe_load(text)
        if _written_out(document, {}) > MAX_CONFIGURATION_BYTES:
            raise ValueError("aliases of aliases")
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as problem:
        raise ConfigurationError(" ".join(str(problem).split())[:200]) from None
    return document


def _written_out(value: Json, known: dict[int, int]) -> int:
    """Return the number of values with each alias counted as what it stands for.

    Raises RecursionError for a value within itself.
    """
    if not isinstance(value, dict | list | tuple | set):
        return 1
    if id(value) not in known:
        parts = itertools.chain(value, value.values()) if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_written_out(one, known) for one in parts)
    return known[id(value)]


def verdict_json(defects: Sequence[Defect]) -> Json:
    """Return the verdict of a check as JSON values."""
    return {
        "accepted": not has_errors(defects),
        "messages": [_sentence(one) for one in defects],
        "warnings": sum(one.severity == "warning" for one in defects),
    }


def _sentence(one: Defect) -> str:
    where = f"{one.place.json_path}: " if one.place.json_path else ""
    return " ".join(filter(None, (f"{one.severity}: {where}{one.found}", one.expected, one.hint)))


def _normal(name: str) -> str:
    return posixpath.normpath(name) if name else ""


def _last(where: str) -> str:
    return where.rpartition(".")[2] or where


def _shown(value: object) -> str:
    return str(value)[:60]


def is_time(value: object) -> bool:
    """Return whether YAML read a value as a date or a time, because it has no quotes."""
    return isinstance(value, date | datetime)
