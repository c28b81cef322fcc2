"""Pages of the window, each built when it is first shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget

from jurydesk.app.pages import PAGES
from jurydesk.app.pages.page import Page
from jurydesk.app.state.workspace import Workspace
from jurydesk.app.style.theme import theme


class PageStack(QObject):
    """Builds pages into a stack, and passes on what pages ask, notify, command and change."""

    asked = Signal(str)
    message = Signal(object)
    commanded = Signal(str)
    changed = Signal()

    def __init__(self, stack: QStackedWidget, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._stack = stack
        self._workspace = workspace
        self._settled = False
        self.pages: dict[str, Page] = {}

    @property
    def front(self) -> Page:
        return next(page for page in self.pages.values() if page is self._stack.currentWidget())

    def missing(self) -> str | None:
        """Return the id of a page that is not built yet, or None."""
        return next((page.id for page in PAGES if page.id not in self.pages), None)

    def page(self, name: str) -> Page:
        return self.pages[name] if name in self.pages else self.build(name)

    def build(self, name: str) -> Page:
        """Build a page, and add it to the stack."""
        entry = next(page for page in PAGES if page.id == name)
        page = entry.load()(self._workspace)
        page.page_requested.connect(self.asked)
        page.message.connect(self.message)
        page.command_requested.connect(self.commanded)
        page.changed.connect(self.changed)
        self.pages[name] = page
        if self._settled:
            page.load_deferred()
        self._stack.addWidget(page)
        theme().add_page(page)
        return page

    def show(self, name: str) -> Page:
        """Show a page in the style of now, and return it."""
        page = self.page(name)
        theme().catch_up(page)
        self._stack.setCurrentWidget(page)
        return page

    def reset_layout(self) -> None:
        """Reset the layout of all pages."""
        for page in self.pages.values():
            page.reset_layout()

    def layout_restorers(self) -> list[Callable[[], object]]:
        """Return functions that restore the present layout of all pages."""
        return [page.layout_restorer() for page in self.pages.values()]

    def prepare_views(self) -> None:
        """Let hidden pages create the views of items, whose modules are imported."""
        for page in self.pages.values():
            if not page.isVisible():
                page.prepare_views()

    def settle(self) -> None:
        """Let all pages load what can wait for the window's first paint."""
        self._settled = True
        for page in self.pages.values():
            page.load_deferred()
