"""Use cases run with the toy competition only, unless a test asks for the real ones."""

from __future__ import annotations

import pytest

from support.windows import toy_competition


@pytest.fixture
def only_the_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install no other competition."""
    monkeypatch.setattr(
        "jurydesk.core.competition.task_registry.registry", toy_competition.registry
    )
    monkeypatch.setattr(toy_competition, "SECONDS", 0.0)
