"""The script that takes pictures of the pages."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

SCRIPT = Path(__file__).parent.parent.parent / "packaging" / "screenshots.py"


@pytest.fixture
def screenshots() -> ModuleType:
    spec = importlib.util.spec_from_file_location("screenshots", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pixmap(qapp: object) -> QPixmap:
    """A picture of more colours than a palette holds."""
    pixmap = QPixmap(1280, 800)
    painter = QPainter(pixmap)
    for column in range(1280):
        painter.fillRect(column, 0, 1, 800, QColor.fromHsv(column * 359 // 1280, 120, 230))
    painter.end()
    return pixmap


def test_a_picture_is_named_after_competition_page_and_theme(
    screenshots: ModuleType, pixmap: QPixmap, tmp_path: Path
) -> None:
    path = screenshots.save(pixmap, tmp_path, ("vist", "items", "dark"))
    assert path == tmp_path / "vist-items-dark.png"
    assert QImage(str(path)).size() == pixmap.size()


def test_a_picture_for_the_readme_is_small(
    screenshots: ModuleType, pixmap: QPixmap, tmp_path: Path
) -> None:
    path = screenshots.save_small(pixmap, tmp_path, ("vist", "board", "light"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["board-light.png"]
    assert path.stat().st_size < 200_000
    assert QImage(str(path)).size() == pixmap.size()


def test_waiting_ends_with_a_sentence(
    screenshots: ModuleType, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screenshots, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(TimeoutError, match="did not finish"):
        screenshots.wait(lambda: False)


def test_the_readme_shows_pages_that_exist(screenshots: ModuleType) -> None:
    from app.pages import PAGES

    pages = {page.id for page in PAGES}
    assert {page for _, page, _ in screenshots.README_PICTURES} <= pages
