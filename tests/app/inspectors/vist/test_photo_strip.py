from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.vist.photo_strip import PhotoStrip
from jurydesk.app.style.theme import theme

IDS = ("11", "12", "13", "14", "15")


@pytest.fixture
def strip(qtbot: QtBot, qapp: QApplication) -> PhotoStrip:
    theme().install(qapp, "light")
    made = PhotoStrip()
    qtbot.addWidget(made)
    made.resize(1000, 110)
    return made


def photo(path: Path, colour: str, size: tuple[int, int] = (160, 90)) -> None:
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    assert image.save(str(path))


def load(strip: PhotoStrip, qapp: QApplication) -> None:
    strip.wait()
    qapp.processEvents()


def test_photos_are_found_by_their_ids(
    strip: PhotoStrip, tmp_path: Path, qapp: QApplication
) -> None:
    for name, colour in (("11.jpg", "red"), ("12.PNG", "lime"), ("13.webp", "blue")):
        photo(tmp_path / name, colour)
    strip.show_photos(IDS, tmp_path)
    load(strip, qapp)
    assert [strip.image(name) is not None for name in IDS] == [True, True, True, False, False]
    drawn = strip.grab().toImage()
    assert drawn.pixelColor(100, 20).red() > 240
    assert drawn.pixelColor(300, 20).green() > 240
    assert strip.accessibleDescription() == (
        "5 photos, 3 of them in the folder: 11, 12, 13, 14, 15."
    )


def test_without_a_folder_there_are_placeholders(strip: PhotoStrip) -> None:
    strip.show_photos(IDS, None)
    assert strip.heightForWidth(1000) == 48
    assert not strip.grab().toImage().isNull()


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a\x00b", "", "x" * 5000, "."])
def test_ids_are_never_joined_to_a_path(
    strip: PhotoStrip, tmp_path: Path, qapp: QApplication, name: str
) -> None:
    photo(tmp_path / "secret.png", "red")
    inner = tmp_path / "images"
    inner.mkdir()
    strip.show_photos((name,), inner)
    load(strip, qapp)
    assert strip.image(name) is None
    assert not strip.grab().toImage().isNull()


def test_a_broken_photo_keeps_its_placeholder(
    strip: PhotoStrip, tmp_path: Path, qapp: QApplication
) -> None:
    (tmp_path / "11.jpg").write_bytes(b"no picture")
    strip.show_photos(IDS, tmp_path)
    load(strip, qapp)
    assert strip.image("11") is None


def test_cached_photos_are_shown_at_once(
    strip: PhotoStrip, tmp_path: Path, qapp: QApplication
) -> None:
    photo(tmp_path / "11.png", "red")
    strip.show_photos(("11",), tmp_path)
    load(strip, qapp)
    strip.show_photos(("12",), tmp_path)
    strip.show_photos(("11",), tmp_path)
    assert strip.image("11") is not None


def test_a_portrait_photo_is_fitted(strip: PhotoStrip, tmp_path: Path, qapp: QApplication) -> None:
    photo(tmp_path / "11.png", "red", (90, 160))
    strip.show_photos(IDS, tmp_path)
    load(strip, qapp)
    drawn = strip.grab().toImage()
    assert drawn.pixelColor(96, 5).red() > 240
    assert drawn.pixelColor(10, 50).red() < 240
