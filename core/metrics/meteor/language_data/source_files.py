"""Source files of METEOR's language data, from pycocoevalcap or a METEOR folder.

The files are read out of the jar; neither is run or imported.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.meteor.languages import ENGLISH, Language
from jurydesk.core.model.evaluation import ResourceMissing
from jurydesk.core.system.extras import install_hint
from jurydesk.core.system.zip_members import open_zip

FUNCTION_WORDS = "function/english.words"
PREFIXES = "nonbreaking/english.prefixes"
STEMS = "stem/arabic-buckwalter-reduced.gz"
SYNSETS = "synonym/english.synsets"
EXCEPTIONS = "synonym/english.exceptions"
PARAPHRASES = "data/paraphrase-en.gz"
MOST_RESOURCES = 10_000
"""Most members of the jar, which has 110."""

_GZIP_TRAILER = 8  # checksum and length of what is packed (RFC 1952)


class LanguageDataMissing(ResourceMissing):
    """METEOR's language data are missing; the text says how to install them."""


@dataclass(frozen=True, slots=True)
class LanguageData:
    """Locations of a language's files: resources in a jar or folder, and the paraphrase table.

    Attributes:
        paraphrases: None if there is no table.
        replaced: Files of the user's in place of resources, by the name of the resource.
    """

    resources: Path
    paraphrases: Path | None
    language: Language = ENGLISH
    replaced: Mapping[str, Path] = field(default_factory=dict)

    @property
    def prefixes(self) -> str | None:
        """Name of the resource with the abbreviations; None if the language has no normalizer."""
        return (
            f"nonbreaking/{self.language.name}.prefixes" if self.language.has_normalizer else None
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all resources."""
        # The jar has lists of function words for other languages, and does not read them.
        found = (FUNCTION_WORDS, *([self.prefixes] if self.prefixes else ()))
        if self.language == ENGLISH:
            return (*found, SYNSETS, EXCEPTIONS)
        return (*found, STEMS) if self.language.stemming == "table" else found

    def read(self, name: str) -> bytes:
        """Return the content of a resource; OSError or zipfile.BadZipFile if it is damaged."""
        if name in self.replaced:
            return self.replaced[name].read_bytes()
        if self.resources.is_dir():
            return (self.resources / name).read_bytes()
        with open_zip(self.resources, MOST_RESOURCES) as jar:
            return jar.read(name)

    def fingerprint(self) -> str:
        """Return a digest of the language and all files without unpacking them.

        It covers the checksums in the jar and the gzip file, which are verified when the index is
        built.
        """
        facts = [f"language {self.language.code}"]
        facts += [f"{name} {self._checksum(name)}" for name in self.names]
        if self.paraphrases is not None:
            facts.append(f"{PARAPHRASES} {_paraphrase_checksum(self.paraphrases)}")
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def sha256(self) -> Mapping[str, str]:
        """Return the SHA-256 of every resource and of the packed paraphrase table."""
        sums = {name: hashlib.sha256(self.read(name)).hexdigest() for name in self.names}
        if self.paraphrases is not None:
            with self.paraphrases.open("rb") as file:
                sums[PARAPHRASES] = hashlib.file_digest(file, "sha256").hexdigest()
        return sums

    def _checksum(self, name: str) -> str:
        if name in self.replaced or self.resources.is_dir():
            content = self.read(name)
            return f"{zlib.crc32(content):08x} {len(content)}"
        with open_zip(self.resources, MOST_RESOURCES) as jar:
            entry = jar.getinfo(name)
        return f"{entry.CRC:08x} {entry.file_size}"


def _paraphrase_checksum(path: Path) -> str:
    with path.open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(0, size - _GZIP_TRAILER))
        return f"{file.read().hex()} {size}"


class PackedFile:
    """Gzip file as a stream, with the position in the packed file."""

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
        """Number of packed bytes read."""
        return self._packed.tell()

    def blocks(self, size: int) -> Iterator[bytes]:
        """Yield the unpacked content in blocks of about `size` bytes that end with a line."""
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
    """Return the data of the installed pycocoevalcap; raise `LanguageDataMissing` without it."""
    spec = importlib.util.find_spec("pycocoevalcap")
    for location in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(location) / "meteor"
        if (folder / PARAPHRASES).is_file():
            return language_data_in_folder(folder)
    raise LanguageDataMissing(
        fill(
            "METEOR's language data are missing. Fetch them once (jurydesk meteor --prepare), or "
            "install the package that carries them: {command}.",
            Message(install_hint("meteor")),
        )
    )


def language_data_in_folder(folder: Path) -> LanguageData:
    """Return the data of a METEOR folder: its jar (or unpacked resources) and `data/`.

    Raises `LanguageDataMissing` if a part is missing.
    """
    paraphrases = folder / PARAPHRASES
    resources = next(_resource_places(folder), None)
    if resources is None or not paraphrases.is_file():
        lacking = "meteor-1.5.jar" if resources is None else PARAPHRASES
        raise LanguageDataMissing(
            fill(
                "{folder} is not a complete METEOR folder: {lacking} is missing. Name the "
                "folder of METEOR 1.5 that has meteor-1.5.jar and data/paraphrase-en.gz.",
                folder,
                lacking,
            )
        )
    return LanguageData(resources, paraphrases)


def data_of_language(
    language: Language, replaced: Mapping[str, Path], paraphrases: Path | None = None
) -> LanguageData:
    """Return the installed data of a language, some of whose files may be the user's.

    Without `paraphrases`, METEOR's table of the language is used if it lies beside the English one,
    where pycocoevalcap has none.
    """
    installed = installed_language_data()
    if paraphrases is None and installed.paraphrases is not None:
        table = installed.paraphrases.with_name(f"paraphrase-{language.code}.gz")
        paraphrases = table if table.is_file() else None
    return replace(installed, paraphrases=paraphrases, language=language, replaced=replaced)


def _resource_places(folder: Path) -> Iterator[Path]:
    yield from (place for place in (folder, folder / "resources") if (place / SYNSETS).is_file())
    yield from (jar for jar in sorted(folder.glob("meteor-*.jar")) if zipfile.is_zipfile(jar))


def function_words(content: bytes) -> frozenset[str]:
    """Return the words of `function/english.words`, one per line."""
    return frozenset(_lines(content))


def prefixes(content: bytes) -> dict[str, bool]:
    """Return the abbreviations of `nonbreaking/english.prefixes`; True for numeric-only ones."""
    found: dict[str, bool] = {}
    for line in _lines(content):
        fields = line.split()
        if fields and not fields[0].startswith("#"):
            found[fields[0]] = fields[1:2] == ["#NUMERIC_ONLY#"]
    return found


def synsets(content: bytes) -> dict[str, tuple[int, ...]]:
    """Return the WordNet synonym sets of words (case-sensitive, with `_` between words)."""
    return {
        word: tuple(int(number) for number in numbers.split())
        for word, numbers in _line_pairs(content)
    }


def exceptions(content: bytes) -> dict[str, tuple[str, ...]]:
    """Return the bases of every irregular inflected form."""
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
