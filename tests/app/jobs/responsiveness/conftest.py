"""Fixtures of responsiveness."""

from __future__ import annotations

import pytest

from jurydesk.app.pages.items.items_page import ItemsPage


@pytest.fixture
def nothing_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill no page before it is opened, as for a user who is quicker or has many items."""
    monkeypatch.setattr(ItemsPage, "_show_ahead", lambda page: None)
