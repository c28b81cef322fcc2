"""Reader of GW20 as neural-ctrlf keeps it: boxes as shares of each page, words in one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jurydesk.core.language import counted, fill, reason
from jurydesk.core.model.defects import Defect, Place, error, has_errors
from jurydesk.core.model.evaluation import FloatArray
from jurydesk.core.readers.bounded_defects import BoundedDefects
from jurydesk.core.readers.images import PictureError, picture_size
from jurydesk.core.readers.picture_folder import PictureFolder
from jurydesk.core.readers.text_file import file_head
from jurydesk.core.tasks.keyword_spotting.overlap.readers.shapes import shape_of
from jurydesk.core.tasks.keyword_spotting.overlap.readers.spot_files import SpotFile, listed_spots
from jurydesk.core.tasks.keyword_spotting.overlap.readers.text_rows import (
    TextRows,
    read_text_bytes,
    split_rows,
)
from jurydesk.core.tasks.keyword_spotting.trec.document_names import decode_name

if TYPE_CHECKING:
    from jurydesk.core.execution.run import Run

NAME = "gw20"
ENDING = "_boxes"
"""End of the name of a file of boxes, which is left out of the page's name."""
EXPECTED = "Expected: x1 x2 y1 y2 from 0 to 1."


def has_shared_pages(paths: Sequence[Path], format: str) -> bool:
    """Return whether files hold boxes as shares of their pages; they all are read together."""
    return format == NAME or any(map(_holds_shares, paths))


def _holds_shares(path: Path) -> bool:
    shape = shape_of(file_head(path))
    return shape is not None and shape.name == NAME


def read_shared_pages(
    paths: Sequence[Path], images: Path | None, run: Run
) -> tuple[SpotFile | None, tuple[Defect, ...]]:
    """Return the words of all pages in the order of their names, in pixels of their images.

    The words are in the one file without boxes, a word a line over all pages.
    """
    pages = sorted((path for path in paths if _holds_shares(path)), key=lambda one: one.name)
    others = [path for path in paths if path not in pages]
    if len(others) != 1 or not pages:
        found = fill("There are {files} without boxes.", counted(len(others), "file"))
        hint = "One file must have the words, a word a line over all pages."
        return None, (error(Place(str(paths[0])), found, hint, "Give annotations.txt."),)
    if images is None:
        found = "The boxes are shares of the page: the size of its image is needed."
        return None, (error(Place(str(pages[0])), found, "", "Give the folder with --images."),)
    log = BoundedDefects()
    words = _read_words(others[0], run, log)
    folder = PictureFolder(images)
    boxes: list[list[int]] = []
    documents: list[str] = []
    for path in pages:
        found_boxes = list(_page_boxes(path, folder, run, log))
        boxes += found_boxes
        documents += [_page_name(path)] * len(found_boxes)
    if len(words) != len(boxes) and not has_errors(log.to_tuple()):
        text = fill(
            "The file has {words}, the pages have {boxes}.",
            counted(len(words), "word"),
            counted(len(boxes), "box", "boxes"),
        )
        log.append(error(Place(str(others[0])), text, "A word a box is expected."))
    if has_errors(log.to_tuple()):
        return None, log.to_tuple()
    lines = list(range(1, len(words) + 1))
    return listed_spots(str(others[0]), words, documents, boxes, lines), log.to_tuple()


def _page_name(path: Path) -> str:
    return path.name.partition(".")[0].removesuffix(ENDING)


def _read_words(path: Path, run: Run, log: BoundedDefects) -> list[str]:
    file = read_text_bytes(path, run)
    for one in file.defects:
        log.append(one)
    return [decode_name(line.strip()) for line in file.data.splitlines() if line.strip()]


def _page_boxes(
    path: Path, folder: PictureFolder, run: Run, log: BoundedDefects
) -> Iterator[list[int]]:
    """Yield x, y, width and height in pixels of each box of a page, cut as in the original."""
    file = read_text_bytes(path, run)
    for one in file.defects:
        log.append(one)
    rows = split_rows(file.path, file.data)
    shares = _shares(rows, log)
    picture = folder.find(_page_name(path))
    if picture is None:
        found = fill('The folder of images has no picture "{name}".', _page_name(path))
        log.append(error(Place(file.path), found, "", reason("Its size is needed.")))
        return
    try:
        across, down = picture_size(picture)
    except PictureError as fault:
        log.append(error(Place(str(picture)), fill("The picture {reason}.", str(fault))))
        return
    left, right = (np.trunc(shares[:, side] * across).astype(np.int64) for side in (0, 1))
    top, bottom = (np.trunc(shares[:, side] * down).astype(np.int64) for side in (2, 3))
    yield from np.stack([left, top, right - left, bottom - top], axis=1).tolist()


def _shares(rows: TextRows, log: BoundedDefects) -> FloatArray:
    """Return the shares (n, 4) of a page, whose first line is their number."""
    count = rows.row(0) if len(rows) else []
    body = rows.take(np.arange(1 if len(count) == 1 else 0, len(rows)))
    sound = body.counts == 4
    for row in np.flatnonzero(~sound).tolist():
        found = fill("The line has {columns}.", counted(int(body.counts[row]), "column"))
        log.append(error(body.place(row), found, EXPECTED))
    body = body.take(sound)
    values = np.stack([body.column(place).decimals()[0] for place in range(4)], axis=1)
    with np.errstate(invalid="ignore"):
        wrong = ~((values >= 0) & (values <= 1)).all(axis=1)
        wrong |= (values[:, 1] < values[:, 0]) | (values[:, 3] < values[:, 2])
    for row in np.flatnonzero(wrong).tolist():
        text = decode_name(b" ".join(body.row(row)))
        log.append(error(body.place(row), fill('"{text}" is not a box of a page.', text), EXPECTED))
    if len(count) == 1 and count[0] != str(len(body)).encode() and sound.all():
        found = fill(
            "The first line says {count}; the file has {boxes}.",
            decode_name(count[0]),
            counted(len(body), "box", "boxes"),
        )
        log.append(error(rows.place(0), found, "", "Give the complete file."))
    return values
