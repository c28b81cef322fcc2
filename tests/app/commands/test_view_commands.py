"""Reset of the layout, and what undo restores of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from jurydesk.app.commands.view_commands import set_zoom
from jurydesk.app.style.theme import theme


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_undo_restores_window_type_columns_and_splitters_after_a_reset(qtbot, scored, settings):
    board = scored.page
    board.columns.store_names(["listed"])
    board.facts_button.setChecked(not board.facts_button.isChecked())
    scored.show_page("items")
    splitter = scored.page.view
    qtbot.waitUntil(lambda: scored.page.evaluation is not None and splitter.frames.is_empty)
    scored.resize(780, 730)
    set_zoom(settings, 0.8)
    qtbot.wait(10)
    splitter.setSizes([290, 330])
    splitter.right.setSizes([200, 300])
    splitter.layout_changed.emit()
    qtbot.wait(10)

    def layout() -> list[object]:
        stored = [settings.blob("items/across"), settings.blob("items/down")]
        columns = [shown.title for shown in board.view.board_model.columns]
        texts = [settings.text("board/facts"), settings.text("zoom")]
        sizes = [scored.size(), splitter.sizes(), splitter.right.sizes(), theme().zoom]
        return [*stored, columns, *texts, board.facts_button.isChecked(), *sizes]

    before = layout()
    assert not splitter.is_folded
    scored.actions_.run("view.reset")
    after = layout()
    assert [one for one, other in zip(after, before, strict=True) if one == other] == []
    assert scored.toast.text.text() == "The layout was reset."
    assert scored.actions_["edit.undo"].text() == "Undo resetting the layout"
    qtbot.mouseClick(scored.toast.button, Qt.MouseButton.LeftButton)
    assert layout() == before
