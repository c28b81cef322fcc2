"""Export of plots as PNG and SVG, and of tables as CSV and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QBuffer, QIODevice, QRect, QSize
from PySide6.QtGui import QImage, QPaintDevice, QPainter

from jurydesk.app.widgets.page_export import Export
from jurydesk.core.export.export_settings import ExportOrigin
from jurydesk.core.language import translate
from jurydesk.core.system.paths import write_atomically
from jurydesk.core.tables.columns import DataColumn
from jurydesk.core.tables.table_file import table_file

if TYPE_CHECKING:
    from jurydesk.app.state.session import Session
    from jurydesk.core.model.evaluation import Json

Marks = Callable[[Iterable[str]], "Mapping[str, Json]"]
"""Function that returns the settings of a table that mark what systems contradict."""

PNG_SCALE = 2
"""Pixels of a PNG for each pixel of the screen: enough for print."""


class PaintedPlot(Protocol):
    """A widget that can paint itself for an export."""

    def picture_size(self) -> QSize:
        """Return its size in screen pixels."""

    def paint_picture(self, painter: QPainter) -> None:
        """Paint it on a white background."""


def png_bytes(picture: PaintedPlot) -> bytes:
    """Return the picture as PNG, at `PNG_SCALE` times the screen's resolution."""
    image = QImage(picture.picture_size() * PNG_SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(PNG_SCALE)
    _paint_plot(picture, image)
    buffer = _buffer()
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs ask for bytes, Qt for str
    return bytes(buffer.data().data())


def svg_bytes(picture: PaintedPlot, title: str) -> bytes:
    """Return the picture as SVG, in which text stays text."""
    from PySide6.QtSvg import QSvgGenerator

    size = picture.picture_size()
    buffer = _buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    _paint_plot(picture, generator)
    return bytes(buffer.data().data())


def _paint_plot(picture: PaintedPlot, device: QPaintDevice) -> None:
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


Writer = Callable[[Path], None]


def png_writer(picture: PaintedPlot) -> Writer:
    """Return a function that writes the picture to a path as PNG."""
    return lambda path: write_atomically(path, png_bytes(picture))


def svg_writer(picture: PaintedPlot, title: str) -> Writer:
    """Return a function that writes the picture to a path as SVG."""
    return lambda path: write_atomically(path, svg_bytes(picture, title))


def picture_exports(picture: PaintedPlot, title: str) -> tuple[Export, Export]:
    """Return the exports of a picture in both formats."""
    return (
        Export(translate("{title} as PNG", title=title), "*.png", png_writer(picture)),
        Export(translate("{title} as SVG", title=title), "*.svg", svg_writer(picture, title)),
    )


StampedTable = tuple[Sequence[DataColumn], ExportOrigin | None]
"""Columns of a table, and the origin of their numbers if they follow from stamped results."""


def no_marks(systems: Iterable[str]) -> Mapping[str, Json]:
    """Return no settings, where no desk is open."""
    return {}


def marks_of(session: Session, systems: Iterable[str]) -> Mapping[str, Json]:
    """Return the setting of a table's origin that marks the contradictions of systems, if any."""
    from jurydesk.core.export.export_settings import contradiction_settings

    shown, stored = [*map(session.summary, systems)], session.desk.evaluations()
    return contradiction_settings(
        session.desk, session.task, [one for one in stored if one in shown]
    )


def table_writer(kind: str, make: Callable[[str], StampedTable]) -> Writer:
    """Return a function that makes a table of a format and writes it to a path."""

    def write(path: Path) -> None:
        columns, origin = make(kind)
        write_atomically(path, table_file(kind, columns, origin.cells() if origin else {}))

    return write


def table_exports(
    csv: str, json: str, kind: str, make: Callable[[str], StampedTable]
) -> tuple[Export, Export]:
    """Return the exports of a kind of table as CSV and as JSON, with these names."""
    return (
        Export(csv, "*.csv", table_writer(f"{kind} csv", make)),
        Export(json, "*.json", table_writer(f"{kind} json", make)),
    )
