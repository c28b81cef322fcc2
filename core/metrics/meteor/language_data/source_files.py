"""METEOR's English language data, read where pycocoevalcap or a METEOR folder keeps them.

Nothing of either is run or imported: the files are read straight out of the jar.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from jurydesk.core.model.evaluation import ResourceMissing

FUNCTION_WORDS = "function/english.words"
PREFIXES = "nonbreaking/english.prefixes"
SYNSETS = "synonym/english.synsets"
EXCEPTIONS = "synonym/english.exceptions"
PARAPHRASES = "data/paraphrase-en.gz"

_RESOURCES = (FUNCTION_WORDS, PREFIXES, SYNSETS, EXCEPTIONS)
_GZIP_TRAILER = 8  # checksum and length of what is packed (RFC 1952)


class LanguageDataMissing(ResourceMissing):
    """METEOR's language data are not where they were looked for; the text says what to do."""


@dataclass(frozen=True, slots=True)
class LanguageData:
    """Where the five files are: four resources in a jar or a folder, and the paraphrase table."""

    resources: Path
    paraphrases: Path

    def read(self, name: str) -> bytes:
        """The content of a resource; raises OSError or zipfile.BadZipFile where it is damaged."""
        if self.resources.is_dir():
            return (self.resources / name).read_bytes()
        with zipfile.ZipFile(self.resources) as jar:
            return jar.read(name)

    def fingerprint(self) -> str:
        """A name for the content of all five files, without unpacking them.

        It is made from the checksums that the jar and the gzip file carry of what is in them;
        reading them for a build verifies those.
        """
        facts = [f"{name} {self._checksum(name)}" for name in _RESOURCES]
        facts.append(f"{PARAPHRASES} {self._paraphrase_checksum()}")
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def sha256(self) -> Mapping[str, str]:
        """The SHA-256 of every resource and of the packed paraphrase table."""
        sums = {name: hashlib.sha256(self.read(name)).hexdigest() for name in _RESOURCES}
        with self.paraphrases.open("rb") as file:
            sums[PARAPHRASES] = hashlib.file_digest(file, "sha256").hexdigest()
        return sums

    def open_paraphrases(self) -> PackedFile:
        """The unpacked paraphrase table as a stream that knows how far it has come."""
        return PackedFile(self.paraphrases)

    def _checksum(self, name: str) -> str:
        if self.resources.is_dir():
            content = self.read(name)
            return f"{zlib.crc32(content):08x} {len(content)}"
        with zipfile.ZipFile(self.resources) as jar:
            entry = jar.getinfo(name)
        return f"{entry.CRC:08x} {entry.file_size}"

    def _paraphrase_checksum(self) -> str:
        with self.paraphrases.open("rb") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(max(0, size - _GZIP_TRAILER))
            return f"{file.read().hex()} {size}"


class PackedFile:
    """A gzip file read as a stream, with the share of it that has been read."""

    def __init__(self, path: Path) -> None:
        self.size = path.stat().st_size
        self._packed: BinaryIO = path.open("rb")
        self._stream = gzip.GzipFile(fileobj=self._packed)

    def __enter__(self) -> PackedFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._packed.close()

    @property
    def position(self) -> int:
        """How many packed bytes have been read."""
        return self._packed.tell()

    def blocks(self, size: int) -> Iterator[bytes]:
        """The unpacked content in blocks of about `size` bytes; every block ends with a line."""
        rest = b""
        while block := self._stream.read(size):
            block = rest + block
            end = block.rfind(b"\n") + 1
            rest = block[end:]
            if end:
                yield block[:end]
        if rest:
            yield rest + b"\n"


def installed_language_data() -> LanguageData:
    """The data inside the installed pycocoevalcap; raises `LanguageDataMissing` without it."""
    spec = importlib.util.find_spec("pycocoevalcap")
    for location in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(location) / "meteor"
        if (folder / PARAPHRASES).is_file():
            return language_data_in_folder(folder)
    raise LanguageDataMissing(
        "METEOR's language data are missing: the package pycocoevalcap, which carries them, is "
        "not installed. Install it (pip install pycocoevalcap==1.2), or name a METEOR folder."
    )


def language_data_in_folder(folder: Path) -> LanguageData:
    """The data in a METEOR folder: its jar (or the jar's unpacked resources) and `data/`.

    Raises `LanguageDataMissing` where a part is not there.
    """
    paraphrases = folder / PARAPHRASES
    resources = next(_resource_places(folder), None)
    if resources is None or not paraphrases.is_file():
        lacking = "meteor-1.5.jar" if resources is None else PARAPHRASES
        raise LanguageDataMissing(
            f"{folder} is no complete METEOR folder: {lacking} is missing. Name the folder of "
            "METEOR 1.5 that has meteor-1.5.jar and data/paraphrase-en.gz."
        )
    return LanguageData(resources, paraphrases)


def _resource_places(folder: Path) -> Iterator[Path]:
    yield from (place for place in (folder, folder / "resources") if (place / SYNSETS).is_file())
    yield from (jar for jar in sorted(folder.glob("meteor-*.jar")) if zipfile.is_zipfile(jar))


def function_words(content: bytes) -> frozenset[str]:
    """The words of `function/english.words`, one a line."""
    return frozenset(_lines(content))


def prefixes(content: bytes) -> dict[str, bool]:
    """The abbreviations of `nonbreaking/english.prefixes`; True for those before numbers only."""
    found: dict[str, bool] = {}
    for line in _lines(content):
        fields = line.split()
        if fields and not fields[0].startswith("#"):
            found[fields[0]] = fields[1:2] == ["#NUMERIC_ONLY#"]
    return found


def synsets(content: bytes) -> dict[str, tuple[int, ...]]:
    """The WordNet synonym sets of every word that has any (case matters, `_` joins words)."""
    return {
        word: tuple(int(number) for number in numbers.split())
        for word, numbers in _line_pairs(content)
    }


def exceptions(content: bytes) -> dict[str, tuple[str, ...]]:
    """The bases of every irregular inflected form."""
    bases: dict[str, tuple[str, ...]] = {}
    for base, forms in _line_pairs(content):
        for form in forms.split():
            bases[form] = (*bases.get(form, ()), base)
    return bases


def _lines(content: bytes) -> list[str]:
    return [line.rstrip("\r") for line in content.decode("utf-8").split("\n") if line.strip()]


def _line_pairs(content: bytes) -> Iterator[tuple[str, str]]:
    lines = _lines(content)
    return zip(lines[::2], lines[1::2], strict=True)
