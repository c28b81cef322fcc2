"""Registry of the window's pages; sidebar, menu, keys and palette follow it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jurydesk.app.pages.page import Page


@dataclass(frozen=True, slots=True)
class PageEntry:
    """Page by name; its module is imported when the page is first shown.

    An optional page is hidden while a competition is open that does not name it.
    """

    id: str
    title: str
    module: str
    page: str
    is_optional: bool = False

    def load(self) -> type[Page]:
        """Return the class of the page."""
        page: type[Page] = getattr(import_module(self.module), self.page)
        return page


PAGES = (
    PageEntry("home", "Home", "jurydesk.app.pages.home.home_page", "HomePage"),
    PageEntry("check", "Check", "jurydesk.app.pages.check.check_page", "CheckPage"),
    PageEntry("board", "Board", "jurydesk.app.pages.leaderboard.leaderboard_page", "BoardPage"),
    PageEntry("items", "Items", "jurydesk.app.pages.items.items_page", "ItemsPage"),
    PageEntry("compare", "Compare", "jurydesk.app.pages.compare.compare_page", "ComparePage"),
    PageEntry("rate", "Rate", "jurydesk.app.pages.rate.rate_page", "RatePage"),
    PageEntry(
        "references",
        "References",
        "jurydesk.app.pages.references.references_page",
        "ReferencesPage",
        is_optional=True,
    ),
    PageEntry(
        "models",
        "Models",
        "jurydesk.app.pages.models.models_page",
        "ModelsPage",
        is_optional=True,
    ),
    PageEntry("why", "Explain", "jurydesk.app.pages.explain.explain_page", "ExplainPage"),
)


def unused_pages(named: Collection[str] | None) -> frozenset[str]:
    """Return the ids of optional pages that a competition does not name; none without one."""
    if named is None:
        return frozenset()
    return frozenset(page.id for page in PAGES if page.is_optional and page.id not in named)
