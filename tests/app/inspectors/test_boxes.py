"""Picture with boxes."""

from __future__ import annotations

from jurydesk.app.inspectors.boxes import BoxesView
from jurydesk.app.style.theme import theme


def test_the_least_size_follows_the_zoom(qtbot) -> None:
    theme().set_zoom(2.0)
    view = BoxesView("Picture with boxes")
    qtbot.addWidget(view)
    large = view.minimumSize()
    theme().set_zoom(1.0)
    assert view.minimumSize() * 2 == large
