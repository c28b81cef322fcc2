"""Script that takes screenshots of the pages."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtGui import QColor, QImage, QPixmap

from jurydesk.app.window.frame import SIZE

SCRIPT = Path(__file__).parent.parent.parent / "packaging" / "screenshots.py"


@pytest.fixture
def screenshots() -> ModuleType:
    spec = importlib.util.spec_from_file_location("screenshots", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_picture_is_written_completely_or_not_at_all(
    screenshots: ModuleType, qapp: object, tmp_path: Path
) -> None:
    pixmap = QPixmap(1280, 800)
    pixmap.fill(QColor("#3457d5"))
    path = screenshots.save(pixmap, tmp_path, "items-dark")
    assert path == tmp_path / "items-dark.png"
    assert QImage(str(path)).size() == pixmap.size()


@pytest.mark.qt_log_ignore(".*")
def test_a_picture_that_cannot_be_written_is_reported(
    screenshots: ModuleType, qapp: object, tmp_path: Path
) -> None:
    with pytest.raises(OSError, match="cannot be written"):
        screenshots.save(QPixmap(8, 8), tmp_path / "gone", "items-dark")


def test_the_pictures_of_the_readme_are_small_and_show_todays_pages_and_window(
    screenshots: ModuleType,
) -> None:
    for _, page, mode in screenshots.README_PICTURES:
        path = screenshots.README_FOLDER / f"{page}-{mode}.png"
        assert path.stat().st_size < 200_000
        picture = QImage(str(path))
        assert picture.size().toTuple() == screenshots.SIZE == SIZE.toTuple()
        assert picture.text("Pages") == screenshots.page_names(), "run screenshots.py --readme"


def test_waiting_ends_with_a_message(
    screenshots: ModuleType, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screenshots, "PATIENCE_SECONDS", 0.0)
    with pytest.raises(TimeoutError, match="did not finish"):
        screenshots.wait(lambda: False)


def test_the_readme_shows_pages_that_exist(screenshots: ModuleType) -> None:
    from jurydesk.app.pages import PAGES

    pages = {page.id for page in PAGES}
    assert {page for _, page, _ in screenshots.README_PICTURES} <= pages
