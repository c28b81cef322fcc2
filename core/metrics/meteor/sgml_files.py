"""Scoring of SGML files of NIST's evaluations, as `meteor-1.5.jar TEST REFERENCE -sgml` does.

Files are read line by line. The jar's reader knows three headers and the end of a segment; other
markup is text or ignored. The lines of a segment are joined without a blank. Where the jar would
never end, fail with an exception or join several segments, `SgmlError` says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key, partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TypeVar

import numpy as np

from jurydesk.core.language import Message, fill
from jurydesk.core.metrics.meteor.batch import Pair
from jurydesk.core.metrics.meteor.config import Config
from jurydesk.core.metrics.meteor.formula import corpus_counts
from jurydesk.core.metrics.meteor.jar_output import (
    alignment_lines,
    header,
    segment_values,
    statistics_line,
    system_statistics,
)
from jurydesk.core.metrics.meteor.java_semantics import (
    UTF_8_ERRORS,
    hash_set_order,
    hashtable_order,
)
from jurydesk.core.metrics.meteor.scorer import Meteor
from jurydesk.core.model.evaluation import FloatArray, UsageError
from jurydesk.core.system.paths import write_atomically

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

MAX_BYTES = 1 << 28
"""Limit of a file; those of evaluations have some megabytes."""

SgmlData = dict[str, dict[str, dict[str, dict[str, str]]]]
"""Texts by set, system (or reference), document and segment, in the order of the file."""

_SET = re.compile(r"<(?:tst|ref)set", re.IGNORECASE)
_DOCUMENT = re.compile(r"<doc", re.IGNORECASE)
_SEGMENT = re.compile(r'<\s*seg\s*id\s*=\s*"?([^">]+?)"?\s*>', re.IGNORECASE | re.ASCII)
_END = re.compile(r"</seg\s*>", re.IGNORECASE | re.ASCII)
_SET_ID = re.compile(r'setid\s*=\s*"([^"]+)"', re.IGNORECASE | re.ASCII)
_SYSTEM_ID = re.compile(r'(?:sysid|refid)\s*=\s*"([^"]+)"', re.IGNORECASE | re.ASCII)
_DOCUMENT_ID = re.compile(r'docid\s*=\s*"([^"]+)"', re.IGNORECASE | re.ASCII)
_BLANKS = re.compile(r"[ \t\n\x0b\f\r]+")

# The ampersand is last, so that &amp;lt; is the text &lt;.
_ENTITIES = (("&quot;", '"'), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


class SgmlError(UsageError):
    """A file is not in the SGML that METEOR reads."""


def read_sgml(path: Path) -> SgmlData:
    """Return the segments of a file; raise SgmlError or OSError."""
    if path.stat().st_size > MAX_BYTES:
        raise SgmlError(
            fill("{path} is larger than {value} MB: split it by set.", path, MAX_BYTES >> 20)
        )
    reader = _Reader(path)
    for number, line in enumerate(path.read_text("utf-8", UTF_8_ERRORS).split("\n"), 1):
        reader.read(line, number)
    return reader.finish()


class _Reader:
    """State of the jar's reader between two lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._data: SgmlData = {}
        self._systems: dict[str, dict[str, dict[str, str]]] | None = None
        self._system = ""
        self._segments: dict[str, str] = {}
        self._has_document = False
        self._open: list[str] = []
        self._open_id = ""
        self._start = 0

    def read(self, line: str, number: int) -> None:
        """Take the next line."""
        if len(_SEGMENT.findall(line)) + bool(self._open) > 1:
            self._refuse(number, "a segment begins before the end of another; give each a line")
        if not self._open:
            self._read_headers(line, number)
            found = _SEGMENT.search(line)
            if found is None:
                return
            if not self._has_document:
                self._refuse(number, "the segment is in no document")
            self._open_id, self._start = found[1], number
            line = line[found.end() :]
        self._open.append(line)
        if _END.search(line):
            self._close()

    def _read_headers(self, line: str, number: int) -> None:
        if _SET.search(line):
            name = self._attribute(_SET_ID, line)
            if not name:
                self._refuse(number, 'setid="..." is missing')
            self._systems = self._data.setdefault(name, {})
            self._system = self._attribute(_SYSTEM_ID, line)
            if self._system:
                self._systems.setdefault(self._system, {})
        if _DOCUMENT.search(line):
            if self._systems is None:
                self._refuse(number, "the document is in no set")
            system = self._attribute(_SYSTEM_ID, line) or self._system
            if not system:
                self._refuse(number, 'sysid="..." or refid="..." is missing in document and set')
            name = self._attribute(_DOCUMENT_ID, line)
            if not name:
                self._refuse(number, 'docid="..." is missing')
            self._segments = self._systems.setdefault(system, {}).setdefault(name, {})
            self._has_document = True

    @staticmethod
    def _attribute(pattern: re.Pattern[str], line: str) -> str:
        found = pattern.search(line)
        return found[1] if found else ""

    def _close(self) -> None:
        text = "".join(self._open)
        *_, last = _END.finditer(text)
        self._segments[self._open_id] = unescape(_BLANKS.sub(" ", text[: last.start()]).strip(" "))
        self._open = []

    def finish(self) -> SgmlData:
        """Return what was read; raise SgmlError for an open segment."""
        if self._open:
            self._refuse(self._start, "the segment has no end, </seg>")
        return self._data

    def _refuse(self, number: int, problem: str) -> NoReturn:
        raise SgmlError(
            fill("{path}, line {number}: {problem}.", self._path, number, Message(problem))
        )


def unescape(text: str) -> str:
    """Return the text with the five entities that the jar knows replaced."""
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text


T = TypeVar("T")
Name = tuple[str, ...]
"""Set and system, perhaps with document and segment."""


@dataclass(frozen=True, slots=True)
class SgmlOptions:
    """Options of the jar's SGML mode: `-f`, `-q`, `-vOut`, `-ssOut`, `-writeAlignments`."""

    prefix: str = "meteor"
    is_quiet: bool = False
    is_verbose: bool = False
    has_statistics: bool = False
    has_alignments: bool = False


def score_sgml(
    scorer: Meteor,
    test: SgmlData,
    reference: SgmlData,
    config: Config,
    options: SgmlOptions,
    run: Run,
) -> Iterator[tuple[str, bool]]:
    """Write the files of scores; yield the lines that the jar prints, True for standard error.

    Raises:
        SgmlError: A set has no references, or a system no segments.
    """
    pairing = _Pairing(test, reference)
    pairing.pair()
    if not pairing.segments:
        raise SgmlError("The test file has no segments: see whether it is SGML.")
    names, pairs = list(pairing.segments), list(pairing.segments.values())
    rows = scorer.score_many(pairs, config, run).rows
    documents, systems = _places(names, 3), _places(names, 2)
    for suffix, counts in (
        ("seg", dict(zip(names, rows, strict=True))),
        ("doc", _sums(documents, rows, config)),
        ("sys", _sums(systems, rows, config)),
    ):
        content = "".join(_score_lines(counts, config, options)).encode()
        write_atomically(Path(f"{options.prefix}-{suffix}.scr"), partial(_write, content))
    if options.has_alignments:
        aligned = {name: pairing.segments[name] for name in _sort(names, options)}
        write_atomically(
            Path(f"{options.prefix}-align.out"),
            partial(_write_alignments, scorer, aligned, config, run),
        )
    yield from ((f"Warning: {warning}", True) for warning in pairing.warnings)
    if options.has_statistics:
        return
    if not options.is_quiet:
        yield from ((line, False) for line in header(config, "SGML"))
    for (set_name, system), places in systems.items():
        _, _, _, _, *table = system_statistics(rows[places], config)
        lines = (f"[{set_name}][{system}] ", "", *table, "")
        yield from ((line, False) for line in lines)


class _Pairing:
    """Segments with their references, in the order of the jar's hash tables, and its warnings."""

    def __init__(self, test: SgmlData, reference: SgmlData) -> None:
        self._test = test
        self._reference = reference
        self.segments: dict[Name, Pair] = {}
        self.warnings: list[str] = []

    def pair(self) -> None:
        """Pair the segments of all systems."""
        if self._test.keys() != self._reference.keys():
            raise SgmlError("The test and the reference file have different sets (setid).")
        for name in _union(self._test):
            for system in hashtable_order(self._test[name]):
                before = len(self.segments)
                self._pair_system(name, system)
                if len(self.segments) == before:
                    raise SgmlError(
                        fill("System {system} has no segments with references.", repr(system))
                    )

    def _pair_system(self, name: str, system: str) -> None:
        documents = self._test[name][system]
        references = self._reference[name]
        order = hashtable_order(references)
        for document in _union(documents, *(references[one] for one in order)):
            where = f"document [{name}][{document}]"
            if document not in documents:
                self._warn(f"no data for system [{system}] on {where} - skipping this document")
                continue
            usable = self._usable({one: references[one] for one in order}, document, where)
            if not usable:
                self._warn(f"no usable references for {where} - skipping this document")
                continue
            self._pair_document((name, system, document), documents[document], usable)

    def _pair_document(
        self,
        place: tuple[str, str, str],
        texts: Mapping[str, str],
        references: Mapping[str, Mapping[str, str]],
    ) -> None:
        name, system, document = place
        for segment in _union(texts, *references.values()):
            where = f"segment [{name}][{document}][{segment}]"
            if segment not in texts:
                self._warn(f"no data for system [{system}] on {where} - scoring empty segment")
            usable = self._usable(references, segment, where)
            if usable:
                self.segments[*place, segment] = texts.get(segment, ""), list(usable.values())
            else:
                self._warn(f"no usable references for {where} - skipping this segment")

    def _usable(
        self, references: Mapping[str, Mapping[str, T]], key: str, where: str
    ) -> dict[str, T]:
        usable = {}
        for one, texts in references.items():
            if key in texts:
                usable[one] = texts[key]
            else:
                self._warn(f"no data for reference [{one}] on {where}")
        return usable

    def _warn(self, warning: str) -> None:
        self.warnings.append(warning)


def _union(*tables: Mapping[str, object]) -> list[str]:
    return hash_set_order([key for table in tables for key in hashtable_order(table)])


def _places(names: Sequence[Name], length: int) -> dict[Name, list[int]]:
    """Return the positions of the segments of each document (3) or system (2)."""
    places: dict[Name, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name[:length], []).append(place)
    return places


def _sums(
    places: Mapping[Name, Sequence[int]], rows: FloatArray, config: Config
) -> dict[Name, FloatArray]:
    return {name: corpus_counts(rows[own], config.weights) for name, own in places.items()}


def _score_lines(
    counts: Mapping[Name, FloatArray], config: Config, options: SgmlOptions
) -> Iterator[str]:
    """Yield the sorted lines of a file of scores."""
    for name in _sort(counts, options):
        row = np.asarray(counts[name]).tolist()
        if options.has_statistics:
            values = statistics_line(row)
        else:
            values = segment_values(row, config, verbose=options.is_verbose)
        yield "\t".join((*name, values)) + "\n"


def _sort(names: Iterable[Name], options: SgmlOptions) -> list[Name]:
    is_numeric = not options.is_verbose or options.has_statistics
    return sorted(names, key=cmp_to_key(partial(_compare, is_numeric=is_numeric)))


def _compare(one: Name, other: Name, *, is_numeric: bool) -> int:
    """Compare names as the jar does: two segments by number, everything else as Java's text."""
    if is_numeric and len(one) == 4 and one[:3] == other[:3]:
        first, second = _integer(one[3]), _integer(other[3])
        if first is not None and second is not None:
            return (first > second) - (first < second)
    texts = [[part.encode("utf-16-be", "surrogatepass") for part in name] for name in (one, other)]
    return (texts[0] > texts[1]) - (texts[0] < texts[1])


def _integer(text: str) -> int | None:
    """Return what `Integer.parseInt` reads, or None."""
    if re.fullmatch(r"[+-]?[0-9]{1,99}", text) is None:
        return None
    number = int(text)
    return number if -(1 << 31) <= number < 1 << 31 else None


def _write(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def _write_alignments(
    scorer: Meteor, segments: Mapping[Name, Pair], config: Config, run: Run, file: BinaryIO
) -> None:
    for name, (hypothesis, references) in segments.items():
        run.check()
        alignment = scorer.score(hypothesis, references, config)
        for line in alignment_lines("\t".join(name), alignment):
            file.write(f"{line}\n".encode())
