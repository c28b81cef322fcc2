"""Readers of wordLocations and PAGE, by expat: no document type, and the line of every defect."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from jurydesk.core.language import counted, fill
from jurydesk.core.model.defects import Defect, Place, error, has_errors, note
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.tasks.keyword_spotting.overlap.readers.field_columns import LARGEST
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import SpotFile, listed_spots

DEEPEST = 100
POINT = re.compile(r"((?:-|(?<![0-9]))[0-9]+(?:\.[0-9]+)?),(-?[0-9]+(?:\.[0-9]+)?)")
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
LOCATION = ("x", "y", "w", "h")


@dataclass(slots=True)
class PageElement:
    """Word or line of a page while it is read."""

    id: str
    line: int
    points: list[tuple[str, str]] = field(default_factory=list)
    text: str = ""
    index: int = LARGEST
    has_text: bool = False


@dataclass(slots=True)
class Found:
    """Words of a file: name, document, box (for segments none) and line."""

    words: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    boxes: list[list[int]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


class StopReadingError(Exception):
    """End of reading at an error that is in the log."""


class XmlReader:
    """Reader of one XML file; `words` are on pages, `segments` are words in lines."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.log = BoundedDefects()
        self.words, self.segments = Found(), Found()
        self._open: list[str] = []
        self._document = ""
        self._line: PageElement | None = None
        self._word: PageElement | None = None
        self._index = 0
        self._text: list[str] | None = None
        self._empty = self._rounded = 0
        self._parser = expat.ParserCreate()

    def read(self, data: bytes) -> tuple[SpotFile | None, tuple[Defect, ...]]:
        """Return the places of a file; words of pages before words of lines."""
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        try:
            parser.Parse(data, True)
        except StopReadingError:
            pass
        except expat.ExpatError as fault:
            found = fill("The XML is malformed: {reason}.", expat.ErrorString(fault.code))
            hint = "Fix this place: the rest of the file was not read."
            self.log.append(error(Place(self.path, fault.lineno), found, "", hint))
        self._count_left_out()
        defects = self.log.to_tuple()
        if has_errors(defects):
            return None, defects
        if self.words.words:
            one = self.words
            return listed_spots(self.path, one.words, one.documents, one.boxes, one.lines), defects
        other = self.segments
        return listed_spots(self.path, other.words, other.documents, None, other.lines), defects

    def _count_left_out(self) -> None:
        place = Place(self.path)
        if self._empty:
            count = counted(self._empty, "word or line", "words or lines")
            found = fill("{elements} without text.", count)
            self.log.append(note(place, found, "They are left out.", count=self._empty))
        if self._rounded:
            found = fill(
                "{boxes} with decimal coordinates.", counted(self._rounded, "box", "boxes")
            )
            self.log.append(note(place, found, "They are rounded.", count=self._rounded))

    def _refuse_doctype(self, *_: object) -> None:
        found = "A document type (<!DOCTYPE) is not allowed."
        self._fail(found, "Remove it; nothing after it was read.")

    def _fail(self, found: str, hint: str) -> None:
        self._add(self._parser.CurrentLineNumber, found, "", hint)
        raise StopReadingError

    def _add(self, line: int, found: str, expected: str = "", hint: str = "") -> None:
        self.log.append(error(Place(self.path, line), found, expected, hint))

    def _start(self, tag: str, given: Mapping[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if len(self._open) == DEEPEST:
            self._fail("The tags are nested too deeply.", "Give the right file.")
        parent = self._open[-1] if self._open else ""
        self._open.append(name)
        line = self._parser.CurrentLineNumber
        if name == "spot":
            self._add_location(given, line)
        elif name == "Page":
            self._document = cut_extension(given.get("imageFilename", ""))
        elif name == "TextLine":
            self._line = PageElement(given.get("id", ""), line)
        elif name == "Word":
            self._word = PageElement(given.get("id", ""), line)
        elif name == "Coords" and parent == "Word" and self._word is not None:
            self._word.points += POINT.findall(given.get("points", ""))
        elif name == "Point" and self._open[-3:-1] == ["Word", "Coords"] and self._word is not None:
            self._word.points.append((given.get("x", ""), given.get("y", "")))
        elif name == "TextEquiv":
            index = given.get("index", "0")
            self._index = int(index) if index.isdecimal() and len(index) < 10 else 0
        elif name == "Unicode":
            self._text = []

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, tag: str) -> None:
        name = self._open.pop()
        if name == "Unicode" and self._text is not None:
            self._add_text("".join(self._text))
            self._text = None
        elif name == "Word" and self._word is not None:
            self._end_word(self._word)
            self._word = None
        elif name == "TextLine" and self._line is not None:
            self._end_line(self._line)
            self._line = None

    def _add_text(self, text: str) -> None:
        """Keep the text of a word or line, of several the one of the lowest index."""
        owner = self._open[-2:-1]
        piece = {"Word": self._word, "TextLine": self._line}.get(owner[0] if owner else "")
        if piece is not None and self._open[-1] == "TextEquiv" and self._index < piece.index:
            piece.text, piece.index = text, self._index

    def _end_word(self, word: PageElement) -> None:
        text = word.text.strip()
        if not text:
            self._empty += 1
            return
        numbers = [(_number(x), _number(y)) for x, y in word.points]
        known = [(x, y) for x, y in numbers if x is not None and y is not None]
        if not known or len(known) < len(numbers):
            found = fill('The word "{id}" has no coordinates.', word.id)
            self._add(word.line, found, "Coords with points are expected.")
            return
        if any(value != round(value) for point in known for value in point):
            self._rounded += 1
        across, down = zip(*((_round(x), _round(y)) for x, y in known), strict=True)
        box = [min(across), min(down), max(across) - min(across), max(down) - min(down)]
        self.words.words.append(text)
        self.words.documents.append(self._document)
        self.words.boxes.append(box)
        self.words.lines.append(word.line)

    def _end_line(self, line: PageElement) -> None:
        words = line.text.split()
        if not words and line.index < LARGEST:
            self._empty += 1
        self.segments.words += words
        self.segments.documents += [line.id] * len(words)
        self.segments.lines += [line.line] * len(words)

    def _add_location(self, given: Mapping[str, str], line: int) -> None:
        """Add a word of wordLocations."""
        box = []
        for name in LOCATION:
            text = given.get(name)
            if text is None:
                self._add(line, fill("The spot has no {name}.", name), "", "Add it.")
                return
            value = _number(text.strip())
            if value is None or value != int(value):
                found = fill('{name} is "{text}", not a whole number.', name, text)
                self._add(line, found, "Boxes are in whole pixels.")
                return
            box.append(int(value))
        if min(box[2:]) < 0 or max(map(abs, box)) > LARGEST:
            found = fill("The box is {box}.", ", ".join(map(str, box)))
            expected = fill("A number from {least:,} to {most:,} is expected.", 0, LARGEST)
            self._add(line, found, expected)
            return
        word = given.get("word", "").strip()
        if not word:
            self._empty += 1
            return
        self.words.words.append(word)
        self.words.documents.append(cut_extension(given.get("image", "")))
        self.words.boxes.append(box)
        self.words.lines.append(line)


def cut_extension(name: str) -> str:
    """Return the name of an image without its folder and its last extension."""
    file = name.replace("\\", "/").rpartition("/")[2]
    stem, dot, _ = file.rpartition(".")
    return stem if dot and stem else file


def _number(text: str) -> float | None:
    """Return a number of a box; None for any other text, or a number beyond 31 bits."""
    if not NUMBER.fullmatch(text) or len(text) > 30:
        return None
    value = float(text)
    return value if abs(value) <= LARGEST else None


def _round(value: float) -> int:
    """Return the nearest whole number; halves go up."""
    return int(value // 1 + (value % 1 >= 0.5))
