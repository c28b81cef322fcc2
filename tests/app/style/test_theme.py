import pytest
from PySide6.QtWidgets import QApplication

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
