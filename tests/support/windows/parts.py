"""Opening of every part of a window, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

from pytestqt.qtbot import QtBot

from jurydesk.app.pages import PAGES
from jurydesk.app.pages.compare.compare_page import ComparePage
from jurydesk.app.pages.items.items_page import ItemsPage
from jurydesk.app.window.main_window import Window


def parts_of(window: Window) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield every page, an open item, and another item of the two compared systems."""
    for page in PAGES:
        yield page.id, partial(window.show_page, page.id)
        if page.id == "items":
            items = cast(ItemsPage, window.pages["items"])
            yield "another item", items.next_item
            yield "an opened item", items.open_item
            yield "the items again", items.close_item
        if page.id == "compare":
            compare = cast(ComparePage, window.pages["compare"])
            yield "another item of both", partial(compare.view.table.step, 1)
            yield "the systems swapped", compare.swap


def wait_for_parts(qtbot: QtBot, window: Window) -> None:
    """Wait until all queued work is done and all background reading has arrived."""
    items = cast(ItemsPage, window.pages["items"])
    compare = cast(ComparePage, window.pages["compare"])
    frames = items.view.frames, compare.view.frames
    qtbot.wait(60)
    qtbot.waitUntil(lambda: not compare._sides.is_pending, timeout=30_000)
    qtbot.waitUntil(lambda: all(each.is_empty for each in frames), timeout=30_000)
    qtbot.wait(30)
