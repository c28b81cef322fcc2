"""The sheet of a name warns of names that look alike while one is typed."""

from __future__ import annotations

from PySide6.QtCore import Qt

from jurydesk.app.sheets.rename_sheet import RenameSheet


def test_a_name_that_looks_like_another_is_warned_of_while_it_is_typed(qtbot, below):
    kept: list[str] = []
    sheet = RenameSheet("Name of R1", "", "", kept.append, below, ["Anna"])
    sheet.open()
    sheet.name.insert("\u0410")  # Cyrillic, which a key of this test cannot type
    qtbot.keyClicks(sheet.name, "nn")
    assert sheet.reason.text() == "The name \u0410nn (U+0410) mixes letters: Cyrillic, Latin."
    qtbot.keyClicks(sheet.name, "a")
    assert sheet.reason.isVisible()
    assert sheet.reason.text() == "These names look alike: Anna, \u0410nna (U+0410)."
    sheet.name.clear()
    qtbot.keyClicks(sheet.name, "Boris")
    assert not sheet.reason.isVisible()
    qtbot.keyClick(sheet.name, Qt.Key.Key_Return)
    assert kept == ["Boris"]
