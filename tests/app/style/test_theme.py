import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget, QWidgetItem

from jurydesk.app.style.theme import STYLED, theme


def test_an_application_made_elsewhere_gets_the_style_of_the_theme_once(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    styles: list[str] = []
    monkeypatch.setattr(qapp, "setStyle", styles.append)
    qapp.setProperty(STYLED, False)
    for _ in range(2):
        theme().install(qapp, "light")
    assert styles == ["Fusion"]


def test_a_deleted_layout_item_in_the_place_of_a_widget_is_left_out(
    qtbot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = QLabel("Title")
    qtbot.addWidget(title)
    monkeypatch.setattr(QApplication, "allWidgets", lambda: [QWidgetItem(title), title])
    zoom = theme().zoom
    with qtbot.waitSignal(theme().changed):
        theme().set_zoom(2 * zoom)
    theme().set_zoom(zoom)


def test_a_page_that_a_change_found_hidden_takes_the_style_before_it_is_shown(qtbot) -> None:
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    titles = [QLabel("Title") for _ in range(2)]
    for title in titles:
        title.setProperty("kind", "title")
        stack.addWidget(title)
        theme().add_page(title)
    stack.show()
    for title in titles:
        stack.setCurrentWidget(title)  # each is shown once
    zoom, size = theme().zoom, titles[0].font().pixelSize()
    try:
        theme().set_zoom(2 * zoom)
        assert titles[1].font().pixelSize() == 2 * size
        assert not titles[0].testAttribute(Qt.WidgetAttribute.WA_WState_Polished)
        theme().catch_up(titles[0])
        assert titles[0].font().pixelSize() == 2 * size
        fresh = QLabel("Title")
        stack.addWidget(fresh)
        theme().add_page(fresh)
        with qtbot.assertNotEmitted(theme().changed):
            for title in (*titles, fresh):
                theme().catch_up(title)
    finally:
        theme().set_zoom(zoom)
