"""Opening every part of a window, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pytestqt.qtbot import QtBot

from jurydesk.app.pages import PAGES
from jurydesk.app.window.main_window import Window


def parts_of(window: Window) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every page, an item opened, and another item of the two that are compared."""
    for page in PAGES:
        yield page.id, partial(window.show_page, page.id)
        if page.id == "items":
            yield "another item", window.pages["items"].next_item
            yield "an opened item", window.pages["items"].open_item
            yield "the items again", window.pages["items"].close_item
        if page.id == "compare":
            table = window.pages["compare"].view.table
            yield "another item of both", partial(table.step, 1)
            yield "the systems swapped", window.pages["compare"].swap


def settle(qtbot: QtBot, window: Window) -> None:
    """Let everything have its turn, and what is read in the background arrive."""
    items, compare = window.pages["items"], window.pages["compare"]
    frames = items.view.frames, compare.view.frames
    qtbot.wait(60)
    qtbot.waitUntil(lambda: not compare._sides.is_pending, timeout=30_000)
    qtbot.waitUntil(lambda: all(each.is_empty for each in frames), timeout=30_000)
    qtbot.wait(30)
