"""The language of the preferences."""

from __future__ import annotations

from PySide6.QtCore import Qt

from jurydesk.app.state.settings import Settings
from jurydesk.core.language import current_language


def test_a_chosen_language_is_kept_for_the_next_start(qtbot, window, settings: Settings):
    window.actions_.run("edit.preferences")
    sheet = window.views.sheet
    assert not sheet.next_start.isVisible()
    sheet.language.setFocus()
    qtbot.keyClick(sheet.language, Qt.Key.Key_End)
    assert sheet.language.currentText() == "Русский"
    assert settings.text("language") == "ru"
    assert sheet.next_start.isVisible()
    assert current_language() == "en"
    qtbot.keyClick(sheet.language, Qt.Key.Key_Home)
    assert settings.text("language", "none") == ""
