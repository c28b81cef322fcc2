"""Pictures and their numbers as files: PNG and SVG as painted, CSV from the data."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QBuffer, QIODevice, QRect, QSize
from PySide6.QtGui import QImage, QPainter

from jurydesk.app.commands.export_notice import Export
from jurydesk.core.export.csv_cells import csv_text, escape_formula
from jurydesk.core.model.json_codec import json_number
from jurydesk.core.system.paths import write_atomically

PNG_SCALE = 2
"""Pixels of a PNG for each pixel of the screen: enough for print."""

DataColumn = tuple[str, Sequence[object]]
"""A column of a CSV file: its title and its cells; None and NaN are empty."""


class PaintedPlot(Protocol):
    """Something that paints itself for paper."""

    def picture_size(self) -> QSize:
        """Its size in pixels of the screen."""

    def paint_picture(self, painter: QPainter) -> None:
        """Paint it, on its own white ground."""


def png_bytes(picture: PaintedPlot) -> bytes:
    """The picture as PNG, twice as fine as on the screen."""
    image = QImage(picture.picture_size() * PNG_SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(PNG_SCALE)
    _painted(picture, image)
    buffer = _buffer()
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def svg_bytes(picture: PaintedPlot, title: str) -> bytes:
    """The picture as SVG, in which text stays text."""
    from PySide6.QtSvg import QSvgGenerator

    size = picture.picture_size()
    buffer = _buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    _painted(picture, generator)
    return bytes(buffer.data().data())


def _painted(picture: PaintedPlot, device: QImage | object) -> None:
    painter = QPainter(device)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        picture.paint_picture(painter)
    finally:
        painter.end()


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    return buffer


def csv_bytes(columns: Sequence[DataColumn]) -> bytes:
    """Columns of equal length as CSV with a header; numbers with all their digits."""
    titles = [escape_formula(title) for title, _ in columns]
    return csv_text([titles, *zip(*(map(_cell, cells) for _, cells in columns), strict=True)])


def _cell(value: object) -> object:
    if isinstance(value, str):
        return escape_formula(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ""
    return "" if value is None else value


def json_bytes(columns: Sequence[DataColumn]) -> bytes:
    """Columns of equal length as a JSON list of records; an undefined number is null."""
    titles = [title for title, _ in columns]
    rows = zip(*(map(_json, cells) for _, cells in columns), strict=True)
    records = [dict(zip(titles, row, strict=True)) for row in rows]
    return json.dumps(records, ensure_ascii=False, indent=0, allow_nan=False).encode()


def _json(value: object) -> object:
    return json_number(value) if isinstance(value, float) else value


Writer = Callable[[Path], None]


def png_writer(picture: PaintedPlot) -> Writer:
    """What writes the picture to a file as PNG."""
    return lambda path: write_atomically(path, png_bytes(picture))


def svg_writer(picture: PaintedPlot, title: str) -> Writer:
    """What writes the picture to a file as SVG."""
    return lambda path: write_atomically(path, svg_bytes(picture, title))


def picture_exports(picture: PaintedPlot, title: str) -> tuple[Export, Export]:
    """The picture in both formats, as exports of a page or a view."""
    return (
        Export(f"{title} as PNG", "*.png", png_writer(picture)),
        Export(f"{title} as SVG", "*.svg", svg_writer(picture, title)),
    )


def csv_writer(columns: Callable[[], Sequence[DataColumn]]) -> Writer:
    """What writes the columns to a file as CSV, asking for them only then."""
    return lambda path: write_atomically(path, csv_bytes(columns()))


def json_writer(columns: Callable[[], Sequence[DataColumn]]) -> Writer:
    """What writes the columns to a file as JSON, asking for them only then."""
    return lambda path: write_atomically(path, json_bytes(columns()))
