"""Reader of any file of boxes, segments or tables: the shape decides which one reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jurydesk.core.language import Message, fill, reason
from jurydesk.core.model.defects import Defect, Place, error, has_errors, warning
from jurydesk.core.readers.text_file import file_head, text_head
from jurydesk.core.tasks.keyword_spotting.overlap.readers.shapes import (
    CSV,
    LABELS,
    LOCATIONS,
    PAGE,
    Role,
    Shape,
    blank_separated,
    named_shapes,
    shape_of,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import SpotFile, join_files
from jurydesk.core.tasks.keyword_spotting.overlap.readers.text_reader import (
    READERS,
    Content,
    RowReader,
    read_csv,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.text_rows import (
    FileBytes,
    comment_note,
    read_text_bytes,
    separator_note,
    split_rows,
)
from jurydesk.core.tasks.keyword_spotting.overlap.readers.xml_reader import XmlReader

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run
    from jurydesk.core.tasks.keyword_spotting.keyword_spotting_options import KeywordSpottingOptions

OF_PROTOCOL = {"table": "table", "segments": "segments", "words": "segments"}
"""Shape of a file that looks like none, by the protocol; boxes for the others."""


def choose_shape(path: Path, role: Role, options: KeywordSpottingOptions) -> Shape:
    """Return the shape of a file: the one that was named, that it has, or that is expected."""
    if options.format:
        return named_shapes(options.format, role)[0]
    text, mark = blank_separated(text_head(file_head(path)))
    found = shape_of(text)
    if mark and found is not None and found.role != role:  # a column is missing, which is told
        found = None
    if found is not None and options.protocol == "words" and found.holds == "segments":
        return LABELS if role == "relevance" else named_shapes("segments", "results")[0]
    if found is not None:
        return found
    return named_shapes(OF_PROTOCOL.get(options.protocol, "boxes"), role)[0]


def read_places(
    paths: Sequence[Path], role: Role, options: KeywordSpottingOptions, run: Run
) -> tuple[Content | None, tuple[Defect, ...]]:
    """Return what the files hold, such as the words of several pages, with all that is wrong."""
    contents: list[Content] = []
    defects: list[Defect] = []
    for path in paths:
        shape = choose_shape(path, role, options)
        wrong = _wrong_role(path, shape, role)
        if wrong is not None:
            return None, (wrong,)
        content, found = read_shape(path, shape, run)
        defects += found
        if content is not None:
            contents.append(content)
    if has_errors(defects):
        return None, tuple(defects)
    if len(contents) == 1:
        return contents[0], tuple(defects)
    pages = [one for one in contents if isinstance(one, SpotFile)]
    if len(pages) < len(contents):
        found_text = "Several files of lines or tables were given."
        place = Place(str(paths[1]))
        return None, (*defects, error(place, found_text, "One file is expected.", "Join them."))
    return _join_pages(pages), (*defects, *_mixed_pages(pages))


def _join_pages(pages: Sequence[SpotFile]) -> SpotFile | None:
    """Return the words of all pages; lines only where no page has words."""
    with_boxes = [one for one in pages if one.holds == "boxes" and len(one.spots)]
    chosen = with_boxes or pages
    return join_files(chosen) if chosen else None


def _mixed_pages(pages: Sequence[SpotFile]) -> tuple[Defect, ...]:
    with_boxes = [one for one in pages if one.holds == "boxes" and len(one.spots)]
    lines = [one for one in pages if one.holds == "segments" and len(one.spots)]
    if not (with_boxes and lines):
        return ()
    found = "This page has lines, but no words; other pages have words."
    place = Place(lines[0].path)
    return (warning(place, found, "Its lines are left out.", count=len(lines)),)


def _wrong_role(path: Path, shape: Shape, role: Role) -> Defect | None:
    """Return the error for results given as relevance or the reverse; tables may be both."""
    if shape.role == role or shape.holds == "table":
        return None
    other = {"relevance": "results", "results": "relevance"}[role]
    found = fill("This looks like {kind}: it belongs to --{role}.", Message(shape.title), other)
    hint = reason("Were the two files swapped?")
    return error(Place(str(path)), found, "", hint)


def read_shape(path: Path, shape: Shape, run: Run) -> tuple[Content | None, tuple[Defect, ...]]:
    """Return what a file of a shape holds; nothing after an error."""
    file = read_text_bytes(path, run)
    if has_errors(file.defects):
        return None, file.defects
    content, defects = run.call(_parse, file, shape)
    found = (*file.defects, *defects)
    return (None if has_errors(found) else content), found


def _parse(file: FileBytes, shape: Shape) -> tuple[Content | None, tuple[Defect, ...]]:
    if shape in (LOCATIONS, PAGE):
        return XmlReader(file.path).read(file.data)
    if shape in CSV.values():
        return read_csv(file.path, file.data, shape)
    data, mark = blank_separated(file.data)
    rows = split_rows(file.path, data)
    reader = RowReader(rows, shape)
    content = READERS[shape.name](reader)
    columns = (len(shape.columns.split()),)
    remarks = (*separator_note(file.path, mark), *comment_note(rows, columns))
    return content, (*reader.log.to_tuple(), *remarks)
