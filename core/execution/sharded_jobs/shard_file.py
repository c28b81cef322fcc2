"""Shard and result files: uncompressed zip archives of arrays with a table of contents.

Nothing in them is compressed or pickled, and no name in them becomes a path.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from jurydesk.core.language import Message, failure_reason, fill, translatable
from jurydesk.core.model.decoding import DAMAGE
from jurydesk.core.model.evaluation import Json
from jurydesk.core.model.json_text import parse_json
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.system.zip_members import TooManyMembersError, open_zip

HEAD = "head.json"
MAX_MEMBERS = 1_000_000
"""Chunks of a file: many times those of the largest job."""


class DamagedFileError(Exception):
    """File that is not a shard or result, or was altered; the message says how."""


@dataclass(frozen=True, slots=True)
class ParcelMember:
    """Member of a file: its key and its bytes."""

    key: str
    content: bytes


def write_parcel(path: Path, head: dict[str, Json], members: Iterable[ParcelMember]) -> None:
    """Write members, then a head with their keys and hashes, atomically."""

    def write(file: BinaryIO) -> None:
        known: list[Json] = []
        with zipfile.ZipFile(file, "w") as archive:
            for number, member in enumerate(members):
                archive.writestr(zipfile.ZipInfo(f"{number}.npz"), member.content)
                known.append({"key": member.key, "sha256": _sha256(member.content)})
            text = json.dumps({**head, "members": known})
            archive.writestr(zipfile.ZipInfo(HEAD), text)

    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, write)


class Parcel:
    """Open shard or result file; raises DamagedFileError if it is invalid."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            size = path.stat().st_size
            with open_zip(path, MAX_MEMBERS) as archive:
                infos = archive.infolist()
                packed = any(one.compress_type != zipfile.ZIP_STORED for one in infos)
                if packed or sum(one.file_size for one in infos) > size:
                    raise DamagedFileError(translatable("it is compressed, which is not allowed"))
                self.head = parse_json(archive.read(HEAD), unique=True, not_finite=True)
            members = self.head["members"]
            self.numbers = {one["key"]: number for number, one in enumerate(members)}
            self._hashes = {one["key"]: one["sha256"] for one in members}
        except TooManyMembersError as error:
            found = fill("it has more than {max_members:,} chunks", MAX_MEMBERS)
            raise DamagedFileError(found) from error
        except (OSError, *DAMAGE) as error:
            raise DamagedFileError(fill("it cannot be read ({reason})", _reason(error))) from error

    def read(self, key: str) -> bytes:
        """Return a member's bytes; raise DamagedFileError if they were altered."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                content = archive.read(f"{self.numbers[key]}.npz")
        except (OSError, *DAMAGE) as error:
            raise DamagedFileError(fill("it cannot be read ({reason})", _reason(error))) from error
        if _sha256(content) != self._hashes[key]:
            raise DamagedFileError(translatable("a chunk in it was altered"))
        return content


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _reason(error: Exception) -> str:
    """Return the message of the system or library, without the path."""
    return failure_reason(error) if isinstance(error, OSError) else Message(str(error))
