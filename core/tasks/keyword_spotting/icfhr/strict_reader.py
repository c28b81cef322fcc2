"""Strict reader of ICFHR XML that reports the line of every defect.

It uses expat, because libxml2 loses the line of a tag after line 65,535, and result files
have millions of lines. A document type is refused before it can declare an entity.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from xml.parsers import expat
from xml.parsers.expat import ErrorString, ExpatError, errors

import numpy as np

from jurydesk.core.language import Message, counted, fill
from jurydesk.core.model.defects import Defect, Place, error, warning
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.tasks.item_fields import Fields, short_members
from jurydesk.core.tasks.keyword_spotting.icfhr import word_rules as rules
from jurydesk.core.tasks.keyword_spotting.icfhr.word_rules import (
    RELEVANCE_ROOT,
    RESULTS_ROOT,
    suggest_name,
)
from jurydesk.core.tasks.keyword_spotting.icfhr.words import PageWords, WordsByQuery

_VERSION = re.compile(r"1\.[0-9]+")
_FIX_PLACE = "Fix this place: the rest of the file was not read."
_COMPLETE = "Get the complete file: copy or write it again."
_REPLACE = "Replace the reference by the character itself; nothing after it was read."
_UNKNOWN_ENCODING = (
    "The encoding that the first line names is unknown.",
    "Save the file as UTF-8.",
)
_CUT_SHORT = {
    errors.codes[errors.XML_ERROR_NO_ELEMENTS],
    errors.codes[errors.XML_ERROR_UNCLOSED_TOKEN],
    errors.codes[errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
    errors.codes[errors.XML_ERROR_PARTIAL_CHAR],
}
_MALFORMED = {
    errors.codes[name]: message
    for name, message in {
        errors.XML_ERROR_INVALID_TOKEN: (
            "The text is not valid XML: a stray < or &, a control character, or a byte "
            "that is not in the file's encoding.",
            _FIX_PLACE,
        ),
        errors.XML_ERROR_TAG_MISMATCH: ("The closing tag does not fit the open tag.", _FIX_PLACE),
        errors.XML_ERROR_DUPLICATE_ATTRIBUTE: ("A tag has the same attribute twice.", _FIX_PLACE),
        errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: (
            "There is text after the end of the outermost tag.",
            "Remove it; nothing after it was read.",
        ),
        errors.XML_ERROR_UNDEFINED_ENTITY: (
            "An entity other than &lt; &gt; &amp; &quot; and &apos; is not allowed.",
            _REPLACE,
        ),
        errors.XML_ERROR_UNKNOWN_ENCODING: _UNKNOWN_ENCODING,
        errors.XML_ERROR_INCORRECT_ENCODING: (
            "The file is not in the encoding that its first line names.",
            "Save the file as UTF-8.",
        ),
        errors.XML_ERROR_MISPLACED_XML_PI: (
            "The XML declaration (<?xml ...?>) is not at the very start.",
            "Remove what is before it, or join only the contents of several files.",
        ),
    }.items()
}


class ErrorLog:
    """Collector of the errors of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._errors = BoundedDefects()

    def __bool__(self) -> bool:
        return bool(self._errors)

    def add(self, line: int, found: str, expected: str = "", hint: str = "") -> None:
        """Add an error."""
        self._errors.append(error(Place(self.path, max(line, 1)), found, expected, hint))

    def add_malformed(self, fault: ExpatError, open_tags: Sequence[str]) -> None:
        """Add the error of malformed XML; `open_tags` are the unclosed tags."""
        if fault.code in _CUT_SHORT:
            inside = fault.code != errors.codes[errors.XML_ERROR_NO_ELEMENTS]
            self.add(fault.lineno, _truncation_text(open_tags, inside=inside), "", _COMPLETE)
            return
        message = fill("The XML is malformed: {ErrorString}.", ErrorString(fault.code))
        found, hint = _MALFORMED.get(fault.code, (message, _FIX_PLACE))
        self.add(fault.lineno, found, "", hint)

    def add_unknown_encoding(self, line: int) -> None:
        """Add the error of an unknown encoding."""
        found, hint = _UNKNOWN_ENCODING
        self.add(line, found, "", hint)

    def add_wrong_root(self, line: int, name: str, wanted: str) -> None:
        """Add the error of a wrong root tag, and whether the files are swapped."""
        expected = fill("A file that begins with <{wanted}> is expected.", wanted)
        swapped = (
            "The two files are swapped: give the relevance file with --relevance "
            "and the result list with --results."
        )
        if name == RESULTS_ROOT:
            self.add(line, fill("This is a result list (<{name}>).", name), expected, swapped)
        elif name == RELEVANCE_ROOT:
            self.add(line, fill("This is a relevance file (<{name}>).", name), expected, swapped)
        else:
            hint = suggest_name((name,), wanted) or "Give the right file."
            self.add(line, fill("The outermost tag is <{name}>.", name), expected, hint)

    def defects(self) -> tuple[Defect, ...]:
        """Return all errors so far, in the order of the file."""
        return self._errors.to_tuple()


def _truncation_text(open_tags: Sequence[str], *, inside: bool) -> str:
    if not open_tags:
        return "The file ends inside a tag." if inside else "The file holds no tag at all."
    tags = " and ".join(f"<{name}>" for name in reversed(open_tags))
    if len(open_tags) > 1:
        if inside:
            return fill(
                "The file ends inside a tag, and before {tags} are closed: it was cut short.", tags
            )
        return fill("The file ends before {tags} are closed: it was cut short.", tags)
    if inside:
        return fill(
            "The file ends inside a tag, and before {tags} is closed: it was cut short.", tags
        )
    return fill("The file ends before {tags} is closed: it was cut short.", tags)


MAX_TAG = 2**20
"""Maximum size of a tag or comment in bytes; expat would buffer and rescan larger ones."""
_KEPT_NUMBERS = 100_000
_MARKUP_STARTS = (b"<", b"\xff\xfe", b"\xfe\xff", b"\0<")
Attributes = Mapping[str, str]


class StrictReader:
    """Single pass over a file: its words by query, its errors, and tolerated irregularities."""

    def __init__(self, path: str, *, judged: bool) -> None:
        self.errors = ErrorLog(path)
        self._path = path
        self._judged = judged
        self._root = rules.RELEVANCE_ROOT if judged else rules.RESULTS_ROOT
        self._block = "GTRel" if judged else "Rel"
        self._open: list[str] = []
        self._query = ""
        self._word = 0
        self._begun = False
        self._beginning = b""
        self._queries: dict[str, int] = {}
        self._starts: list[int] = []
        self._documents: dict[str, int] = {}
        self._rows: array[int] = array("i")
        self._relevance: array[float] = array("d")
        self._texts: list[str] = []
        self._fields: dict[str, Fields] = {}
        self._numbers: dict[str, int] = {}
        self._unknown: dict[str, array[int]] = {}
        self._ungraded: array[int] = array("i")
        self._block_line = 0
        self._on_block_line: array[int] = array("i")
        self._parser = self._new_parser()

    def read(self, blocks: Iterable[bytes]) -> WordsByQuery | None:
        """Return the words of a file by query, or None where `defects` holds an error."""
        try:
            self._feed(blocks)
        except expat.ExpatError as fault:
            self.errors.add_malformed(fault, self._open)
        except _UselessFileError:
            return None
        return None if self.errors else self._result()

    def defects(self) -> tuple[Defect, ...]:
        """Return every error in the order of the file, then what was tolerated."""
        return (*self.errors.defects(), *self._warnings())

    # The file

    def _new_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        if hasattr(parser, "SetReparseDeferralEnabled"):  # Python 3.13, with Expat 2.6
            # Deferred, a tag ends blocks later, and the limit of its length would stop it. Debian
            # 12's Python cannot switch it off: there a tag of a quarter of a MiB may be refused.
            parser.SetReparseDeferralEnabled(False)
        parser.XmlDeclHandler = self._check_declaration
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        return parser

    def _feed(self, blocks: Iterable[bytes]) -> None:
        taken = 0
        for block in blocks:
            if not taken:
                self._beginning = block
                self._check_start(block)
            self._parse(block)
            taken += len(block)
            if taken - self._parser.CurrentByteIndex >= MAX_TAG:
                hint = "Look for a missing quote or closing bracket; nothing after it was read."
                self._add_error("A tag or comment is longer than 1 MiB.", "", hint)
                raise _UselessFileError
        if not taken:
            self._refuse_format("The file is empty.")
        self._parser.Parse(b"", True)

    def _parse(self, block: bytes) -> None:
        try:
            self._parser.Parse(block, False)
        except (LookupError, ValueError):
            # Before the first tag only the look-up of an encoding by its name can raise these.
            if self._begun:
                raise
            self.errors.add_unknown_encoding(self._line)
            raise _UselessFileError from None

    def _check_declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        """Refuse another version, as Expat does since 2.9, and an encoding that no XML file uses.

        Python knows such encodings: its escapes, for example.
        """
        if _VERSION.fullmatch(version) is None:
            fault = ExpatError()
            fault.code = errors.codes[errors.XML_ERROR_XML_DECL]
            fault.lineno = self._line_of_declared("version", version)
            raise fault
        if encoding is not None and not rules.is_encoding(encoding):
            self.errors.add_unknown_encoding(self._line_of_declared("encoding", encoding))
            raise _UselessFileError

    def _line_of_declared(self, name: str, value: str) -> int:
        text = self._beginning.replace(b"\0", b"")  # of UTF-16, too
        at = text.find(value.encode(), text.find(name.encode()) + len(name))
        return 1 + text.count(b"\n", 0, at)

    def _check_start(self, block: bytes) -> None:
        start = block.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
        if start and not start.startswith(_MARKUP_STARTS):
            self._refuse_format("The file is not XML.")

    def _refuse_format(self, found: str) -> None:
        expected = fill("A file that begins with <{root}> is expected.", self._root)
        self.errors.add(1, found, expected, "Give the right file.")
        raise _UselessFileError

    def _doctype(self, *_: object) -> None:
        self._add_error(
            "A document type or entity declaration (<!DOCTYPE ...>) is not allowed.",
            "The format needs none, and entities can reach for other files.",
            "Remove it, and write the characters themselves; nothing after it was read.",
        )
        raise _UselessFileError

    # The tags

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._begun = True
        depth = len(self._open)
        if depth == 2 and name == "word":
            self._take_word(attributes)
        elif depth == 1 and name == self._block:
            self._begin_query(attributes)
        elif depth:
            self._add_misplaced(name, depth)
        elif name != self._root:
            self.errors.add_wrong_root(self._line, name, self._root)
            raise _UselessFileError
        self._open.append(name)

    def _end(self, name: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if stray := text.strip(" \t\r\n"):
            found = fill('There is text between the tags: "{shorten}".', rules.shorten(stray))
            # Reported when the next tag begins; the lines since then do not count.
            line = self._line - text[text.index(stray) :].count("\n")
            self.errors.add(line, found, "Only tags belong there.", "Remove it.")

    def _add_misplaced(self, name: str, depth: int) -> None:
        right = (self._block, "word")[min(depth, 2) - 1]
        found = fill("<{name}> is inside <{open}>.", name, self._open[-1])
        expected = fill(
            "<{root}> holds <{block}>, which holds <word>, which is empty.", self._root, self._block
        )
        hint = "Move or remove it."
        if name != right:
            hint = rules.suggest_name((name,), right) or hint
        self._add_error(found, expected, hint)

    def _begin_query(self, attributes: Attributes) -> None:
        query = attributes.get("queryid", "")
        if not query:
            hint = rules.suggest_name(attributes, "queryid") or "Add it."
            expected = fill("Every <{block}> names its query.", self._block)
            found = fill('<{block}> has no attribute "queryid".', self._block)
            self._add_error(found, expected, hint)
        elif query in self._queries:
            found = fill(
                'Query "{query}" has a second <{block}>; its first is on line {queries}.',
                query,
                self._block,
                self._queries[query],
            )
            self._add_error(
                found, "Each query may occur only once.", "Join the two, or remove one."
            )
        self._query, self._word, self._block_line = query, 0, self._line
        self._queries.setdefault(query, self._line)
        if self._judged and len(attributes) > 1:
            self._fields[query] = short_members(attributes, ("queryid",))
        self._starts.append(len(self._rows) // 6)

    def _take_word(self, attributes: Attributes) -> None:
        self._word += 1
        box = self._box(attributes)
        grade = self._grade(attributes)
        document = attributes.get("document")
        if not document or not box or grade is None:
            for fault, expected, hint in rules.check_word(attributes, judged=self._judged):
                found = fill(
                    'query "{query}", word {word}: {fault}',
                    self._query,
                    self._word,
                    Message(str(fault)),
                )
                self._add_error(found, expected, hint)
            return
        if not rules.KNOWN.issuperset(attributes):
            for name in sorted(attributes.keys() - rules.KNOWN):
                self._unknown.setdefault(name, array("i")).append(self._line)
        if self._line == self._block_line:
            self._on_block_line.append(self._line)
        code = self._documents.setdefault(document, len(self._documents))
        self._rows.extend((code, *box, self._line))
        if self._judged:
            self._relevance.append(grade)
            self._texts.append(attributes.get("Text", ""))

    def _box(self, attributes: Attributes) -> tuple[int, int, int, int] | None:
        """Return the sound box of a word, or None."""
        x = self._number(attributes.get("x", ""))
        y = self._number(attributes.get("y", ""))
        width = self._number(attributes.get("width", ""))
        height = self._number(attributes.get("height", ""))
        if x is None or y is None or not width or not height or min(width, height) < 0:
            return None
        return x, y, width, height

    def _number(self, text: str) -> int | None:
        known = self._numbers.get(text)
        if known is not None:
            return known
        number = rules.parse_attribute_number(text)
        if number is not None and len(self._numbers) < _KEPT_NUMBERS:
            self._numbers[text] = number
        return number

    def _grade(self, attributes: Attributes) -> float | None:
        if not self._judged:
            return 0.0
        if "Relevance" in attributes:
            return rules.parse_relevance(attributes["Relevance"])
        self._ungraded.append(self._line)
        return float("nan")

    # What was found

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _add_error(self, found: str, expected: str = "", hint: str = "") -> None:
        self.errors.add(self._line, found, expected, hint)

    def _warnings(self) -> Iterable[Defect]:
        if self._ungraded:
            words = counted(len(self._ungraded), "word has", "words have")
            found = fill('{words} no attribute "Relevance".', words)
            expected = (
                "Such a word counts as fully relevant (1), in nDCG of the profile icfhr as 0."
            )
            hint = rules.suggest_name(self._unknown, "Relevance") or "Add it."
            place = Place(self._path, self._ungraded[0])
            yield warning(place, found, expected, hint, count=len(self._ungraded))
        for name, lines in self._unknown.items():
            words = counted(len(lines), "word has", "words have")
            found = fill('{words} an unknown attribute "{name}".', words, name)
            expected = "It was ignored."
            yield warning(Place(self._path, lines[0]), found, expected, count=len(lines))

        if self._on_block_line:
            words = counted(len(self._on_block_line), "word is", "words are")
            found = fill("{words} on the line of <{block}>.", words, self._block)
            expected = "rusteval drops such a word, here it counts."
            hint = "Begin a new line after the tag."
            place = Place(self._path, self._on_block_line[0])
            yield warning(place, found, expected, hint, count=len(self._on_block_line))

    def _result(self) -> WordsByQuery:
        table = np.array(self._rows, np.int32).reshape(-1, 6)
        words = PageWords(
            tuple(self._documents), table[:, 0].copy(), table[:, 1:5].copy(), table[:, 5].copy()
        )
        return WordsByQuery(
            queries=tuple(self._queries),
            lines=tuple(self._queries.values()),
            starts=np.array([*self._starts, len(words)], np.int64),
            words=words,
            relevance=np.array(self._relevance, np.float64),
            texts=tuple(self._texts),
            fields=self._fields,
        )


class _UselessFileError(Exception):
    """The rest of the file cannot be parsed; the defect is already reported."""
