"""Place of a panel above the table of items."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from jurydesk.app.inspectors.panel import Panel
from jurydesk.app.pages.items import item_card as items_panel
from jurydesk.app.pages.items.item_card import PanelPlace
from jurydesk.app.pages.items.items_view import ItemsView


class OnePanel(Panel):
    """A panel that shows nothing."""

    least_width, least_height = 700, 450

    def show_evaluation(self, evaluation, systems) -> None: ...

    def columns(self) -> tuple:
        return ()


@pytest.fixture
def keeper(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the created panels."""
    names: list[str] = []

    class Panels:
        @staticmethod
        def make(name: str) -> Panel | None:
            if not name:
                return None
            names.append(name)
            return OnePanel()

    monkeypatch.setattr(items_panel, "PANELS", Panels)
    return names


@pytest.fixture
def place(keeper: QWidget, made: list[str]) -> PanelPlace:
    return PanelPlace(keeper)


@pytest.mark.parametrize(
    ("size", "beside"), [((1500, 800), True), ((1200, 800), False), ((1500, 600), False)]
)
def test_the_list_stands_beside_a_panel_where_both_have_room(
    qtbot: QtBot, made: list[str], size: tuple[int, int], beside: bool
) -> None:
    view = ItemsView()
    qtbot.addWidget(view)
    view.resize(*size)
    view.use_panel("one")
    assert view.is_folded is not beside


def test_a_prepared_panel_is_used(place: PanelPlace, keeper: QWidget, made: list[str]) -> None:
    place.prepare("one", keeper)
    place.prepare("one", keeper)
    assert place.panel is None
    assert place.use("one")
    place.panel.setParent(keeper)
    place.prepare("one", keeper)
    assert not place.use("one")
    assert made == ["one"]


def test_an_unused_prepared_panel_is_deleted(
    qtbot: QtBot, place: PanelPlace, keeper: QWidget, made: list[str]
) -> None:
    place.prepare("one", keeper)
    (kept,) = keeper.findChildren(OnePanel)
    with qtbot.waitSignal(kept.destroyed):
        place.use("two")
    place.panel.setParent(keeper)
    assert made == ["one", "two"]


def test_without_a_panel_the_previous_one_is_deleted(place: PanelPlace, keeper: QWidget) -> None:
    place.use("one")
    assert place.use("")
    assert place.panel is None


def test_signals_of_any_panel_are_relayed(qtbot: QtBot, place: PanelPlace, keeper: QWidget) -> None:
    for name in ("one", "two"):
        place.use(name)
        place.panel.setParent(keeper)
        with qtbot.waitSignal(place.rows_changed):
            place.panel.rows_changed.emit()
        with qtbot.waitSignal(place.message) as reported:
            place.panel.message.emit(name)
        assert reported.args == [name]
