"""Opening and closing the page twelve times leaks nothing."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from PySide6.QtWidgets import QApplication

from jurydesk.app.rating_client.rating_window import Bridge

OPENINGS = 12
GROWTH_MB = 24
"""Of this process, over the last eight openings; a page that stayed would take twice that."""


def delete_unused_objects() -> None:
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
    gc.collect()


def alive(kind: type) -> int:
    return sum(isinstance(one, kind) for one in gc.get_objects())


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_opening_and_closing_leaks_nothing(open_rater, content):
    delete_unused_objects()
    windows = len(QApplication.topLevelWidgets())
    kinds = (QWebEnginePage, QWebEngineProfile, Bridge)
    before = [alive(kind) for kind in kinds]
    sizes = []
    for _ in range(OPENINGS):
        rater = open_rater(content)
        rater.close()
        rater.window.deleteLater()
        rater.forget()
        delete_unused_objects()
        sizes.append(resident_mb())
    assert len(QApplication.topLevelWidgets()) <= windows + 1
    assert [alive(kind) for kind in kinds] == before
    assert sizes[-1] - sizes[3] < GROWTH_MB
