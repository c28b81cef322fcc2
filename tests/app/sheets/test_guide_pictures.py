"""Pictures of the pages in the guide."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage

from jurydesk.app.pages import PAGES
from jurydesk.app.pages.home.guide_card import PARTS as HOME_PARTS
from jurydesk.app.sheets.help import guide_file, guide_parts, guide_picture
from jurydesk.core.language import translate
from support.language import shown_in


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_page_and_link_has_its_part_of_the_guide_and_each_page_a_picture(
    language: str,
) -> None:
    with shown_in(language):
        parts = guide_parts(guide_file().read_text(encoding="utf-8"))
        assert [page.id for page in PAGES if translate(page.title) not in parts] == []
        assert [part for part in HOME_PARTS if translate(part) not in parts] == []
        pictures = {page.id: guide_picture(page.id) for page in PAGES}
    suffix = "" if language == "en" else f"_{language}"
    names = {page: path.name for page, path in pictures.items() if path is not None}
    assert names == {page.id: f"{page.id}{suffix}.png" for page in PAGES}
    assert all(QImage(str(path)).width() == 1024 for path in pictures.values())
