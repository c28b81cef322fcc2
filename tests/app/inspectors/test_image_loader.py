"""Images of a folder: found by name, read up to a size limit."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6.Shiboken import delete

from jurydesk.app.inspectors import image_loader
from jurydesk.app.inspectors.image_loader import (
    Box,
    LoadedPicture,
    PictureLoader,
    read_picture,
)


def picture(path: Path, width: int = 40, height: int = 20) -> Path:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    assert image.save(str(path))
    return path


def claiming(path: Path, width: int, height: int) -> Path:
    """Return a tiny PNG file that claims to be a huge picture."""
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 64)), (b"IEND", b"")]
    body = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    return path


def test_a_picture_is_read_with_its_size(qapp: object, tmp_path: Path) -> None:
    read = read_picture(picture(tmp_path / "a.png"))
    assert (read.problem, read.size, read.image.size()) == ("", QSize(40, 20), QSize(40, 20))


def test_a_large_picture_is_scaled_down_and_keeps_its_nominal_size(
    qapp: object, tmp_path: Path
) -> None:
    read = read_picture(picture(tmp_path / "a.png", 400, 200), longest_side=100)
    assert read.size == QSize(400, 200)
    assert read.image.size() == QSize(100, 50)


def test_a_suffix_may_be_wrong(qapp: object, tmp_path: Path) -> None:
    right = picture(tmp_path / "a.png")
    assert read_picture(right.rename(tmp_path / "a.jpg")).problem == ""


@pytest.mark.qt_log_ignore("JPEG datastream contains no image")
@pytest.mark.parametrize(
    "content", [b"", b"no picture", b"\x89PNG\r\n\x1a\nbroken", b"\xff\xd8\xff\xe0broken"]
)
def test_a_broken_picture_is_reported(qapp: object, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    problem = read_picture(path).problem
    assert problem.startswith("a.png cannot be shown: ")
    assert problem.endswith(".")


@pytest.mark.qt_log_ignore("exceeds the current allocation limit")
def test_a_picture_that_would_fill_the_memory_is_refused(qapp: object, tmp_path: Path) -> None:
    read = read_picture(claiming(tmp_path / "a.png", 200_000, 200_000))
    assert read.image.isNull()
    assert read.problem.startswith("a.png cannot be shown: ")


def test_only_the_last_requested_picture_arrives(qtbot: QtBot, tmp_path: Path) -> None:
    loader = PictureLoader()
    paths = [picture(tmp_path / f"{n}.png") for n in range(5)]
    arrived = []
    loader.loaded.connect(arrived.append)
    for path in paths:
        loader.want(path)
    loader.wait()
    qtbot.waitUntil(lambda: bool(arrived))
    assert [read.path for read in arrived] == [paths[-1]]


def test_a_view_can_be_closed_while_a_picture_is_read(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, closed, read = Event(), Event(), []

    def slow(path: Path, longest_side: int, box: Box | None) -> LoadedPicture:
        read.append(path.name)
        begun.set()
        closed.wait()
        return read_picture(path, longest_side, box)

    monkeypatch.setattr(image_loader, "read_picture", slow)
    view = QWidget()
    loader = PictureLoader(view)
    loader.want(*(picture(tmp_path / f"{n}.png") for n in range(3)))
    qtbot.waitUntil(begun.is_set)
    delete(view)
    closed.set()
    loader.wait()
    assert read == ["0.png"], "pictures of a closed view are still read"


def test_nothing_arrives_after_the_request_is_dropped(qtbot: QtBot, tmp_path: Path) -> None:
    loader = PictureLoader()
    arrived = []
    loader.loaded.connect(arrived.append)
    loader.want(picture(tmp_path / "a.png"))
    loader.want(None)
    loader.wait()
    qtbot.wait(5)
    assert arrived == []
