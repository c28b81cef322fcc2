"""One page of the window a module; the line here adds it to sidebar, menu, keys and palette."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.pages.page import Page


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page by name; its module is imported when the page is first shown."""

    id: str
    title: str
    module: str
    page: str

    def load(self) -> type[Page]:
        """The class of the page."""
        found: type[Page] = getattr(import_module(self.module), self.page)
        return found


PAGES = (
    PageEntry("home", "Home", "app.pages.home", "HomePage"),
    PageEntry("check", "Check", "app.pages.check", "CheckPage"),
    PageEntry("board", "Board", "app.pages.board", "BoardPage"),
    PageEntry("items", "Items", "app.pages.items", "ItemsPage"),
    PageEntry("compare", "Compare", "app.pages.compare", "ComparePage"),
    PageEntry("rate", "Rate", "app.pages.rate", "RatePage"),
    PageEntry("references", "References", "app.pages.references", "ReferencesPage"),
    PageEntry("models", "Models", "app.pages.models", "ModelsPage"),
    PageEntry("why", "Why", "app.pages.why", "WhyPage"),
)
