"""Row of titled pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.titled_images import TitledPicture, TitledPictures


@pytest.fixture
def view(qtbot: QtBot) -> TitledPictures:
    view = TitledPictures()
    qtbot.addWidget(view)
    return view


def picture(folder: Path, colour: str = "red") -> Path:
    path = folder / f"{colour}.png"
    Image.new("RGB", (60, 40), colour).save(path)
    return path


def test_a_picture_is_read_and_drawn(qtbot: QtBot, view: TitledPictures, tmp_path: Path) -> None:
    path = picture(tmp_path)
    view.show_pictures([TitledPicture("Generated", path)])
    qtbot.waitUntil(lambda: view.image(path) is not None)
    middle = view.grab().toImage().pixelColor(view.width() // 2, 80)
    assert middle.name() == "#ff0000"


def test_a_missing_picture_keeps_its_place_with_a_note(view: TitledPictures) -> None:
    view.show_pictures([TitledPicture("Generated", None), TitledPicture("Real", None)])
    assert view.accessibleDescription() == "Generated: not found, Real: not found"
    assert view.width() > view.height()


def test_a_broken_picture_gives_the_reason_in_its_place(
    qtbot: QtBot, view: TitledPictures, tmp_path: Path
) -> None:
    path = tmp_path / "broken.png"
    path.write_bytes(b"no picture")
    view.show_pictures([TitledPicture("Picture", path)])
    assert view.state_text(path) == "being read …"
    qtbot.waitUntil(lambda: view.state_text(path).startswith("broken.png cannot be shown: "))
    assert view.image(path) is None
    view.grab()


def test_without_pictures_the_row_is_hidden(view: TitledPictures) -> None:
    view.show_pictures([])
    assert view.isHidden()
